import { beforeAll, describe, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { findUserById, updateUser } from "~db/repositories/users.server";
import { ApiClient, apiClientOf } from "../support/api";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { filledRegistration } from "../support/registration";

usePortal();

const REGISTRATION = filledRegistration();

interface Told {
  success: boolean;
  userMessage: string;
}

const address = {
  street1: "Domkloster 4",
  city: "Köln",
  postcode: "50667",
  countryId: 276,
  subcountryCode: "NW",
  company: "Example Parts Ltd",
};
const details = { companyRegistrationNumber: "HRB 1", vatNumber: "DE123456789", companyAddress: address };

let client: ApiClient;
let user: Awaited<ReturnType<typeof createUser>>;
let staff: ApiClient;
beforeAll(async () => {
  user = await createUser({ email: "calls@example.com" });
  client = await apiClientOf(user.email, TEST_PASSWORD);
  staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
});

describe("registration by calls", () => {
  test("[API-02] registers, logs in, reports missing details, and completes them", async () => {
    const open = new ApiClient();
    const form = { ...REGISTRATION, email: "New.Customer@example.com", confirmEmail: "new.customer@example.com" };
    expect((await open.get("UserSecurity/UserWithEmailExist", { email: form.email })).content).toBe(false);
    expect((await open.post<Told>("UserRegistration/RegisterUser", form)).content).toEqual({
      success: true,
      userMessage: "",
    });
    expect((await open.get("UserSecurity/UserWithEmailExist", { email: form.email })).content).toBe(true);
    const again = await open.post<Told>("UserRegistration/RegisterUser", { ...form, firstName: "Bernd" });
    expect(again.content.success).toBe(false);
    expect(again.content.userMessage).not.toBe("");

    const own = await apiClientOf("new.customer@example.com", form.password);
    const missing = () => own.get("UserRegistration/CheckAdvancedDetailsMissing");
    expect((await missing()).content).toEqual({ hasDetailsMissing: true });
    expect((await own.post("Configuration/SaveConfig", { name: "queryParams", value: "{}" })).status).toBe(403);
    const wrong = await own.post("UserRegistration/RegisterUserAdvancedDetails", {
      ...details,
      companyAddress: { ...address, postcode: " ", countryId: -1 },
    });
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.errors).sort()).toEqual(["companyAddress.countryId", "companyAddress.postcode"]);
    const told = await own.post<Told>("UserRegistration/RegisterUserAdvancedDetails", details);
    expect(told.content).toEqual({ success: true, userMessage: "" });
    expect((await missing()).content).toEqual({ hasDetailsMissing: false });
    const stored = await own.get<{ companyAddress: object; invoicingAddress: object }>(
      "UserRegistration/GetUserDetails",
    );
    expect(stored.content).toMatchObject({
      email: "new.customer@example.com",
      vatNumber: "DE123456789",
      companyRegistrationNumber: "HRB 1",
      companyAddress: { ...address, street2: "" },
      invoicingAddress: { street1: "Domkloster 4" },
    });
    expect(JSON.stringify(stored)).not.toMatch(/password|answer/i);
  });

  test("[API-02] names wrong fields as they were sent and registers nothing", async () => {
    const form = { ...REGISTRATION, email: "x", confirmEmail: "y", telephoneNumber: "abc", firstName: "a".repeat(60) };
    const answer = await new ApiClient().post("UserRegistration/RegisterUser", form);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.errors).sort()).toEqual(["confirmEmail", "email", "firstName", "telephoneNumber"]);
  });

  test("[API-02] refuses an unknown security question by name", async () => {
    const form = { ...REGISTRATION, email: "question@example.com", confirmEmail: "question@example.com" };
    const answer = await new ApiClient().post("UserRegistration/RegisterUser", { ...form, securityQuestion: "foo?" });
    expect(answer.status).toBe(422);
    expect(answer.errors).toEqual({ securityQuestion: "The value is not part of the collection." });
  });

  test("[API-06] [GEN-02] turns a line break in a text of one line into a blank", async () => {
    const form = { ...REGISTRATION, email: "lines@example.com", confirmEmail: "lines@example.com" };
    const typed = { ...form, firstName: "Max\r\n\r\nYour account is locked.", lastName: "a\tb" };
    expect((await new ApiClient().post<Told>("UserRegistration/RegisterUser", typed)).content.success).toBe(true);
    const own = await apiClientOf("lines@example.com", form.password);
    expect((await own.get("UserRegistration/GetUserDetails")).content).toMatchObject({
      firstName: "Max Your account is locked.",
      lastName: "a b",
    });
  });
});

describe("user details", () => {
  test("[API-02] are changed as on the page: markup is removed, locked fields stay, a wrong number is reported", async () => {
    const sent = {
      firstName: "Ann<b>a</b>",
      lastName: "Meier",
      company: "Another",
      jobTitle: "Buyer",
      email: user.email,
      phone: "+49 221 1",
      ...details,
      companyRegistrationNumber: "other",
    };
    const answer = await client.post<Told>("UserRegistration/UpdateUserRegistrationDetails", sent);
    expect(answer).toMatchObject({ status: 200, content: { success: true, userMessage: "" } });
    const stored = await findUserById(getDb(), user.id);
    expect(stored).toMatchObject({ firstName: "Anna", lastName: "Meier", company: user.company, position: "Buyer" });
    expect(stored?.companyRegistrationNumber).toBe("01234567");
    const bad = await client.post<Told>("UserRegistration/UpdateUserRegistrationDetails", {
      ...sent,
      vatNumber: "DE1",
    });
    expect(bad.content).toMatchObject({ success: false, userMessage: "The specified VAT number is not valid." });
    const noPhone = await client.post("UserRegistration/UpdateUserRegistrationDetails", { ...sent, phone: " " });
    expect(noPhone).toMatchObject({ status: 422, errors: { phone: "This field is required." } });
  });

  test("[API-02] keep omitted fields: invoices go to the same address, or follow the company's address", async () => {
    const path = "UserRegistration/UpdateUserRegistrationDetails";
    const { email } = await createUser({ email: "invoiced@example.com" });
    const caller = await apiClientOf(email, TEST_PASSWORD);
    const person = { firstName: "Anna", lastName: "Meier", jobTitle: "Buyer", email, phone: "+49 221 1" };
    const save = async (given: object) => {
      expect(await caller.post<Told>(path, { ...person, ...given })).toMatchObject({ content: { success: true } });
      return (await caller.get<object>("UserRegistration/GetUserDetails")).content;
    };
    const kept = { companyRegistrationNumber: "01234567", vatNumber: "DE123456789", taxNumber: "T 1" };
    const moved = { ...address, street1: "Domkloster 5" };
    const accounts = { ...address, street1: "Hohe Straße 1", company: "Example Accounts" };

    const numbers = { vatNumber: kept.vatNumber, taxNumber: kept.taxNumber };
    expect(await save({ ...numbers, companyAddress: address })).toMatchObject({
      ...kept,
      companyAddress: address,
      invoicingAddress: address,
    });
    const separate = await save({ invoicingAddress: accounts });
    expect(separate).toMatchObject({ ...kept, companyAddress: address, invoicingAddress: accounts });
    expect(await save({ companyAddress: moved })).toMatchObject({
      ...kept,
      companyAddress: moved,
      invoicingAddress: accounts,
    });
    expect(await save({ jobTitle: "Head of EDI" })).toMatchObject({
      ...kept,
      jobTitle: "Head of EDI",
      companyAddress: moved,
      invoicingAddress: accounts,
    });
    expect(await save({ invoicingAddress: null })).toMatchObject({ ...kept, invoicingAddress: moved });
    expect(await save({ companyAddress: address })).toMatchObject({ ...kept, invoicingAddress: address });
    const empty = await caller.post(path, { ...person, vatNumber: " " });
    expect(empty.content).toEqual({ success: false, userMessage: "Please insert a VAT number." });
  });

  test("[API-02] need the password to change the user name, which waits for its link", async () => {
    const change = { Username: "calls.new@example.com", UserId: user.id };
    const without = await client.post("UserSecurity/UpdateUsername", change);
    expect(without).toMatchObject({ status: 422, errors: { currentPassword: "This field is required." } });
    const done = await client.post("UserSecurity/UpdateUsername", { ...change, currentPassword: TEST_PASSWORD });
    expect(done.content).toEqual({ success: true, userMessage: "" });
    expect((await findUserById(getDb(), user.id))?.email).toBe("calls@example.com");
    const token = await getDb().selectFrom("tokens").select("email").where("purpose", "=", "change-email").execute();
    expect(token).toEqual([{ email: "calls.new@example.com" }]);
  });

  test("[API-06] of somebody else are for administrators", async () => {
    const other = await createUser({ email: "other@example.com" });
    for (const path of ["GetUserDetails", "CheckAdvancedDetailsMissing"]) {
      const call = `UserRegistration/${path}`;
      expect((await client.get(call, { userId: other.id })).status).toBe(403);
      expect((await client.get(call, { userId: 999_999 })).status).toBe(403);
      expect((await staff.get(call, { userId: other.id })).status).toBe(200);
      expect((await staff.get(call, { userId: 999_999 })).status).toBe(404);
    }
    const update = { userId: other.id, firstName: "X" };
    expect((await client.post("UserRegistration/UpdateUserRegistrationDetails", update)).status).toBe(403);
    expect(
      (await client.post("UserSecurity/UpdateUsername", { Username: "a@b.example", UserId: other.id })).status,
    ).toBe(403);
    const config = { name: "queryParams", value: "{}", userId: other.id };
    expect((await client.post("Configuration/SaveConfig", config)).status).toBe(403);
  });

  test("[API-02] report a VAT number as valid only when the service says so", async () => {
    const check = (vatNumber: string) => client.get("UserRegistration/CheckVatNumber", { vatNumber });
    expect(await check("DE 123456789")).toMatchObject({ content: false, text: "serviceError" });
    expect(await check("DE1")).toMatchObject({ content: false, text: "" });
    expect(await check("??")).toMatchObject({ content: false, text: "" });
    expect(await check("CHE123456789")).toMatchObject({ content: true, text: "" });
  });
});

describe("recovery by calls", () => {
  test("[API-02] sends a code, takes the answer, sets a new password, and gives a reason for each failure", async () => {
    const open = new ApiClient();
    const email = "new.customer@example.com";
    expect((await open.get<string>("UserSecurity/GetSecurityQuestion", { email })).content).toBe(
      REGISTRATION.securityQuestion,
    );
    const ask = { emailAddress: email, resetBaseUrl: "https://evil.example" };
    expect((await open.post("UserSecurity/RequestPasswordResetEmail", ask)).content).toMatchObject({ success: true });
    const mail = await getDb().selectFrom("mails").select("text").orderBy("id", "desc").executeTakeFirstOrThrow();
    expect(mail.text).not.toContain("evil");
    const resetCode = /reset-code\/([\w-]+)\//.exec(mail.text)?.[1] ?? "";
    const validate = (given: object) =>
      open.post<{ failureReason: string | null; token?: string }>("UserSecurity/ValidatePasswordResetData", {
        emailAddress: email,
        resetCode,
        securityAnswer: REGISTRATION.securityAnswer,
        validateSecurityAnswer: true,
        ...given,
      });
    expect((await validate({ resetCode: "x" })).content.failureReason).toBe("InvalidResetCode");
    expect((await validate({ securityAnswer: "x" })).content.failureReason).toBe("InvalidSecurityAnswer");
    expect((await validate({ securityAnswer: "x", validateSecurityAnswer: false })).content.failureReason).toBe(
      "InvalidSecurityAnswer",
    );
    const { token } = (await validate({})).content;
    const change = { token, password: "a wholly new battery 3" };
    expect((await open.post("UserSecurity/ChangePassword", { ...change, password: "short" })).status).toBe(422);
    expect((await open.post("UserSecurity/ChangePassword", change)).content).toEqual({
      success: true,
      message: "Your password has been successfully changed.",
    });
    expect(await open.post("UserSecurity/ChangePassword", change)).toMatchObject({
      status: 422,
      errors: { token: expect.any(String) as string },
    });
    expect((await apiClientOf(email, change.password)).token).not.toBe("");
  });
});

describe("configuration", () => {
  test("[API-02] gives the VAT rate and the banner, which administrators change, stores the own entry, and logs a line", async () => {
    const open = new ApiClient();
    expect((await open.get("Configuration/GetVatRate")).content).toBe(0.2);
    const banner = { banner: "https://example.com/a.png", link: "https://example.com", tooltip: "Fair" };
    const empty = { banner: "", link: "", tooltip: "" };
    expect((await open.get("Configuration/GetHomePageConfig")).content).toEqual(empty);
    const bad = await staff.post("Configuration/SaveHomePageConfig", { ...banner, link: "ftp://x" });
    expect(Object.keys(bad.errors)).toEqual(["link"]);
    expect((await staff.post("configuration/saveHomePageConfig", banner)).content).toBe(true);
    expect((await open.get("configuration/getHomePageConfig")).content).toEqual(banner);
    expect((await client.post("Configuration/SaveConfig", { name: "queryParams", value: '{"a":"1"}' })).content).toBe(
      true,
    );
    expect((await client.post("Configuration/SaveConfig", { name: "homepage", value: "{}" })).status).toBe(422);
    const line = { source: "client", severity: "Warning", message: "something" };
    expect((await client.post("Log/Log", line)).content).toBe(true);
    const wrong = await client.post("Log/Log", { ...line, severity: "Fatal", message: 1 });
    expect([wrong.status, wrong.errors]).toEqual([
      422,
      { severity: "The value is not part of the collection.", message: "Invalid value." },
    ]);
    expect((await client.post("UserSecurity/UpdateLastLogin", { userId: user.id })).content).toBe(true);
    expect((await open.get("UserRegistration/GetApiHealthCheck")).content).toBe(true);
  });
});

test("[API-07] an unexpected failure answers its documented code and nothing else", async () => {
  await updateUser(getDb(), user.id, { companyAddressId: null }, new Date());
  await getDb().schema.alterTable("addresses").renameTo("addresses_gone").execute();
  try {
    const answer = await client.get("UserRegistration/GetUserDetails");
    expect(answer).toMatchObject({ status: 500, success: false, code: "OCA0F01E" });
    expect(answer.text).toBe("An error occurred. Please try again.");
    expect(JSON.stringify(answer)).not.toMatch(/addresses|select/);
  } finally {
    await getDb().schema.alterTable("addresses_gone").renameTo("addresses").execute();
  }
});
