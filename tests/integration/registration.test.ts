import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { findUser } from "~/http/guard.server";
import * as register from "~/routes/_public.register/route";
import * as verify from "~/routes/_public.verify-email.$token";
import { getDb } from "~db/connection.server";
import { issueToken } from "~db/repositories/tokens.server";
import { listUsersByLogin } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { createCertificateOrder } from "../support/certificates";
import { createColleague } from "../support/companies";
import { COMMON_PASSWORD_REFUSED, createUser } from "../support/factories";
import { labelsOf, pageText, select, summaryOf, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { filledRegistration } from "../support/registration";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

const portal = usePortal();
const SECRETS_AGAIN = "Passwords and the security answer are never sent back to you. Please type them again.";

const submit = async (fields: Record<string, string>) => {
  const visitor = await anonymous();
  return { visitor, response: await run(register.action, await visitor.post("/register", fields)) };
};

const refusal = async (change: Record<string, string>) => errorsOf((await submit(filledRegistration(change))).response);

describe("registration", () => {
  test("[REG-03] logs the new user in and opens complete registration; the password is hashed with argon2id", async () => {
    const fields = filledRegistration();
    const { visitor, response } = await submit(fields);
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/complete-registration");
    visitor.follow(response);
    expect(await findUser(visitor.get("/home/dashboard"))).toMatchObject({
      email: fields.email,
      isApplicant: true,
      isAdmin: false,
    });
    const [user] = await listUsersByLogin(getDb(), fields.email);
    expect(user?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(user?.securityAnswerHash).toMatch(/^\$argon2id\$/);
  });

  test.each([
    ["firstName", 59],
    ["lastName", 59],
    ["company", 120],
    ["position", 120],
  ])("[REG-01] takes %s with at most %i characters", async (name, max) => {
    expect((await submit(filledRegistration({ [name]: "x".repeat(max) }))).response.status).toBe(303);
    expect(await refusal({ [name]: "x".repeat(max + 1) })).toMatchObject({
      status: 422,
      errors: { [name]: "Entered value is not valid." },
    });
  });

  test("[REG-01] [REG-07] requires every field, also against spaces only", async () => {
    const empty = Object.fromEntries(Object.keys(filledRegistration()).map((name) => [name, "  "]));
    const { errors } = await errorsOf((await submit(empty)).response);
    expect(errors).toEqual(Object.fromEntries(Object.keys(empty).map((name) => [name, "This field is required."])));
  });

  test.each([
    [{ confirmEmail: "other@example-parts.com" }, { confirmEmail: "Entered values do not match." }],
    [{ confirmPassword: "correct horse batterx" }, { confirmPassword: "Entered values do not match." }],
    [{ email: "nobody", confirmEmail: "nobody" }, { email: "Email address is not valid." }],
    [{ telephoneNumber: "+" }, { telephoneNumber: "Telephone number is not valid." }],
    [{ telephoneNumber: "0221/12345" }, { telephoneNumber: "Telephone number is not valid." }],
    [{ telephoneNumber: "1".repeat(36) }, { telephoneNumber: "Entered value is not valid." }],
    [{ password: "a1b2c3", confirmPassword: "a1b2c3" }, { password: "The password must have at least 8 characters." }],
    [{ password: "password1", confirmPassword: "password1" }, { password: COMMON_PASSWORD_REFUSED }],
    [{ securityQuestion: "What is your name?" }, { securityQuestion: "The value is not part of the collection." }],
  ])("[REG-01] [REG-02] refuses %o", async (change, errors) => {
    expect(await refusal(change)).toMatchObject({ status: 422, errors });
  });

  test("[REG-01] shows every problem at once, also those of the passwords", async () => {
    const { errors } = await refusal({ firstName: "", password: "short", confirmPassword: "other" });
    expect(errors).toEqual({
      firstName: "This field is required.",
      password: "The password must have at least 8 characters.",
      confirmPassword: "Entered values do not match.",
    });
  });

  test("[REG-01] accepts a confirmed email in another case", async () => {
    const { email } = filledRegistration();
    expect((await submit(filledRegistration({ email, confirmEmail: email.toUpperCase() }))).response.status).toBe(303);
  });

  test("[REG-05] without scripts lets Cancel leave an untouched form, and asks before typed details are lost", async () => {
    const visitor = await anonymous();
    const untouched = await run(register.action, await visitor.post("/register", { firstName: "", intent: "cancel" }));
    expect([untouched.status, untouched.headers.get("Location")]).toEqual([303, "/login"]);

    const typed = { firstName: "Jürgen", email: "nobody", password: "correct horse", securityAnswer: "Bello the dog" };
    const asked = await openPage(register, visitor, "/register", { fields: { ...typed, intent: "cancel" } });
    expect(asked.html).toContain("Do you really want to cancel?");
    expect(textsOf(asked.html, 'a.btn.danger[href="/login"]')).toEqual(["Yes"]);
    const hidden = select(asked.html, 'main input[type="hidden"]:not([name="csrf"])').serializeArray();
    expect(hidden).toContainEqual({ name: "firstName", value: "Jürgen" });
    for (const secret of ["correct horse", "Bello the dog"]) expect(asked.html).not.toContain(secret);

    const kept = Object.fromEntries(hidden.map(({ name, value }) => [name, value]));
    const back = await openPage(register, visitor, "/register", { fields: { ...kept, intent: "keep" } });
    expect(select(back.html, "input#register-firstName").val()).toBe("Jürgen");
    expect(select(back.html, "input#register-email").val()).toBe("nobody");
    expect(back.html).toContain(SECRETS_AGAIN);
    expect(back.html).not.toContain("There is a problem");
    const open = await openPage(register, visitor, "/register", { fields: { firstName: "Jürgen", intent: "keep" } });
    expect(open.html).not.toContain(SECRETS_AGAIN);
  });

  test("[REG-07] names every field in the summary as on the page", async () => {
    const fields = Object.fromEntries(Object.keys(filledRegistration()).map((name) => [name, ""]));
    const { html } = await openPage(register, await anonymous(), "/register", {
      fields: { ...fields, __rvfInternalFormId: "register" },
    });
    expect(summaryOf(html)).toHaveLength(11);
    for (const [label, own] of labelsOf(html)) expect(own).toBe(label);
    expect((await openPage(register, await anonymous(), "/register")).html).not.toContain(SECRETS_AGAIN);
  });

  test("[REG-03] when refused keeps the typed values but never a password or an answer", async () => {
    const { values } = await refusal({ telephoneNumber: "none" });
    expect(values).toMatchObject({ firstName: "Jürgen", lastName: "O'Neill", telephoneNumber: "none" });
    expect(Object.keys(values).filter((name) => /password|answer|csrf/i.test(name))).toEqual([]);
  });

  test.each(["password", "confirmPassword", "securityAnswer"])(
    "[REG-03] when refused asks for the secrets again only where %s was typed",
    async (name) => {
      const pageAfter = (fields: Record<string, string>) =>
        anonymous().then((visitor) => openPage(register, visitor, "/register", { fields }));
      const nothing = { firstName: "Jürgen", password: "", confirmPassword: "", securityAnswer: "" };
      expect((await pageAfter({ ...nothing, [name]: "x" })).html).toContain(SECRETS_AGAIN);
      expect((await pageAfter(nothing)).html).not.toContain(SECRETS_AGAIN);
    },
  );

  test("[REG-08] refuses an existing email, however it is written, and says what to do", async () => {
    const fields = filledRegistration();
    await submit(fields);
    const { errors } = await refusal({ email: fields.email.toUpperCase(), confirmEmail: fields.email.toUpperCase() });
    expect(errors.email).toContain("already exists");
    expect(await listUsersByLogin(getDb(), fields.email)).toHaveLength(1);
  });

  test("[REG-08] when refused for an existing email links the login and a new password, and keeps the typed values", async () => {
    const fields = filledRegistration();
    await submit(fields);
    const { status, html } = await openPage(register, await anonymous(), "/register", {
      fields: { ...fields, __rvfInternalFormId: "register" },
    });
    expect(status).toBe(422);
    expect(html).toContain("An account with this email address already exists.");
    expect(pageText(html)).toContain("Log in or set a new password");
    expect(textsOf(html, 'a[href="/login"]')).toContain("Log in");
    expect(textsOf(html, 'a[href="/forgot-password"]')).toContain("set a new password");
    expect(valueOf(html, "firstName")).toBe("Jürgen");
    expect(html).toContain(SECRETS_AGAIN);
    expect((await openPage(register, await anonymous(), "/register")).html).not.toContain(
      "You have an account already",
    );
  });

  test("[REG-06] sent twice by one browser registers once, and both answers log in", async () => {
    const fields = filledRegistration();
    const visitor = await anonymous();
    const send = async () => run(register.action, await visitor.post("/register", fields));
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ headers }) => headers.get("Location"))).toEqual(Array(3).fill("/complete-registration"));
    expect(await listUsersByLogin(getDb(), fields.email)).toHaveLength(1);
    for (const answer of answers) {
      const twin = await anonymous();
      twin.follow(answer);
      expect(await findUser(twin.get("/"))).toMatchObject({ email: fields.email });
    }
    // With another password it is another registration.
    const other = { password: "another good password", confirmPassword: "another good password" };
    const { status, errors } = await errorsOf(
      await run(register.action, await visitor.post("/register", { ...fields, ...other })),
    );
    expect([status, Object.keys(errors)]).toEqual([422, ["email"]]);
  });

  test("[REG-03] shows the fallback message for an unexpected failure and registers nothing", async () => {
    const fields = filledRegistration();
    const rename = (from: string, to: string) => getDb().schema.alterTable(from).renameTo(to).execute();
    await rename("mails", "mails_away");
    const { status, errors, values } = await errorsOf((await submit(fields)).response);
    await rename("mails_away", "mails");
    expect(status).toBe(500);
    expect(errors).toEqual({ form: "An error occurred when try to register a user details" });
    expect(values).toMatchObject({ firstName: "Jürgen", email: fields.email });
    expect(await listUsersByLogin(getDb(), fields.email)).toEqual([]);
    expect((await submit(fields)).response.status).toBe(303);
  });

  test("[REG-08] twice at once with one email makes one account", async () => {
    const fields = filledRegistration();
    const answers = await Promise.all([submit(fields), submit(fields), submit(fields)]);
    expect(answers.map(({ response }) => response.status).sort()).toEqual([303, 422, 422]);
  });

  test("[GEN-03] removes markup before saving and keeps signs that are no markup", async () => {
    const fields = filledRegistration({ company: "<b>Bold</b> & <script>alert(1)</script>Sons 5 < 6" });
    await submit(fields);
    const [user] = await listUsersByLogin(getDb(), fields.email);
    expect(user?.company).toBe("Bold & Sons 5 < 6");
  });

  test("[REG-04] redirects a logged-in user to complete registration or the dashboard", async () => {
    const complete = await signedInAs(await createUser());
    expect((await run(register.loader, complete.get("/register"))).headers.get("Location")).toBe("/home/dashboard");
    const missing = await signedInAs(await createUser({ detailsMissing: true }));
    expect((await run(register.loader, missing.get("/register"))).headers.get("Location")).toBe(
      "/complete-registration",
    );
  });
});

describe("email verification", () => {
  const linkIn = async (email: string) => {
    await deliverDueMail();
    const outbox = join(portal.dataDir, "outbox");
    const mails = await Promise.all(
      readdirSync(outbox).map((file) => PostalMime.parse(readFileSync(join(outbox, file)))),
    );
    const texts = mails.filter((mail) => mail.to?.[0]?.address === email).map((mail) => mail.text ?? "");
    return texts.map((text) => text.match(/\/verify-email\/(\S+)/)?.[1]).filter((token) => token !== undefined);
  };

  test("[REG-03] happens once by the link in the message; opening it alone changes nothing", async () => {
    const fields = filledRegistration();
    const { visitor, response } = await submit(fields);
    visitor.follow(response);
    const [token = ""] = await linkIn(fields.email);
    const path = `/verify-email/${token}`;
    await run(verify.loader, visitor.get(path), { token });
    expect((await findUser(visitor.get("/")))?.emailVerified).toBe(false);
    expect((await run(verify.action, await visitor.post(path), { token })).headers.get("Location")).toBe(
      "/complete-registration",
    );
    expect((await findUser(visitor.get("/")))?.emailVerified).toBe(true);
    expect((await run(verify.action, await visitor.post(path), { token })).status).toBe(422);
    const again = await run(verify.loader, visitor.get(path), { token });
    expect([again.status, await again.json()]).toEqual([404, { link: null, confirmed: fields.email }]);
    const stranger = await run(verify.loader, (await anonymous()).get(path), { token });
    expect(await stranger.json()).toEqual({ link: null, confirmed: null });
  });

  test("[REG-03] [PUR-01] leads into the first order of a company that has ordered nothing, and else to the dashboard", async () => {
    const confirm = async (user: { id: number; email: string }) => {
      const link = { purpose: "verify-email", email: user.email, userId: user.id, lifetimeMs: 60_000 } as const;
      const token = await inTransaction((trx) => issueToken(trx, link));
      const visitor = await signedInAs(user);
      const answer = await run(verify.action, await visitor.post(`/verify-email/${token}`), { token });
      return answer.headers.get("Location");
    };
    const newcomer = await createUser({ emailVerifiedAt: null });
    expect(await confirm(newcomer)).toMatch(/^\/home\/certificate\/purchase\/contact-details\?draft=[\w-]{22}$/);
    const customer = await createUser({ emailVerifiedAt: null });
    await createCertificateOrder(customer);
    expect(await confirm(customer)).toBe("/home/dashboard");
    expect(await confirm(await createColleague(newcomer, "reader"))).toBe("/home/dashboard");
  });

  test("[REG-03] by the link of another account than the logged-in one says which address is confirmed", async () => {
    const confirm = async (visitor: Visitor, email: string) => {
      const [token = ""] = await linkIn(email);
      const response = await run(verify.action, await visitor.post(`/verify-email/${token}`), { token });
      visitor.follow(response);
      return toastOf(visitor);
    };
    const [one, two, three] = [filledRegistration(), filledRegistration(), filledRegistration()];
    const { visitor, response } = await submit(one);
    visitor.follow(response);
    await submit(two);
    await submit(three);
    expect(await confirm(visitor, two.email)).toBe(`${two.email} is confirmed.`);
    expect(await confirm(visitor, one.email)).toBe("Your email address is confirmed.");
    expect(await confirm(await anonymous(), three.email)).toBe("Your email address is confirmed.");
  });
});
