import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { type ExchangeRate, getConfig } from "~/lib/config.server";
import { colonHex } from "~/lib/hex";
import { addressLines } from "~/lib/postal-address";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { type Country, findCountry } from "~db/repositories/countries.server";
import { listMaintenanceLines, type MaintenanceLine } from "~db/repositories/invoices.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { parseInvoiceAddress } from "../invoice-address.schema";
import { orderNumber } from "../order-number";
import { vatFor, yearsText } from "../price.policy";
import { type EInvoiceFacts, type InvoiceContent, type InvoiceLine, type SterlingAmounts } from "./invoice-content";
import { rateOn, taxPointOf } from "./invoice.policy";

/** The content of an invoice before it has a number. */
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

const counted = (number: number, one: string) => `${number} ${one}${number === 1 ? "" : "s"}`;

/** The line of one code, with its sub-codes and the months that are not charged. */
function maintenanceLine({ year, code, codeType, subcodes, costCents, discountNumMonths }: MaintenanceLine) {
  const charged = JSON.parse(subcodes) as string[];
  const detail = [
    charged.length > 0 && `with ${counted(charged.length, "sub-code")}: ${charged.join(", ")}`,
    discountNumMonths > 0 && `${counted(discountNumMonths, "month")} not charged`,
  ];
  const description = `Yearly maintenance ${year} of ${CODE_TYPE_LABELS[codeType]} ${code}`;
  return line(description, detail.filter(Boolean).join("; "), 1, costCents);
}

function codeLine(order: OrderRow): InvoiceLine {
  const type = order.codeType ? CODE_TYPE_LABELS[order.codeType] : "ID code";
  if (order.isMaintenance) return line("Yearly maintenance of ID codes", "", 1, order.priceCents);
  return line(type, "", order.numberOfCodes ?? 1, order.priceCents);
}

/** Returns the lines for what was bought and for the discount. */
async function linesOf(db: DbOrTrx, order: OrderRow, certificate: CertificateRow | null): Promise<InvoiceLine[]> {
  const maintained = order.isMaintenance ? await listMaintenanceLines(db, order.id) : [];
  if (maintained.length > 0) return maintained.map(maintenanceLine);
  const bought = certificate ? certificateLine(order, certificate) : codeLine(order);
  if (order.discountCents === 0) return [bought];
  return [bought, line("Promotional discount", order.promotionCode ?? "", 1, -order.discountCents)];
}

function buyerOf(order: OrderRow, country: Country): InvoiceContent["buyer"] {
  const { company = order.company, name, ...to } = parseInvoiceAddress(order.invoiceAddress);
  const address = addressLines({ ...to, countryId: country.id, country: country.printableName });
  return { company, name, address, vatNumber: order.vatNumber };
}

/** The rules of VAT are those for a seller in the United Kingdom. */
const SELLER_COUNTRY = "GB";

/** Returns the category of VAT (UNTDID 5305). Reverse charge needs the number of the customer (EN 16931, BR-AE-02). */
function vatCategoryOf({ vatCents, vatNumber }: OrderRow, { iso, euMember }: Country): EInvoiceFacts["vatCategory"] {
  if (vatCents > 0) return "S";
  if (iso === SELLER_COUNTRY) return "Z";
  return euMember && vatNumber !== null ? "AE" : "O";
}

function dataOf(order: OrderRow, country: Country, seller: readonly string[]): EInvoiceFacts {
  const { addressLine1, addressLine2, city, postalCode } = parseInvoiceAddress(order.invoiceAddress);
  const lines = [addressLine1, addressLine2].filter(Boolean);
  return {
    seller: { lines: [...seller], city: "", postalCode: "", countryCode: SELLER_COUNTRY },
    buyer: { lines, city, postalCode, countryCode: country.iso },
    vatCategory: vatCategoryOf(order, country),
  };
}

const inPence = (cents: number, rate: number) => Math.floor((cents * Math.round(rate * 1e6)) / 1e6 + 0.5);

/**
 * Returns the amounts of an order in sterling, or null where no VAT is due. The total is the sum of the rounded net amount and VAT, so that the
 * document adds up.
 */
export function sterlingOf(
  { netCents, vatCents }: Pick<OrderRow, "netCents" | "vatCents">,
  rate: ExchangeRate | undefined,
): SterlingAmounts | null {
  if (vatCents === 0) return null;
  if (!rate) throw new Error("The configuration has no exchangeRate, and VAT is due.");
  const [netPence, vatPence] = [inPence(netCents, rate.sterlingPerEuro), inPence(vatCents, rate.sterlingPerEuro)];
  const { sterlingPerEuro, date, source } = rate;
  return { sterlingPerEuro, date, source, netPence, vatPence, totalPence: netPence + vatPence };
}

/** When an invoice is issued. */
export interface Issuing {
  now: Date;
  /** The tax point of the invoice that it replaces, `yyyy-MM-dd`. The supply is the same, so its time stays. */
  taxPoint?: string | undefined;
  replaces?: InvoiceContent["replaces"];
}

/** Returns the payment of an order that is less or more than its total, or undefined. An order can count as paid with less. */
function otherPayment({ status, paymentCents, totalCents }: OrderRow): number | undefined {
  if (!paymentCents || paymentCents === totalCents) return undefined;
  return status === "Paid" && paymentCents < totalCents ? undefined : paymentCents;
}

/**
 * Returns the content that an invoice for this order would have. `certificate` is what was ordered, null for codes. Throws when the country is
 * missing, or when VAT is due and no exchange rate is configured.
 */
export async function draftInvoice(
  db: DbOrTrx,
  order: OrderRow,
  certificate: CertificateRow | null,
  issuing: Issuing,
): Promise<InvoiceDraft> {
  const { seller, legal, exchangeRate } = getConfig();
  const country = await findCountry(db, order.countryId);
  if (!country) throw new Error(`Order ${order.id} has no country.`);
  const { netCents, vatRate, vatCents, totalCents } = order;
  const paidOn = order.status === "Paid" ? order.paymentDate : null;
  const prepaidCents = otherPayment(order);
  const suppliedOn = certificate?.issuedAt?.slice(0, 10) ?? null;
  const taxPoint = issuing.taxPoint ?? taxPointOf({ paidOn, suppliedOn }, issuing.now);
  return {
    kind: "invoice",
    seller: { ...seller, registration: legal.registration, payment: seller.payment ?? [] },
    buyer: buyerOf(order, country),
    orderNumber: orderNumber(order.id),
    purchaseOrderNumber: order.purchaseOrderNumber,
    orderDate: order.createdAt,
    paidOn,
    ...(prepaidCents !== undefined && { prepaidCents }),
    taxPoint,
    lines: await linesOf(db, order, certificate),
    currency: "EUR",
    netCents,
    vatRate,
    vatCents,
    totalCents,
    vatNote: vatCents > 0 ? "" : vatFor({ country, netCents, rate: vatRate }).note,
    sterling: sterlingOf(order, exchangeRate && rateOn(taxPoint, exchangeRate)),
    credits: null,
    ...(issuing.replaces && { replaces: issuing.replaces }),
    data: dataOf(order, country, seller.address),
  };
}
