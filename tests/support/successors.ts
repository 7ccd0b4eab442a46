import { randomBytes } from "node:crypto";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { buildCrl } from "~/ca/crl/build.server";
import { CrlEntries } from "~/ca/crl/entries.server";
import { revokedEntryDer } from "~/ca/crl/entry.server";
import { readCsr } from "~/ca/csr/read.server";
import { createIssuingCertificate, type IssuingRequest } from "~/ca/hierarchies.server";
import { toPem } from "~/ca/pem.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { issuingHierarchy, rootOf } from "~/domain/authorities/catalogue";
import { installTransfer } from "~/domain/authorities/install.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { requestAuthority } from "~/domain/authorities/request.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { type TransferFile } from "~/domain/ceremony/transfer-file.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { getDb } from "~db/connection.server";
import { type AuthorityName } from "~db/tables";

export const OPERATOR = systemActor("command line (Olga)");

/** Returns a transfer file as a ceremony writes it. */
export const transferOf = (content: Partial<Pick<TransferFile, "certificates" | "crls">>): TransferFile => ({
  format: "marque-transfer-1",
  ceremony: {
    title: "Another issuing CA",
    date: "2026-11-27",
    planSha256: "ab".repeat(32),
    transcriptSha256: "cd".repeat(32),
  },
  certificates: [],
  crls: [],
  ...content,
});

/** Makes the key and the request of another issuing CA. The key is as short as an issuing CA's can be, because making it takes long. */
export const requestSuccessor = (name: AuthorityName, caption = "Issuing CA (SHA2) 2031") =>
  requestAuthority(name, caption, OPERATOR, { bits: 3072 });

interface Signing extends Pick<IssuingRequest, "nameConstraints" | "extendedKeyUsage"> {
  /** The root that signs. */
  root?: AuthorityName;
  years?: number;
  /** The policy under which the CA may issue. */
  policyOid?: string;
}

/** Signs a request with the key of a root, as a ceremony does. Returns the PEM of the certificate. */
export async function signRequest(
  name: AuthorityName,
  pem: string,
  { root, years = 10, policyOid = "2.999.1", ...limits }: Signing = {},
): Promise<string> {
  const hierarchy = issuingHierarchy(name) ?? "sha2";
  const issuer = root ?? rootOf(hierarchy);
  const read = readCsr(pem);
  if (!read.ok) throw new Error("The request of the CA cannot be read.");
  const { csr } = read;
  const { crl, caIssuers } = authorityUrls(issuer);
  const der = await createIssuingCertificate({
    subject: csr.subject,
    spkiDer: csr.spkiDer,
    issuer: readIssuer((await getAuthority(getDb(), issuer)).certificate),
    signer: await getSigner(issuer, { allowRoot: true }),
    years,
    now: new Date(Date.now() - 3_600_000),
    random: randomBytes,
    policy: { oid: policyOid },
    urls: { crl, caIssuers },
    ...limits,
  });
  return toPem("CERTIFICATE", der);
}

/** Installs another issuing CA with its CRLs and responder. It is planned then. */
export async function installSuccessor(name: AuthorityName, signing?: Signing): Promise<void> {
  const { pem } = await requestSuccessor(name);
  const certificate = await signRequest(name, pem, signing);
  await installTransfer(transferOf({ certificates: [{ kind: "issuing", name, pem: certificate }] }), OPERATOR);
  await publishCrls(name);
  await renewResponders();
}

/** Makes the CRL of a root that revokes the certificate with this serial number, as a ceremony does. */
export async function rootCrlRevokingSerial(
  name: AuthorityName,
  serialNumber: string,
): Promise<{ pem: string; revocationDate: Date }> {
  const root = await getAuthority(getDb(), name);
  const revocationDate = new Date(Math.floor(Date.now() / 1000) * 1000);
  const entries = new CrlEntries();
  entries.append(revokedEntryDer({ serial: serialNumber, revocationDate, reason: 2 }));
  const der = await buildCrl({
    issuer: readIssuer(root.certificate),
    signer: await getSigner(name, { allowRoot: true }),
    number: root.crlNumber + 1,
    thisUpdate: revocationDate,
    nextUpdate: new Date(revocationDate.getTime() + 86_400_000 * 100),
    entries,
  });
  return { pem: toPem("X509 CRL", der), revocationDate };
}

/** Makes the CRL of the root that revokes an issuing CA, as a ceremony does. */
export async function rootCrlRevoking(name: AuthorityName): Promise<string> {
  const { serialNumber } = describeCertificate((await getAuthority(getDb(), name)).certificate);
  return (await rootCrlRevokingSerial("root", serialNumber)).pem;
}
