import { describeCertificate } from "~/ca/certificate/describe.server";
import { readCsr } from "~/ca/csr/read.server";
import { colonHex } from "~/lib/hex";
import { type SessionUser } from "~/domain/accounts/session-user";
import { orderNumber } from "~/domain/orders/order-number";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate, findVisibleCertificate } from "~db/repositories/certificates.server";
import { listCurrentInvoiceIds } from "~db/repositories/invoices.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { findUserById } from "~db/repositories/users.server";
import { orderTypeText, whyNotDownload, whyNotInvoice, whyNotOpen, whyNotRevoke } from "./certificates.policy";
import { waitingFor } from "./checks.policy";
import { fileNameOf } from "./file-name";
import { lineageOf } from "./lineage.server";
import { whyNotRenewed } from "./open-order.server";
import { isReissue, whyNotReissue } from "./reissue.policy";
import { reasonText } from "./revocation-reasons";
import { captionedNames, readSubjectNames } from "./subject-names";

/** `x509CertificateLite` of B §3: what the issued certificate says. */
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

const paymentOf = (order: OrderRow) => ({
  isPaid: order.status === "Paid",
  paymentDate: order.paymentDate,
  invoiceNumber: order.invoiceNumber,
  purchaseOrderNumber: order.purchaseOrderNumber,
});

/** Pending orders show what they wait for; an approved one waits for its signature only. */
async function waitsOf(row: CertificateRow): Promise<string[]> {
  if (row.status !== "Pending") return [];
  if (row.tbsCertificate) return ["The certificate is being issued"];
  const owner = await findUserById(getDb(), row.userId);
  return waitingFor({ ...row, emailVerifiedAt: owner?.emailVerifiedAt ?? null });
}

/** What a replacement takes the place of, as long as that can be used: it stays valid until it is revoked. */
async function replacedBy(row: CertificateRow) {
  const previous = isReissue(row) ? await findCertificate(getDb(), row.previousCertificateId) : null;
  return previous && whyNotRevoke(previous.status) === null ? { id: previous.id } : null;
}

/**
 * Everything of B §2, Certificate details. Out: null when the certificate or its request is missing, is somebody else's, or
 * its state has nothing to show.
 */
export async function findCertificateDetails(user: SessionUser, id: number, now = new Date()) {
  const row = await findVisibleCertificate(getDb(), id, user);
  const read = row && readCsr(row.csr);
  const order = row && (await findOrder(getDb(), row.orderId));
  if (!row || !read?.ok || !order || whyNotOpen(row.status)) return null;
  const issued = row.der && describeIssued(row.der);
  const { keyFingerprint, ...subject } = subjectOf(row);
  return {
    id: row.id,
    orderId: row.orderId,
    orderNumber: orderNumber(row.orderId),
    orderType: orderTypeText(row.orderType, row.previousCertificateId),
    certificateRequestDate: row.requestedAt,
    status: row.status,
    revocation: revocationOf(row),
    subject,
    keyFingerprint,
    keySize: issued?.keySize ?? read.csr.publicKey.bits,
    keyAlgorithm: issued?.keyAlgorithm ?? read.csr.publicKey.algorithm,
    names: captionedNames(issued?.names ?? readSubjectNames(row.subjectAlternateName)),
    issued,
    payment: paymentOf(order),
    invoiceId: whyNotInvoice(row.status)
      ? null
      : ((await listCurrentInvoiceIds(getDb(), [order.id])).get(order.id) ?? null),
    waitsFor: await waitsOf(row),
    lineage: await lineageOf(user, row),
    ended:
      row.status === "Rejected" || row.status === "Cancelled"
        ? { at: row.decidedAt, reason: row.decisionReason }
        : null,
    replaced: await replacedBy(row),
    may: {
      renew: (await whyNotRenewed(getDb(), user, row, now)) === null,
      download: whyNotDownload(row.status) === null,
      revoke: whyNotRevoke(row.status) === null,
      reissue: user.isAdmin && row.userId !== user.id && whyNotReissue(row, now) === null,
      queue: user.isAdmin,
      cancel: row.status === "Pending" && !row.tbsCertificate && row.userId === user.id,
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

function revocationOf(row: CertificateRow) {
  if (!row.revocationDate) return null;
  return {
    revocationDate: row.revocationDate,
    invalidityDate: row.invalidityDate,
    reason: row.revocationReason === null ? "" : reasonText(row.revocationReason),
    description: row.revocationDescription,
  };
}

/** The CSR as it was submitted, as a PEM file, for its owner and for administrators; null when there is none to give. */
export async function findSubmittedCsr(user: SessionUser, id: number) {
  const row = await findVisibleCertificate(getDb(), id, user);
  const read = row && readCsr(row.csr);
  if (!row || !read?.ok) return null;
  return { bytes: Buffer.from(read.csr.pem), mediaType: "application/x-pem-file", fileName: `${fileNameOf(row)}.csr` };
}
