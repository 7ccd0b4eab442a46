import { describe, expect, test } from "vitest";
import { brokenRules, readXml } from "../support/e-invoice";
import { COUNTRY, invoicesOf } from "../support/invoices";
import { embeddedFile, poppler } from "../support/pdf";
import { usePortal } from "../support/portal";
import { issue, useInvoicing } from "./invoicing";

usePortal();
const { order, credit, download } = useInvoicing();

async function pdfOf(orderId: number): Promise<Uint8Array> {
  const last = (await invoicesOf(orderId)).at(-1);
  return new Uint8Array(await (await download(last?.id ?? 0)).arrayBuffer());
}

const xmlOf = async (orderId: number) => embeddedFile(await pdfOf(orderId)).toString("utf8");

async function issued(given: Parameters<typeof order>[0] = {}): Promise<string> {
  const id = await order(given);
  await issue(id);
  return xmlOf(id);
}

const FREE = { vatRate: 0, vatCents: 0, totalCents: 90_000 };

describe("the data in the PDF of an invoice", () => {
  test("[SAL-05] is embedded as Factur-X has it, in a PDF/A-3", async () => {
    const id = await order();
    await issue(id);
    const pdf = await pdfOf(id);
    const metadata = poppler("pdfinfo", pdf, ["-meta"]);
    for (const said of [
      "<pdfaid:part>3</pdfaid:part>",
      "<pdfaid:conformance>B</pdfaid:conformance>",
      "<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>",
      "<fx:DocumentType>INVOICE</fx:DocumentType>",
      "<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>",
      "<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>",
    ])
      expect(metadata).toContain(said);
    const raw = Buffer.from(pdf).toString("latin1");
    for (const entry of ["/AFRelationship /Alternative", "/Subtype /text#2Fxml", "(factur-x.xml)", "/OutputIntents"])
      expect(raw).toContain(entry);
  });

  test.each([
    ["Great Britain, with VAT and its amount in sterling", {}, "S"],
    ["the EU, with reverse charge", { ...FREE, countryId: COUNTRY.DE, vatNumber: "DE123456789" }, "AE"],
    ["another country", { ...FREE, countryId: COUNTRY.US, vatNumber: null }, "O"],
    [
      "a customer with a discount",
      { discountCents: 10_000, netCents: 80_000, vatCents: 16_000, totalCents: 96_000, promotionCode: "SPRING" },
      "S",
    ],
    ["an order that was paid before", { status: "Paid", paymentDate: new Date("2026-10-31T00:00:00Z") }, "S"],
  ] as const)("[SAL-05] keeps the rules of EN 16931 for %s", async (_, given, category) => {
    const xml = await issued(given);
    expect(brokenRules(xml)).toEqual([]);
    expect(xml).toContain(`<ram:CategoryCode>${category}</ram:CategoryCode>`);
  });

  test("[SAL-05] says what the pages say: parties, orders, lines, sums, currencies and notes", async () => {
    const xml = await issued({
      purchaseOrderNumber: "PO-4711",
      invoiceAddress: { company: "Müller & <Parts>\u0007 GmbH", addressLine2: "Gate 7" },
    });
    expect(readXml(xml)).toMatchObject({
      ExchangedDocument: { TypeCode: "380" },
      SupplyChainTradeTransaction: {
        IncludedSupplyChainTradeLineItem: {
          SpecifiedTradeProduct: { Name: "OSCAR Code Basic" },
          SpecifiedLineTradeAgreement: { NetPriceProductTradePrice: { ChargeAmount: "300.00" } },
          SpecifiedLineTradeDelivery: { BilledQuantity: { "@unitCode": "C62", "#": "3" } },
        },
        ApplicableHeaderTradeAgreement: {
          SellerTradeParty: {
            Name: "Example Association Limited",
            SpecifiedTaxRegistration: { ID: { "@schemeID": "VA", "#": "GB123456789" } },
          },
          BuyerTradeParty: {
            DefinedTradeContact: { PersonName: "Anna Müller" },
            PostalTradeAddress: {
              PostcodeCode: "CV1 1AA",
              LineOne: "1 Mill Lane",
              LineTwo: "Gate 7",
              CityName: "Coventry",
              CountryID: "GB",
            },
          },
          BuyerOrderReferencedDocument: { IssuerAssignedID: "PO-4711" },
        },
        ApplicableHeaderTradeSettlement: {
          TaxCurrencyCode: "GBP",
          InvoiceCurrencyCode: "EUR",
          SpecifiedTradeSettlementHeaderMonetarySummation: {
            TaxTotalAmount: [
              { "@currencyID": "EUR", "#": "180.00" },
              { "@currencyID": "GBP", "#": "156.60" },
            ],
            GrandTotalAmount: "1080.00",
            DuePayableAmount: "1080.00",
          },
        },
      },
    });
    for (const said of ["<ram:Name>Müller &amp; &lt;Parts&gt; GmbH</ram:Name>", "The VAT due is £156.60."])
      expect(xml).toContain(said);
  });

  test("[SAL-05] of a credit note is a credit note that names its invoice, with positive amounts", async () => {
    const id = await order();
    await issue(id);
    await credit(id, "Wrong company");
    const [invoice] = await invoicesOf(id);
    const xml = await xmlOf(id);
    expect(brokenRules(xml)).toEqual([]);
    expect(readXml(xml)).toMatchObject({
      ExchangedDocument: { TypeCode: "381" },
      SupplyChainTradeTransaction: {
        ApplicableHeaderTradeSettlement: {
          SpecifiedTradeSettlementHeaderMonetarySummation: { GrandTotalAmount: "1080.00" },
          InvoiceReferencedDocument: { IssuerAssignedID: invoice?.number },
        },
      },
    });
    expect(xml).toContain("Reason: Wrong company");
  });

  test("[SAL-05] breaks a rule as soon as one of its amounts is another", async () => {
    const xml = await issued();
    const change = (from: string, to: string) => brokenRules(xml.replace(from, to));
    expect(change("<ram:LineTotalAmount>900.00", "<ram:LineTotalAmount>900.01")).toEqual([
      "BR-24",
      "BR-CO-10",
      "BR-S-08",
    ]);
    expect(change("<ram:GrandTotalAmount>1080.00", "<ram:GrandTotalAmount>1080.10")).toEqual(["BR-CO-15", "BR-CO-16"]);
    expect(change("<ram:CalculatedAmount>180.00", "<ram:CalculatedAmount>180.02")).toEqual(["BR-CO-14", "BR-CO-17"]);
    expect(change('schemeID="VA"', 'schemeID="FC"')).toEqual(["BR-CO-26", "BR-S-02"]);
  });
});
