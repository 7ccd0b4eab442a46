import { describe, expect, test } from "vitest";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { getSession } from "~/http/session.server";
import * as complete from "~/routes/_public.complete-registration";
import { createUser } from "../support/factories";
import { labelsOf, select, summaryOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { HMRC_NUMBERS, useVatServer } from "../support/vat-server";
import { anonymous, errorsOf, run, signedInAs } from "../support/visitor";

useVatServer();
usePortal();

const DE = "276";
const GB = "826";
const US = "840";

const filled = (change: Record<string, string> = {}) => ({
  companyRegistrationNumber: "HRB 12345",
  taxNumber: "",
  "companyAddress.addressLine1": "1 Mill Lane",
  "companyAddress.city": "Köln",
  "companyAddress.postalCode": "50667",
  "companyAddress.country": DE,
  useCompanyAddress: "on",
  vatNumber: "DE 100",
  ...change,
});

const submit = async (fields: Record<string, string>) => {
  const user = await createUser({ detailsMissing: true });
  const visitor = await signedInAs(user);
  return { user, visitor, response: await run(complete.action, await visitor.post("/complete-registration", fields)) };
};

const refusal = async (change: Record<string, string>) => errorsOf((await submit(filled(change))).response);

describe("complete registration", () => {
  test("[CRD-05] saves the details and opens the dashboard", async () => {
    const { user, visitor, response } = await submit(filled());
    expect(response.headers.get("Location")).toBe("/home/dashboard");
    expect(await getProfile(user.id)).toMatchObject({
      companyRegistrationNumber: "HRB 12345",
      vatNumber: "DE100",
      vatNumberChecked: true,
      companyAddress: { addressLine1: "1 Mill Lane", city: "Köln", postalCode: "50667", country: 276 },
      invoicingAddress: { addressLine1: "1 Mill Lane", company: "Example Parts Ltd" },
    });
    // [CRD-04] when no details are missing, the page redirects
    const again = await run(complete.loader, visitor.get("/complete-registration"));
    expect(again.headers.get("Location")).toBe("/home/dashboard");
  });

  test("[CRD-04] redirects an anonymous visitor to the login", async () => {
    const response = await run(complete.loader, (await anonymous()).get("/complete-registration"));
    expect(response.headers.get("Location")).toBe("/login?redirectTo=%2Fcomplete-registration");
  });

  test("[CRD-01] checks the invoicing address by every rule only when the company address is not used", async () => {
    const hidden = await submit(filled({ "invoicingAddress.city": "ignored" }));
    expect((await getProfile(hidden.user.id)).invoicingAddress?.city).toBe("Köln");
    const { useCompanyAddress: _, ...without } = filled();
    const { errors } = await errorsOf((await submit({ ...without, companyRegistrationNumber: "" })).response);
    expect(Object.keys(errors).sort()).toEqual([
      "companyRegistrationNumber",
      "invoicingAddress.addressLine1",
      "invoicingAddress.city",
      "invoicingAddress.company",
      "invoicingAddress.country",
      "invoicingAddress.postalCode",
    ]);
  });

  test.each([
    [DE, "", "Please insert a VAT number."],
    [GB, " ", "Please insert a VAT number."],
    [DE, "DE1", "The specified VAT number is not valid."],
    [DE, "FR12345678901", "The specified VAT number is not valid."],
    [DE, "DE1234567890123456", "The specified VAT number is not valid."],
    [DE, "DE200", "The specified VAT number is not valid."],
  ])("[CRD-02] [CRD-03] in country %s with VAT number '%s': %s", async (country, vatNumber, message) => {
    expect(await refusal({ "companyAddress.country": country, vatNumber })).toMatchObject({
      status: 422,
      errors: { vatNumber: message },
    });
  });

  test("[CRD-02] needs no VAT number outside the EU and the UK", async () => {
    const { user, response } = await submit(filled({ "companyAddress.country": US, vatNumber: "" }));
    expect(response.status).toBe(303);
    expect(await getProfile(user.id)).toMatchObject({ vatNumber: null, vatNumberChecked: null });
  });

  test("[CRD-02] refuses a VAT number of another country outside the EU and the UK", async () => {
    expect(await refusal({ "companyAddress.country": US, vatNumber: "DE100" })).toMatchObject({
      status: 422,
      errors: { vatNumber: "The specified VAT number is not valid." },
    });
    const own = await submit(filled({ "companyAddress.country": "756", vatNumber: "CHE123456789" }));
    expect(await getProfile(own.user.id)).toMatchObject({ vatNumber: "CHE123456789", vatNumberChecked: null });
  });

  test("[GEN-04] names every field in the summary as on the page, and the invoicing address apart", async () => {
    const { useCompanyAddress: _, ...empty } = Object.fromEntries(Object.keys(filled()).map((name) => [name, ""]));
    const visitor = await signedInAs(await createUser({ detailsMissing: true }));
    const { html } = await openPage(complete, visitor, "/complete-registration", {
      fields: { ...empty, __rvfInternalFormId: "complete-registration" },
    });
    expect(summaryOf(html)).toContain("City: This field is required.");
    expect(summaryOf(html)).toContain("City (invoicing address): This field is required.");
    for (const [label, own] of labelsOf(html)) expect(own.replace(" (invoicing address)", "")).toBe(label);
  });

  test("[CRD-01] without scripts hides the invoicing address by the tick alone; its fields can be filled in and the VAT number stays", async () => {
    const visitor = await signedInAs(await createUser({ detailsMissing: true }));
    const { html } = await openPage(complete, visitor, "/complete-registration");
    expect(select(html, '.when-unticked [name="invoicingAddress.city"]')).toHaveLength(1);
    expect(select(html, ".when-unticked[disabled], .when-unticked [disabled]")).toHaveLength(0);
    expect(select(html, '.when-unticked ~ * [name="vatNumber"]')).toHaveLength(1);
    const company = select(html, 'fieldset.group:has(> legend:contains("Company address"))');
    expect(company.find('[name="companyAddress.city"]')).toHaveLength(1);
    expect(company.find('[name="invoicingAddress.city"]')).toHaveLength(0);
  });

  test("[CRD-03] saves with an unchecked number and a message when the service is down, and checks a known number", async () => {
    const toastOf = async ({ visitor, response }: Awaited<ReturnType<typeof submit>>) => {
      visitor.follow(response);
      return (await getSession(visitor.get("/"))).get("toast");
    };
    const eu = await submit(filled({ vatNumber: "DE301" }));
    const text = "The VAT number could not be checked now: it was saved as it is.";
    expect(await toastOf(eu)).toEqual({ kind: "warn", text });
    expect(await getProfile(eu.user.id)).toMatchObject({ vatNumber: "DE301", vatNumberChecked: false });
    const gb = await submit(filled({ "companyAddress.country": GB, vatNumber: `GB ${HMRC_NUMBERS[0]}` }));
    expect(await toastOf(gb)).toBeUndefined();
    expect(await getProfile(gb.user.id)).toMatchObject({ vatNumber: `GB${HMRC_NUMBERS[0]}`, vatNumberChecked: true });
  });

  test.each([
    ["companyRegistrationNumber", 70],
    ["taxNumber", 35],
    ["companyAddress.addressLine1", 120],
    ["companyAddress.city", 90],
    ["companyAddress.region", 70],
    ["companyAddress.postalCode", 10],
  ])("[CRD-06] %s takes at most %i characters", async (name, max) => {
    expect((await submit(filled({ [name]: "x".repeat(max) }))).response.status).toBe(303);
    expect((await refusal({ [name]: "x".repeat(max + 1) })).errors[name]).toBe("Entered value is not valid.");
  });

  test("[CRD-06] refuses missing required fields and an unknown country", async () => {
    const empty = Object.fromEntries(Object.keys(filled()).map((name) => [name, ""]));
    const { errors } = await errorsOf((await submit({ ...empty, useCompanyAddress: "on" })).response);
    expect(Object.keys(errors).sort()).toEqual([
      "companyAddress.addressLine1",
      "companyAddress.city",
      "companyAddress.country",
      "companyAddress.postalCode",
      "companyRegistrationNumber",
    ]);
    expect((await refusal({ "companyAddress.country": "999" })).errors["companyAddress.country"]).toBe(
      "The value is not part of the collection.",
    );
  });
});
