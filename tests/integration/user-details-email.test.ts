import { expect, test } from "vitest";
import { findUser } from "~/http/guard.server";
import * as register from "~/routes/_public.register/route";
import * as userManagement from "~/routes/home.user-management/route";
import { getDb } from "~db/connection.server";
import { findPlaceFailures } from "~db/repositories/login-places.server";
import { lockEmail, updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { auditAbout, storedUser } from "../support/administration";
import { blankTexts, onlyMarkup } from "../support/edges";
import { createUser } from "../support/factories";
import { untilOthersWait } from "../support/lock-waits";
import { usePortal } from "../support/portal";
import { mailsTo, tokensOf } from "../support/recovery";
import { filledRegistration } from "../support/registration";
import { openPage } from "../support/route-page";
import {
  customer,
  type Fields,
  linksTo,
  moveTo,
  newEmail,
  saveSecret as save,
  useLink,
  USER_MANAGEMENT,
} from "../support/user-details";
import { useVatServer } from "../support/vat-server";
import { anonymous, errorsOf, jsonOf, run, type Visitor } from "../support/visitor";

useVatServer();
usePortal();

const TAKEN = "An account with this email address already exists.";
const TAKEN_WITH_WAY_ON = `${TAKEN} Please log in, or use the Forgot Password option if you no longer know the password.`;
const REQUIRED = "This field is required.";
const WRONG_PASSWORD = "This is not the password of your account. Please enter it again.";

const registerAs = async (email: string) => {
  const fields = filledRegistration({ email, confirmEmail: email });
  return run(register.action, await (await anonymous()).post("/register", fields));
};

const refusalOf = async (visitor: Visitor, change: Fields) => errorsOf(await save(visitor, change));

test("[USR-03] [USR-05] a changed email needs the current password; an unchanged one, also in capitals, does not", async () => {
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
  expect(await storedUser(user)).toMatchObject({ email: user.email, position: user.position });
  expect(await findPlaceFailures(getDb(), user.id, "session", new Date())).toBe(1);
  expect([...(await mailsTo(user.email)), ...(await mailsTo(email))]).toEqual([]);
  const unchanged = { email: user.email.toUpperCase(), position: "CEO", currentPassword: "" };
  expect((await save(visitor, unchanged)).status).toBe(303);
  expect(await storedUser(user)).toMatchObject({ email: user.email, position: "CEO" });
  expect(await tokensOf(user.id, "change-email")).toEqual([]);
  expect((await save(visitor, { email })).status).toBe(303);
  expect(await tokensOf(user.id, "change-email")).toMatchObject([{ email }]);
});

test("[USR-03] [LOG-03] five wrong passwords with a new email lock the account, also against the right one", async () => {
  const { user, visitor } = await customer();
  const email = newEmail();
  for (let tries = 0; tries < 5; tries += 1) await save(visitor, { email, currentPassword: `wrong ${tries}` });
  expect((await storedUser(user)).lockedUntil).not.toBeNull();
  expect((await refusalOf(visitor, { email })).errors).toEqual({
    currentPassword: expect.stringMatching(
      /^After several wrong passwords no password is compared until \S+ \S+ UTC\. You can also log out and reset your password\.$/,
    ) as string,
  });
  expect(await tokensOf(user.id, "change-email")).toEqual([]);
});

test("[USR-03] [USR-05] the page says what the current password is for, and what happens to a new address", async () => {
  const { visitor } = await customer();
  const { html } = await openPage(userManagement, visitor, USER_MANAGEMENT);
  expect(html).toContain("Required to change the email address or anything below");
  expect(html).toContain("Until it is used, a confirmed old address stays in use.");
});

test("[USR-03] an unconfirmed address is replaced at once, and the new one is unconfirmed until its link is used", async () => {
  const { user, visitor } = await customer({ emailVerifiedAt: null });
  const email = newEmail();
  expect((await save(visitor, { email: ` ${email.toUpperCase()} ` })).status).toBe(303);
  expect(await storedUser(user)).toMatchObject({ email, username: email, emailVerifiedAt: null });
  expect(await findUser(visitor.get("/"))).toMatchObject({ email, emailVerified: false });

  const [toNew] = await mailsTo(email);
  expect(toNew?.subject).toBe("Please confirm your new email address");
  expect(await mailsTo(user.email)).toEqual([]); // the address may belong to a stranger
  expect((await auditAbout(user)).map(({ message }) => message)).toEqual([
    `Changed the email address from ${user.email} to ${email}.`,
  ]);

  const [token = ""] = await linksTo(email);
  expect((await useLink(token)).status).toBe(303);
  expect((await storedUser(user)).emailVerifiedAt).not.toBeNull();
});

test("[USR-03] the email or user name of another account is refused, and a logged-in user is not sent to the login", async () => {
  const other = await createUser({ email: newEmail(), username: "Other.Name".toLowerCase() });
  const named = await createUser({ username: newEmail() });
  for (const emailVerifiedAt of [new Date(), null]) {
    const { user, visitor } = await customer({ emailVerifiedAt });
    for (const email of [other.email, other.email.toUpperCase(), named.username])
      expect(await refusalOf(visitor, { email })).toMatchObject({ status: 422, errors: { email: TAKEN } });
    expect(await storedUser(user)).toMatchObject({ email: user.email });
    expect(await mailsTo(user.email)).toEqual([]);
  }
});

test("[USR-03] the address of an account that was merged into this one is free for it and for nobody else", async () => {
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
  await moveTo(visitor, email);
  await moveTo(visitor, named);
  expect(await storedUser(user)).toMatchObject({ email: named, username: email });
});

test("[USR-03] [REG-08] an address that somebody else is being given is waited for and refused", async () => {
  const [other, unverified, { visitor }] = await Promise.all([
    customer({ username: "one.name" }),
    customer({ username: "two.name", emailVerifiedAt: null }),
    customer({ username: "three.name" }),
  ]);
  const toBeTaken = newEmail();
  await save(visitor, { email: toBeTaken });
  const [token = ""] = await linksTo(toBeTaken);
  const messageOf = async (response: Response) => {
    const { fieldErrors, problem } = await jsonOf<{ fieldErrors?: Fields; problem?: string }>(response);
    return fieldErrors?.email ?? problem;
  };
  for (const [email, attempt, message] of [
    [newEmail(), (address: string) => save(unverified.visitor, { email: address }), TAKEN],
    [newEmail(), registerAs, TAKEN_WITH_WAY_ON],
    [toBeTaken, () => useLink(token), TAKEN],
  ] as const) {
    const waiting = await inTransaction(async (trx) => {
      await lockEmail(trx, email);
      await updateUser(trx, other.user.id, { email });
      const answer = attempt(email);
      await untilOthersWait(); // the change now checks whether the address is free
      return { answer };
    });
    expect(await messageOf(await waiting.answer)).toBe(message);
  }
});

let count = 0;
const emailOf = (length: number) => {
  const domain = "@example-parts.com";
  return String((count += 1)).padStart(length - domain.length, "b") + domain;
};

test("[USR-03] an email is required, valid and at most 200 characters long; an unchanged one is always accepted", async () => {
  const { user, visitor } = await customer();
  for (const email of [emailOf(199), emailOf(200)]) {
    await moveTo(visitor, email);
    expect((await storedUser(user)).email).toBe(email);
  }
  for (const [email, message] of [
    ...blankTexts,
    [onlyMarkup, "Email address is not valid."],
    [emailOf(201), "Entered value is not valid."],
    ["no address", "Email address is not valid."],
    ["שלום@example.com", "Email address is not valid."],
    ["🚗@example.com", "Email address is not valid."],
  ] as const)
    expect((await refusalOf(visitor, { email })).errors).toEqual({ email: message });
  await updateUser(getDb(), user.id, { email: "imported long ago" });
  expect((await save(visitor, { position: "CEO" })).status).toBe(303);
});
