// The invoice as data: the syntax of EN 16931 that Factur-X and ZUGFeRD embed in a PDF (UN/CEFACT Cross Industry Invoice D16B).
import { create } from "xmlbuilder2";
import {
  type EInvoiceFacts,
  type InvoiceContent,
  type InvoicedOrder,
  type InvoiceLine,
  prepaidOf,
} from "./invoice-content";
import { notesOf } from "./invoice-notes.server";

const NAMESPACES = {
  "@xmlns:rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
  "@xmlns:ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
  "@xmlns:qdt": "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
  "@xmlns:udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
};

/** BT-24. */
const SPECIFICATION = "urn:cen.eu:en16931:2017";

/** BT-3 (UNTDID 1001). */
const TYPE_CODES = { invoice: "380", "credit-note": "381" } as const;

/** BT-121 (the code list VATEX of the Connecting Europe Facility). */
const EXEMPTIONS = { AE: "VATEX-EU-AE", O: "VATEX-EU-O" } as const;

/** The unit of every quantity: one (UN/ECE Recommendation 20). */
const UNIT = "C62";

/** EN 16931 requires a term where something is to be paid (BR-CO-25). */
const WITHOUT_TERMS = "Payable when the invoice is received.";

const amount = (cents: number) => (cents / 100).toFixed(2);

/** Returns a price with as many decimals as it has, at least two. */
const price = (cents: number) => (Number.isInteger(cents) ? amount(cents) : String(Number((cents / 100).toFixed(6))));

const day = (iso: string) => ({ "@format": "102", "#": iso.slice(0, 10).replaceAll("-", "") });

/** Returns the percentage of a rate. What is outside the scope of VAT has none (BR-O-05). */
const rateOf = ({ vatRate }: InvoiceContent, { vatCategory }: EInvoiceFacts) =>
  vatCategory === "O" ? {} : { "ram:RateApplicablePercent": String(Number((vatRate * 100).toFixed(2))) };

const categoryOf = (content: InvoiceContent, facts: EInvoiceFacts) => ({
  "ram:TypeCode": "VAT",
  "ram:CategoryCode": facts.vatCategory,
  ...rateOf(content, facts),
});

/** Returns a time of supply (BG-14, BG-26), from and to a day. */
const period = (from: string, to: string) => ({
  "ram:BillingSpecifiedPeriod": {
    "ram:StartDateTime": { "udt:DateTimeString": day(from) },
    "ram:EndDateTime": { "udt:DateTimeString": day(to) },
  },
});

/** What all lines of an invoice share: the category of VAT, and the orders of a monthly invoice. */
interface OfAllLines {
  category: object;
  orders: readonly InvoicedOrder[];
}

function lineOf(line: InvoiceLine, number: number, { category, orders }: OfAllLines) {
  const { description, detail, quantity, unitCents, netCents } = line;
  const order = orders.find((one) => one.number === line.order);
  return {
    "ram:AssociatedDocumentLineDocument": { "ram:LineID": String(number) },
    "ram:SpecifiedTradeProduct": { "ram:Name": description, ...(detail && { "ram:Description": detail }) },
    "ram:SpecifiedLineTradeAgreement": { "ram:NetPriceProductTradePrice": { "ram:ChargeAmount": price(unitCents) } },
    "ram:SpecifiedLineTradeDelivery": { "ram:BilledQuantity": { "@unitCode": UNIT, "#": String(quantity) } },
    "ram:SpecifiedLineTradeSettlement": {
      "ram:ApplicableTradeTax": category,
      ...(order && period(order.suppliedOn, order.suppliedOn)),
      "ram:SpecifiedTradeSettlementLineMonetarySummation": { "ram:LineTotalAmount": amount(netCents) },
    },
  };
}

const allowanceOf = ({ description, detail, netCents }: InvoiceLine, category: object) => ({
  "ram:ChargeIndicator": { "udt:Indicator": "false" },
  "ram:ActualAmount": amount(-netCents),
  "ram:Reason": detail ? `${description} ${detail}` : description,
  "ram:CategoryTradeTax": category,
});

function addressOf({ lines, city, postalCode, countryCode }: EInvoiceFacts["buyer"]) {
  const [one, two, ...more] = lines;
  return {
    ...(postalCode && { "ram:PostcodeCode": postalCode }),
    ...(one && { "ram:LineOne": one }),
    ...(two && { "ram:LineTwo": two }),
    ...(more.length > 0 && { "ram:LineThree": more.join(", ") }),
    ...(city && { "ram:CityName": city }),
    "ram:CountryID": countryCode,
  };
}

const registration = (scheme: "VA" | "FC", number: string) => ({
  "ram:SpecifiedTaxRegistration": { "ram:ID": { "@schemeID": scheme, "#": number } },
});

/**
 * Returns the seller. What is outside the scope of VAT must not name a VAT identifier (BR-O-02): the number is then that of a tax
 * registration, and identifies the seller, too (BR-CO-26).
 */
function sellerOf({ seller }: InvoiceContent, facts: EInvoiceFacts) {
  const isOutside = facts.vatCategory === "O";
  return {
    ...(isOutside && { "ram:ID": seller.vatNumber }),
    "ram:Name": seller.name,
    "ram:Description": seller.registration.join(", "),
    "ram:PostalTradeAddress": addressOf(facts.seller),
    "ram:URIUniversalCommunication": { "ram:URIID": { "@schemeID": "EM", "#": seller.email } },
    ...registration(isOutside ? "FC" : "VA", seller.vatNumber),
  };
}

const buyerOf = ({ buyer }: InvoiceContent, facts: EInvoiceFacts) => ({
  "ram:Name": buyer.company,
  ...(buyer.name && { "ram:DefinedTradeContact": { "ram:PersonName": buyer.name } }),
  "ram:PostalTradeAddress": addressOf(facts.buyer),
  ...(buyer.vatNumber !== null && facts.vatCategory !== "O" && registration("VA", buyer.vatNumber)),
});

function taxOf(content: InvoiceContent, facts: EInvoiceFacts) {
  const { vatCents, netCents, vatNote, taxPoint } = content;
  const { vatCategory } = facts;
  const isExempt = vatCategory === "AE" || vatCategory === "O";
  return {
    "ram:CalculatedAmount": amount(vatCents),
    "ram:TypeCode": "VAT",
    ...(isExempt && { "ram:ExemptionReason": vatNote }),
    "ram:BasisAmount": amount(netCents),
    "ram:CategoryCode": vatCategory,
    ...(isExempt && { "ram:ExemptionReasonCode": EXEMPTIONS[vatCategory] }),
    ...(taxPoint !== undefined && { "ram:TaxPointDate": { "udt:DateString": day(taxPoint) } }),
    ...rateOf(content, facts),
  };
}

function settlementOf(content: InvoiceContent, facts: EInvoiceFacts) {
  const { currency, sterling, vatCents, netCents, totalCents, seller, credits } = content;
  const discounts = content.lines.filter((line) => line.netCents < 0);
  const allowedCents = -discounts.reduce((sum, line) => sum + line.netCents, 0);
  const paidCents = prepaidOf(content);
  const isPaid = paidCents >= totalCents;
  const preceding = credits ?? content.replaces;
  const asked = seller.payment.length > 0 ? seller.payment.join("\n") : WITHOUT_TERMS;
  const terms = credits ? `Credited against invoice ${credits.number}.` : asked;
  const category = categoryOf(content, facts);
  const days = (content.orders ?? []).map(({ suppliedOn }) => suppliedOn).toSorted();
  const [from, to] = [days.at(0), days.at(-1)];
  return {
    ...(sterling && { "ram:TaxCurrencyCode": "GBP" }),
    "ram:InvoiceCurrencyCode": currency,
    "ram:ApplicableTradeTax": taxOf(content, facts),
    ...(from !== undefined && to !== undefined && period(from, to)),
    ...(discounts.length > 0 && {
      "ram:SpecifiedTradeAllowanceCharge": discounts.map((line) => allowanceOf(line, category)),
    }),
    ...(!isPaid && { "ram:SpecifiedTradePaymentTerms": { "ram:Description": terms } }),
    "ram:SpecifiedTradeSettlementHeaderMonetarySummation": {
      "ram:LineTotalAmount": amount(netCents + allowedCents),
      ...(discounts.length > 0 && { "ram:AllowanceTotalAmount": amount(allowedCents) }),
      "ram:TaxBasisTotalAmount": amount(netCents),
      "ram:TaxTotalAmount": [
        { "@currencyID": currency, "#": amount(vatCents) },
        ...(sterling ? [{ "@currencyID": "GBP", "#": amount(sterling.vatPence) }] : []),
      ],
      "ram:GrandTotalAmount": amount(totalCents),
      ...(paidCents > 0 && { "ram:TotalPrepaidAmount": amount(paidCents) }),
      "ram:DuePayableAmount": amount(totalCents - paidCents),
    },
    ...(preceding && {
      "ram:InvoiceReferencedDocument": {
        "ram:IssuerAssignedID": preceding.number,
        "ram:FormattedIssueDateTime": { "qdt:DateTimeString": day(preceding.issuedAt) },
      },
    }),
  };
}

/**
 * Returns an invoice or credit note as XML for accounting programs: the semantic model of EN 16931 in the syntax of UN/CEFACT (CII D16B). Amounts
 * have two decimals, dates are days. The lines with a negative amount are allowances of the whole document, because a price must not be
 * negative (BR-27).
 */
export function eInvoiceXml(content: InvoiceContent, facts: EInvoiceFacts): string {
  const { kind, number, issuedAt, orderNumber, purchaseOrderNumber, orders = [] } = content;
  const category = categoryOf(content, facts);
  const bought = content.lines.filter(({ netCents }) => netCents >= 0);
  const invoice = {
    ...NAMESPACES,
    "rsm:ExchangedDocumentContext": {
      "ram:GuidelineSpecifiedDocumentContextParameter": { "ram:ID": SPECIFICATION },
    },
    "rsm:ExchangedDocument": {
      "ram:ID": number,
      "ram:TypeCode": TYPE_CODES[kind],
      "ram:IssueDateTime": { "udt:DateTimeString": day(issuedAt) },
      "ram:IncludedNote": notesOf(content).map((note) => ({ "ram:Content": note })),
    },
    "rsm:SupplyChainTradeTransaction": {
      "ram:IncludedSupplyChainTradeLineItem": bought.map((line, index) =>
        lineOf(line, index + 1, { category, orders }),
      ),
      "ram:ApplicableHeaderTradeAgreement": {
        "ram:SellerTradeParty": sellerOf(content, facts),
        "ram:BuyerTradeParty": buyerOf(content, facts),
        ...(orderNumber && { "ram:SellerOrderReferencedDocument": { "ram:IssuerAssignedID": orderNumber } }),
        ...(purchaseOrderNumber && {
          "ram:BuyerOrderReferencedDocument": { "ram:IssuerAssignedID": purchaseOrderNumber },
        }),
      },
      "ram:ApplicableHeaderTradeDelivery": {},
      "ram:ApplicableHeaderTradeSettlement": settlementOf(content, facts),
    },
  };
  const options = { version: "1.0", encoding: "UTF-8", invalidCharReplacement: "" } as const;
  return create(options, { "rsm:CrossIndustryInvoice": invoice }).end({ prettyPrint: true });
}
