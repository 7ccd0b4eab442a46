import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { colonHex } from "~/lib/hex";
import { getConfig, type PortalConfig } from "~/lib/config.server";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import { findCountry } from "~db/repositories/countries.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { parseInvoiceAddress } from "../invoice-address.schema";
import { orderNumber } from "../order-number";
import { vatFor, yearsText } from "../price.policy";
import { type InvoiceContent, type InvoiceLine, type SterlingAmounts } from "./invoice-content";

/** What an invoice says before it has a number. */
export type InvoiceDraft = Omit<InvoiceContent, "number" | "issuedAt">;

const line = (description: string, detail: string, quantity: number, netCents: number): InvoiceLine => ({
  description,
  detail,
  quantity,
  unitCents: netCents / quantity,
  netCents,
});

const certificateLine = (order: OrderRow, certificate: CertificateRow) =>
  line(
    `${certificate.orderType === "Renewal" ? "Renewal of a digital certificate" : "Digital certificate"}, ${yearsText(certificate.validityYears)}`,
    [certificate.commonName, certificate.serialNumber && `serial number ${colonHex(certificate.serialNumber)}`]
      .filter(Boolean)
      .join(", "),
    1,
    order.priceCents,
  );

function codeLine(order: OrderRow): InvoiceLine {
  const type = order.codeType ? CODE_TYPE_LABELS[order.codeType] : "ID code";
  if (order.isMaintenance)
    return line(`Yearly maintenance of ID codes, ${order.createdAt.slice(0, 4)}`, "", 1, order.priceCents);
  return line(type, "", order.numberOfCodes ?? 1, order.priceCents);
}

/** What was bought, and the discount. */
function linesOf(order: OrderRow, certificate: CertificateRow | null): InvoiceLine[] {
  const bought = certificate ? certificateLine(order, certificate) : codeLine(order);
  if (order.discountCents === 0) return [bought];
  return [bought, line("Promotional discount", order.promotionCode ?? "", 1, -order.discountCents)];
}

function buyerOf(order: OrderRow, country: string): InvoiceContent["buyer"] {
  const { company = order.company, name, ...to } = parseInvoiceAddress(order.invoiceAddress);
  const address = [to.addressLine1, to.addressLine2, `${to.city} ${to.postalCode}`, country];
  return {
    company,
    name,
    address: address.map((part) => part?.trim()).filter(Boolean),
    vatNumber: order.vatNumber,
  };
}

const inPence = (cents: number, rate: number) => Math.floor((cents * Math.round(rate * 1e6)) / 1e6 + 0.5);

/** The total is what net and VAT add up to, so that the document does. */
function sterlingOf({ netCents, vatCents }: OrderRow, rate: PortalConfig["exchangeRate"]): SterlingAmounts | null {
  if (vatCents === 0) return null;
  if (!rate) throw new Error("The configuration has no exchangeRate, and VAT is due.");
  const [netPence, vatPence] = [inPence(netCents, rate.sterlingPerEuro), inPence(vatCents, rate.sterlingPerEuro)];
  return { ...rate, netPence, vatPence, totalPence: netPence + vatPence };
}

/** What an invoice for this order would say today. Throws when the country is missing, or an exchange rate that is needed. */
export async function draftInvoice(db: DbOrTrx, order: OrderRow): Promise<InvoiceDraft> {
  const { seller, legal, exchangeRate } = getConfig();
  const country = await findCountry(db, order.countryId);
  if (!country) throw new Error(`Order ${order.id} has no country.`);
  const certificate = await findCertificateByOrder(db, order.id);
  const { netCents, vatRate, vatCents, totalCents } = order;
  return {
    kind: "invoice",
    seller: { ...seller, registration: legal.registration, payment: seller.payment ?? [] },
    buyer: buyerOf(order, country.printableName),
    orderNumber: orderNumber(order.id),
    purchaseOrderNumber: order.purchaseOrderNumber,
    orderDate: order.createdAt,
    lines: linesOf(order, certificate),
    currency: "EUR",
    netCents,
    vatRate,
    vatCents,
    totalCents,
    vatNote: vatCents > 0 ? "" : vatFor({ country, netCents, rate: vatRate }).note,
    sterling: sterlingOf(order, exchangeRate),
    credits: null,
  };
}
