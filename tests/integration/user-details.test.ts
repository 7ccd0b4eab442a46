import { describe, expect, test } from "vitest";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { getSession } from "~/http/session.server";
import * as listPage from "~/routes/home.certificates";
import * as userManagement from "~/routes/home.user-management/route";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { acting } from "../support/acting";
import { auditAbout, storedUser } from "../support/administration";
import { createCertificateOrder } from "../support/certificates";
import { emptyTexts, takenTexts, tooLongTexts } from "../support/edges";
import { createAdmin, createUser } from "../support/factories";
import { labelsOf, select, summaryOf, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { customer, GB_VAT, pageFields, refusalOf, save, send, USER_MANAGEMENT } from "../support/user-details";
import { useVatServer } from "../support/vat-server";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

const vat = useVatServer();
usePortal();

const SAVED = "User details successfully updated.";
const locationOf = (response: Response) => response.headers.get("Location");
const toastOf = async (visitor: Visitor, response: Response) => {
  visitor.follow(response);
  return (await getSession(visitor.get("/"))).get("toast");
};
const inputOf = (html: string, name: string) => select(html, `input[name="${name}"]`);
const changes = async (user: { id: number }) => (await auditAbout(user)).map(({ message }) => message);

describe("the page User Details", () => {
  test("[USR-01] shows the four panels under its heading, with Back, Cancel and Save", async () => {
    const { visitor } = await customer();
    const { html } = await openPage(userManagement, visitor, USER_MANAGEMENT);
    expect(textsOf(html, "h1")).toEqual(["User Details"]);
    expect(textsOf(html, "h2[id]")).toEqual(["User Details", "Company Details", "Invoicing Address", "Security"]);
    const back = 'a[href="/home/dashboard"]:has(> span[aria-hidden="true"]:contains("‹"))';
    expect(textsOf(html, back)).toEqual(["‹ Back"]);
    expect(textsOf(html, 'a[class="btn"][href="/home/dashboard"]')).toEqual(["Cancel"]);
    expect(textsOf(html, "button")).toContain("Save");
    expect(inputOf(html, "email").attr("type")).toBe("email");
    expect(textsOf(html, "p.hint#user-management-telephoneNumber-hint")[0]).toMatch(/^In international format/);
  });

  test("[USR-01] redirects an anonymous visitor to the login, and completes missing details first", async () => {
    const outside = await run(userManagement.loader, (await anonymous()).get(USER_MANAGEMENT));
    expect(locationOf(outside)).toBe("/login?redirectTo=%2Fhome%2Fuser-management");
    const newcomer = await signedInAs(await createUser({ detailsMissing: true }));
    const opened = await run(userManagement.loader, newcomer.get(USER_MANAGEMENT));
    expect(locationOf(opened)).toBe("/complete-registration?redirectTo=%2Fhome%2Fuser-management");
    expect(locationOf(await send(newcomer, { firstName: "X" }))).toBe(locationOf(opened));
  });

  test("[USR-03] names every field in the summary as on the page", async () => {
    const { visitor } = await customer();
    const { useCompanyAddress: _, opened = "", ...fields } = await pageFields(visitor);
    const empty = Object.fromEntries(Object.keys(fields).map((name) => [name, ""]));
    const security = { password: "x", securityAnswer: "x", opened };
    const { html, status } = await openPage(userManagement, visitor, USER_MANAGEMENT, {
      fields: { ...empty, ...security, __rvfInternalFormId: "user-management" },
    });
    expect(status).toBe(422);
    expect(summaryOf(html)).toContain("E-mail: This field is required.");
    expect(summaryOf(html)).toContain("City (invoicing address): This field is required.");
    expect(summaryOf(html)).toContain("Current password: This field is required.");
    for (const [label, own] of labelsOf(html)) expect(own.replace(" (invoicing address)", "")).toBe(label);
  });
});

describe("saving user details", () => {
  test("[USR-03] stores the changes, says so on the dashboard, and records the old and new value of each field", async () => {
    const { user, visitor } = await customer();
    const change = { lastName: "Schmidt", telephoneNumber: "+49 221 99", "companyAddress.city": "York" };
    const response = await save(visitor, { ...change, position: " Head of <b>EDI</b> " });
    expect([response.status, locationOf(response)]).toEqual([303, "/home/dashboard"]);
    expect(await toastOf(visitor, response)).toEqual({ kind: "ok", text: SAVED });
    expect(await getProfile(user.id)).toMatchObject({
      lastName: "Schmidt",
      position: "Head of EDI",
      telephoneNumber: "+49 221 99",
      companyAddress: { city: "York", company: "Example Parts Ltd" },
      invoicingAddress: { city: "York" },
      vatNumber: GB_VAT,
    });
    const [message = "", ...others] = await changes(user);
    expect(others).toEqual([]);
    for (const part of ["last name from '.+' to 'Schmidt'", "company address from '.+' to '.*York.*'"])
      expect(message).toMatch(new RegExp(part));
    for (const part of ["position from", "telephone from", "invoicing address from"]) expect(message).toContain(part);
    expect((await storedUser(user)).searchText).toContain("schmidt");
  });

  test("[USR-03] stores a separate invoicing address, which can be given up again", async () => {
    const { user, visitor } = await customer();
    const { useCompanyAddress: _, ...fields } = await pageFields(visitor);
    await send(visitor, { ...fields, "invoicingAddress.company": "Holding SE", "invoicingAddress.city": "Köln" });
    const apart = { companyAddress: { city: "Coventry" }, invoicingAddress: { city: "Köln", company: "Holding SE" } };
    expect(await getProfile(user.id)).toMatchObject(apart);
    expect(await pageFields(visitor)).not.toHaveProperty("useCompanyAddress");
    expect((await save(visitor, { useCompanyAddress: "on" })).status).toBe(303);
    expect(await getProfile(user.id)).toMatchObject({ invoicingAddress: { city: "Coventry", company: user.company } });
  });

  test("[USR-03] says that nothing was changed, and writes no audit entry; a form that is sent twice says what the first one did", async () => {
    const { user, visitor } = await customer();
    const unchanged = await save(visitor);
    expect(locationOf(unchanged)).toBe("/home/dashboard");
    expect(await toastOf(visitor, unchanged)).toEqual({ kind: "ok", text: `${SAVED} They are the same as before.` });
    expect(await auditAbout(user)).toEqual([]);
    const fields = { ...(await pageFields(visitor)), lastName: "Schmidt" };
    for (let time = 0; time < 2; time += 1)
      expect(await toastOf(visitor, await send(visitor, fields))).toEqual({ kind: "ok", text: SAVED });
    expect(await auditAbout(user)).toHaveLength(1);
  });

  test("[USR-03] saves nothing when one part is wrong, and keeps the typed values", async () => {
    const { user, visitor } = await customer();
    const before = await getProfile(user.id);
    const change = { firstName: "Ann", "companyAddress.city": " ", password: "a1b2c3d" };
    const { status, errors, values } = await refusalOf(visitor, change);
    expect([status, errors]).toEqual([
      422,
      {
        "companyAddress.city": "This field is required.",
        password: "The password must have at least 8 characters.",
        confirmPassword: "This field is required.",
        currentPassword: "This field is required.",
      },
    ]);
    expect(values).toMatchObject({ firstName: "Ann" });
    expect(Object.keys(values).filter((name) => /password|answer|csrf/i.test(name))).toEqual([]);
    expect(await getProfile(user.id)).toEqual(before);
  });

  test("[USR-03] keeps the typed values and saves nothing after an unexpected failure", async () => {
    const { user, visitor } = await customer();
    const fields = await pageFields(visitor);
    const rename = (from: string, to: string) => getDb().schema.alterTable(from).renameTo(to).execute();
    await rename("audit_entries", "audit_entries_away");
    const { status, errors, values } = await errorsOf(await send(visitor, { ...fields, firstName: "Ann" }));
    await rename("audit_entries_away", "audit_entries");
    expect([status, errors, values.firstName]).toEqual([500, { form: "An error occurred. Please try again." }, "Ann"]);
    expect((await getProfile(user.id)).firstName).toBe("Anna");
  });

  test.each([
    ["DE", "276", "", "Please insert a VAT number."],
    ["DE", "276", "GB553557881", "The specified VAT number is not valid."],
    ["DE", "276", "DE200", "The specified VAT number is not valid."],
    ["GB", "826", "GB123456789", "The specified VAT number is not valid."],
  ])("[USR-04] in %s (%s) with VAT number '%s': %s", async (_iso, country, vatNumber, message) => {
    const { user, visitor } = await customer();
    const { status, errors } = await refusalOf(visitor, { "companyAddress.country": country, vatNumber });
    expect([status, errors]).toEqual([422, { vatNumber: message }]);
    expect(await getProfile(user.id)).toMatchObject({ vatNumber: GB_VAT, companyAddress: { country: 826 } });
  });

  test("[USR-04] continues when the VAT service fails, with a message that the number is unchecked", async () => {
    const { user, visitor } = await customer();
    vat.mode = "maintenance";
    const response = await save(visitor, { position: "CEO" });
    expect(response.status).toBe(303);
    const text = `${SAVED} The VAT number could not be checked now: it was saved as it is.`;
    expect(await toastOf(visitor, response)).toEqual({ kind: "warn", text });
    expect(await getProfile(user.id)).toMatchObject({ position: "CEO", vatNumber: GB_VAT, vatNumberChecked: false });
  });

  test("[AUD-02] records a different result of a VAT check, also when nothing else changed", async () => {
    const { user, visitor } = await customer();
    const outcomes = async () =>
      (await auditAbout(user)).filter(({ event }) => event === "account.vat-checked").map(({ message }) => message);
    await save(visitor);
    const before = await outcomes();
    vat.mode = "maintenance";
    await save(visitor, { position: "CEO" });
    await save(visitor);
    const unchecked = `The VAT number ${GB_VAT} was saved without a check: no service answered.`;
    expect(await outcomes()).toEqual([...before, unchecked]);
    vat.mode = "answers";
    await save(visitor);
    await save(visitor, { position: "CFO" });
    expect(await outcomes()).toEqual([...before, unchecked, `The VAT number ${GB_VAT} was checked and is valid.`]);
  });

  test("[USR-04] does not happen by 'Update country' without scripts, which only clears the VAT number", async () => {
    const { user, visitor } = await customer();
    const fields = await pageFields(visitor);
    const typed = { ...fields, firstName: "", "companyAddress.country": "276", intent: "update-country" };
    const { status, html } = await openPage(userManagement, visitor, USER_MANAGEMENT, { fields: typed });
    expect([status, summaryOf(html), vat.asked]).toEqual([200, [], []]);
    expect(valueOf(html, "vatNumber")).toBe("");
    expect(valueOf(html, "version")).toBe(fields.version);
    expect((await getProfile(user.id)).companyAddress?.country).toBe(826);
  });
});

describe("texts at their limits", () => {
  const texts = [
    ["firstName", 59],
    ["lastName", 59],
    ["position", 120],
  ] as const;

  test.each(texts)("[USR-03] [USR-04] %s takes at most %i characters without markup", async (name, max) => {
    const { user, visitor } = await customer();
    for (const [typed, kept] of takenTexts(max)) {
      expect((await save(visitor, { [name]: typed })).status).toBe(303);
      expect((await storedUser(user))[name]).toBe(kept);
    }
    for (const [typed, message] of [...tooLongTexts(max), ...emptyTexts])
      expect((await refusalOf(visitor, { [name]: typed })).errors).toEqual({ [name]: message });
  });

  test("[USR-03] the telephone number has at most 35 characters of the international format, as at registration", async () => {
    const { user, visitor } = await customer();
    for (const telephoneNumber of ["1".repeat(34), "1".repeat(35), "+49 (221) {1}"]) {
      expect((await save(visitor, { telephoneNumber })).status).toBe(303);
      expect((await storedUser(user)).telephoneNumber).toBe(telephoneNumber);
    }
    for (const [telephoneNumber, message] of [
      ...emptyTexts,
      ["1".repeat(36), "Entered value is not valid."],
      ["0221/1", "Telephone number is not valid."],
    ] as const)
      expect((await refusalOf(visitor, { telephoneNumber })).errors).toEqual({ telephoneNumber: message });
  });

  test("[USR-03] a longer imported name stays valid until it is changed", async () => {
    const long = "x".repeat(60);
    const { user, visitor } = await customer({ firstName: long, lastName: long });
    expect((await save(visitor, { position: "CEO" })).status).toBe(303);
    expect(await storedUser(user)).toMatchObject({ firstName: long, lastName: long, position: "CEO" });
    const { errors } = await refusalOf(visitor, { firstName: `${long}y`, lastName: long.replace("x", "y") });
    const outOfRange = "Entered value is not valid.";
    expect(errors).toEqual({ firstName: outOfRange, lastName: outOfRange });
    expect((await save(visitor, { firstName: "x".repeat(59) })).status).toBe(303);
  });
});

describe("the company of a user", () => {
  const own = { companyRegistrationNumber: "01234567", taxNumber: "99/7" };

  test("[USR-02] is read-only for an applicant with its numbers disabled, and posting does not change them", async () => {
    const { user, visitor } = await customer();
    await updateUser(getDb(), user.id, own);
    const { html } = await openPage(userManagement, visitor, USER_MANAGEMENT);
    expect(inputOf(html, "company").is("[readonly]")).toBe(true);
    for (const name of Object.keys(own)) expect(inputOf(html, name).is(":disabled")).toBe(true);
    const posted = { company: "Other Ltd", companyRegistrationNumber: "1", taxNumber: "", position: "CEO" };
    expect((await save(visitor, posted)).status).toBe(303);
    expect(await getProfile(user.id)).toMatchObject({ ...own, company: "Example Parts Ltd", position: "CEO" });
    const refused = await refusalOf(visitor, { ...posted, position: "" });
    expect([refused.status, refused.values]).toMatchObject([422, { ...own, company: "Example Parts Ltd" }]);
  });

  test("[USR-02] can get a number that was never saved once", async () => {
    const { user, visitor } = await customer();
    expect((await save(visitor, { taxNumber: "99/7" })).status).toBe(303);
    expect((await save(visitor, { taxNumber: "99/8" })).status).toBe(303);
    expect((await getProfile(user.id)).taxNumber).toBe("99/7");
  });

  test("[USR-02] can be changed by an administrator, for himself and for a customer as whom he acts; certificates follow", async () => {
    const change = { company: "Neue Firma ÄG", companyRegistrationNumber: "HRB 8", taxNumber: "1" };
    const { user, visitor } = await customer({ isAdmin: true });
    const certificate = await createCertificateOrder(user);
    await createCertificateOrder((await customer()).user);
    expect((await save(visitor, change)).status).toBe(303);
    expect(await getProfile(user.id)).toMatchObject({ ...change, companyAddress: { company: "Neue Firma ÄG" } });
    const found = await run(listPage.loader, visitor.get("/home/certificates?search=neue+firma+%C3%A4g"));
    expect((await jsonOf<{ rows: { id: number }[] }>(found)).rows.map(({ id }) => id)).toEqual([certificate.id]);

    const admin = await createAdmin();
    const client = await customer();
    const { visitor: acted } = await acting(admin, client.user);
    expect((await save(acted, change)).status).toBe(303);
    expect(await getProfile(client.user.id)).toMatchObject(change);
    const entry = (await auditAbout(client.user)).find(({ event }) => event === "account.details-updated");
    expect(entry).toMatchObject({ actorId: client.user.id, impersonatorId: admin.id });
  });

  test("[USR-02] is required from an administrator and has at most 120 characters", async () => {
    const { user, visitor } = await customer({ isAdmin: true });
    for (const [typed, kept] of takenTexts(120)) {
      expect((await save(visitor, { company: typed })).status).toBe(303);
      expect((await storedUser(user)).company).toBe(kept);
    }
    for (const [company, message] of [...tooLongTexts(120), ...emptyTexts])
      expect((await refusalOf(visitor, { company })).errors).toEqual({ company: message });
  });

  test("[USR-01] may lack numbers and addresses for staff who order nothing, but not half an address", async () => {
    const admin = await createUser({ isApplicant: false, isAdmin: true, detailsMissing: true });
    const visitor = await signedInAs(admin);
    expect((await save(visitor, { position: "Chief" })).status).toBe(303);
    expect(await getProfile(admin.id)).toMatchObject({ position: "Chief", companyAddress: null, vatNumber: null });
    const half = await refusalOf(visitor, { "companyAddress.city": "York" });
    expect(Object.keys(half.errors).sort()).toEqual([
      "companyAddress.addressLine1",
      "companyAddress.country",
      "companyAddress.postalCode",
    ]);
    expect((await refusalOf(visitor, { vatNumber: GB_VAT })).errors).toHaveProperty(["companyAddress.country"]);
    const whole = {
      "companyAddress.addressLine1": "1 Mill Lane",
      "companyAddress.city": "York",
      "companyAddress.postalCode": "YO1",
      "companyAddress.country": "826",
      vatNumber: GB_VAT,
    };
    expect((await save(visitor, whole)).status).toBe(303);
    expect(await getProfile(admin.id)).toMatchObject({ companyAddress: { city: "York" }, vatNumberChecked: true });
    const nothing = Object.fromEntries(Object.keys(whole).map((name) => [name, ""]));
    expect((await save(visitor, nothing)).status).toBe(303);
    expect(await getProfile(admin.id)).toMatchObject({ companyAddress: null, invoicingAddress: null });
    expect(await getDb().selectFrom("addresses").select("id").where("userId", "=", admin.id).execute()).toEqual([]);
  });
});
