import { create } from "xmlbuilder2";

type Node = Record<string, unknown>;

/** Returns what is at a path in the XML, as a list. Names have no prefixes. */
function all(node: unknown, path: string): Node[] {
  const names = path.split("/");
  return names.reduce<unknown[]>(
    (nodes, name) => nodes.flatMap((one) => (one as Node | undefined)?.[name] ?? []),
    [node],
  ) as Node[];
}

/** Returns the text at a path, "" where there is none. */
function text(node: unknown, path: string): string {
  const [found] = all(node, path) as unknown[];
  const said = typeof found === "object" && found !== null ? (found as Node)["#"] : found;
  return typeof said === "string" ? said : "";
}

const has = (node: unknown, path: string) => all(node, path).length > 0;

/** Amounts are compared in cents, because binary fractions do not add up. */
const cents = (node: unknown, path: string) => Math.round(Number(text(node, path)) * 100);
const sum = (nodes: readonly Node[], path: string) => nodes.reduce((total, node) => total + cents(node, path), 0);

export const readXml = (xml: string): Node =>
  (create(xml.replaceAll(/(<\/?)\w+:/g, "$1")).end({ format: "object" }) as Node).CrossIndustryInvoice as Node;

/**
 * Returns the business rules of EN 16931 that an invoice breaks, by their names there: those about its sums, and those about the categories of
 * VAT that the portal uses.
 */
export function brokenRules(xml: string): string[] {
  const invoice = readXml(xml);
  const [trade] = all(invoice, "SupplyChainTradeTransaction");
  const [settled] = all(trade, "ApplicableHeaderTradeSettlement");
  const [sums] = all(settled, "SpecifiedTradeSettlementHeaderMonetarySummation");
  const [tax] = all(settled, "ApplicableTradeTax");
  const [seller] = all(trade, "ApplicableHeaderTradeAgreement/SellerTradeParty");
  const [buyer] = all(trade, "ApplicableHeaderTradeAgreement/BuyerTradeParty");
  const lines = all(trade, "IncludedSupplyChainTradeLineItem");
  const allowances = all(settled, "SpecifiedTradeAllowanceCharge");
  const lineTotal = "SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount";
  const lineTax = "SpecifiedLineTradeSettlement/ApplicableTradeTax";
  const price = "SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount";
  const quantity = "SpecifiedLineTradeDelivery/BilledQuantity";
  const category = text(tax, "CategoryCode");
  const categories = [
    ...lines.map((line) => text(line, `${lineTax}/CategoryCode`)),
    ...allowances.map((one) => text(one, "CategoryTradeTax/CategoryCode")),
  ];
  const rate = Number(text(tax, "RateApplicablePercent"));
  const taxTotals = all(sums, "TaxTotalAmount");
  const inCurrency = (code: string) => taxTotals.find((one) => one["@currencyID"] === code);
  const vatOf = (party: unknown) =>
    all(party, "SpecifiedTaxRegistration").some((one) => (all(one, "ID")[0] ?? {})["@schemeID"] === "VA");
  const isExempt = category === "AE" || category === "O";
  const due = cents(sums, "DuePayableAmount");
  const rules: Record<string, boolean> = {
    "BR-01": text(invoice, "ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID") !== "",
    "BR-02": text(invoice, "ExchangedDocument/ID") !== "",
    "BR-03": /^\d{8}$/.test(text(invoice, "ExchangedDocument/IssueDateTime/DateTimeString")),
    "BR-04": ["380", "381"].includes(text(invoice, "ExchangedDocument/TypeCode")),
    "BR-06": text(seller, "Name") !== "",
    "BR-07": text(buyer, "Name") !== "",
    "BR-09": /^[A-Z]{2}$/.test(text(seller, "PostalTradeAddress/CountryID")),
    "BR-11": /^[A-Z]{2}$/.test(text(buyer, "PostalTradeAddress/CountryID")),
    "BR-16": lines.length > 0,
    "BR-24": lines.every(
      (line) => Math.round(cents(line, price) * Number(text(line, quantity))) === cents(line, lineTotal),
    ),
    "BR-25": lines.every((line) => text(line, "SpecifiedTradeProduct/Name") !== ""),
    "BR-27": lines.every((line) => cents(line, price) >= 0),
    "BR-33": allowances.every((one) => text(one, "Reason") !== ""),
    "BR-53": !has(settled, "TaxCurrencyCode") || inCurrency(text(settled, "TaxCurrencyCode")) !== undefined,
    "BR-CO-10": sum(lines, lineTotal) === cents(sums, "LineTotalAmount"),
    "BR-CO-11": sum(allowances, "ActualAmount") === (cents(sums, "AllowanceTotalAmount") || 0),
    "BR-CO-13":
      cents(sums, "LineTotalAmount") - (cents(sums, "AllowanceTotalAmount") || 0) ===
      cents(sums, "TaxBasisTotalAmount"),
    "BR-CO-14": cents(inCurrency("EUR"), "#") === cents(tax, "CalculatedAmount"),
    "BR-CO-15": cents(sums, "TaxBasisTotalAmount") + cents(inCurrency("EUR"), "#") === cents(sums, "GrandTotalAmount"),
    "BR-CO-16": cents(sums, "GrandTotalAmount") - (cents(sums, "TotalPrepaidAmount") || 0) === due,
    "BR-CO-17": Math.abs(cents(tax, "BasisAmount") * (rate / 100) - cents(tax, "CalculatedAmount")) <= 1,
    "BR-CO-25": due <= 0 || text(settled, "SpecifiedTradePaymentTerms/Description") !== "",
    "BR-CO-26": has(seller, "ID") || vatOf(seller),
    [`BR-${category}-01`]: categories.every((one) => one === category),
    [`BR-${category}-08`]: sum(lines, lineTotal) - sum(allowances, "ActualAmount") === cents(tax, "BasisAmount"),
    [`BR-${category}-09`]: category === "S" ? rate > 0 : cents(tax, "CalculatedAmount") === 0,
    [`BR-${category}-10`]: isExempt === (text(tax, "ExemptionReason") !== ""),
    "BR-AE-02": category !== "AE" || (vatOf(seller) && vatOf(buyer)),
    "BR-O-02": category !== "O" || (!vatOf(seller) && !vatOf(buyer)),
    "BR-O-05": category !== "O" || !/<ram:RateApplicablePercent>/.test(xml),
    "BR-S-02": category !== "S" || vatOf(seller),
  };
  return Object.keys(rules).filter((rule) => !rules[rule]);
}
