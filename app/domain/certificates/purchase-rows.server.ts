import { type Csr } from "~/ca/csr/read.server";
import { type InvoiceCountry, type InvoiceAddress } from "~/domain/orders/invoice-address.schema";
import { type Price, vatFor } from "~/domain/orders/price.policy";
import { type Promotion } from "~/domain/orders/promotion.policy";
import { getConfig } from "~/lib/config.server";
import { type NewRow, PURCHASE_ORDER_TYPE } from "~db/tables";
import { hasOtherDomain } from "./contact.policy";
import { type Contact, type ContactSnapshot } from "./contact.schema";
import { type OrderForm } from "./order-form.schema";
import { foldText, searchTextOf } from "./search-text";

/** Everything that a completed purchase is stored from. */
export interface Purchase {
  userId: number;
  draftId: string;
  technical: ContactSnapshot;
  contact: Contact;
  contactCountry: string;
  order: OrderForm;
  csr: Csr;
  price: Price;
  promotion: Promotion | null;
  address: InvoiceAddress;
  country: InvoiceCountry;
  isVatChecked: boolean | null;
}

/** The sales order of a purchase; VAT is calculated here, once. */
export function orderRow(purchase: Purchase, now: Date): NewRow<"orders"> {
  const { price, address, country } = purchase;
  const vat = vatFor({ country, netCents: price.netCents, rate: getConfig().vatRate });
  return {
    purchaseOrderType: PURCHASE_ORDER_TYPE.certificate,
    userId: purchase.userId,
    draftId: purchase.draftId,
    status: "Open",
    purchaseOrderNumber: purchase.order.purchaseOrderNumber,
    createdAt: now,
    updatedAt: now,
    ...price,
    vatRate: vat.vatRate,
    vatCents: vat.vatCents,
    totalCents: vat.totalCents,
    promotionCode: purchase.promotion?.code ?? null,
    vatNumber: address.vat || null,
    vatNumberChecked: purchase.isVatChecked,
    invoiceAddress: JSON.stringify(address),
    countryId: country.id,
    company: address.company,
    isMaintenance: false,
  };
}

function authenticationContact({ contact, contactCountry, technical }: Purchase): ContactSnapshot {
  const { country, ...details } = contact;
  const isForeign = hasOtherDomain(contact.email, technical.email);
  return { ...details, countryId: country, country: contactCountry, hasOtherDomain: isForeign };
}

/** Kinds of names that people search for. */
const SEARCHED = ["dns", "ip", "rfc822", "uri", "ssid"];

/** The pending certificate of a purchase: what the CSR asks for, what was chosen with it, and both contacts as they are now. */
export function certificateRow(purchase: Purchase, orderId: number, now: Date): NewRow<"certificates"> {
  const { csr, order } = purchase;
  const { commonName = "", organisation = "", country = "" } = csr.subject;
  const manualSsid = csr.ssid === null && order.oftpid !== "" ? order.oftpid : null;
  const ssid = csr.ssid ?? manualSsid;
  const names = csr.subjectAlternateName.filter(({ type }) => SEARCHED.includes(type)).map(({ value }) => value);
  return {
    orderId,
    userId: purchase.userId,
    status: "Pending",
    orderType: "Initial",
    requestedAt: now,
    updatedAt: now,
    csr: Buffer.from(csr.der),
    csrSha256: csr.sha256,
    publicKeySha256: csr.spkiSha256,
    keyIdentity: csr.keyIdentity,
    commonName,
    organisation,
    organisationUnit: csr.subject.organisationUnit ?? null,
    locality: csr.subject.locality ?? null,
    state: csr.subject.state ?? null,
    country,
    email: csr.subject.email ?? null,
    subjectAlternateName: JSON.stringify(csr.subjectAlternateName),
    ssid,
    isManualSsid: manualSsid !== null,
    hasSecureSession: order.usage.includes("hasSecureSession"),
    hasEmail: order.usage.includes("hasEmail"),
    hasEncryption: order.usage.includes("hasEncryption"),
    hasFileSigning: order.usage.includes("hasFileSigning"),
    validityYears: order.validityPeriod,
    hierarchy: getConfig().certificates.hierarchy,
    technicalContact: JSON.stringify(purchase.technical),
    authenticationContact: JSON.stringify(authenticationContact(purchase)),
    authenticationEmail: purchase.contact.email,
    sortName: foldText(commonName),
    searchText: searchTextOf({ commonName, names, ssid }),
    ownerText: foldText(purchase.technical.company),
  };
}
