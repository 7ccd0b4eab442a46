import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasOtherDomain, failedCriteria } from "~/domain/certificates/purchase/contact.policy";
import { contactSchema } from "~/domain/certificates/purchase/contact.schema";
import { purchaseDraftSchema, type PurchaseDraft } from "~/domain/certificates/purchase/drafts.schema";
import { orderFormSchema } from "~/domain/certificates/purchase/order-form.schema";
import { prefillProblems } from "~/domain/certificates/purchase/prefill";
import { hasStateFor, isImported } from "~/domain/certificates/purchase/purchase.policy";
import { normaliseCsrText } from "~/domain/certificates/request/csr-text";
import { typedValues } from "~/domain/drafts/typed-values";
import { orderNumber } from "~/domain/orders/order-number";
import { certificatePrice, vatFor, yearsText } from "~/domain/orders/price.policy";
import { exceedsDuration, promotionMessages, promotionRefusal, refusalText } from "~/domain/orders/promotion.policy";
import { messages } from "~/lib/messages";

const contact = {
  name: "Berta Brown",
  company: "Example",
  position: "Head of IT",
  email: "berta@example.com",
  addressLine1: "1 Mill Lane",
  city: "Coventry",
  postalCode: "CV1",
  country: "826",
  phoneNumber: "+44 1",
};
const order = { csr: "the text\n", validityPeriod: "1", purchaseOrderNumber: "PO", termsAndConditionsAccepted: "on" };
const details = {
  commonName: "a",
  organisation: "b",
  organisationUnit: "",
  serialNumber: "",
  city: "",
  state: "",
  country: "DE",
  email: "",
  alternativeNames: [],
  keyAlgorithm: "RSA",
  keySize: 2048,
  keyFingerprint: "aa",
  ssid: null,
  leftOut: [],
};
const full: PurchaseDraft = { contact, order, imported: { csr: "the text", details } };

describe("[PUR-01] the earlier steps that a step needs", () => {
  test.each<[string, PurchaseDraft, boolean, boolean]>([
    ["nothing", {}, false, false],
    ["a contact", { contact }, true, false],
    ["an order without a contact", { ...full, contact: undefined }, false, false],
    ["both", full, true, true],
    ["an incomplete contact", { ...full, contact: { ...contact, name: " " } }, false, false],
    ["an incomplete order", { ...full, order: { ...order, purchaseOrderNumber: "" } }, true, false],
    ["an order whose CSR was edited", { ...full, order: { ...order, csr: "another text" } }, true, false],
    ["an order without an import", { ...full, imported: undefined }, true, false],
  ])("[PUR-01] %s", (_, draft, canOrder, canPay) => {
    expect(hasStateFor("contact-details", draft, null)).toBe(true);
    expect(hasStateFor("order", draft, null)).toBe(canOrder);
    expect(hasStateFor("invoice-address", draft, null)).toBe(canPay);
  });

  test("[PUR-01] a draft is the same after it was stored", () => {
    expect(purchaseDraftSchema.parse(JSON.parse(JSON.stringify(full)))).toEqual(full);
  });

  test("[PUR-01] only texts of the step's own fields are kept, with a maximum length", () => {
    const submitted = { name: "x", csrf: "t", list: ["a"], file: new File([], "f"), company: "y".repeat(70_000) };
    expect(typedValues(submitted, ["name", "list", "file", "company", "email"])).toEqual({ name: "x" });
  });
});

test("[PUR-03] line ends and surrounding blanks do not reset an import, any other change does", () => {
  expect(normaliseCsrText(" a\r\nb\rc\n\n")).toBe("a\nb\nc");
  expect(isImported({ ...full, order: { ...order, csr: "\r\nthe text" } })).toBe(true);
  expect(isImported({ ...full, order: { ...order, csr: "the  text" } })).toBe(false);
});

describe("[PUR-05] usage", () => {
  const usage = (raw: object) => orderFormSchema.safeParse({ ...order, ...raw }).data?.usage;
  const all = ["hasSecureSession", "hasEmail", "hasEncryption", "hasFileSigning"];
  test.each([
    ["hidden", {}, all],
    ["hidden with answers", { hasEmail: "on" }, all],
    ["shown with one", { showUsageAttributes: "on", hasEmail: "on" }, ["hasEmail"]],
    ["shown with none", { showUsageAttributes: "on" }, undefined],
  ])("[PUR-05] %s", (_, raw, expected) => expect(usage(raw)).toEqual(expected));
});

describe("[PUR-02] the email of the authentication contact", () => {
  const rules = {
    technicalEmail: "Anna@Example.com",
    preparers: [{ name: "Tom Taylor", email: "Tom@Example.com" }],
    actingEmails: ["Olga@Office.example"],
    freeMailDomains: ["gmail.com", "yahoo.com"],
    roleMailboxes: ["info", "it", "no-reply"],
  };
  test.each([
    ["berta@example.com", []],
    ["berta@other.example", []],
    ["anna@other.example", []],
    ["italo@example.com", []],
    ["berta@notgmail.com", []],
    ["anna@example.com", ["other-person"]],
    ["ANNA@EXAMPLE.COM", ["other-person"]],
    ["anna+ca@example.com", ["other-person"]],
    ["TOM+ca@example.com", ["other-person"]],
    ["tom@other.example", []],
    ["olga+ca@office.example", ["other-person"]],
    ["berta@GMail.com", ["company-email"]],
    ["berta@de.yahoo.com", ["company-email"]],
    ["info@example.com", ["own-name"]],
    ["It+portal@example.com", ["own-name"]],
    ["no-reply@example.com", ["own-name"]],
    ["info@gmail.com", ["company-email", "own-name"]],
  ])("[PUR-02] %s does not meet %j", (email, criteria) =>
    expect(failedCriteria(email, rules).map(({ criterion }) => criterion)).toEqual(criteria),
  );

  test("[PUR-02] another domain is noticed, whatever its case", () => {
    expect(hasOtherDomain("b@EXAMPLE.com", "a@example.com")).toBe(false);
    expect(hasOtherDomain("b@sub.example.com", "a@example.com")).toBe(true);
  });
});

test("[PUR-09] prefilled values that are wrong get a message, empty ones do not", () => {
  const problems = prefillProblems(contactSchema, { ...contact, name: "", postalCode: "12345678901" });
  expect(problems).toEqual({ postalCode: messages.outOfRange });
});

describe("[PUR-06] price", () => {
  test.each([
    [1, 0, 29_000],
    [4, 0, 116_000],
    [2, 5000, 53_000],
    [1, 30_000, 0],
    [1, -1, 29_000],
  ])("[PUR-06] %i years less a discount of %i cents: %i", (years, discountCents, netCents) => {
    expect(certificatePrice({ perYearCents: 29_000, years, discountCents }).netCents).toBe(netCents);
  });

  test("[PUR-06] price, discount and net always add up in whole cents and are never below 0", () => {
    const cents = fc.nat(10_000_000);
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 4 }), cents, (perYearCents, years, discount) => {
        const price = certificatePrice({ perYearCents, years, discountCents: discount });
        expect(price.priceCents - price.discountCents).toBe(price.netCents);
        expect(price.netCents).toBeGreaterThanOrEqual(0);
        const vat = vatFor({ country: { iso: "GB", euMember: false }, netCents: price.netCents, rate: 0.2 });
        expect(Number.isInteger(vat.vatCents)).toBe(true);
        expect(vat.totalCents - vat.vatCents).toBe(price.netCents);
      }),
    );
  });

  test("[PUR-10] the order shows one year or several, and its number", () => {
    expect([yearsText(1), yearsText(2), yearsText(0)]).toEqual(["1 year", "2 years", "0 years"]);
    expect(orderNumber(1001)).toBe("SO-1001");
  });
});

describe("[PUR-09] VAT", () => {
  test.each([
    ["GB", false, 0.2, 20, ""],
    ["DE", true, 0, 0, "Reverse charge: the customer accounts for the VAT."],
    ["CH", false, 0, 0, "Outside the scope of UK VAT."],
  ])("[PUR-09] %s", (iso, euMember, vatRate, vatCents, note) => {
    const vat = vatFor({ country: { iso, euMember }, netCents: 100, rate: 0.2 });
    expect(vat).toEqual({ vatRate, vatCents, totalCents: 100 + vatCents, note });
  });

  test.each([
    [2, 0],
    [3, 1],
    [12, 2],
    [13, 3],
  ])("[PUR-09] 20 %% of %i cents, rounded half up: %i", (netCents, vatCents) => {
    expect(vatFor({ country: { iso: "GB", euMember: false }, netCents, rate: 0.2 }).vatCents).toBe(vatCents);
  });

  test("[PUR-09] without a country there is no VAT and no note", () => {
    expect(vatFor({ country: null, netCents: 5, rate: 0.2 })).toEqual({
      vatRate: 0,
      vatCents: 0,
      totalCents: 5,
      note: "",
    });
  });
});

describe("[PUR-07] promotion codes", () => {
  const now = new Date("2026-11-21T10:00:00.000Z");
  const stored = { code: "ABCDEFGHI", valueCents: 100, months: 24, validUntil: null, usedAt: null, withdrawnAt: null };
  test.each([
    ["short", "ABC", stored, 4, promotionMessages.length],
    ["long", "ABCDEFGHIJK", stored, 4, promotionMessages.length],
    ["unknown", "ABCDEFGHI", null, 4, "The promotion code ABCDEFGHI you have entered is invalid."],
    ["good", "ABCDEFGHI", stored, 2, null],
    ["on its last moment", "ABCDEFGHI", { ...stored, validUntil: now.toISOString() }, 2, null],
    [
      "past its last moment",
      "ABCDEFGHI",
      { ...stored, validUntil: "2026-11-21T09:59:59.999Z" },
      2,
      "The promotion code ABCDEFGHI you have entered is invalid.",
    ],
    [
      "withdrawn",
      "ABCDEFGHI",
      { ...stored, withdrawnAt: now.toISOString() },
      2,
      "The promotion code ABCDEFGHI you have entered is invalid.",
    ],
    [
      "used",
      "ABCDEFGHI",
      { ...stored, usedAt: now.toISOString() },
      1,
      "The promotion code ABCDEFGHI you have entered has already been used.",
    ],
    [
      "for longer",
      "ABCDEFGHI",
      stored,
      1,
      "This promotion code ABCDEFGHI exceeds the duration of the certificate. Please increase the validity period.",
    ],
  ])("[PUR-07] %s", (_, typed, row, years, problem) => {
    const refusal = promotionRefusal(typed, row, years, now);
    expect(refusal && refusalText(refusal, typed)).toBe(problem);
  });

  test("[PUR-07] the discount is limited by the months of the chosen years", () => {
    expect(exceedsDuration(stored, 2)).toBe(false);
    expect(exceedsDuration({ ...stored, months: 25 }, 2)).toBe(true);
  });
});
