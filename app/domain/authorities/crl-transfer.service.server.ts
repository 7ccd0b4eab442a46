import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { describeCrl } from "~/ca/crl/describe.server";
import { foreignCrlProblem } from "~/ca/crl/origin.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { withTolerance } from "~/lib/clock";
import { formatDateTime } from "~/lib/dates";
import { getDb, type Trx } from "~db/connection.server";
import { setRevoked } from "~db/repositories/authorities.server";
import { findLatestCrl, insertCrl, raiseCrlNumber } from "~db/repositories/crls.server";
import { listCrossCertificates, setCrossCertificateRevoked } from "~db/repositories/cross-certificates.server";
import { type AuthorityName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { type Authority, findAuthority, listAuthorities } from "./authorities.service.server";
import { ROOT_NAMES } from "./catalogue";
import { nameCrossCertificates } from "./cross-certificates.server";
import { readDerFile } from "./der-file.server";

/** The reasons of RFC 5280 §5.3.1 for which a root revokes an issuing CA. */
const REASONS: Partial<Record<number, string>> = {
  1: "key compromise",
  2: "compromise of the CA",
  3: "affiliation changed",
  4: "superseded",
  5: "cessation of operation",
};

const LARGEST_NUMBER = 2_147_483_647;

/**
 * Returns the root with this name. The CRLs of issuing CAs cannot be exported or imported, because they are made only from the portal's
 * database.
 */
async function getRoot(typed: string): Promise<Authority> {
  const name = ROOT_NAMES.find((root) => root === typed);
  if (!name) throw new Error(`There is no root '${typed}'. Roots: ${ROOT_NAMES.join(", ")}.`);
  const root = await findAuthority(getDb(), name);
  if (!root) throw new Error(`There is no CA '${name}' in this database.`);
  return root;
}

/** Returns the CRL as it will be stored. Throws an Error when it is not a current base CRL of this root. */
function checkedCrl(root: Authority, der: Uint8Array, now: Date) {
  const problem = foreignCrlProblem(der, readIssuer(root.certificate));
  if (problem) throw new Error(`The CRL ${problem}. '${root.name}' is ${root.subjectName}.`);
  const { number, thisUpdate, nextUpdate, entryCount } = describeCrl(der);
  if (number > LARGEST_NUMBER) throw new Error(`The CRL's number is above ${LARGEST_NUMBER}.`);
  if (thisUpdate > withTolerance(now))
    throw new Error(`The CRL is valid only from ${formatDateTime(thisUpdate.toISOString())} UTC.`);
  if (nextUpdate <= now) throw new Error(`The CRL ended on ${formatDateTime(nextUpdate.toISOString())} UTC.`);
  return {
    authorityId: root.id,
    isDelta: false,
    number: Number(number),
    baseNumber: null,
    thisUpdate,
    nextUpdate,
    der: Buffer.from(der),
    entryCount,
  };
}

/** Writes the latest CRL of a root to a file as DER. Returns its number. Throws an Error when there is none. */
export async function exportCrl(typed: string, file: string): Promise<number> {
  const { id, name } = await getRoot(typed);
  const crl = await findLatestCrl(getDb(), id, false);
  if (!crl) throw new Error(`'${name}' has no CRL yet: run 'npm run portal -- ca publish --roots'.`);
  await writeFileAtomically(file, crl.der, { mode: 0o644 });
  return crl.number;
}

export interface ImportedCrl {
  number: number;
  entryCount: number;
  /** An ISO timestamp. */
  nextUpdate: string;
  /** The names of issuing CAs that it revokes and that were not known to be revoked. */
  revoked: string[];
  /** The names of cross-certificates that it revokes and that were not known to be revoked. */
  revokedCross: string[];
}

/** Returns when a certificate was revoked and why, in words. */
const revokedText = (date: Date, reason: number) =>
  `was revoked by its root as of ${formatDateTime(date.toISOString())} UTC: ${REASONS[reason] ?? "no reason is given"}.`;

/** Returns the issuing CAs of a root whose serial numbers are on its CRL, with their entries. */
function issuingCasOn(der: Uint8Array, root: Authority, authorities: readonly Authority[]) {
  const crl = describeCrl(der);
  return authorities.flatMap((authority) => {
    if (authority.isRoot || authority.hierarchy !== root.hierarchy) return [];
    const entry = crl.find(describeCertificate(authority.certificate).serialNumber);
    return entry ? [{ ...authority, entry }] : [];
  });
}

/** Records that a root has revoked issuing CAs. They issue nothing more. Returns their names. */
async function noteRevoked(trx: Trx, root: Authority, der: Uint8Array, actor: Actor, now: Date): Promise<string[]> {
  const noted: string[] = [];
  for (const { id, name, entry } of issuingCasOn(der, root, await listAuthorities(trx))) {
    if (!(await setRevoked(trx, id, entry.revocationDate))) continue;
    const message = `The CA '${name}' ${revokedText(entry.revocationDate, entry.reason)}`;
    await recordAudit(trx, { actor, event: "authority.revoked", message, reference: name }, now);
    noted.push(name);
  }
  return noted;
}

/** Records that a root has revoked cross-certificates that it signed. Returns their names. */
async function noteRevokedCross(trx: Trx, root: Authority, der: Uint8Array, actor: Actor, now: Date) {
  const crl = describeCrl(der);
  const noted: string[] = [];
  for (const row of nameCrossCertificates(await listCrossCertificates(trx), await listAuthorities(trx))) {
    const entry = row.issuerId === root.id ? crl.find(row.serialNumber) : undefined;
    if (!entry || !(await setCrossCertificateRevoked(trx, row.id, entry.revocationDate))) continue;
    const message = `The cross-certificate '${row.name}' ${revokedText(entry.revocationDate, entry.reason)}`;
    await recordAudit(trx, { actor, event: "cross-certificate.revoked", message, reference: row.name }, now);
    noted.push(row.name);
  }
  return noted;
}

/**
 * Publishes a CRL that was signed where the key of the root is kept. Issuing CAs that it revokes issue nothing more.
 *
 * @param trx The transaction in which it is stored.
 * @param der The CRL as DER.
 * @param about A sentence for the audit trail that says where the CRL comes from.
 * @throws Error when the CRL is not from this root, is not valid now, or has a number that was already used.
 */
export async function storeRootCrl(
  trx: Trx,
  root: Authority,
  der: Uint8Array,
  actor: Actor,
  now: Date,
  about = "",
): Promise<ImportedCrl> {
  const crl = checkedCrl(root, der, now);
  const { number, entryCount } = crl;
  if (!(await raiseCrlNumber(trx, root.id, number)))
    throw new Error(`The CRL has number ${number}, and '${root.name}' had number ${root.crlNumber} already.`);
  await insertCrl(trx, crl);
  const message =
    `CRL ${number} of '${root.name}' was imported and published; entries: ${entryCount}. ${about}`.trimEnd();
  await recordAudit(trx, { actor, event: "authority.list-imported", message, reference: root.name }, now);
  const revoked = await noteRevoked(trx, root, der, actor, now);
  const revokedCross = await noteRevokedCross(trx, root, der, actor, now);
  return { number, entryCount, nextUpdate: crl.nextUpdate.toISOString(), revoked, revokedCross };
}

/** Returns the names of the issuing CAs on a CRL of this root that were not known to be revoked. */
export const listNewlyRevoked = async (root: Authority, crl: Uint8Array): Promise<AuthorityName[]> =>
  issuingCasOn(crl, root, await listAuthorities(getDb()))
    .filter(({ revokedAt }) => revokedAt === null)
    .map(({ name }) => name);

/**
 * Returns the names of the issuing CAs that would issue nothing more after the import of the CRL in a file. Throws an Error when the CRL is
 * not from this root or is not valid now.
 */
export async function listCasToBeRevoked(typed: string, file: string, now = new Date()): Promise<AuthorityName[]> {
  const root = await getRoot(typed);
  const { der } = checkedCrl(root, await readDerFile(file, "X509 CRL"), now);
  return listNewlyRevoked(root, der);
}

/**
 * Publishes the CRL in a file as `storeRootCrl` does, and changes nothing when it throws.
 *
 * @param typed The name of the root.
 * @param file The path of the CRL, as DER or PEM.
 */
export async function importCrl(typed: string, file: string, actor: Actor, now = new Date()): Promise<ImportedCrl> {
  const root = await getRoot(typed);
  const der = await readDerFile(file, "X509 CRL");
  return inTransaction((trx) => storeRootCrl(trx, root, der, actor, now));
}
