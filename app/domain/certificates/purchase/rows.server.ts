import { type Csr } from "~/ca/csr/read.server";
import { type ConfirmedName } from "~/ca/names/domain-control.server";
import { type Actor } from "~/domain/audit/audit.service.server";
import { type CheckedInvoice } from "~/domain/orders/invoice.service.server";
import { saleColumns } from "~/domain/orders/order-row.server";
import { type Price } from "~/domain/orders/price.policy";
import { type Promotion } from "~/domain/orders/promotion.policy";
import { getConfig } from "~/lib/config.server";
import { type NewRow } from "~db/tables";
import { PURCHASE_ORDER_TYPE } from "~db/tables/orders";
import { chosenTerm, type Original } from "../succession/original.server";
import { contactSearchTextOf, requestColumns, searchColumns, subjectColumns } from "./certificate-columns.server";
import { hasOtherDomain } from "./contact.policy";
import { type Contact, type ContactSnapshot } from "./contact.schema";
import { type OrderForm } from "./order-form.schema";

/** Everything that a completed purchase stores. */
export interface Purchase extends CheckedInvoice {
  userId: number;
  companyId: number;
  /** Null for an order that arrived in one request. */
  draftId: string | null;
  /** Those who have prepared the order for whoever places it. */
  preparers: readonly Actor[];
  /** When they handed it over, an ISO timestamp, or null. */
  handedOverAt: string | null;
  technical: ContactSnapshot;
  contact: Contact;
  contactCountry: string;
  order: OrderForm;
  csr: Csr;
  /** The certificate that the order renews. */
  original: Original | null;
  price: Price;
  promotion: Promotion | null;
  /** The standing authorisation under which it is ordered, or null. */
  standingId: number | null;
  /** Hosts whose control was shown for this order only, beside the names that the company has confirmed. */
  proved: readonly ConfirmedName[];
}

export interface OrderIds {
  orderId: number;
  certificateId: number;
}

/** Returns the row of the sales order. */
export const orderRow = (purchase: Purchase, now: Date) =>
  ({
    ...saleColumns({ ...purchase, purchaseOrderNumber: purchase.order.purchaseOrderNumber }, now),
    purchaseOrderType: PURCHASE_ORDER_TYPE.certificate,
    promotionCode: purchase.promotion?.code ?? null,
  }) satisfies NewRow<"orders">;

type RowPart = Partial<NewRow<"certificates">>;

/**
 * Returns the columns of the authentication contact of an order.
 *
 * @param countryName The name of the contact's country.
 * @param technicalEmail The email address of the user who ordered.
 */
export function contactColumns(contact: Contact, countryName: string, technicalEmail: string) {
  const { country, ...details } = contact;
  const isForeign = hasOtherDomain(contact.email, technicalEmail);
  const snapshot: ContactSnapshot = { ...details, countryId: country, country: countryName, hasOtherDomain: isForeign };
  return {
    authenticationContact: JSON.stringify(snapshot),
    authenticationEmail: contact.email,
    contactSearchText: contactSearchTextOf(contact),
  } satisfies RowPart;
}

/** Returns the columns of a new certificate's subject: what the CSR states, and the typed OFTP ID when the CSR states none. */
function requestedHolder({ csr, order }: Purchase) {
  const manualSsid = csr.ssid === null && order.oftpid !== "" ? order.oftpid : null;
  return {
    ...subjectColumns(csr.subject),
    orderType: "Initial",
    subjectAlternateName: JSON.stringify(csr.subjectAlternateName),
    ssid: csr.ssid ?? manualSsid,
    isManualSsid: manualSsid !== null,
    hierarchy: getConfig().certificates.hierarchy,
  } satisfies RowPart;
}

/**
 * Returns the columns of a renewed certificate's subject: subject, names and SSID of the original (docs/decisions/0010), and its issuer if
 * that can stay the same.
 */
function renewedHolder(original: Original, { order }: Purchase) {
  const { row, subject } = original;
  return {
    ...subjectColumns(subject),
    orderType: "Renewal",
    previousCertificateId: row.id,
    subjectAlternateName: row.subjectAlternateName,
    ssid: row.ssid,
    isManualSsid: row.isManualSsid,
    hierarchy: chosenTerm(original, order.validityPeriod).hierarchy,
  } satisfies RowPart;
}

/** Returns the subject columns of the certificate of an order. */
export const holderOf = (purchase: Purchase) =>
  purchase.original ? renewedHolder(purchase.original, purchase) : requestedHolder(purchase);

/** Returns the row of the pending certificate of an order, with its subject, the chosen options, and both contacts as they are now. */
export function certificateRow(purchase: Purchase, orderId: number, now: Date): NewRow<"certificates"> {
  const { csr, order } = purchase;
  const holder = holderOf(purchase);
  return {
    ...holder,
    orderId,
    userId: purchase.userId,
    companyId: purchase.companyId,
    status: "Pending",
    requestedAt: now,
    updatedAt: now,
    ...requestColumns(csr),
    ...searchColumns(holder),
    hasSecureSession: order.usage.includes("hasSecureSession"),
    hasEmail: order.usage.includes("hasEmail"),
    hasEncryption: order.usage.includes("hasEncryption"),
    hasFileSigning: order.usage.includes("hasFileSigning"),
    validityYears: order.validityPeriod,
    technicalContact: JSON.stringify(purchase.technical),
    ...contactColumns(purchase.contact, purchase.contactCountry, purchase.technical.email),
  };
}
