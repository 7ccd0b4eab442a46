import { describeCertificate } from "~/ca/certificate/describe.server";
import { nameDer, parseCertificate } from "~/ca/certificate/parse.server";
import { type CertificateRequest } from "~/ca/certificate/prepare.server";
import { type AlternateName } from "~/ca/x509/general-names.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { type CertificateRow, changeCertificate, findCertificate } from "~db/repositories/certificates.server";
import { type CertificateStatus } from "~db/tables";
import { type Barrier } from "./certificates.policy";
import { renewalExpiry } from "./renewal.policy";
import { readSubjectNames } from "./subject-names";

/** The certificate that this order renews; null when it renews none. */
export async function findRenewed(db: DbOrTrx, row: CertificateRow): Promise<CertificateRow | null> {
  if (row.orderType !== "Renewal" || row.previousCertificateId === null) return null;
  const renewed = await findCertificate(db, row.previousCertificateId);
  if (!renewed) throw new Error(`Certificate ${row.id} renews one that is missing.`);
  return renewed;
}

/** What a certificate takes over from the one that it renews: the subject to the byte, the names as they were ordered, the end (decisions §3). */
export function renewedContent(
  row: CertificateRow,
  { der, expiryDate, id }: CertificateRow,
  now: Date,
): Pick<CertificateRequest, "subject" | "subjectDer" | "requestedNames" | "notAfter"> {
  if (!der || !expiryDate) throw new Error(`Certificate ${id} was never issued.`);
  const certificate = parseCertificate(der);
  return {
    subject: describeCertificate(der, certificate).subject,
    subjectDer: nameDer(certificate.subject),
    requestedNames: readSubjectNames(row.subjectAlternateName) as AlternateName[],
    notAfter: renewalExpiry(new Date(expiryDate), row.validityYears, now),
  };
}

/** The states in which a certificate becomes Renewed. One that is revoked meanwhile stays so. */
const RENEWABLE: readonly CertificateStatus[] = ["Issued", "Downloaded", "Expired"];

/** Why a renewal must not be issued any more: what happened to its certificate since it was ordered. Null for other orders. */
export async function whyNotIssued(db: DbOrTrx, row: CertificateRow, now: Date): Promise<Barrier> {
  const renewed = await findRenewed(db, row);
  if (!renewed) return null;
  const { id, status, expiryDate } = renewed;
  if (![...RENEWABLE, "Renewed"].includes(status))
    return `Certificate ${id}, which this order renews, is ${status}: reject the order.`;
  const hasEnded = !expiryDate || renewalExpiry(new Date(expiryDate), row.validityYears, now) <= now;
  return hasEnded ? `Certificate ${id} has ended, and a renewal for 0 years with it: reject the order.` : null;
}

/** What the owner's mail says of the certificate that was renewed. */
export const renewedFacts = ({ serialNumber, expiryDate, authorityId }: CertificateRow, successor: CertificateRow) => ({
  serialNumber: serialNumber ?? "",
  expiryDate: expiryDate ?? "",
  isIssuerKept: authorityId === successor.authorityId,
});

/** Gives the renewed certificate its new state, in the transaction that stores its successor. */
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
