import { isSignedBy } from "~/ca/certificate/check.server";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { fromPem } from "~/ca/pem.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { lintCertificate } from "~/domain/ceremony/lint-certificate.server";
import { type TransferFile } from "~/domain/ceremony/transfer-file.server";
import { formatDate } from "~/lib/dates";
import { repositoryFiles } from "~/lib/repository-files";
import { type Trx } from "~db/connection.server";
import {
  type CrossCertificate,
  insertCrossCertificate,
  listCrossCertificates,
} from "~db/repositories/cross-certificates.server";
import { type Authority, isOnCrl, listAuthorities } from "./authorities.service.server";

type CrossEntry = Pick<TransferFile["certificates"][number], "name" | "pem" | "issuerPem">;

/** The CA that signed a cross-certificate: one of the portal, or one whose certificate came with it. */
interface CrossIssuer {
  authority: Authority | null;
  der: Uint8Array;
}

/** Returns the CA that the cross-certificate is for. Throws an Error when the portal has none with its name and its key. */
function subjectOf(der: Uint8Array, authorities: readonly Authority[]): Authority {
  const { subject, key } = parseCertificate(der);
  const named = authorities.filter(
    ({ certificate }) => Buffer.compare(parseCertificate(certificate).subject.der, subject.der) === 0,
  );
  const { subjectName } = describeCertificate(der);
  if (named.length === 0) throw new Error(`No CA of this portal has its subject, ${subjectName}.`);
  const own = named.find(
    ({ certificate }) => Buffer.compare(parseCertificate(certificate).key.spkiDer, key.spkiDer) === 0,
  );
  if (own) return own;
  throw new Error(`It has the subject of '${named.map(({ name }) => name).join("' and '")}', but another key.`);
}

/** Returns the CA that signed the cross-certificate. Throws an Error when neither the portal has its certificate nor one is given. */
function issuerOf(der: Uint8Array, issuerPem: string | undefined, authorities: readonly Authority[]): CrossIssuer {
  const { issuer } = parseCertificate(der);
  const authority = authorities.find(
    ({ certificate }) => Buffer.compare(parseCertificate(certificate).subject.der, issuer.der) === 0,
  );
  if (authority) return { authority, der: authority.certificate };
  if (issuerPem !== undefined) return { authority: null, der: fromPem("CERTIFICATE", issuerPem) };
  const { issuerName } = describeCertificate(der);
  throw new Error(`Its issuer, ${issuerName}, is no CA of this portal, and no certificate of it is given.`);
}

/** Returns a sentence for each reason why a certificate cannot stand beside that of `existing`. */
function problemsOfCross(der: Uint8Array, existing: Uint8Array, issuer: Uint8Array, now: Date): string[] {
  const context = { kind: "cross-certificate", issuer, existing, hasUnknownKey: false } as const;
  const { errors } = lintCertificate(der, context);
  if (errors.length > 0) return errors;
  const certificate = parseCertificate(der);
  if (!isSignedBy(certificate, readIssuer(issuer)))
    return ["It is not signed with the key of its issuer, or was changed afterwards."];
  if (certificate.notBefore > now) return [`It is valid only from ${formatDate(certificate.notBefore.toISOString())}.`];
  if (certificate.notAfter <= now) return [`It ended on ${formatDate(certificate.notAfter.toISOString())}.`];
  if (parseCertificate(issuer).notAfter <= now) return ["The certificate of its issuer has ended."];
  return [];
}

async function install(
  trx: Trx,
  { pem, issuerPem }: CrossEntry,
  about: string,
  actor: Actor,
  now: Date,
): Promise<string | null> {
  const der = fromPem("CERTIFICATE", pem);
  const { thumbprintSha256, serialNumber, issuerName, startDate, endDate } = describeCertificate(der);
  const installed = await listCrossCertificates(trx);
  if (installed.some(({ thumbprint }) => thumbprint === thumbprintSha256)) return null;
  const authorities = await listAuthorities(trx);
  const subject = subjectOf(der, authorities);
  const issuer = issuerOf(der, issuerPem, authorities);
  const problems = problemsOfCross(der, subject.certificate, issuer.der, now);
  if (problems.length > 0) throw new Error(problems.join(" "));
  if (issuer.authority && (await isOnCrl(trx, issuer.authority, serialNumber)))
    throw new Error(`It is on the CRL of '${issuer.authority.name}'.`);
  const id = await insertCrossCertificate(trx, {
    authorityId: subject.id,
    issuerId: issuer.authority?.id ?? null,
    issuerCertificate: issuer.authority ? null : Buffer.from(issuer.der),
    issuerName,
    certificate: Buffer.from(der),
    serialNumber,
    notBefore: startDate,
    notAfter: endDate,
    thumbprint: thumbprintSha256,
    createdAt: now,
  });
  if (id === null) return null; // another process was faster
  const name = repositoryFiles.cross(subject.name, id);
  const message = `The cross-certificate '${name}' for '${subject.name}' was installed: by ${issuerName}, SHA-256 ${thumbprintSha256.toLowerCase()}. ${about}`;
  await recordAudit(trx, { actor, event: "cross-certificate.installed", message, reference: name }, now);
  return name;
}

/**
 * Installs a cross-certificate: a certificate for the name and the key of a CA of this portal, by another CA.
 *
 * @param entry The certificate with its name in messages, and the certificate of an issuer that is no CA of the portal.
 * @param about A sentence for the audit trail that says where it comes from.
 * @returns Its name in the repository, or null when it is installed already.
 * @throws Error that names the certificate and what is wrong with it.
 */
export async function installCrossCertificate(
  trx: Trx,
  entry: CrossEntry,
  about: string,
  actor: Actor,
  now: Date,
): Promise<string | null> {
  try {
    return await install(trx, entry, about, actor, now);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Error(`The cross-certificate '${entry.name}' cannot be installed. ${error.message}`, { cause: error });
  }
}

/** A cross-certificate with the CA that it is for. */
export interface NamedCrossCertificate extends CrossCertificate {
  /** Its files in the repository have this name: `root-cross-1`. */
  name: string;
  authority: Authority;
  /** The root of the portal that signed it, or null when another CA did. */
  issuer: Authority | null;
}

/** Adds their names and CAs to cross-certificates. */
export function nameCrossCertificates(
  rows: readonly CrossCertificate[],
  authorities: readonly Authority[],
): NamedCrossCertificate[] {
  const byId = new Map(authorities.map((authority) => [authority.id, authority]));
  return rows.flatMap((row) => {
    const authority = byId.get(row.authorityId);
    const issuer = row.issuerId === null ? null : (byId.get(row.issuerId) ?? null);
    return authority ? [{ ...row, name: repositoryFiles.cross(authority.name, row.id), authority, issuer }] : [];
  });
}
