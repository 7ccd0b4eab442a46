import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { verifyEmail } from "~/domain/accounts/verification.service.server";
import { findUser } from "~/http/guard.server";
import * as register from "~/routes/_public.register";
import * as userManagement from "~/routes/home.user-management";
import { getDb } from "~db/connection.server";
import { lockEmail, updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { auditAbout, storedUser } from "../support/administration";
import { emptyTexts } from "../support/edges";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { enterCode, mailsTo, QUESTION, requestCode } from "../support/recovery";
import { openPage } from "../support/route-page";
import { customer, type Fields, save as saveFields, USER_MANAGEMENT } from "../support/user-details";
import { useVatServer } from "../support/vat-server";
import { anonymous, errorsOf, run, type Visitor } from "../support/visitor";

useVatServer();
usePortal();

const TAKEN = "An account with this e-mail address already exists.";
const TAKEN_WITH_WAY_ON = `${TAKEN} Please log in, or use the Forgot Password option if you no longer know the password.`;
const REQUIRED = "This field is required.";
const WRONG_PASSWORD =
  "The password you have entered is Invalid. Please re-enter your credentials or use the Forgot Password option.";

const registerAs = async (email: string) => {
  const password = "correct horse battery";
  const names = {
    firstName: "Eva",
    lastName: "Neu",
    company: "New Parts",
    position: "Buyer",
    telephoneNumber: "+49 1",
  };
  const question = { securityQuestion: QUESTION, securityAnswer: "Bello" };
  const fields = { ...names, ...question, email, confirmEmail: email, password, confirmPassword: password };
  return run(register.action, await (await anonymous()).post("/register", fields));
};

/** Saves with the current password, which an address needs. */
const save = async (visitor: Visitor, change: Fields) =>
  saveFields(visitor, { currentPassword: TEST_PASSWORD, ...change });
const refusalOf = async (visitor: Visitor, change: Fields) => errorsOf(await save(visitor, change));

let count = 0;
const newEmail = () => `changed-${(count += 1)}@example-parts.com`;

test("[USR-03] a changed e-mail is unverified until its link is used; the old address is told; user name and session go on", async () => {
  const { user, visitor } = await customer();
  const email = newEmail();
  expect((await save(visitor, { email: ` ${email.toUpperCase()} ` })).status).toBe(303);
  expect(await storedUser(user)).toMatchObject({ email, username: email, emailVerifiedAt: null });
  expect(await findUser(visitor.get("/"))).toMatchObject({ email, emailVerified: false });

  const [toNew] = await mailsTo(email);
  expect(toNew?.subject).toBe("Please confirm your new e-mail address");
  const [toOld] = await mailsTo(user.email);
  expect(toOld?.subject).toBe("Your e-mail address was changed");
  expect(toOld?.text).toContain(email);
  const entries = (await auditAbout(user)).map(({ message }) => message);
  expect(entries).toEqual([
    `Changed the e-mail address from ${user.email} to ${email}.`,
    "Changed the user details: e-mail.",
  ]);

  const token = toNew?.text.match(/\/verify-email\/(\S+)/)?.[1] ?? "";
  expect(await verifyEmail(token)).toBe(true);
  expect((await storedUser(user)).emailVerifiedAt).not.toBeNull();
});

test("[USR-03] [USR-05] a changed e-mail needs the current password; an unchanged one, also in capitals, does not", async () => {
  const { user, visitor } = await customer();
  const email = newEmail();
  for (const [currentPassword, message] of [
    ["", REQUIRED],
    ["   ", REQUIRED],
    ["not the right one", WRONG_PASSWORD],
  ] as const)
    expect(await refusalOf(visitor, { email, position: "CEO", currentPassword })).toMatchObject({
      status: 422,
      errors: { currentPassword: message },
    });
  expect(await storedUser(user)).toMatchObject({ email: user.email, position: user.position, failedLogins: 1 });
  expect(await mailsTo(user.email)).toEqual([]);
  const unchanged = { email: user.email.toUpperCase(), position: "CEO", currentPassword: "" };
  expect((await save(visitor, unchanged)).status).toBe(303);
  expect(await storedUser(user)).toMatchObject({ email: user.email, position: "CEO" });
  expect((await save(visitor, { email })).status).toBe(303);
  expect(await storedUser(user)).toMatchObject({ email });
});

test("[USR-03] [LOG-03] five wrong passwords with a new e-mail lock the account, also against the right one", async () => {
  const { user, visitor } = await customer();
  const email = newEmail();
  for (let tries = 0; tries < 5; tries += 1) await save(visitor, { email, currentPassword: `wrong ${tries}` });
  expect((await storedUser(user)).lockedUntil).not.toBeNull();
  expect((await refusalOf(visitor, { email })).errors).toEqual({
    currentPassword: "This user account is locked. Please contact support.",
  });
  expect(await storedUser(user)).toMatchObject({ email: user.email });
});

test("[USR-03] [USR-05] the page says what the current password is for", async () => {
  const { visitor } = await customer();
  const { html } = await openPage(userManagement, visitor, USER_MANAGEMENT);
  expect(html).toContain("Needed to change the e-mail address or anything below");
});

test("[USR-03] a user name that was not the e-mail stays", async () => {
  const { user, visitor } = await customer({ username: "anna.m" });
  const email = newEmail();
  await save(visitor, { email });
  expect(await storedUser(user)).toMatchObject({ email, username: "anna.m" });
});

test("[USR-03] what was sent to the old address can no longer be used, not even when the account has it again", async () => {
  const tryCode = async (change: (visitor: Visitor, email: string) => Promise<unknown>) => {
    const { user, visitor } = await customer();
    const { code, visitor: forgetful } = await requestCode(user.email);
    await change(visitor, user.email);
    return (await enterCode(forgetful, user.email, code)).headers.get("Location");
  };
  const there = (visitor: Visitor) => save(visitor, { email: newEmail() });
  const thereAndBack = async (visitor: Visitor, email: string) => [
    await there(visitor),
    await save(visitor, { email }),
  ];
  expect(await tryCode(() => Promise.resolve())).toMatch("/change-password");
  expect(await tryCode(there)).toBeNull();
  expect(await tryCode(thereAndBack)).toBeNull();
});

test("[USR-03] an address that another account has, or signs in with, is refused; who is signed in is not sent to the login", async () => {
  const { user, visitor } = await customer();
  const other = await createUser({ email: newEmail(), username: "Other.Name".toLowerCase() });
  const named = await createUser({ username: newEmail() });
  for (const email of [other.email, other.email.toUpperCase(), named.username])
    expect(await refusalOf(visitor, { email })).toMatchObject({ status: 422, errors: { email: TAKEN } });
  expect(await storedUser(user)).toMatchObject({ email: user.email });
  expect(await mailsTo(user.email)).toEqual([]);
});

test("[USR-03] an address of an account that was merged into this one is free for it, and for nobody else", async () => {
  const { user, visitor } = await customer();
  const email = newEmail();
  const named = newEmail();
  for (const given of [{ email, username: "merged.name" }, { username: named }]) {
    const merged = await createUser({ ...given, isDisabled: true });
    await updateUser(getDb(), merged.id, { mergedInto: user.id });
  }
  const stranger = await customer();
  for (const taken of [email, named])
    expect((await refusalOf(stranger.visitor, { email: taken })).errors).toEqual({ email: TAKEN });
  expect((await save(visitor, { email })).status).toBe(303);
  expect((await save(visitor, { email: named })).status).toBe(303);
  expect(await storedUser(user)).toMatchObject({ email: named, username: email });
});

test("[USR-03] [REG-08] who wants an address that somebody else is being given waits, and is refused", async () => {
  const [other, { visitor }] = await Promise.all([
    customer({ username: "one.name" }),
    customer({ username: "two.name" }),
  ]);
  for (const [attempt, message] of [
    [(email: string) => save(visitor, { email }), TAKEN],
    [registerAs, TAKEN_WITH_WAY_ON],
  ] as const) {
    const email = newEmail();
    const waiting = await inTransaction(async (trx) => {
      await lockEmail(trx, email);
      await updateUser(trx, other.user.id, { email });
      const answer = attempt(email);
      await sleep(1000); // long enough to come to the question whether the address is free
      return { answer };
    });
    expect((await errorsOf(await waiting.answer)).errors).toEqual({ email: message });
  }
});

const emailOf = (length: number) => {
  const domain = "@example-parts.com";
  return String((count += 1)).padStart(length - domain.length, "b") + domain;
};

test("[USR-03] an e-mail is required, valid and of 200 characters at most; one that is not changed is always right", async () => {
  const { user, visitor } = await customer();
  for (const email of [emailOf(199), emailOf(200)]) {
    expect((await save(visitor, { email })).status).toBe(303);
    expect((await storedUser(user)).email).toBe(email);
  }
  for (const [email, message] of [
    ...emptyTexts,
    [emailOf(201), "Entered value is not valid."],
    ["no address", "Email address is not valid."],
    ["שלום@example.com", "Email address is not valid."],
    ["🚗@example.com", "Email address is not valid."],
  ] as const)
    expect((await refusalOf(visitor, { email })).errors).toEqual({ email: message });
  await updateUser(getDb(), user.id, { email: "imported long ago" });
  expect((await save(visitor, { position: "CEO" })).status).toBe(303);
});
