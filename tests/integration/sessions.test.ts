import { expect, test, vi } from "vitest";
import { beginPage, findUser } from "~/http/guard.server";
import * as dashboard from "~/routes/home.dashboard";
import { getDb } from "~db/connection.server";
import { deleteEndedRows } from "~db/repositories/upkeep.server";
import { acting } from "../support/acting";
import { administer, auditAbout, confirmed, refusalOf } from "../support/administration";
import { apiClientOf } from "../support/api";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { createMember, toldAfter } from "../support/recovery";
import { age, from, logInWith, SAFARI, sessionsOf } from "../support/sessions";
import { linksTo, newEmail, saveSecret, useLink } from "../support/user-details";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const HOUR = 3_600_000;
const MINUTE = 60_000;

const idOf = async (visitor: Visitor) => (await findUser(visitor.get("/")))?.id ?? null;

/** Returns the message that the next request of a browser shows about its session. */
const toldOn = async (visitor: Visitor) => toldAfter(await run(dashboard.loader, visitor.get("/home/dashboard")));

test("[LOG-08] a session ends after 8 hours without use and 24 hours after the login, and without its row", async () => {
  const [idle, long, gone] = [await createUser(), await createUser(), await createUser()];
  const [first, second, third] = [await signedInAs(idle), await signedInAs(long), await signedInAs(gone)];
  await age(idle, { idle: 8 * HOUR - MINUTE });
  await age(long, { life: 24 * HOUR - MINUTE });
  expect([await idOf(first), await idOf(second), await idOf(third)]).toEqual([idle.id, long.id, gone.id]);
  // The use is recorded without delaying the answer.
  await vi.waitFor(async () =>
    expect(Date.parse((await sessionsOf(idle))[0]?.lastUsedAt ?? "")).toBeGreaterThan(Date.now() - HOUR),
  );
  await age(idle, { idle: 8 * HOUR });
  await age(long, { life: MINUTE });
  await getDb().deleteFrom("sessions").where("userId", "=", gone.id).execute();
  expect([await idOf(first), await idOf(second), await idOf(third)]).toEqual([null, null, null]);
});

test("[LOG-08] a session is read once for all parts of one page, and again for the next page", async () => {
  const user = await createUser();
  const visitor = await signedInAs(user);
  const idIn = async (requestId: string) =>
    (await findUser(visitor.get("/", { "x-marque-request": requestId })))?.id ?? null;
  const endFirst = beginPage("first");
  expect(await idIn("first")).toBe(user.id);
  await age(user, { idle: 8 * HOUR });
  expect(await idIn("first")).toBe(user.id);
  const endSecond = beginPage("second");
  expect(await idIn("second")).toBeNull();
  endFirst();
  endSecond();
  expect(await idIn("first")).toBeNull();
});

test("[LOG-08] the last use of a session is recorded after five minutes, with the address and browser of that request", async () => {
  const user = await createUser();
  const visitor = await signedInAs(user);
  const use = (headers: Record<string, string>) => findUser(visitor.get("/", headers));
  await age(user, { idle: 4 * MINUTE });
  const [early] = await sessionsOf(user);
  await use(from("198.51.100.4"));
  await age(user, { idle: 2 * MINUTE });
  await use(from("203.0.113.9", SAFARI));
  await vi.waitFor(async () =>
    expect((await sessionsOf(user))[0]).toMatchObject({ address: "203.0.113.9", userAgent: SAFARI }),
  );
  const [late] = await sessionsOf(user);
  expect(Date.parse(late?.lastUsedAt ?? "")).toBeGreaterThan(Date.parse(early?.lastUsedAt ?? ""));
});

test("[LOG-01] a login ends the session that the browser held, of whichever account, also for copies of its cookie", async () => {
  const [anna, otto] = [await createUser(), await createUser()];
  const browser = await logInWith(anna, from("198.51.100.4"));
  const elsewhere = await logInWith(anna, from("198.51.100.5"));
  const copy = () => findUser(before.get("/"));
  const before = await signedInAs(anna);
  before.cookie = browser.cookie;
  await logInWith(otto, from("198.51.100.4"), browser);
  expect(await idOf(browser)).toBe(otto.id);
  expect(await copy()).toBeNull();
  expect(await idOf(elsewhere)).toBe(anna.id);
  expect((await sessionsOf(anna)).map(({ endReason }) => endReason)).toEqual(["new-login", null, null]);
});

test("[LOG-09] a login in a browser in which an administrator acts as a user ends that, with an audit entry", async () => {
  const [admin, user, other] = [await createAdmin(), await createUser(), await createUser()];
  const { visitor } = await acting(admin, user);
  const before = await signedInAs(other);
  before.cookie = visitor.cookie;
  await logInWith(other, from("198.51.100.4"), visitor);
  expect(await idOf(before)).toBeNull();
  expect((await auditAbout(user)).at(-1)).toMatchObject({ event: "account.acting-ended", impersonatorId: admin.id });
});

/** A user with two browsers and a program, and an address that waits for its link. */
async function withNewAddress() {
  const user = await createMember();
  const [own, other] = [await signedInAs(user), await signedInAs(user)];
  const program = await apiClientOf(user.email, TEST_PASSWORD);
  const email = newEmail();
  expect((await saveSecret(own, { email })).status).toBe(303);
  const [link = ""] = await linksTo(email);
  return { user, own, other, program, link, email };
}

const CHANGED_ADDRESS =
  "You have been logged out. The email address of your account was changed in another browser: please log in with the new one.";

test("[USR-03] [LOG-10] a new email address ends the other sessions and access tokens; the browser that confirms it goes on", async () => {
  const { user, own, other, program, link, email } = await withNewAddress();
  expect(await idOf(other)).toBe(user.id);
  expect((await useLink(link, own)).status).toBe(303);
  expect(await idOf(own)).toBe(user.id);
  expect(await toldOn(other)).toBe(CHANGED_ADDRESS);
  expect((await program.get("UserRegistration/GetUserDetails")).status).toBe(401);
  expect((await auditAbout(user)).at(-1)?.message).toBe(
    `Changed the email address from ${user.email} to ${email}. Other sessions ended: 2.`,
  );
});

test("[USR-03] [LOG-10] a new email address that is confirmed in another browser ends all sessions", async () => {
  const { own, other, link } = await withNewAddress();
  expect((await useLink(link)).status).toBe(303);
  for (const browser of [own, other]) expect(await toldOn(browser)).toBe(CHANGED_ADDRESS);
});

test("[MAN-02] [LOG-10] an administrator ends all sessions of a user, who is told so at the next request", async () => {
  const [admin, user, bystander] = [await createAdmin(), await createUser(), await createUser()];
  const staff = await signedInAs(admin);
  const [one, two, third] = [await signedInAs(user), await signedInAs(user), await signedInAs(bystander)];
  const { visitor: asUser } = await acting(await createAdmin(), user);
  const program = await apiClientOf(user.email, TEST_PASSWORD);

  await administer(staff, user, { intent: "end-sessions" });
  expect(await idOf(one)).toBe(user.id);
  expect((await confirmed(staff, user, { intent: "end-sessions" })).status).toBe(303);
  expect(await toldOn(one)).toBe("You have been logged out. An administrator has ended the sessions of your account.");
  for (const browser of [two, asUser]) expect(await idOf(browser)).toBeNull();
  expect((await program.get("UserRegistration/GetUserDetails")).status).toBe(401);
  expect(await idOf(third)).toBe(bystander.id);
  expect((await auditAbout(user)).at(-1)).toMatchObject({
    event: "account.sessions-ended",
    actorId: admin.id,
    message: "Ended all sessions of the account.",
  });
  expect((await apiClientOf(user.email, TEST_PASSWORD)).token).not.toBe("");
  expect(await refusalOf(await confirmed(staff, admin, { intent: "end-sessions" }))).toBe(
    "You end your own sessions on the page 'Your sessions and devices'.",
  );
});

test("[LOG-10] the rows of ended sessions say why, and are deleted a day after the session's last possible use", async () => {
  const [disabled, locked] = [await createUser(), await createUser()];
  const staff = await signedInAs(await createAdmin());
  for (const [user, intent] of [
    [disabled, "disable"],
    [locked, "lock"],
  ] as const) {
    await signedInAs(user);
    await confirmed(staff, user, { intent, reason: "Left" });
  }
  expect((await sessionsOf(disabled))[0]).toMatchObject({ endReason: "disabled" });
  expect((await sessionsOf(locked))[0]).toMatchObject({ endReason: "locked" });
  await age(locked, { life: 48 * HOUR });
  await deleteEndedRows(getDb(), new Date(Date.now() - 24 * HOUR));
  expect(await sessionsOf(locked)).toEqual([]);
  expect(await sessionsOf(disabled)).toHaveLength(1);
});
