import { createPrivateKey, randomBytes } from "node:crypto";
import { encodeCaTbs } from "~/ca/certificate/ca-tbs.server";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { type Issuer, readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { createRootCertificate } from "~/ca/hierarchies.server";
import { spkiDerOf } from "~/ca/keys.server";
import { toPem } from "~/ca/pem.server";
import { type Signer, softwareSigner } from "~/ca/signer.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { type TransferFile } from "~/domain/ceremony/transfer-file.server";
import { getDb } from "~db/connection.server";
import { type AuthorityName } from "~db/tables";
import { nextRsaKey } from "./keys";

/** A CA that can sign a cross-certificate. */
export interface CrossSigner {
  der: Uint8Array;
  signer: Signer;
  /** Whether the transfer file has its certificate. */
  isOutside: boolean;
}

/** Makes the root of another organisation. */
export async function outsideRoot(commonName = "Other Root"): Promise<CrossSigner> {
  const key = createPrivateKey(nextRsaKey());
  const signer = softwareSigner(key, "sha256");
  const der = await createRootCertificate({
    subject: { country: "GB", organisation: "Example Association", commonName },
    spkiDer: spkiDerOf(key),
    signer,
    years: 20,
    now: new Date("2020-03-02T00:00:00Z"),
    random: randomBytes,
  });
  return { der, signer, isOutside: true };
}

/** Returns a root of the portal as a CA that signs. */
export async function rootAsSigner(name: AuthorityName): Promise<CrossSigner> {
  const { certificate: der } = await getAuthority(getDb(), name);
  return { der, signer: await getSigner(name, { allowRoot: true }), isOutside: false };
}

interface CrossOptions {
  /** The CA that it is for. */
  existing?: AuthorityName;
  /** Replaces its subject or its key with those of this certificate. */
  subjectFrom?: Uint8Array;
  keyFrom?: Uint8Array;
  notBefore?: Date;
  notAfter?: Date;
  /** Signs in place of the key of the issuer. */
  signedBy?: Signer;
}

/** Makes a cross-certificate as a ceremony does. Returns it as an entry of a transfer file. */
export async function crossCertificate(
  by: CrossSigner,
  { existing = "root", subjectFrom, keyFrom, notBefore, notAfter, signedBy = by.signer }: CrossOptions = {},
): Promise<TransferFile["certificates"][number]> {
  const { certificate } = await getAuthority(getDb(), existing);
  const issuer: Issuer = readIssuer(by.der);
  const { keyIdentifier } = readIssuer(keyFrom ?? certificate);
  const existingFrom = parseCertificate(certificate).notBefore;
  const tbs = encodeCaTbs({
    serial: `4A${randomBytes(15).toString("hex").toUpperCase()}`,
    hash: by.signer.hash,
    issuer,
    notBefore: notBefore ?? new Date(Math.max(existingFrom.getTime(), parseCertificate(by.der).notBefore.getTime())),
    notAfter: notAfter ?? new Date(Math.floor(Date.now() / 1000) * 1000 + 86_400_000 * 365),
    subjectDer: readIssuer(subjectFrom ?? certificate).subjectDer,
    spkiDer: parseCertificate(keyFrom ?? certificate).key.spkiDer,
    keyIdentifier,
    pathLength: 1,
    urls: { crl: "http://pki.example/other.crl", caIssuers: "http://pki.example/other.cer" },
  });
  const der = assembleCertificate(tbs, await signedBy.sign(tbs), signedBy.hash);
  return {
    kind: "cross-certificate",
    name: "crossed",
    pem: toPem("CERTIFICATE", der),
    ...(by.isOutside && { issuerPem: toPem("CERTIFICATE", by.der) }),
  };
}
