import { verify } from "node:crypto";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { checkNameLimits, issuerLimits } from "~/ca/names/issuer-limits.server";
import { fromPem, toPem } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { caSignatureHash } from "~/ca/x509/algorithms.server";
import { distinguishedName, encodeName, readName } from "~/ca/x509/name.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { lintCertificate } from "~/domain/ceremony/lint-certificate.server";
import { readSha256, type TransferFile } from "~/domain/ceremony/transfer-file.server";
import { responderSubject } from "~/domain/ocsp/responders.service.server";
import { formatDate } from "~/lib/dates";
import { getDb, type Trx } from "~db/connection.server";
import { insertAuthority } from "~db/repositories/authorities.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { type AuthorityName, type HierarchyName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { type Authority, findAuthority, isOnCrl, listAuthorities } from "./authorities.service.server";
import { ISSUING_NAME_RULE, isRootName, issuingHierarchy, rootOf } from "./catalogue";
import { storeRootCrl } from "./crl-transfer.service.server";
import { installCrossCertificate } from "./cross-certificates.server";
import { readDerFile } from "./der-file.server";
import { keyStoreOf } from "./key-stores.server";
import { ALWAYS } from "./life.policy";
import { authorityCaption } from "./subject.server";

/** A certificate of a transfer file that becomes a CA of the portal. */
interface NewAuthority {
  name: AuthorityName;
  hierarchy: HierarchyName;
  isRoot: boolean;
  der: Uint8Array;
}

const bytesEqual = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

/** Returns the certificates of a file that are roots or issuing CAs, the roots first. Throws an Error for a wrong name. */
function newAuthorities({ certificates }: TransferFile): NewAuthority[] {
  return certificates
    .filter(({ kind }) => kind === "root" || kind === "issuing")
    .map(({ kind, name, pem }) => {
      const isRoot = kind === "root";
      const hierarchy = isRoot ? rootHierarchy(name) : issuingHierarchy(name);
      if (!hierarchy)
        throw new Error(
          isRoot
            ? `The root '${name}' must have the name root or root-g3.`
            : `The name of '${name}' ${ISSUING_NAME_RULE}.`,
        );
      return { name: name as AuthorityName, hierarchy, isRoot, der: fromPem("CERTIFICATE", pem) };
    })
    .sort((one, other) => Number(other.isRoot) - Number(one.isRoot));
}

const rootHierarchy = (name: string): HierarchyName | null =>
  (Object.keys(HIERARCHIES) as HierarchyName[]).find((one) => rootOf(one) === name) ?? null;

/** Returns a sentence when an issuing CA may not certify its own OCSP responder, whose subject has the organisation of the configuration. */
function responderProblems(der: Uint8Array): string[] {
  const { subject } = describeCertificate(der);
  const responder = responderSubject(authorityCaption(subject.commonName ?? ""));
  const found = checkNameLimits(issuerLimits(der), {
    subject: readName(distinguishedName(encodeName(responder))),
    names: [],
  });
  return found.map(({ sentence }) => `It cannot certify its OCSP responder. ${sentence}`);
}

/** Returns a sentence for each reason why a certificate cannot be that of this CA, which `issuerDer` must have signed. */
function problemsOf({ hierarchy, isRoot, der }: NewAuthority, issuerDer: Uint8Array, now: Date): string[] {
  const { hash } = HIERARCHIES[hierarchy];
  const { errors } = lintCertificate(der, {
    kind: isRoot ? "root" : "issuing",
    issuer: isRoot ? null : issuerDer,
    existing: null,
    hasUnknownKey: false,
  });
  if (errors.length > 0) return errors;
  const { tbs, signature, signatureAlgorithm, notBefore, notAfter } = parseCertificate(der);
  if (caSignatureHash(signatureAlgorithm) !== hash) return [`Its signature must be RSA with ${hash.toUpperCase()}.`];
  if (!verify(hash, tbs, readIssuer(issuerDer).publicKey, signature))
    return ["It is not signed with the key of its issuer, or was changed afterwards."];
  const unnamed = isRoot ? [] : responderProblems(der);
  if (unnamed.length > 0) return unnamed;
  if (notBefore > now) return [`It is valid only from ${formatDate(notBefore.toISOString())}.`];
  return notAfter > now ? [] : [`It ended on ${formatDate(notAfter.toISOString())}.`];
}

/** Throws an Error when a certificate cannot become this CA. Returns false when it is installed already. */
async function isNew(authority: NewAuthority, others: readonly NewAuthority[], now: Date): Promise<boolean> {
  const { name, hierarchy, isRoot, der } = authority;
  const stored = await findAuthority(getDb(), name);
  if (stored && bytesEqual(stored.certificate, der)) return false;
  if (stored) throw new Error(`There is a CA '${name}' already, with another certificate.`);
  const root = await findAuthority(getDb(), rootOf(hierarchy));
  const rootDer = root?.certificate ?? others.find((other) => other.name === rootOf(hierarchy))?.der;
  if (!rootDer) throw new Error(`There is no root '${rootOf(hierarchy)}', which must have signed '${name}'.`);
  const problems = problemsOf(authority, isRoot ? der : rootDer, now);
  if (problems.length > 0) throw new Error(`The certificate of '${name}' cannot be installed. ${problems.join(" ")}`);
  const { spkiSha256, serialNumber } = describeCertificate(der);
  // The file of an earlier ceremony can hold a certificate that the root has revoked since.
  if (root && (await isOnCrl(getDb(), root, serialNumber)))
    throw new Error(`The certificate of '${name}' cannot be installed. It is on the CRL of '${root.name}'.`);
  for (const { name: other, certificate } of await listAuthorities(getDb()))
    if (describeCertificate(certificate).spkiSha256 === spkiSha256)
      throw new Error(`The certificate of '${name}' has the key of the CA '${other}'.`);
  return true;
}

/** Makes the key that waited for its certificate the key of this CA. Throws an Error when it is not here. */
async function requireKey({ name, isRoot, der }: NewAuthority): Promise<void> {
  if (isRoot || (await keyStoreOf(name).settle(name, readIssuer(der).publicKey, der))) return;
  throw new Error(
    `The key of '${name}' is not on this machine. Run 'ca install' where 'ca request ${name}' made it, or sign the request of this portal.`,
  );
}

async function store(trx: Trx, authority: NewAuthority, about: string, actor: Actor, now: Date): Promise<void> {
  const { name, hierarchy, isRoot, der } = authority;
  const { subjectName, subject, endDate, thumbprintSha256 } = describeCertificate(der);
  const siblings = (await listAuthorities(trx)).filter((one) => !one.isRoot && one.hierarchy === hierarchy);
  // The first issuing CA of a hierarchy issues at once. A successor waits until somebody decides when it takes over.
  const issuesFrom = isRoot || siblings.length > 0 ? null : ALWAYS;
  const isStored = await insertAuthority(trx, {
    name,
    hierarchy,
    isRoot,
    caption: authorityCaption(subject.commonName ?? name),
    certificate: Buffer.from(der),
    subjectName,
    notAfter: endDate,
    issuesFrom,
    createdAt: now,
  });
  if (!isStored) return; // another process was faster
  const message = `The CA '${name}' was installed: ${subjectName}, SHA-256 ${thumbprintSha256.toLowerCase()}. ${about}`;
  await recordAudit(trx, { actor, event: "authority.installed", message, reference: name }, now);
}

/** Returns whether this CRL of a root is published already. */
const isPublished = async (trx: Trx, root: Authority, der: Uint8Array): Promise<boolean> => {
  const latest = await findLatestCrl(trx, root.id, false);
  return latest !== null && bytesEqual(latest.der, der);
};

export interface Installed {
  /** The names of the CAs that this call installed. */
  authorities: AuthorityName[];
  /** The names that the cross-certificates which this call installed have in the repository. */
  crossCertificates: string[];
  /** The roots whose CRL was published, with its number. */
  lists: { root: AuthorityName; number: number }[];
  /** Issuing CAs that the CRLs revoke. */
  revoked: string[];
  /** Cross-certificates that the CRLs revoke. */
  revokedCross: string[];
  /** The names of certificates that the portal does not use: responders of other programs. */
  unused: string[];
}

/**
 * Installs what a ceremony signed: CAs whose keys 'ca request' made, roots, cross-certificates, and CRLs of roots. All of it is stored in one
 * transaction, so a file with one wrong part installs nothing. Can be repeated: what is installed already is passed over.
 *
 * @param transfer The content of the transfer file.
 * @throws Error that names the certificate or the CRL and what is wrong with it.
 */
export async function installTransfer(transfer: TransferFile, actor: Actor, now = new Date()): Promise<Installed> {
  const { title, date, transcriptSha256 } = transfer.ceremony;
  const about = `Ceremony: ${title} of ${date}; SHA-256 of its transcript: ${transcriptSha256}.`;
  const all = newAuthorities(transfer);
  const wanted: NewAuthority[] = [];
  for (const authority of all) if (await isNew(authority, all, now)) wanted.push(authority);
  for (const authority of wanted) await requireKey(authority);
  return inTransaction(async (trx) => {
    const installed: Installed = {
      authorities: [],
      crossCertificates: [],
      lists: [],
      revoked: [],
      revokedCross: [],
      unused: [],
    };
    for (const authority of wanted) {
      await store(trx, authority, about, actor, now);
      installed.authorities.push(authority.name);
    }
    for (const certificate of transfer.certificates) {
      if (certificate.kind === "ocsp-responder") installed.unused.push(certificate.name);
      if (certificate.kind !== "cross-certificate") continue;
      const name = await installCrossCertificate(trx, certificate, about, actor, now);
      if (name !== null) installed.crossCertificates.push(name);
    }
    for (const { issuer, pem } of transfer.crls) {
      const root = isRootName(issuer) ? await findAuthority(trx, issuer) : null;
      if (!root) throw new Error(`There is no root '${issuer}', whose CRL is in the file.`);
      const der = fromPem("X509 CRL", pem);
      if (await isPublished(trx, root, der)) continue;
      const { number, revoked, revokedCross } = await storeRootCrl(trx, root, der, actor, now, about);
      installed.lists.push({ root: root.name, number });
      installed.revoked.push(...revoked);
      installed.revokedCross.push(...revokedCross);
    }
    return installed;
  });
}

/** A cross-certificate that another CA signed without a ceremony of this portal. */
interface CrossFiles {
  /** The path of the certificate, as PEM or DER. */
  file: string;
  /** The path of the certificate of the CA that signed it. Not needed for a root of the portal. */
  issuerFile?: string | undefined;
  /** The SHA-256 of the certificate, as the other CA has told it by another way than the file. */
  sha256: string;
}

/**
 * Installs a cross-certificate that another CA signed without a ceremony of this portal. It must keep the rules of those that a ceremony signs.
 *
 * @returns Its name in the repository, or null when it is installed already.
 * @throws FileProblem when a file cannot be read.
 * @throws Error when the certificate has another SHA-256, or with what is wrong with it.
 */
export async function installCrossFile(
  { file, issuerFile, sha256 }: CrossFiles,
  actor: Actor,
  now = new Date(),
): Promise<string | null> {
  const expected = readSha256(sha256, "the certificate");
  const der = await readDerFile(file, "CERTIFICATE");
  const found = sha256Hex(der);
  if (found !== expected)
    throw new Error(
      `The certificate in ${file} has the SHA-256 ${found}, not ${expected}. It was changed, or is another one. Nothing was installed.`,
    );
  const issuer = issuerFile === undefined ? null : await readDerFile(issuerFile, "CERTIFICATE");
  const entry = {
    name: file,
    pem: toPem("CERTIFICATE", der),
    ...(issuer && { issuerPem: toPem("CERTIFICATE", issuer) }),
  };
  const about = "Its issuer signed it without a ceremony of this portal.";
  return inTransaction((trx) => installCrossCertificate(trx, entry, about, actor, now));
}
