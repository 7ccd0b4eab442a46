import { reasonText } from "~/domain/certificates/revocation/reasons";
import { findStatedCorrection } from "~/domain/certificates/succession/correction-notes.server";
import { listStatedCorrections } from "~/domain/orders/corrections/made-corrections.server";
import { orderNumber } from "~/domain/orders/order-number";
import { getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { listCheckEvidence } from "~db/repositories/check-evidence.server";
import { findCompany } from "~db/repositories/companies.server";
import { listDocumentsOf } from "~db/repositories/invoices.server";
import { listOrderComments } from "~db/repositories/order-comments.server";
import { findOrder } from "~db/repositories/orders.server";
import { findUserById } from "~db/repositories/users.server";

/** A person as records name them. The name of an erased person is the pseudonym. */
async function personOf(id: number | null) {
  const user = id === null ? null : await findUserById(getDb(), id);
  return user && { id: user.id, name: `${user.firstName} ${user.lastName}` };
}

/** The checks of an order: what was found, when, by whom, and with which note. */
async function checksOf(row: CertificateRow) {
  const found = (await listCheckEvidence(getDb(), row.id)).map((one) => ({
    check: one.checkName,
    text: one.text,
    reference: one.reference,
    addedAt: one.addedAt,
    addedBy: { id: one.addedBy, name: `${one.firstName} ${one.lastName}` },
    program: one.clientName,
  }));
  const recorded = [
    {
      check: "contact",
      outcome: row.contactAnswer,
      at: row.contactAnsweredAt,
      by: row.contactAnswerBy,
      note: row.contactNote,
    },
    {
      check: "organisation",
      outcome: row.organisationCheckedAt && "checked",
      at: row.organisationCheckedAt,
      by: row.organisationCheckedBy,
      note: row.organisationNote,
    },
    {
      check: "csr",
      outcome: row.csrCheckedAt && "checked",
      at: row.csrCheckedAt,
      by: row.csrCheckedBy,
      note: row.csrNote,
    },
  ];
  return recorded.map((check) => ({ ...check, evidence: found.filter((one) => one.check === check.check) }));
}

async function salesOrderOf(id: number) {
  const order = await findOrder(getDb(), id);
  if (!order) return null;
  return {
    number: orderNumber(id),
    status: order.status,
    orderedAt: order.createdAt,
    orderedBy: await personOf(order.userId),
    purchaseOrderNumber: order.purchaseOrderNumber,
    netCents: order.netCents,
    vatCents: order.vatCents,
    totalCents: order.totalCents,
    vatNumber: order.vatNumber,
    vatNumberChecked: order.vatNumberChecked,
    invoiceNumber: order.invoiceNumber,
    invoiceDate: order.invoiceDate,
    paymentCents: order.paymentCents,
    paymentDate: order.paymentDate,
    corrections: await listStatedCorrections(getDb(), id),
    documents: (await listDocumentsOf(getDb(), [id])).map(({ kind, year, number }) => ({ kind, year, number })),
  };
}

/** Returns everything that is recorded about the order of a certificate: what was ordered, checked, decided, issued and revoked. */
export async function orderRecord(row: CertificateRow) {
  const company = await findCompany(getDb(), row.companyId);
  return {
    certificateId: row.id,
    status: row.status,
    orderType: row.orderType,
    previousCertificateId: row.previousCertificateId,
    correction: await findStatedCorrection(row),
    company: { id: row.companyId, name: company?.name ?? "" },
    requestedAt: row.requestedAt,
    requested: {
      commonName: row.commonName,
      organisation: row.organisation,
      organisationUnit: row.organisationUnit,
      locality: row.locality,
      state: row.state,
      country: row.country,
      email: row.email,
      subjectAlternateName: JSON.parse(row.subjectAlternateName) as unknown,
      ssid: row.ssid,
      validityYears: row.validityYears,
      csrSha256: row.csrSha256,
      publicKeySha256: row.publicKeySha256,
    },
    technicalContact: JSON.parse(row.technicalContact) as unknown,
    authenticationContact: JSON.parse(row.authenticationContact) as unknown,
    checks: await checksOf(row),
    comments: (await listOrderComments(getDb(), row.id)).map(({ text, writtenAt, firstName, lastName }) => ({
      text,
      writtenAt,
      writtenBy: `${firstName} ${lastName}`,
    })),
    decision: row.decidedAt && { at: row.decidedAt, by: await personOf(row.decidedBy), reason: row.decisionReason },
    issued: row.issuedAt && {
      at: row.issuedAt,
      serialNumber: row.serialNumber,
      validFrom: row.startDate,
      validUntil: row.expiryDate,
      sha1: row.thumbprint,
      sha256: row.thumbprintSha256,
    },
    revocation: row.revocationDate && {
      at: row.revocationDate,
      invalidSince: row.invalidityDate,
      reason: reasonText(row.revocationReason),
      description: row.revocationDescription,
      by: await personOf(row.revokedBy),
      firstCrlNumber: row.firstCrlNumber,
    },
    salesOrder: await salesOrderOf(row.orderId),
  };
}
