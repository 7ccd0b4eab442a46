import { describe, expect, test } from "vitest";
import { administerAccount } from "~/domain/accounts/administration/user-administration.service.server";
import { verifyAnswer } from "~/domain/accounts/passwords.server";
import { RECOVERY_MESSAGES } from "~/domain/accounts/recovery/recovery-messages";
import { systemActor } from "~/domain/audit/audit.service.server";
import { findUser } from "~/http/guard.server";
import * as change from "~/routes/_public.change-password/route";
import { getDb } from "~db/connection.server";
import { findUserById } from "~db/repositories/users.server";
import { COMMON_PASSWORD_REFUSED, TEST_PASSWORD } from "../support/factories";
import { labelsOf, select, summaryOf, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import {
  admitted,
  changePassword,
  createMember,
  enterCode,
  logsIn,
  mailsTo,
  NEW_PASSWORD,
  QUESTION,
  requestCode,
  toastOf,
  tokensOf,
} from "../support/recovery";
import { openPage } from "../support/route-page";
import { errorsOf, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const PATH = "/change-password";

const refusal = async (visitor: Visitor, fields: Record<string, string>) =>
  (await errorsOf(await changePassword(visitor, fields))).errors;

test("[REC-05] an administrator's lock between the check and the new password is reported, and nothing is changed", async () => {
  const { email, id } = await createMember();
  const visitor = await admitted(email);
  await administerAccount({ action: "lock", id, actor: systemActor("test"), reason: "Stolen laptop" });
  visitor.follow(await changePassword(visitor, { password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }));
  expect(await toastOf(visitor)).toBe(RECOVERY_MESSAGES.AccountLocked);
  await administerAccount({ action: "unlock", id, actor: systemActor("test") });
  expect(await logsIn(email, NEW_PASSWORD)).toBe(false);
});

describe("the form to change a password", () => {
  test("[REC-05] explains itself, blocks copy and paste, and asks for no question where one is stored", async () => {
    const { email } = await createMember();
    const { html } = await openPage(change, await admitted(email), PATH);
    expect(textsOf(html, "h1")).toEqual(["Change password"]);
    expect(html).toContain(`Choose a new password for ${email}.`);
    const switchedOff = "Copy and paste are switched off for this field.";
    expect(textsOf(html, '[id$="-paste"]')).toEqual([switchedOff, switchedOff]);
    expect(select(html, 'input[autocomplete="new-password"][maxlength="50"]').length).toBe(2);
    expect(select(html, '[name="securityQuestion"], [name="securityAnswer"]').length).toBe(0);
    expect(textsOf(html, 'button[type="submit"]')).toContain("Change password");
    expect(textsOf(html, 'a[href="/"]')).toContain("Back");
  });

  test("[REC-05] when refused, asks to type the passwords again and names no answer that it does not ask for", async () => {
    const visitor = await admitted((await createMember()).email);
    const { html } = await openPage(change, visitor, PATH, { fields: { password: NEW_PASSWORD, confirmPassword: "" } });
    expect(textsOf(html, ".note")).toEqual(["Passwords are never sent back to you. Please type them again."]);
  });

  test("[REC-05] needs 8 to 50 characters, not only spaces, equal in both fields", async () => {
    const visitor = await admitted((await createMember()).email);
    const required = "This field is required.";
    const both = (message: string) => ({ password: message, confirmPassword: message });
    expect(await refusal(visitor, { password: "", confirmPassword: "" })).toEqual(both(required));
    expect(await refusal(visitor, { password: " ".repeat(9), confirmPassword: " ".repeat(9) })).toEqual(both(required));
    expect(await refusal(visitor, { password: "x1y2z3 7" + "é".repeat(43) })).toEqual(
      both("Entered value is not valid."),
    );
    expect(await refusal(visitor, { password: "x1y2z37" })).toEqual({
      password: "The password must have at least 8 characters.",
    });
    expect(await refusal(visitor, { password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD.toUpperCase() })).toEqual({
      confirmPassword: "Entered values do not match.",
    });
  });

  test.each([
    ["a common one", "Password123", COMMON_PASSWORD_REFUSED],
    [
      "the own email",
      "own.data@example-parts.com",
      "The password must not be your own name, company or email address.",
    ],
    ["the own name", "anna-müller", "The password must not be your own name, company or email address."],
    [
      "the own name, family name first",
      "MULLER, ANNA",
      "The password must not be your own name, company or email address.",
    ],
    ["the own company", "Example Parts Ltd", "The password must not be your own name, company or email address."],
    ["the present one", TEST_PASSWORD, "The new password must differ from the current one."],
  ])("[REC-05] refuses %s with a message at the field, and the permit stays", async (what, password, message) => {
    const { email } = await createMember(what === "the own email" ? { email: "own.data@example-parts.com" } : {});
    const visitor = await admitted(email);
    expect(await errorsOf(await changePassword(visitor, { password }))).toEqual({
      status: 422,
      errors: { password: message },
      values: {},
    });
    expect((await changePassword(visitor)).headers.get("Location")).toBe("/");
  });

  test("[REC-05] says at once that a password is weak and what else is wrong, but not that it is the present one", async () => {
    const visitor = await admitted((await createMember()).email);
    const different = "Entered values do not match.";
    const required = "This field is required.";
    expect(await refusal(visitor, { password: "Password123", confirmPassword: "Password124" })).toEqual({
      password: COMMON_PASSWORD_REFUSED,
      confirmPassword: different,
    });
    expect(await refusal(visitor, { password: "anna-müller", confirmPassword: "" })).toEqual({
      password: "The password must not be your own name, company or email address.",
      confirmPassword: required,
    });
    expect(await refusal(visitor, { password: TEST_PASSWORD, confirmPassword: "another" })).toEqual({
      confirmPassword: different,
    });
    expect(await refusal(visitor, { password: "Password123".repeat(5), confirmPassword: "x" })).toEqual({
      password: "Entered value is not valid.",
      confirmPassword: different,
    });
    const bare = await createMember({ securityQuestion: null, securityAnswerHash: null });
    const fields = { password: "Password123", securityQuestion: QUESTION, securityAnswer: "" };
    expect(await refusal(await admitted(bare.email), fields)).toEqual({
      password: COMMON_PASSWORD_REFUSED,
      securityAnswer: required,
    });
  });

  test.each([
    ["of 9 characters", "9fKq-7vLx"],
    ["of 50 characters", "x1y2z3 7" + "é".repeat(42)],
    ["with markup", "<b>bold</b> & <script>"],
    ["with emoji", "🔑🗝️🔐 keys"],
    ["from right to left", "סיסמה חדשה שלי"],
  ])("[REC-05] takes a password %s exactly as typed", async (_what, password) => {
    const { email } = await createMember();
    expect((await changePassword(await admitted(email), { password })).headers.get("Location")).toBe("/");
    expect(await logsIn(email, password)).toBe(true);
  });
});

describe("the security question", () => {
  const bare = () => createMember({ securityQuestion: null, securityAnswerHash: null });

  test("[REC-05] is required only when none is stored: one of the list, with an answer of at most 120 characters", async () => {
    const { email, id } = await bare();
    const visitor = await admitted(email);
    const { html } = await openPage(change, visitor, PATH, {
      fields: {
        password: "",
        confirmPassword: "",
        securityQuestion: "",
        securityAnswer: " ",
        __rvfInternalFormId: "change-password",
      },
    });
    expect(select(html, '[name="securityQuestion"], [name="securityAnswer"]').length).toBe(2);
    expect(html).toContain("Select security question");
    expect(summaryOf(html)).toHaveLength(4);
    for (const [label, own] of labelsOf(html)) expect(own).toBe(label);

    const given = { securityQuestion: QUESTION, securityAnswer: "Rex" };
    expect(await refusal(visitor, { ...given, securityAnswer: "x".repeat(121) })).toEqual({
      securityAnswer: "Entered value is not valid.",
    });
    expect(await refusal(visitor, { ...given, securityQuestion: "What is your name?" })).toEqual({
      securityQuestion: "The value is not part of the collection.",
    });
    const answer = "x".repeat(120);
    expect((await changePassword(visitor, { ...given, securityAnswer: answer })).headers.get("Location")).toBe("/");
    const user = await findUserById(getDb(), id);
    expect(user?.securityQuestion).toBe(QUESTION);
    expect(await verifyAnswer(user?.securityAnswerHash ?? "", answer)).toBe(true);
  });

  test("[REC-05] cannot be changed here when one is stored", async () => {
    const { email, id } = await createMember();
    const before = await findUserById(getDb(), id);
    await changePassword(await admitted(email), {
      securityQuestion: "In which town or city were you born?",
      securityAnswer: "X",
    });
    const after = await findUserById(getDb(), id);
    expect([after?.securityQuestion, after?.securityAnswerHash]).toEqual([QUESTION, before?.securityAnswerHash]);
  });
});

describe("the change of a password", () => {
  test("[REC-05] is confirmed on the root route; the new password works and the old one does not", async () => {
    const { email } = await createMember();
    const visitor = await admitted(email);
    const response = await changePassword(visitor);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    visitor.follow(response);
    expect(await toastOf(visitor)).toBe("Your password has been successfully changed.");
    expect(await findUser(visitor.get("/"))).toBeNull();
    expect(await logsIn(email, TEST_PASSWORD)).toBe(false);
    expect(await logsIn(email, NEW_PASSWORD)).toBe(true);
  });

  test("[REC-05] [LOG-10] ends every session, uses up every code and permit, clears failed tries, is audited, and is reported by mail", async () => {
    const user = await createMember({ failedLogins: 3, lockCount: 2, mustChangePassword: true });
    const elsewhere = await signedInAs(user);
    const visitor = await admitted(user.email);
    await requestCode(user.email);
    await changePassword(visitor);
    expect(await findUser(elsewhere.get("/"))).toBeNull();
    for (const purpose of ["reset-password", "change-password"] as const)
      for (const token of await tokensOf(user.id, purpose)) expect(token.usedAt).not.toBeNull();
    const stored = await findUserById(getDb(), user.id);
    expect(stored).toMatchObject({
      sessionEpoch: 1,
      failedLogins: 0,
      lockCount: 0,
      lockedUntil: null,
      mustChangePassword: false,
    });
    expect(Date.parse(stored?.passwordChangedAt ?? "")).toBeGreaterThan(new Date(user.passwordChangedAt).getTime());
    const entries = await getDb().selectFrom("auditEntries").selectAll().where("userId", "=", user.id).execute();
    expect(entries.map(({ event }) => event)).toEqual([
      "account.reset-code-sent",
      "account.reset-code-accepted",
      "account.reset-code-sent",
      "account.password-changed",
    ]);
    const notices = (await mailsTo(user.email)).filter(({ subject }) => subject === "Your password was changed");
    expect(notices).toHaveLength(1);
    expect(JSON.stringify([...entries, ...notices])).not.toContain(NEW_PASSWORD);
  });

  test("[REC-05] of another account keeps the session of the logged-in user", async () => {
    const [me, other] = [await createMember(), await createMember()];
    const visitor = await signedInAs(me);
    const { code } = await requestCode(other.email);
    await enterCode(visitor, other.email, code);
    const response = await changePassword(visitor);
    expect(response.headers.get("Location")).toBe("/home/dashboard");
    visitor.follow(response);
    expect(await toastOf(visitor)).toBe("Your password has been successfully changed.");
    expect((await findUser(visitor.get("/")))?.id).toBe(me.id);
    expect(await logsIn(other.email, NEW_PASSWORD)).toBe(true);
    expect(await logsIn(me.email, TEST_PASSWORD)).toBe(true);
  });
});
