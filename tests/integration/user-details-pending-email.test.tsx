import { expect, test } from "vitest";
import * as verify from "~/routes/_public.verify-email.$token";
import * as userManagement from "~/routes/home.user-management/route";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { findUserById } from "~db/repositories/users.server";
import { acting } from "../support/acting";
import { auditAbout, confirmed, paramsOf, storedUser } from "../support/administration";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import {
  admitted,
  changePassword,
  codesFor,
  enterCode,
  letExpire,
  logsIn,
  mailsTo,
  NEW_PASSWORD,
  requestCode,
  toastOf,
} from "../support/recovery";
import { openPage } from "../support/route-page";
import {
  customer,
  linksTo,
  moveTo,
  newEmail,
  pageFields,
  saveSecret as save,
  send,
  useLink,
  USER_MANAGEMENT,
} from "../support/user-details";
import { useVatServer } from "../support/vat-server";
import { anonymous, run, signedInAs, type Visitor } from "../support/visitor";

useVatServer();
usePortal();

const TAKEN = "An account with this email address already exists.";

/** Returns a customer whose new email address is not confirmed yet, with the token of the confirmation link. */
async function waiting(given: Parameters<typeof customer>[0] = {}) {
  const { user, visitor } = await customer(given);
  const email = newEmail();
  const saved = await save(visitor, { email: ` ${email.toUpperCase()} ` });
  expect(saved.status).toBe(303);
  visitor.follow(saved);
  return { user, visitor, email, token: (await linksTo(email)).at(-1) ?? "" };
}

/** Returns the text of the page. Unlike `pageText`, it adds no spaces around bold text. */
const textOf = (html: string) => textsOf(html, "main").join(" ");
const pageOf = async (visitor: Visitor) => textOf((await openPage(userManagement, visitor, USER_MANAGEMENT)).html);
const openLink = async (token: string) =>
  textOf((await openPage(verify, await anonymous(), `/verify-email/${token}`, { params: { token } })).html);

async function decide(visitor: Visitor, intent: string) {
  const response = await send(visitor, { intent });
  visitor.follow(response);
  return [response.status, response.headers.get("Location"), await toastOf(visitor)];
}

const isWaiting = async (visitor: Visitor) => (await pageOf(visitor)).includes("is not confirmed yet");

test("[USR-03] the account keeps its old email until the link is used, for login, messages and recovery, and the old one is told", async () => {
  const { user, visitor, email } = await waiting();
  const text = `User details successfully updated. The account gets the address ${email} once the link that was sent to it is used.`;
  expect(await toastOf(visitor)).toBe(text);
  const stored = await storedUser(user);
  expect(stored).toMatchObject({ email: user.email, username: user.email });
  expect(stored.emailVerifiedAt).not.toBeNull();

  expect(await logsIn(email, TEST_PASSWORD)).toBe(false);
  expect(await logsIn(user.email, TEST_PASSWORD)).toBe(true);
  await requestCode(email);
  await requestCode(user.email);
  expect(await codesFor(email)).toEqual([]);
  expect(await codesFor(user.email)).toHaveLength(1);

  expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(["Please confirm your new email address"]);
  const [notice] = await mailsTo(user.email);
  expect(notice?.subject).toBe("Your email address is to be changed");
  expect(notice?.text).toContain(email);
  expect((await auditAbout(user)).map(({ message }) => message)).toContain(
    `Asked to change the email address from ${user.email} to ${email}.`,
  );
});

test("[USR-03] the link changes the address when its button is pressed, not when opened; user name and session stay", async () => {
  const { user, visitor, email, token } = await waiting();
  expect(await openLink(token)).toContain(`Confirm that ${email} is your address. From then on, log in with it`);
  expect((await storedUser(user)).email).toBe(user.email);

  const answer = await useLink(token, visitor);
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/dashboard"]);
  const stored = await storedUser(user);
  expect(stored).toMatchObject({ email, username: email });
  expect(stored.emailVerifiedAt).not.toBeNull();
  expect(await isWaiting(visitor)).toBe(false);
  expect(await logsIn(email, TEST_PASSWORD)).toBe(true);
  expect(await logsIn(user.email, TEST_PASSWORD)).toBe(false);
  expect((await mailsTo(user.email)).map(({ subject }) => subject)).toEqual([
    "Your email address is to be changed",
    "Your email address was changed",
  ]);
  const messages = (await auditAbout(user)).map(({ message }) => message);
  expect(messages).toContain(`Changed the email address from ${user.email} to ${email}.`);
});

test("[USR-03] a user name that differs from the email stays", async () => {
  const { user, email, token } = await waiting({ username: "anna.m" });
  await useLink(token);
  expect(await storedUser(user)).toMatchObject({ email, username: "anna.m" });
});

test("[USR-03] the link works once", async () => {
  const { user, email, token } = await waiting();
  const answers = await Promise.all([useLink(token), useLink(token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
  expect((await useLink(token)).status).toBe(422);
  expect((await storedUser(user)).email).toBe(email);
  expect(await openLink(token)).toContain("This link can no longer be used");
});

test("[USR-03] the link and the pending address expire after 7 days", async () => {
  const { user, visitor, token } = await waiting();
  expect(await isWaiting(visitor)).toBe(true);
  await letExpire(user.id, "change-email");
  expect(await isWaiting(visitor)).toBe(false);
  expect((await useLink(token)).status).toBe(422);
  expect((await storedUser(user)).email).toBe(user.email);
  const [sent] = await getDb()
    .selectFrom("tokens")
    .select(["createdAt", "expiresAt"])
    .where("userId", "=", (await waiting()).user.id)
    .execute();
  expect(Date.parse(sent?.expiresAt ?? "") - Date.parse(sent?.createdAt ?? "")).toBe(7 * 86_400_000);
});

test("[USR-03] a further change ends the former link", async () => {
  const { user, visitor, token } = await waiting();
  const next = newEmail();
  await save(visitor, { email: next });
  expect((await useLink(token)).status).toBe(422);
  expect((await useLink((await linksTo(next)).at(-1) ?? "")).status).toBe(303);
  expect((await storedUser(user)).email).toBe(next);
});

test("[USR-03] the same form sent twice sends one link; other details are saved while the address is pending", async () => {
  const { user, visitor } = await customer();
  const email = newEmail();
  const fields = { ...(await pageFields(visitor)), email, position: "CEO", currentPassword: TEST_PASSWORD };
  for (let times = 0; times < 2; times += 1) expect((await send(visitor, fields)).status).toBe(303);
  expect(await linksTo(email)).toHaveLength(1);
  expect((await mailsTo(user.email)).map(({ subject }) => subject)).toEqual(["Your email address is to be changed"]);
  expect((await save(visitor, { position: "CFO", currentPassword: "" })).status).toBe(303);
  expect(await storedUser(user)).toMatchObject({ position: "CFO", email: user.email });
  expect((await useLink((await linksTo(email))[0] ?? "")).status).toBe(303);
});

test("[USR-03] the page shows the pending address; sending the link again ends the former one", async () => {
  const { user, visitor, email, token } = await waiting();
  const page = await pageOf(visitor);
  expect(page).toContain(`A message with a link was sent to ${email}.`);
  expect(page).toContain(`Until the link is used, the account keeps ${user.email}.`);
  expect(await decide(visitor, "send-email-link")).toEqual([
    303,
    USER_MANAGEMENT,
    `A new link is on its way to ${email}.`,
  ]);
  expect((await useLink(token)).status).toBe(422);
  expect((await useLink((await linksTo(email)).at(-1) ?? "")).status).toBe(303);
  expect((await storedUser(user)).email).toBe(email);
});

test("[USR-03] the link of a withdrawn address does not work; without a pending address nothing is sent or withdrawn", async () => {
  const { user, visitor, email, token } = await waiting();
  expect(await decide(visitor, "withdraw-email")).toEqual([
    303,
    USER_MANAGEMENT,
    `${email} was withdrawn: the account keeps ${user.email}.`,
  ]);
  expect(await isWaiting(visitor)).toBe(false);
  expect((await useLink(token)).status).toBe(422);
  const none = [303, USER_MANAGEMENT, "No new email address is waiting to be confirmed any more."];
  for (const intent of ["withdraw-email", "send-email-link"]) expect(await decide(visitor, intent)).toEqual(none);
  expect(await linksTo(email)).toHaveLength(1);
  const messages = (await auditAbout(user)).map(({ message }) => message);
  expect(messages.at(-1)).toBe(`Withdrew the change of the email address to ${email}.`);
});

test("[USR-03] an address that another account has taken in the meantime is clearly refused, and the account keeps its own", async () => {
  for (const takenAs of ["email", "username"] as const) {
    const { user, email, token } = await waiting();
    const other = await createUser({ [takenAs]: email });
    const { status, html } = await openPage(verify, await anonymous(), `/verify-email/${token}`, {
      params: { token },
      fields: {},
    });
    expect(status).toBe(422);
    expect(textOf(html)).toContain(`${TAKEN} Your account keeps the address that it has.`);
    expect(await storedUser(user)).toMatchObject({ email: user.email, username: user.email });
    expect(await storedUser(other)).toMatchObject({ [takenAs]: email });
  }
});

test("[USR-03] [REC-05] a new password withdraws an earlier pending address, but not one that comes with it", async () => {
  const { user, token } = await waiting();
  await changePassword(await admitted(user.email));
  expect((await useLink(token)).status).toBe(422);
  expect((await storedUser(user)).email).toBe(user.email);

  const both = await customer();
  const email = newEmail();
  await save(both.visitor, { email, password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD });
  expect((await useLink((await linksTo(email))[0] ?? "")).status).toBe(303);
  expect((await storedUser(both.user)).email).toBe(email);
});

test("[USR-03] links sent to the old address no longer work, even when the account has it again", async () => {
  const tryCode = async (change: (visitor: Visitor, email: string) => Promise<unknown>) => {
    const { user, visitor } = await customer();
    const { code, visitor: forgetful } = await requestCode(user.email);
    await change(visitor, user.email);
    return (await enterCode(forgetful, user.email, code)).headers.get("Location");
  };
  const there = (visitor: Visitor) => moveTo(visitor, newEmail());
  const thereAndBack = async (visitor: Visitor, email: string) => [await there(visitor), await moveTo(visitor, email)];
  expect(await tryCode(() => Promise.resolve())).toMatch("/change-password");
  expect(await tryCode((visitor) => save(visitor, { email: newEmail() }))).toMatch("/change-password");
  expect(await tryCode(there)).toBeNull();
  expect(await tryCode(thereAndBack)).toBeNull();
});

test("[USR-03] [MAN-02] administrators see the pending address; while acting they cannot send or withdraw it, and disabling ends it", async () => {
  const { user, email, token } = await waiting();
  const admin = await createAdmin();
  const visitor = await signedInAs(admin);
  const accountPage = async () =>
    textOf((await openPage(userPage, visitor, `/home/users/${user.id}`, { params: paramsOf(user) })).html);
  expect(await accountPage()).toContain(`${email} Not confirmed until`);

  const { visitor: asUser } = await acting(admin, user);
  expect(await isWaiting(asUser)).toBe(true);
  expect(await pageOf(asUser)).not.toContain("Withdraw the new address");
  for (const intent of ["withdraw-email", "send-email-link"]) expect((await send(asUser, { intent })).status).toBe(403);
  expect(await linksTo(email)).toHaveLength(1);

  await confirmed(visitor, user, { intent: "disable", reason: "Left" });
  expect((await useLink(token)).status).toBe(422);
  expect((await findUserById(getDb(), user.id))?.email).toBe(user.email);
  expect(await accountPage()).not.toContain(`${email} Not confirmed until`);
});

test("[USR-03] [LOG-07] a pending address can be decided about only when logged in", async () => {
  const { token, email } = await waiting();
  const visitor = await anonymous();
  const response = await run(userManagement.action, await visitor.post(USER_MANAGEMENT, { intent: "withdraw-email" }));
  expect(response.headers.get("Location")).toMatch(/^\/login/);
  expect((await useLink(token)).status).toBe(303);
  expect(await linksTo(email)).toHaveLength(1);
});
