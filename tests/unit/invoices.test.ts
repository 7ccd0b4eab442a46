import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { invoiceNumber, isPortalNumber, type InvoiceContent } from "~/domain/orders/invoices/invoice-content";
import { invoicePdf } from "~/domain/orders/invoices/invoice-document.server";
import { rateOn, lastMonthEnd, nextMonthEnd, taxPointOf, whyNoInvoice } from "~/domain/orders/invoices/invoice.policy";
import { scriptRuns } from "~/lib/pdf/script-runs.server";
import { CERTIFICATE_STATUSES } from "~db/tables/certificates";
import { pdfText, poppler } from "../support/pdf";

const content = (change: Partial<InvoiceContent> = {}): InvoiceContent => ({
  kind: "invoice",
  number: "INV-2026-00001",
  issuedAt: "2026-11-22T10:00:00.000Z",
  seller: {
    name: "Example Association Limited",
    address: ["1 Example Street", "London"],
    vatNumber: "GB123456789",
    email: "accounts@example.org",
    registration: ["Registered in England no. 01234567"],
    payment: ["Payable within 30 days."],
  },
  buyer: { company: "Example Parts Ltd", name: "Anna Müller", address: ["1 Mill Lane", "Coventry"], vatNumber: null },
  orderNumber: "SO-1001",
  purchaseOrderNumber: "PO-7",
  orderDate: "2026-11-20T10:00:00.000Z",
  lines: [{ description: "OFTP Code", detail: "", quantity: 2, unitCents: 15_000, netCents: 30_000 }],
  currency: "EUR",
  netCents: 30_000,
  vatRate: 0,
  vatCents: 0,
  totalCents: 30_000,
  vatNote: "Outside the scope of UK VAT.",
  sterling: null,
  credits: null,
  ...change,
});

const buyer = (company: string): Pick<InvoiceContent, "buyer"> => ({ buyer: { ...content().buyer, company } });

describe("the PDF of an invoice", () => {
  test("[SAL-05] is a tagged A4 document in English with title and embedded fonts; the same content gives the same bytes", async () => {
    const pdf = await invoicePdf(content());
    expect((await invoicePdf(content())).equals(pdf)).toBe(true);
    const info = poppler("pdfinfo", pdf);
    for (const fact of [
      /^Title: +Invoice INV-2026-00001$/m,
      /^Tagged: +yes$/m,
      /^Pages: +1$/m,
      /^Page size: .*\(A4\)$/m,
    ])
      expect(info).toMatch(fact);
    expect(pdf.toString("latin1")).toContain("/Lang (en-GB)");
    for (const font of poppler("pdffonts", pdf).trim().split("\n").slice(2)) expect(font).toMatch(/ yes yes yes /);
  });

  test.each([
    ["Chinese", "上海汽车零部件有限公司", "NotoSansHans"],
    ["Japanese", "株式会社サンプル自動車部品", "NotoSansHans"],
    ["Korean", "현대모비스 주식회사", "NotoSansKR"],
    ["Thai", "บริษัท ตัวอย่าง", "NotoSansThai"],
    ["Hindi", "उदाहरण", "NotoSansDevanagari"],
    ["Georgian", "შპს მაგალითი", "NotoSansGeorgian"],
    ["Armenian", "Օրինակ ՍՊԸ", "NotoSansArmenian"],
    ["emoji", "Parts 🚗 2000 😀", "NotoEmoji"],
    ["signs", "★ Parts ✪", "NotoSansSymbols2"],
    ["Greek and Cyrillic", "Ελληνική ООО «Пример»", "SourceSans3"],
  ])("[SAL-05] writes a company name in %s with an embedded font", async (_, company, font) => {
    const pdf = await invoicePdf(content(buyer(company)));
    expect(poppler("pdffonts", pdf)).toContain(font);
    const drawn = pdfText(pdf).normalize("NFC");
    const letters = [...company.replace(/\s/g, "")].filter((letter) => !/\p{M}/u.test(letter));
    for (const letter of letters) expect(drawn).toContain(letter);
  });

  test("[SAL-05] draws Arabic and Hebrew from right to left, and Latin and digits within them from left to right", () => {
    const texts = (line: string) =>
      scriptRuns(line, "regular")
        .map(({ text }) => text.trim())
        .filter(Boolean);
    expect(texts("Acme שלום Ltd")).toEqual(["Acme", "שלום", "Ltd"]);
    expect(texts("שלום 12 abc")).toEqual(["12", "שלום", "abc"]);
    expect(texts("שלום abc עולם")).toEqual(["שלום", "abc", "עולם"]);
    expect(scriptRuns("شركة المثال للتجارة", "bold").map(({ text }) => text)).toEqual(["شركة المثال للتجارة"]);
  });

  test("[SAL-05] draws numbers from left to right in any digits, alone, after Latin, and within Arabic and Hebrew", async () => {
    const address = ["شارع ١٢٣ مبنى ٤٥", "رقم 678 و ١٢٣٫٤٥", "שדרות 25 דירה 12-3 ٦٧", "خیابان ۱۲۳", "۴۵۶", "PO-٧٨-٩"];
    const drawn = pdfText(
      await invoicePdf(content({ buyer: { ...content().buyer, address }, purchaseOrderNumber: "PO ١٢٣" })),
    );
    const numbers = drawn.match(/[\d\u0660-\u0669\u06F0-\u06F9\u066B]{2,}/g);
    for (const number of ["١٢٣", "٤٥", "678", "١٢٣٫٤٥", "25", "12", "٦٧", "۱۲۳", "۴۵۶", "٧٨"])
      expect(numbers).toContain(number);
    expect(drawn).toContain("PO ١٢٣");
    expect(drawn).toContain("PO-٩-٧٨"); // a hyphen between Arabic numbers is right-to-left (UAX #9, rule N1)
    expect(drawn).toContain("12-3");
  });

  test("[SAL-05] keeps an emoji of several characters together; digits and words beside it use the site's typeface", () => {
    const runs = scriptRuns("A👩‍🔧❤️👍🏽🇩🇪 24 B", "bold").map(({ text, fontFile }) => [text, basename(fontFile)]);
    expect(runs).toEqual([
      ["A", "SourceSans3-Bold.ttf"],
      ["👩‍🔧❤️👍🏽🇩🇪", "NotoEmoji_700Bold.ttf"],
      [" 24 B", "SourceSans3-Bold.ttf"],
    ]);
  });

  test("[SAL-05] shows a question mark for a character without a font, never a box", () => {
    expect(
      scriptRuns("A\u{13000}B", "regular")
        .map(({ text }) => text)
        .join(""),
    ).toBe("A?B");
  });

  test("[SAL-05] wraps long names, repeats the table head on each page, and draws nothing below the page", async () => {
    const lines = Array.from({ length: 80 }, (_, index) => ({
      description: `Yearly maintenance of code ${index + 1}`,
      detail: index % 9 ? "" : "D".repeat(200),
      quantity: 1,
      unitCents: 500,
      netCents: 500,
    }));
    const pdf = await invoicePdf(content({ lines, ...buyer("W".repeat(120)), purchaseOrderNumber: "P".repeat(50) }));
    const pages = poppler("pdftotext", pdf, ["-layout"]).split("\f").slice(0, -1);
    expect(pages.length).toBeGreaterThan(2);
    pages.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
      if (/Yearly maintenance/.test(page)) expect(page).toMatch(/Description +Quantity +Unit price +Net amount/);
    });
    const text = pages.join(" ");
    for (let line = 1; line <= lines.length; line += 1)
      expect(text).toMatch(new RegExp(`maintenance of code ${line} `));
    expect(text.replace(/[^W]/g, "")).toHaveLength(120);
    const boxes = poppler("pdftotext", pdf, ["-bbox"]);
    for (const [, xMax, yMax] of boxes.matchAll(/xMax="([\d.]+)" yMax="([\d.]+)"/g)) {
      expect(Number(xMax)).toBeLessThanOrEqual(595.28 - 50);
      expect(Number(yMax)).toBeLessThanOrEqual(841.89 - 30);
    }
  });
});

describe("rules", () => {
  test("[SAL-05] the tax point is the day of an earlier payment, otherwise that of the invoice", () => {
    const now = new Date("2026-11-03T23:59:59Z");
    const paid = [null, "2026-11-04T00:00:00.000Z", "2026-11-03T00:00:00.000Z", "2026-11-02T00:00:00.000Z"];
    const points = paid.map((paidOn) => taxPointOf({ paidOn, suppliedOn: null }, now));
    expect(points).toEqual(["2026-11-03", "2026-11-03", "2026-11-03", "2026-11-02"]);
  });

  test("[SAL-05] the tax point is the day of the supply when the invoice comes more than 14 days later", () => {
    const now = new Date("2026-11-30T22:00:00Z");
    const days = ["2026-11-30", "2026-11-16", "2026-11-15", "2026-11-01"];
    const points = days.map((day) => taxPointOf({ paidOn: null, suppliedOn: `${day}T09:00:00Z` }, now));
    expect(points).toEqual(["2026-11-30", "2026-11-30", "2026-11-15", "2026-11-01"]);
    const paidOn = "2026-11-10T00:00:00.000Z";
    expect(taxPointOf({ paidOn, suppliedOn: "2026-11-15" }, now)).toBe("2026-11-10");
    expect(taxPointOf({ paidOn, suppliedOn: "2026-11-01" }, now)).toBe("2026-11-01");
  });

  test("[SAL-05] the invoices of a month are due on its last day at 22:00 UTC", () => {
    const cases = [
      ["2026-11-30T21:59:59Z", "2026-10-31", "2026-11-30"],
      ["2026-11-30T22:00:00Z", "2026-11-30", "2026-12-31"],
      ["2027-01-01T00:00:00Z", "2026-12-31", "2027-01-31"],
      ["2028-02-29T12:00:00Z", "2028-01-31", "2028-02-29"],
    ] as const;
    for (const [now, last, next] of cases) {
      expect(lastMonthEnd(new Date(now)).toISOString()).toBe(`${last}T22:00:00.000Z`);
      expect(nextMonthEnd(new Date(now)).toISOString()).toBe(`${next}T22:00:00.000Z`);
    }
  });

  test("[SAL-05] the sterling rate is the latest one on that day, or the oldest one before that", () => {
    const rate = (date: string) => ({ date, sterlingPerEuro: 0.87, source: "HMRC" });
    const rates = { ...rate("2026-11-01"), earlier: [rate("2026-09-01"), rate("2026-10-01")] };
    const days = ["2027-01-01", "2026-11-01", "2026-10-31", "2026-10-01", "2026-09-30", "2026-08-31"];
    const found = days.map((day) => rateOn(day, rates).date.slice(5, 7));
    expect(found).toEqual(["11", "11", "10", "10", "09", "09"]);
    expect(rateOn("2000-01-01", rate("2026-11-01"))).toEqual(rate("2026-11-01"));
  });

  test("[SAL-05] numbers have kind and year and can exceed five digits", () => {
    expect(invoiceNumber({ kind: "invoice", year: 2026, number: 1 })).toBe("INV-2026-00001");
    expect(invoiceNumber({ kind: "credit-note", year: 2027, number: 123_456 })).toBe("CN-2027-123456");
    for (const own of ["INV-2026-00001", " cn-2027-123456 "]) expect(isPortalNumber(own)).toBe(true);
    for (const other of ["2026-00001", "INV-2026-1", "INV-26-00001", "X INV-2026-00001"])
      expect(isPortalNumber(other)).toBe(false);
  });

  const order = { status: "Open" as const, totalCents: 1, invoiceNumber: null };

  test.each(CERTIFICATE_STATUSES)("[SAL-05] [CER-06] the invoice of a certificate that is %s", (status) => {
    const has = ["Issued", "Downloaded", "Revoked", "RequestRevoke", "Expired", "Renewed"].includes(status);
    expect(whyNoInvoice(order, false, status) === null).toBe(has);
  });

  test("[SAL-05] codes are invoiced when at least one cent is to be paid and no invoice exists", () => {
    expect(whyNoInvoice(order, false, undefined)).toBeNull();
    for (const change of [
      { totalCents: 0 },
      { totalCents: -1 },
      { status: "Cancelled" as const },
      { invoiceNumber: "7" },
    ])
      expect(whyNoInvoice({ ...order, ...change }, false, undefined)).not.toBeNull();
    expect(whyNoInvoice(order, true, undefined)).toBe("The order has an invoice.");
  });
});
