import { describe, expect, test } from "vitest";
import { messages } from "~/lib/messages";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf } from "../support/visitor";
import { buyerAtInvoice, DE, GB, INVOICE, invoicePage, ordersOf } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();
const request = makeCsr({ san: ["DNS:oftp.acme.example"] });
const atInvoice = (fields = {}, given = {}) => buyerAtInvoice(request.pem, fields, given);

describe("[PUR-09] the invoice address", () => {
  test("[PUR-09] is filled in from the account's invoicing address", async () => {
    const { values, problems } = await invoicePage(await atInvoice());
    expect(values).toMatchObject({
      name: "Anna Müller",
      company: "Example Parts Ltd",
      addressLine1: "1 Mill Lane",
      city: "Coventry",
      postalCode: "CV1 1AA",
      country: GB,
      phoneNumber: "+44 20 7946 0000",
      vat: "GB123456789",
    });
    expect(problems).toEqual({});
  });

  test("[PUR-09] shows a value that is too long in full with its error", async () => {
    const page = await invoicePage(await atInvoice({}, { telephoneNumber: `+${"1".repeat(34)}` }));
    expect(page.values.phoneNumber).toHaveLength(35);
    expect(page.problems).toEqual({ phoneNumber: messages.outOfRange });
  });

  test("[PUR-09] requires every field but the second address line, and keeps the values", async () => {
    const buyer = await atInvoice();
    const blank = Object.fromEntries(Object.keys(INVOICE).map((name) => [name, " "]));
    const { status, errors, values } = await errorsOf(await buyer.invoice({ ...blank, country: DE }));
    expect(status).toBe(422);
    const required = ["name", "company", "email", "addressLine1", "city", "postalCode", "phoneNumber"];
    expect(errors).toEqual({
      ...Object.fromEntries(required.map((name) => [name, messages.required])),
      vat: "Please insert a VAT number.",
    });
    expect(values.country).toBe(DE);
    expect(await errorsOf(await buyer.invoice({ country: "" }))).toMatchObject({
      errors: { country: messages.required },
    });
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
  });

  test.each([
    ["name", 120],
    ["company", 120],
    ["addressLine1", 60],
    ["addressLine2", 60],
    ["city", 90],
    ["postalCode", 10],
  ])("[PUR-09] allows for %s at most %i characters", async (field, max) => {
    const buyer = await atInvoice();
    const { errors } = await errorsOf(await buyer.invoice({ [field]: "x".repeat(max + 1) }));
    expect(errors).toEqual({ [field]: messages.outOfRange });
    expect((await buyer.invoice({ [field]: "x".repeat(max) })).status).toBe(303);
  });

  test("[PUR-09] needs a valid email and telephone number and a known country", async () => {
    const buyer = await atInvoice();
    expect((await errorsOf(await buyer.invoice({ email: "a@b" }))).errors).toEqual({ email: messages.email });
    const phone = await errorsOf(await buyer.invoice({ phoneNumber: "0800-CALL" }));
    expect(phone.errors).toEqual({ phoneNumber: "Telephone number is not valid." });
    expect((await errorsOf(await buyer.invoice({ country: "999" }))).errors).toEqual({ country: messages.collection });
  });

  test.each(["123456789", "GB1", "DE123456789", "GB", `GB${"1".repeat(16)}`])(
    "[PUR-09] refuses the VAT number %s for GB",
    async (vat) => {
      const { errors } = await errorsOf(await (await atInvoice()).invoice({ vat }));
      expect(errors).toEqual({ vat: "The specified VAT number is not valid." });
    },
  );

  test("[PUR-09] clears only the VAT number by Update country", async () => {
    const buyer = await atInvoice();
    const same = await buyer.invoice({ intent: "update-country" });
    expect(same.headers.get("Location")).toBe(buyer.url("invoice-address"));
    expect((await invoicePage(buyer)).values).toMatchObject({ country: GB, vat: "GB123456789" });
    await buyer.invoice({ intent: "update-country", country: DE, name: "Somebody Else" });
    expect((await invoicePage(buyer)).values).toMatchObject({ country: DE, vat: "", name: "Somebody Else" });
  });

  test("[PUR-09] keeps a VAT number that was typed together with another country", async () => {
    const buyer = await atInvoice();
    await buyer.invoice({ intent: "update-country", country: DE, vat: "DE123456789" });
    expect((await invoicePage(buyer)).values).toMatchObject({ country: DE, vat: "DE123456789" });
  });
});
