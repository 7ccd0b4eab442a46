import { type Csr } from "~/ca/csr/read.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { type NewRow } from "~db/tables";
import { requestColumns, searchColumns, subjectColumns } from "../purchase/certificate-columns.server";
import { type Preceding } from "./original.server";

/** Returns the sales order of a replacement. It has the buyer of the first order and is free of charge, so it counts as paid. */
export function freeOrderRow(first: OrderRow, remarks: string, now: Date): NewRow<"orders"> {
  return {
    purchaseOrderType: first.purchaseOrderType,
    userId: first.userId,
    companyId: first.companyId,
    status: "Paid",
    purchaseOrderNumber: first.purchaseOrderNumber,
    createdAt: now,
    updatedAt: now,
    priceCents: 0,
    discountCents: 0,
    netCents: 0,
    vatRate: first.vatRate,
    vatCents: 0,
    totalCents: 0,
    paymentCents: 0,
    paymentDate: now,
    vatNumber: first.vatNumber,
    vatNumberChecked: first.vatNumberChecked,
    invoiceAddress: first.invoiceAddress,
    countryId: first.countryId,
    company: first.company,
    isMaintenance: false,
    remarks,
  };
}

/**
 * Returns the columns that are copied unchanged: the owner, the contacts and the chosen options.
 */
const carriedOver = (previous: CertificateRow) => ({
  userId: previous.userId,
  companyId: previous.companyId,
  subjectAlternateName: previous.subjectAlternateName,
  ssid: previous.ssid,
  isManualSsid: previous.isManualSsid,
  hasSecureSession: previous.hasSecureSession,
  hasEmail: previous.hasEmail,
  hasEncryption: previous.hasEncryption,
  hasFileSigning: previous.hasFileSigning,
  hierarchy: previous.hierarchy,
  technicalContact: previous.technicalContact,
  authenticationContact: previous.authenticationContact,
  authenticationEmail: previous.authenticationEmail,
  contactSearchText: previous.contactSearchText,
});

/** Returns the checks of the replaced certificate as those of its replacement, whose CSR this person compared. */
function takenOverChecks(previous: CertificateRow, checkedBy: string, now: Date) {
  const note = `As for certificate ${previous.id}`;
  return {
    contactAnswer: previous.contactAnswer,
    contactAnsweredAt: previous.contactAnsweredAt,
    contactAnswerBy: previous.contactAnswerBy,
    organisationCheckedAt: previous.organisationCheckedAt,
    organisationCheckedBy: previous.organisationCheckedBy,
    contactNote: note,
    organisationNote: note,
    csrCheckedAt: now,
    csrCheckedBy: checkedBy,
    csrNote: `Its details are identical with those of certificate ${previous.id}`,
  };
}

/**
 * Returns the pending certificate of a replacement. It has a new key; everything else comes from the certificate that it replaces.
 *
 * @param checkedBy Who compared the CSR, when the checks are taken over; null when they are made again.
 */
export function reissueRow(
  { row: previous, subject }: Preceding,
  csr: Csr,
  { orderId, checkedBy }: { orderId: number; checkedBy: string | null },
  now: Date,
): NewRow<"certificates"> {
  return {
    ...carriedOver(previous),
    ...(checkedBy !== null && takenOverChecks(previous, checkedBy, now)),
    ...subjectColumns(subject),
    ...requestColumns(csr),
    ...searchColumns(previous),
    orderId,
    status: "Pending",
    orderType: "Initial",
    previousCertificateId: previous.id,
    requestedAt: now,
    updatedAt: now,
    validityYears: 0,
  };
}
