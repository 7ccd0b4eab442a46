import { parseCertificate } from "~/ca/certificate/parse.server";
import { type CertificateRequest } from "~/ca/certificate/prepare.server";
import { type AlternateName } from "~/ca/x509/general-names.server";
import { toSubjectFields } from "~/ca/x509/name.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { listAcmeReplaced } from "~db/repositories/acme-orders.server";
import { type CertificateRow, changeCertificate, listCertificatesById } from "~db/repositories/certificates.server";
import { type CertificateStatus } from "~db/tables";
import { type Barrier } from "../certificates.policy";
import { readSubjectNames } from "../request/subject-names.server";
import { isReissue } from "./reissue.policy";
import { renewalExpiry } from "./renewal.policy";

/** Returns the certificates that these orders renew or replace, by id. */
export async function listPrevious(db: DbOrTrx, rows: readonly CertificateRow[]): Promise<Map<number, CertificateRow>> {
  const ids = rows.flatMap(({ previousCertificateId }) => previousCertificateId ?? []);
  const previous = ids.length > 0 ? await listCertificatesById(db, ids) : [];
  return new Map(previous.map((row) => [row.id, row]));
}

/** Returns the certificate that this order renews or replaces, among those of `listPrevious`, or null when it does neither. */
export function previousOf(row: CertificateRow, previous: ReadonlyMap<number, CertificateRow>): CertificateRow | null {
  if (row.previousCertificateId === null) return null;
  const found = previous.get(row.previousCertificateId);
  if (!found) throw new Error(`Certificate ${row.id} follows one that is missing.`);
  return found;
}

/**
 * Returns when a successor expires. A renewal adds its years to the expiry date of the previous certificate. A replacement expires on the
 * same date as the previous certificate (REN-04, MAN-03).
 */
const endOf = (row: CertificateRow, expiryDate: string, now: Date) =>
  isReissue(row) ? new Date(expiryDate) : renewalExpiry(new Date(expiryDate), row.validityYears, now);

/** Returns when the successor of `previous` expires. Throws an Error when that one was never issued. */
export function successorEnd(row: CertificateRow, { id, expiryDate }: CertificateRow, now: Date): Date {
  if (!expiryDate) throw new Error(`Certificate ${id} was never issued.`);
  return endOf(row, expiryDate, now);
}

/**
 * Returns the parts of a successor that are not freely chosen: the subject of the previous certificate, byte for byte, the alternative
 * names of the order, and the expiry date. A correction can have another common name.
 */
export function successorContent(
  row: CertificateRow,
  previous: CertificateRow,
  now: Date,
): Pick<CertificateRequest, "subject" | "subjectDer" | "requestedNames" | "notAfter"> {
  const { der, id } = previous;
  if (!der) throw new Error(`Certificate ${id} was never issued.`);
  const certificate = parseCertificate(der);
  const subject = toSubjectFields(certificate.subject.attributes);
  const isOtherHost = row.isCorrection && row.commonName !== previous.commonName;
  return {
    ...(isOtherHost
      ? { subject: { ...subject, commonName: row.commonName } }
      : { subject, subjectDer: certificate.subject.der }),
    requestedNames: readSubjectNames(row.subjectAlternateName) as AlternateName[],
    notAfter: successorEnd(row, previous, now),
  };
}

/** The statuses from which a certificate changes to Renewed. A certificate that has been revoked stays revoked. */
const RENEWABLE: readonly CertificateStatus[] = ["Issued", "Downloaded", "Expired"];

/**
 * Returns why a renewal or a replacement can no longer be issued: since the order, the previous certificate has expired or changed its
 * status. `all` has the certificates that orders renew or replace. Returns null when it can be issued, and for other orders.
 */
export function whyNotIssued(row: CertificateRow, all: ReadonlyMap<number, CertificateRow>, now: Date): Barrier {
  const previous = previousOf(row, all);
  if (!previous) return null;
  const { id, status, expiryDate } = previous;
  const hasEnded = !expiryDate || endOf(row, expiryDate, now) <= now;
  if (isReissue(row))
    return hasEnded ? `Certificate ${id}, which is to be replaced, has expired: cancel the order.` : null;
  if (![...RENEWABLE, "Renewed"].includes(status))
    return `Certificate ${id}, which this order renews, is ${status}: reject the order.`;
  return hasEnded ? `Certificate ${id} has ended, and a renewal for 0 years with it: reject the order.` : null;
}

/** Returns what the message to the owner states about the renewed certificate. */
export const renewedFacts = ({ serialNumber, expiryDate, authorityId }: CertificateRow, successor: CertificateRow) => ({
  serialNumber: serialNumber ?? "",
  expiryDate: expiryDate ?? "",
  isIssuerKept: authorityId === successor.authorityId,
});

/**
 * Makes certificates the renewals of those that their ACME orders replace, where the order was not placed as a renewal. Called when they are
 * issued: a certificate that takes nothing over from the earlier one is a new one until then. Returns the rows as they are stored.
 */
export async function linkReplaced(trx: Trx, rows: readonly CertificateRow[], now: Date): Promise<CertificateRow[]> {
  const isNew = ({ orderType, previousCertificateId }: CertificateRow) =>
    orderType === "Initial" && previousCertificateId === null;
  const replaced = await listAcmeReplaced(
    trx,
    rows.filter(isNew).map(({ orderId }) => orderId),
  );
  if (replaced.size === 0) return [...rows];
  const earlier = new Map((await listCertificatesById(trx, [...replaced.values()])).map((row) => [row.id, row]));
  const linked: CertificateRow[] = [];
  for (const row of rows) {
    const { id, status } = earlier.get((isNew(row) && replaced.get(row.orderId)) || 0) ?? {};
    if (id === undefined || !status || !RENEWABLE.includes(status)) {
      linked.push(row);
      continue;
    }
    const link = { orderType: "Renewal", previousCertificateId: id } as const;
    await changeCertificate(trx, row.id, [row.status], link, now);
    linked.push({ ...row, ...link });
  }
  return linked;
}

/** Sets the renewed certificate to Renewed, in the transaction that stores its successor. */
export async function storeRenewed(
  trx: Trx,
  { id, userId, orderId, commonName, serialNumber }: CertificateRow,
  successor: CertificateRow,
  actor: Actor,
  now: Date,
): Promise<void> {
  if (!(await changeCertificate(trx, id, RENEWABLE, { status: "Renewed" }, now))) return;
  const message = `The certificate for ${commonName} was renewed by certificate ${successor.id}.`;
  const about = { userId, orderId, certificateId: id, reference: serialNumber };
  await recordAudit(trx, { actor, event: "certificate.renewed", message, ...about }, now);
}
