import { describe, expect, test } from "vitest";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { findUser } from "~/http/guard.server";
import { messages } from "~/lib/messages";
import * as complete from "~/routes/_public.complete-registration";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { blankTexts, emptyTexts, onlyMarkup, takenTexts, tooLongTexts } from "../support/edges";
import { createUser } from "../support/factories";
import { pageText, select, summaryOf, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { useVatServer } from "../support/vat-server";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

const vat = useVatServer();
usePortal();

const PATH = "/complete-registration";
const [DE, FR, US] = ["276", "250", "840"];

const address = (prefix: string, country = DE) => ({
  [`${prefix}.addressLine1`]: "1 Mill Lane",
  [`${prefix}.city`]: "Köln",
  [`${prefix}.postalCode`]: "50667",
  [`${prefix}.country`]: country,
});

type Fields = Record<string, string>;

const own = (change: Fields = {}): Fields => ({
  companyRegistrationNumber: "HRB 12345",
  ...address("companyAddress"),
  useCompanyAddress: "on",
  vatNumber: "DE100",
  ...change,
});

const other = (change: Fields = {}): Fields => ({
  companyRegistrationNumber: "HRB 12345",
  ...address("companyAddress"),
  ...address("invoicingAddress"),
  "invoicingAddress.company": "Example Holding SE",
  vatNumber: "DE100",
  ...change,
});

const newcomer = async (given: Parameters<typeof createUser>[0] = {}) => {
  const user = await createUser({ detailsMissing: true, ...given });
  return { user, visitor: await signedInAs(user) };
};

const send = async (visitor: Visitor, fields: Fields) => run(complete.action, await visitor.post(PATH, fields));

const saved = async (fields: Fields) => {
  const { user, visitor } = await newcomer();
  const response = await send(visitor, fields);
  expect([fields, response.status]).toEqual([fields, 303]);
  return getProfile(user.id);
};

const refuses = async (fields: Fields, errors: Fields) => {
  const answer = await errorsOf(await send((await newcomer()).visitor, fields));
  expect([fields, answer.status, answer.errors]).toEqual([fields, 422, errors]);
};

const inputOf = (html: string, name: string) => select(html, `input[name="${name}"]`);

describe("texts at their limits", () => {
  const required = [
    ["companyRegistrationNumber", 70, own],
    ["companyAddress.addressLine1", 120, own],
    ["companyAddress.city", 90, own],
    ["companyAddress.postalCode", 10, own],
    ["invoicingAddress.company", 120, other],
    ["invoicingAddress.addressLine1", 120, other],
    ["invoicingAddress.city", 90, other],
    ["invoicingAddress.postalCode", 10, other],
  ] as const;
  const optional = [
    ["taxNumber", 35, own],
    ["companyAddress.addressLine2", 120, own],
    ["companyAddress.addressLine3", 120, own],
    ["companyAddress.region", 70, own],
    ["invoicingAddress.addressLine2", 120, other],
    ["invoicingAddress.addressLine3", 120, other],
    ["invoicingAddress.region", 70, other],
  ] as const;

  const storedText = (profile: Awaited<ReturnType<typeof getProfile>>, name: string) => {
    const [group = "", part] = name.split(".");
    const value = (profile as unknown as Record<string, Record<string, string> | string>)[group];
    if (typeof value === "string" || !part) return value;
    return value?.[part];
  };

  test.each([...required, ...optional])("[CRD-06] %s takes at most %i characters", async (name, max, form) => {
    for (const [typed, kept] of takenTexts(max).filter(([, text]) => text.length <= max))
      expect(storedText(await saved(form({ [name]: typed })), name)).toBe(kept);
    for (const [typed, message] of tooLongTexts(max)) await refuses(form({ [name]: typed }), { [name]: message });
  });

  test.each(required)("[CRD-06] %s is required, also against invisible characters", async (name, _max, form) => {
    for (const [typed, message] of emptyTexts) await refuses(form({ [name]: typed }), { [name]: message });
  });

  test.each(optional)("[CRD-06] %s is optional", async (name, _max, form) => {
    for (const [typed] of blankTexts) expect(storedText(await saved(form({ [name]: typed })), name)).toBeFalsy();
    await refuses(form({ [name]: onlyMarkup }), { [name]: messages.markup });
  });

  test("[CRD-06] a country must be one of the list, for both addresses", async () => {
    const required = "This field is required.";
    const collection = "The value is not part of the collection.";
    for (const [country, message] of [
      ["", required],
      ["  ", required],
      ["999", collection],
      ["GB", collection],
    ] as const) {
      await refuses(own({ "companyAddress.country": country }), { "companyAddress.country": message });
      await refuses(other({ "invoicingAddress.country": country }), { "invoicingAddress.country": message });
    }
  });

  test("[CRD-06] a VAT number of more than 18 characters is too long, whatever its content", async () => {
    await refuses(own({ vatNumber: `DE${"1".repeat(17)}` }), { vatNumber: "Entered value is not valid." });
    await refuses(own({ vatNumber: `DE${"1".repeat(16)}` }), { vatNumber: "The specified VAT number is not valid." });
    const [ch, swiss] = ["756", `CHE${"1".repeat(15)}`];
    expect((await saved(own({ "companyAddress.country": ch, vatNumber: swiss }))).vatNumber).toBe(swiss);
    await refuses(own({ "companyAddress.country": ch, vatNumber: `${swiss}1` }), {
      vatNumber: "Entered value is not valid.",
    });
  });
});

describe("the page to complete a registration", () => {
  test("[CRD-01] [CRD-02] shows the prompt, where a VAT number is mandatory, and a help text at each number", async () => {
    const { visitor } = await newcomer();
    const { html } = await openPage(complete, visitor, PATH);
    expect(textsOf(html, "h1")).toEqual(["Company Registration"]);
    expect(pageText(html)).toContain("Please correct or confirm the details below in order to access the service.");
    expect(textsOf(html, "label")).toContain("VAT number (mandatory for UK or EU companies)");
    for (const label of ["Company registration number", "Tax registration number", "VAT number"]) {
      expect(textsOf(html, "details.hint > summary")).toContain(`Help with ${label}`);
      expect(textsOf(html, "details.hint")).toContainEqual(expect.stringMatching(`^Help with ${label}.{20,}$`));
    }
    expect(textsOf(html, "button")).toContain("Continue");
  });

  test("[CRD-02] without scripts the button 'Update country' clears only the VAT number of another country", async () => {
    const { visitor } = await newcomer();
    const update = (fields: Fields) =>
      openPage(complete, visitor, PATH, { fields: { ...fields, intent: "update-country" } });
    const first = await update(own({ "companyAddress.country": FR, vatNumber: "DE100", city: "" }));
    expect([first.status, summaryOf(first.html)]).toEqual([200, []]);
    // No country was chosen before, so the typed number stays.
    expect(valueOf(first.html, "vatNumber")).toBe("DE100");
    expect(valueOf(first.html, "invoicedCountry")).toBe("250");
    expect(textsOf(first.html, 'button[value="update-country"]')).toContain("Update country");

    const same = await update(own({ "companyAddress.country": FR, invoicedCountry: FR, vatNumber: "FR100" }));
    expect(valueOf(same.html, "vatNumber")).toBe("FR100");
    const changed = await update(own({ "companyAddress.country": US, invoicedCountry: FR, vatNumber: "FR100" }));
    expect(valueOf(changed.html, "vatNumber")).toBe("");
    expect(valueOf(changed.html, "companyAddress.city")).toBe("Köln");
    const invoiced = await update(other({ "invoicingAddress.country": FR, invoicedCountry: DE, vatNumber: "DE100" }));
    expect(valueOf(invoiced.html, "vatNumber")).toBe("");
    expect(vat.asked).toEqual([]);
  });

  test("[CRD-01] without scripts 'Update country' to one with VAT shows the invoicing block disabled while the box is ticked", async () => {
    const { visitor } = await newcomer();
    const blockFor = async (fields: Fields) => {
      const { html } = await openPage(complete, visitor, PATH, { fields: { ...fields, intent: "update-country" } });
      const block = select(html, ".ticks + .when-ticked fieldset[disabled]");
      return block
        .find("input")
        .toArray()
        .map((input) => input.attribs.value);
    };
    expect(await blockFor(own({ "companyAddress.country": DE }))).toEqual(expect.arrayContaining(["Köln", "Germany"]));
    expect(await blockFor(own({ "companyAddress.country": US }))).toEqual([]);
    const { html } = await openPage(complete, visitor, PATH, {
      fields: { ...own({ "companyAddress.country": DE }), intent: "update-country" },
    });
    // The fields keep the typed values, for users who untick the box.
    expect(select(html, '.when-unticked [name="invoicingAddress.city"]:not([disabled])')).toHaveLength(1);
  });

  test("[CRD-02] Enter continues, because the first button of the form is not Update country", async () => {
    const { visitor } = await newcomer();
    const { html } = await openPage(complete, visitor, PATH);
    expect(select(html, "form#complete-registration button").first().val()).toBe("continue");
    const response = await send(visitor, own({ intent: "continue" }));
    expect(response.headers.get("Location")).toBe("/home/dashboard");
  });
});

describe("an account that already has some details", () => {
  const numbers = { companyRegistrationNumber: "HRB 7", taxNumber: "99/7" };

  test("[CRD-01] shows them with its numbers disabled, and keeps the numbers whatever is posted", async () => {
    const { user, visitor } = await newcomer(numbers);
    const { html } = await openPage(complete, visitor, PATH);
    for (const name of Object.keys(numbers)) expect(inputOf(html, name).is(":disabled")).toBe(true);
    expect(valueOf(html, "companyRegistrationNumber")).toBe("HRB 7");
    expect(valueOf(html, "invoicingAddress.company")).toBe("Example Parts Ltd");

    // A browser sends nothing for disabled fields, but other clients can.
    const { companyRegistrationNumber: _, ...fromBrowser } = own();
    const refused = await errorsOf(await send(visitor, { ...fromBrowser, "companyAddress.city": "" }));
    expect(refused).toMatchObject({
      status: 422,
      values: numbers,
      errors: { "companyAddress.city": "This field is required." },
    });
    expect((await send(visitor, own({ taxNumber: "1" }))).status).toBe(303);
    expect(await getProfile(user.id)).toMatchObject(numbers);
  });

  test("[CRD-01] lets an administrator who orders correct them", async () => {
    const { user, visitor } = await newcomer({ ...numbers, isAdmin: true });
    expect(inputOf((await openPage(complete, visitor, PATH)).html, "taxNumber").is(":enabled")).toBe(true);
    expect((await send(visitor, own({ taxNumber: "1" }))).status).toBe(303);
    expect(await getProfile(user.id)).toMatchObject({ companyRegistrationNumber: "HRB 12345", taxNumber: "1" });
  });
});

describe("access to the page", () => {
  const locationOf = (response: Response) => response.headers.get("Location");

  test("[CRD-04] merging accounts and an expired password come first, for the page and the form", async () => {
    const expired = await newcomer({ mustChangePassword: true });
    const twins = await newcomer({ email: "twins@example-parts.com" });
    await createUser({ email: "twins@example-parts.com", username: "other twin" });
    for (const [{ user, visitor }, duty] of [
      [expired, "/password-expiry"],
      [twins, "/consolidate-users"],
    ] as const) {
      expect(locationOf(await run(complete.loader, visitor.get(PATH)))).toMatch(duty);
      expect(locationOf(await send(visitor, own()))).toMatch(duty);
      expect((await getProfile(user.id)).companyRegistrationNumber).toBeNull();
    }
  });

  test("[CRD-05] the same form sent twice saves once, and the details are then complete", async () => {
    const { user, visitor } = await newcomer();
    const answers = await Promise.all([send(visitor, own()), send(visitor, own())]);
    expect(answers.map(locationOf)).toEqual(["/home/dashboard", "/home/dashboard"]);
    expect(await findUser(visitor.get("/"))).toMatchObject({ hasDetailsMissing: false });
    const addresses = await getDb().selectFrom("addresses").select("id").where("userId", "=", user.id).execute();
    expect(addresses).toHaveLength(2);
    const entries = await getDb().selectFrom("auditEntries").select("event").where("userId", "=", user.id).execute();
    expect(entries).toEqual([{ event: "account.details-completed" }]);
  });

  test("[CRD-05] an unexpected failure keeps the typed values and saves nothing", async () => {
    const { user, visitor } = await newcomer();
    const rename = (from: string, to: string) => getDb().schema.alterTable(from).renameTo(to).execute();
    await rename("audit_entries", "audit_entries_away");
    const { status, errors, values } = await errorsOf(await send(visitor, own()));
    await rename("audit_entries_away", "audit_entries");
    expect([status, errors]).toEqual([500, { form: "An error occurred. Please try again." }]);
    expect(values).toMatchObject({ companyRegistrationNumber: "HRB 12345" });
    expect(await getProfile(user.id)).toMatchObject({ companyRegistrationNumber: null, companyAddress: null });
    await updateUser(getDb(), user.id, { isDisabled: true });
    expect(locationOf(await send(visitor, own()))).toBe("/?redirectTo=%2Fcomplete-registration");
  });
});
