import { describeCertificate } from "~/ca/certificate/describe.server";
import { readCsr } from "~/ca/csr/read.server";
import { CaError } from "~/ca/errors.server";
import { toPem } from "~/ca/pem.server";
import { may } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { openFindingsOf } from "~/domain/certificate-audit/list.service.server";
import { entityOfCertificate } from "~/domain/codes/certificates/oftp-id.server";
import { mayFor, roleRefused } from "~/domain/companies/roles.policy";
import { findShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { mayCorrectOrder } from "~/domain/orders/corrections/correction-state.server";
import { orderNumber } from "~/domain/orders/order-number";
import { type BrokenRule } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { colonHex } from "~/lib/hex";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { findContactStop } from "~db/repositories/held-mails.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { findUserById } from "~db/repositories/users.server";
import {
  isRefusedWithIssuer,
  orderTypeText,
  whyMayNotDownload,
  whyNotDownload,
  whyNotOpen,
  whyNotRevoke,
} from "../certificates.policy";
import { lintsOfIssued } from "../issuing/lints.server";
import { whyNotRenewed } from "../purchase/open-order.server";
import { waitingFor } from "../queue/checks.policy";
import { namesOfOrder } from "../request/certified-names.server";
import { controlMarksOfOrder, waitsForNames } from "../request/confirmed-names.server";
import { readCsrOfOrder } from "../request/given-subject.server";
import { refusedNamesOf } from "../request/refused-names.server";
import { captionedNames } from "../request/subject-names.server";
import { KEY_COMPROMISED, reasonText } from "../revocation/reasons";
import { whyMayNotRevoke } from "../revocation/revoker.policy";
import { mayCorrectCertificate } from "../succession/correctable.server";
import { correctionNoteOf } from "../succession/correction-notes.server";
import { lineageOf } from "../succession/lineage.server";
import { isReissueByStaff, whyNotReissue } from "../succession/reissue.policy";
import { findVisibleCertificate } from "../visible.server";
import { fileNameOf } from "./file-name";
import { historyOf } from "./history.server";
import { type CertificateLife, lifeBar, lifeWords } from "./life.policy";
import { notesFor } from "./notes.service.server";
import { listDocumentsWith } from "./of-order.service.server";
import { peopleOf } from "./people.server";

/** Returns the details of an issued certificate for CER-06 (`x509CertificateLite`). */
function describeIssued(der: Buffer) {
  const { thumbprint, thumbprintSha256, subjectAlternateName, ...certificate } = describeCertificate(der);
  return {
    serialNumber: colonHex(certificate.serialNumber),
    startDate: certificate.startDate,
    endDate: certificate.endDate,
    formatVersion: certificate.formatVersion,
    thumbprint: colonHex(thumbprint),
    thumbprintSha256: colonHex(thumbprintSha256),
    keyUsage: certificate.keyUsage,
    enhancedKeyUsage: certificate.enhancedKeyUsage,
    keyAlgorithm: certificate.keyAlgorithm as string,
    keySize: certificate.keySize,
    signatureAlgorithm: certificate.signatureAlgorithm,
    issuerName: certificate.issuerName,
    names: subjectAlternateName,
  };
}

/** Returns what `describeIssued` does, or null when there is no certificate or when it cannot be read, because somebody changed it. */
export function findIssued(der: Buffer | null) {
  try {
    return der && describeIssued(der);
  } catch (error) {
    if (error instanceof CaError) return null;
    throw error;
  }
}

/** Returns the payment details of an order. */
export const paymentOf = (order: OrderRow) => ({
  isPaid: order.status === "Paid" || order.totalCents === 0, // nothing is owed, as for a renewal of 0 years
  paymentDate: order.paymentDate,
  /** The latest note to the customer about payment and reason. */
  customerNote: order.customerNote,
  invoiceNumber: order.invoiceNumber,
  purchaseOrderNumber: order.purchaseOrderNumber,
});

/** Returns the marks of the names that the company of a pending order has not confirmed, until the order is approved. */
const unconfirmedOf = async (user: SessionUser, row: CertificateRow, now: Date): Promise<BrokenRule[]> =>
  row.status === "Pending" && !row.tbsCertificate
    ? controlMarksOfOrder(row, may(user, "see-queue") ? "staff" : "customer", now)
    : [];

/** Returns what a pending order waits for. An approved order waits only for its signature. */
async function waitsOf(row: CertificateRow, isUnconfirmed: boolean): Promise<string[]> {
  if (row.status !== "Pending") return [];
  if (row.tbsCertificate) return ["The certificate is being issued"];
  const owner = await findUserById(getDb(), row.userId);
  const isContactStopped = (await findContactStop(getDb(), row.authenticationEmail)) !== null;
  return [
    ...waitingFor({ ...row, emailVerifiedAt: owner?.emailVerifiedAt ?? null, isContactStopped }),
    ...waitsForNames(isUnconfirmed && row.contactAnswer !== "refused"),
  ];
}

/** Returns what people call the CA that issued a certificate, and when it was revoked. Returns null when that concerns nobody. */
async function revokedIssuerOf({ authorityId, status }: CertificateRow) {
  const issuer = (await listAuthorities(getDb())).find(({ id }) => id === authorityId);
  if (!issuer?.revokedAt || !isRefusedWithIssuer({ status, isIssuerRevoked: true })) return null;
  return { caption: issuer.caption, revokedAt: issuer.revokedAt };
}

/** Returns the certificate that this one replaces, while it can still be used. It stays valid until it is revoked. */
async function replacedBy(row: CertificateRow) {
  const previous =
    isReissueByStaff(row) && row.previousCertificateId !== null
      ? await findCertificate(getDb(), row.previousCertificateId)
      : null;
  return previous && whyNotRevoke(previous.status) === null ? { id: previous.id } : null;
}

/**
 * Returns a certificate with its CSR and order. Returns null when one of them is missing or belongs to somebody else, or when its status
 * leaves nothing to show.
 */
export async function findOpenCertificate(user: SessionUser, id: number) {
  const row = await findVisibleCertificate(getDb(), id, user);
  const read = row && readCsrOfOrder(row);
  const order = row && (await findOrder(getDb(), row.orderId));
  return !row || !read?.ok || !order || whyNotOpen(row.status) ? null : { row, csr: read.csr, order };
}

/** Returns the names of a certificate. For an order without a certificate, returns the names that it will have. */
export const namesOf = (row: CertificateRow, issued: ReturnType<typeof findIssued>) =>
  issued?.names ?? namesOfOrder(row);

/** Returns everything that the details page shows (CER-06). Returns null when `findOpenCertificate` does. */
export async function findCertificateDetails(user: SessionUser, id: number, now = new Date()) {
  const open = await findOpenCertificate(user, id);
  if (!open) return null;
  const { row, csr, order } = open;
  const issued = findIssued(row.der);
  const isUnreadable = row.der !== null && issued === null;
  const { keyFingerprint, ...subject } = subjectOf(row);
  const names = namesOf(row, issued);
  const revokedIssuer = await revokedIssuerOf(row);
  const marks = await unconfirmedOf(user, row, now);
  const mayRenew = !isUnreadable && (await whyNotRenewed(getDb(), user, row, now)) === null;
  const mayDownload = !isUnreadable && whyMayNotDownload(user, row) === null && whyNotDownload(row.status) === null;
  return {
    id: row.id,
    orderId: row.orderId,
    orderNumber: orderNumber(row.orderId),
    orderType: orderTypeText(row.orderType, row.previousCertificateId),
    certificateRequestDate: row.requestedAt,
    status: row.status,
    revocation: revocationOf(row),
    subject,
    /** The entity of the register that the OFTP ID identifies. */
    entity: await entityOfCertificate(user, row),
    keyFingerprint,
    keySize: issued?.keySize ?? csr.publicKey.bits,
    keyAlgorithm: issued?.keyAlgorithm ?? csr.publicKey.algorithm,
    names: captionedNames(names),
    /** Why the certificate cannot be renewed with its names, the rule for each name that is refused today. */
    refusedNames: refusedNamesOf({ ...row, names }),
    /** The names of a pending order that the company has not confirmed. */
    marks,
    issued,
    /** The certificate as a PEM text, for those who may download it. */
    pem: row.der && mayDownload ? toPem("CERTIFICATE", row.der) : null,
    notes: await notesFor(user, row),
    life: lifeOf({ ...row, isRenewalOpen: mayRenew, isIssuerRevoked: revokedIssuer !== null }, now),
    history: await historyOf(user, row, order, now),
    /** Whether the database has a certificate that cannot be read any more. */
    isUnreadable,
    /** What the lints find in the certificate, for staff. */
    lints: isUnreadable ? [] : await lintsOfIssued(user, row),
    /** What the nightly audit found about the certificate and still finds, for staff. */
    findings: await openFindingsOf(user, row.id, now),
    payment: paymentOf(order),
    /** The CA that issued it when it is revoked, so that partners refuse the certificate. */
    revokedIssuer,
    documents: await listDocumentsWith(row),
    waitsFor: await waitsOf(row, marks.length > 0),
    people: await peopleOf(user, row, order),
    /** The company that owns the certificate, for staff. */
    company: await findShownCompany(user, row.companyId),
    lineage: await lineageOf(user, row),
    ended:
      row.status === "Rejected" || row.status === "Cancelled"
        ? { at: row.decidedAt, reason: row.decisionReason }
        : null,
    replaced: await replacedBy(row),
    /** The correction that the certificate is, or that corrects it. */
    correction: await correctionNoteOf(user, row),
    may: {
      renew: mayRenew,
      download: mayDownload,
      csr: whyMayNotDownload(user, row) === null,
      revoke: whyMayNotRevoke(user, row) === null && whyNotRevoke(row.status) === null,
      reissue:
        !isUnreadable &&
        may(user, "reissue-certificates") &&
        row.companyId !== user.companyId &&
        whyNotReissue(row, now) === null,
      correct: !isUnreadable && (await mayCorrectCertificate(user, row, now)),
      queue: may(user, "see-queue"),
      /** Whether what was typed wrongly in its order can be corrected. */
      correctOrder: await mayCorrectOrder(user, row.orderId, now),
      /** Whether the next step is the order of a certificate with another key, because this one's key is blocked. */
      orderNew:
        row.status === "Revoked" && row.revocationReason === KEY_COMPROMISED && mayFor(user, row, "place-orders"),
      cancel: row.status === "Pending" && !row.tbsCertificate && mayFor(user, row, "cancel-orders"),
    },
  };
}

export type CertificateDetails = NonNullable<Awaited<ReturnType<typeof findCertificateDetails>>>;

const subjectOf = (row: CertificateRow) => ({
  commonName: row.commonName,
  email: row.email,
  locality: row.locality,
  state: row.state,
  country: row.country,
  organisation: row.organisation,
  department: row.organisationUnit,
  ssid: row.ssid,
  keyFingerprint: colonHex(row.publicKeySha256),
});

/** Returns what the status means today, and the bar from issue to expiry. */
function lifeOf(row: CertificateRow & Pick<CertificateLife, "isRenewalOpen" | "isIssuerRevoked">, now: Date) {
  const life = { ...row, reason: row.revocationReason === null ? "" : reasonText(row.revocationReason) };
  return { words: lifeWords(life, now), bar: lifeBar(life, getConfig().certificates, now) };
}

/** Returns when and why a certificate was or will be revoked, with the description, or null when no revocation is recorded. */
export function revocationOf(row: CertificateRow) {
  if (!row.revocationDate) return null;
  return {
    revocationDate: row.revocationDate,
    invalidityDate: row.invalidityDate,
    reason: row.revocationReason === null ? "" : reasonText(row.revocationReason),
    description: row.revocationDescription,
  };
}

/** Returns the submitted CSR as a PEM file, for its owner and for administrators. Returns null when there is none. */
export async function findSubmittedCsr(user: SessionUser, id: number) {
  const row = await findVisibleCertificate(getDb(), id, user);
  const read = row && readCsr(row.csr);
  if (!row || !read?.ok) return null;
  const barrier = whyMayNotDownload(user, row);
  if (barrier !== null) throw roleRefused(barrier);
  return { bytes: Buffer.from(read.csr.pem), mediaType: "application/x-pem-file", fileName: `${fileNameOf(row)}.csr` };
}
