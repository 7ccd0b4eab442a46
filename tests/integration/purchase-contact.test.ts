import { describe, expect, test } from "vitest";
import { CONTACT_REFUSED } from "~/domain/certificates/purchase/contact.policy";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf, run } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { CONTACT, newBuyer } from "./purchase-journey";

const { loader } = purchase.contact;

usePortal();

interface Page {
  technical: Record<string, string>;
  values: Record<string, string>;
  problems: Record<string, string>;
}

describe("[PUR-02] the contact details", () => {
  test("[PUR-02] show the account as technical contact and fill in the company's address for the colleague", async () => {
    const buyer = await newBuyer();
    const page = await jsonOf<Page>(await run(loader, buyer.visitor.get(buyer.url("contact-details"))));
    expect(page.technical).toMatchObject({
      name: "Anna Müller",
      company: "Example Parts Ltd",
      position: "EDI manager",
      email: buyer.user.email,
      addressLine1: "1 Mill Lane",
      city: "Coventry",
      postalCode: "CV1 1AA",
      country: "United Kingdom",
      phoneNumber: "+44 20 7946 0000",
    });
    expect(page.values).toMatchObject({ company: "Example Parts Ltd", addressLine1: "1 Mill Lane", country: "826" });
    expect(page.values.name).toBeUndefined();
    expect(page.problems).toEqual({});
  });

  test("[PUR-02] are saved by Confirm, which opens the order", async () => {
    const buyer = await newBuyer();
    const response = await buyer.contact();
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(buyer.url("order"));
  });

  test("[PUR-02] require every field but the second address line, and keep the values", async () => {
    const buyer = await newBuyer();
    const blank = Object.fromEntries(Object.keys(CONTACT).map((name) => [name, "  "]));
    const { status, errors, values } = await errorsOf(await buyer.contact(blank));
    expect(status).toBe(422);
    const { addressLine2: _, ...required } = CONTACT;
    expect(errors).toEqual(Object.fromEntries(Object.keys(required).map((name) => [name, messages.required])));
    expect(values.name).toBe("  ");
  });

  test.each([
    ["name", 120],
    ["company", 120],
    ["position", 120],
    ["addressLine1", 60],
    ["addressLine2", 60],
    ["city", 90],
    ["postalCode", 10],
  ])("[PUR-02] allow for %s at most %i characters", async (field, max) => {
    const buyer = await newBuyer();
    expect((await buyer.contact({ [field]: "x".repeat(max) })).status).toBe(303);
    const { errors } = await errorsOf(await buyer.contact({ [field]: "x".repeat(max + 1) }));
    expect(errors).toEqual({ [field]: messages.outOfRange });
  });

  test("[PUR-02] need a valid email of at most 200 and a phone number of at most 25 characters", async () => {
    const buyer = await newBuyer();
    const long = `${"x".repeat(60)}@${"y".repeat(60)}.${"z".repeat(60)}.${"w".repeat(20)}.com`;
    expect((await errorsOf(await buyer.contact({ email: long }))).errors.email).toBe(messages.outOfRange);
    expect((await errorsOf(await buyer.contact({ email: "berta@" }))).errors.email).toBe(messages.email);
    expect((await errorsOf(await buyer.contact({ phoneNumber: "x1" }))).errors.phoneNumber).toBe(messages.telephone);
    expect((await errorsOf(await buyer.contact({ phoneNumber: "1".repeat(26) }))).errors.phoneNumber).toBe(
      messages.outOfRange,
    );
  });

  test.each(["999", "x", "826 "])("[PUR-02] refuse a country that is not in the list (%s)", async (country) => {
    const { errors } = await errorsOf(await (await newBuyer()).contact({ country }));
    expect(errors).toEqual({ country: messages.collection });
  });

  test.each([
    ["the technical contact's own", (own: string) => own],
    ["the same in capitals", (own: string) => own.toUpperCase()],
    ["the same mailbox with a tag", (own: string) => own.replace("@", "+orders@")],
    ["free mail", () => "berta.brown@gmail.com"],
    ["a subdomain of free mail", () => "berta.brown@mail.yahoo.com"],
    ["a role mailbox", () => "info@example-parts.com"],
    ["a role mailbox in capitals with a tag", () => "IT+ca@example-parts.com"],
  ])("[PUR-02] refuse an email that does not meet the criteria: %s", async (_, emailOf) => {
    const buyer = await newBuyer();
    const { status, errors } = await errorsOf(await buyer.contact({ email: emailOf(buyer.user.email) }));
    expect(status).toBe(422);
    expect(errors).toEqual({ email: CONTACT_REFUSED });
    expect(CONTACT_REFUSED).toBe(
      "Authentication Contact details do not meet Odette CA requirements. Please ensure that details satisfy the criteria listed above.",
    );
  });

  test("[PUR-02] allow another company's domain", async () => {
    expect((await (await newBuyer()).contact({ email: "berta.brown@group-holding.example" })).status).toBe(303);
  });

  test("[PUR-02] show a prefilled value that is too long in full, with its error", async () => {
    const buyer = await newBuyer();
    const addressLine1 = "x".repeat(61);
    await getDb().updateTable("addresses").set({ addressLine1 }).where("userId", "=", buyer.user.id).execute();
    const page = await jsonOf<Page>(await run(loader, buyer.visitor.get(buyer.url("contact-details"))));
    expect(page.values.addressLine1).toBe(addressLine1);
    expect(page.problems).toEqual({ addressLine1: messages.outOfRange });
  });
});
