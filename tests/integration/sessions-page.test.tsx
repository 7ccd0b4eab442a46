import { describe, expect, test } from "vitest";
import { findUser } from "~/http/guard.server";
import * as dashboard from "~/routes/home.dashboard";
import * as userPage from "~/routes/home.users.$id/route";
import { acting } from "../support/acting";
import { auditAbout, paramsOf, refusalOf } from "../support/administration";
import { apiClientOf } from "../support/api";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, select, summaryOf, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { toastOf, toldAfter } from "../support/recovery";
import { openPage } from "../support/route-page";
import { securityEvents } from "../support/security-events";
import { endFrom, FIREFOX, from, logInWith, openSessions, SAFARI, sessionsOf } from "../support/sessions";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const isOpen = async (visitor: Visitor) => (await findUser(visitor.get("/"))) !== null;

/** A user who is logged in in two browsers, and the id of the session of the second one. */
async function inTwoBrowsers() {
  const user = await createUser();
  const here = await logInWith(user, from("198.51.100.4", FIREFOX));
  const [own] = await sessionsOf(user);
  const there = await logInWith(user, from("203.0.113.9", SAFARI));
  const other = (await sessionsOf(user)).find(({ id }) => id !== own?.id);
  return { user, here, there, own: own?.id ?? "", other: other?.id ?? "" };
}

const rowsOf = (html: string) => textsOf(html, "tbody tr").map((text) => text.replace(/\s+/g, " "));

describe("the page of one's own sessions", () => {
  test("[LOG-10] lists browsers and programs with network address, first and last use, and marks the session in use", async () => {
    const { user, here } = await inTwoBrowsers();
    await apiClientOf(user.email, TEST_PASSWORD);
    await signedInAs(await createUser());
    const { html } = await openSessions(here);
    const rows = rowsOf(html);
    expect(rows).toHaveLength(3);
    const [own, other] = ["Firefox on Windows", "Safari on iPhone"].map((name) =>
      rows.find((row) => row.includes(name)),
    );
    expect(own).toMatch(/This session.*198\.51\.100\.4.*\d\d:\d\d:\d\d UTC.*\d{4} \d\d:\d\d UTC/);
    expect(own).not.toContain("End the session");
    expect(other).toMatch(/203\.0\.113\.9.*End the session: Safari on iPhone/);
    expect(other).not.toContain("This session");
    expect(pageText(html)).toContain("Program with an access token");
  });

  test("[LOG-10] ends one session after a question; its browser is told so, and the others stay open", async () => {
    const { user, here, there, other } = await inTwoBrowsers();
    const third = await signedInAs(user);
    const { html } = await openSessions(here, { end: other });
    expect(pageText(html)).toContain("Are you sure you wish to end this session?");
    expect(pageText(html)).toContain("Safari on iPhone, 203.0.113.9");
    expect(select(html, 'input[name="end"]').attr()).toMatchObject({ type: "hidden", value: other });
    expect(await isOpen(there)).toBe(true);

    const done = await endFrom(here, other);
    expect(done.headers.get("Location")).toBe("/home/sessions");
    here.follow(done);
    expect(await toastOf(here)).toBe("The session has been ended: Safari on iPhone, 203.0.113.9.");
    expect([await isOpen(here), await isOpen(third)]).toEqual([true, true]);
    expect(await toldAfter(await run(dashboard.loader, there.get("/home/dashboard")))).toBe(
      "You have been logged out. This session was ended from another one of your account.",
    );
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.session-ended",
      actorId: user.id,
      message: "Ended a session: Safari on iPhone, 203.0.113.9.",
    });
    expect(await refusalOf(await endFrom(here, other))).toBe("This session has ended already.");
  });

  test("[LOG-10] ends all other sessions and access tokens at once", async () => {
    const { user, here, there } = await inTwoBrowsers();
    const program = await apiClientOf(user.email, TEST_PASSWORD);
    expect(pageText((await openSessions(here, { end: "others" })).html)).toContain("end all your other sessions");
    expect(await isOpen(there)).toBe(true);
    here.follow(await endFrom(here, "others"));
    expect(await toastOf(here)).toBe("Other sessions ended: 2.");
    expect([await isOpen(here), await isOpen(there)]).toEqual([true, false]);
    expect((await program.get("UserRegistration/GetUserDetails")).status).toBe(401);
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.sessions-ended",
      message: "Ended all other sessions: 2.",
    });
    const { html } = await openSessions(here);
    expect(rowsOf(html)).toHaveLength(1);
    expect(pageText(html)).not.toContain("End all others");
  });

  test("[LOG-10] ends nothing without the current password; five wrong ones in a row are the last", async () => {
    const { here, there, other } = await inTwoBrowsers();
    for (const end of [other, "others"]) {
      expect(await errorsOf(await endFrom(here, end, ""))).toMatchObject({
        status: 422,
        errors: { currentPassword: "This field is required." },
      });
      const { html } = await openSessions(here, { end, currentPassword: "guess" });
      expect(summaryOf(html)).toEqual([expect.stringMatching(/This is not the password of your account/)]);
      expect(select(html, 'input[name="end"]').attr()).toMatchObject({ type: "hidden", value: end });
      expect(html).not.toContain("guess");
    }
    for (let tries = 2; tries < 5; tries += 1) await endFrom(here, "others", "guess");
    expect((await errorsOf(await endFrom(here, "others"))).errors.currentPassword).toMatch(/no password is compared/);
    expect(await isOpen(there)).toBe(true);
  });

  test("[LOG-10] ends a single access token", async () => {
    const user = await createUser();
    const here = await signedInAs(user);
    const [one, two] = [await apiClientOf(user.email, TEST_PASSWORD), await apiClientOf(user.email, TEST_PASSWORD)];
    const details = async () =>
      Promise.all([one, two].map(async (client) => (await client.get("UserRegistration/GetUserDetails")).status));
    expect(await details()).toEqual([200, 200]);
    const [program] = (await sessionsOf(user)).filter(({ kind }) => kind === "program");
    await endFrom(here, program?.id ?? "");
    expect((await details()).sort()).toEqual([200, 401]);
  });

  test("[LOG-10] ends neither the session in use nor one of somebody else, and says so", async () => {
    const { here, own } = await inTwoBrowsers();
    const stranger = await inTwoBrowsers();
    const { html } = await openSessions(here, { end: own });
    expect(textsOf(html, "[role=alert] li")).toEqual(["You are using this session. Log out to end it."]);
    expect(await refusalOf(await endFrom(here, stranger.other))).toBe("This session has ended already.");
    expect(await refusalOf(await endFrom(here, ""))).toBe("This session has ended already.");
    expect([await isOpen(here), await isOpen(stranger.there)]).toEqual([true, true]);
  });
});

test("[LOG-10] asking for the session of somebody else is an event", async () => {
  const [user, other] = [await createUser(), await createUser()];
  const visitor = await signedInAs(user);
  await signedInAs(other);
  const [{ id = "" } = {}] = await sessionsOf(other);
  await openSessions(visitor, { end: id });
  const events = (await securityEvents()).filter(({ userId }) => userId === user.id);
  expect(events).toMatchObject([{ event: "access.refused", detail: "It belongs to another account." }]);
});

test("[MAN-02] [LOG-10] the page of an account lists its open sessions for staff, and who acts as the user", async () => {
  const { user, there, own } = await inTwoBrowsers();
  const [admin, second] = [await createAdmin(), await createAdmin()];
  await acting(second, user);
  const staff = await signedInAs(admin);
  const open = async () => {
    const { html } = await openPage(userPage, staff, `/home/users/${user.id}`, { params: paramsOf(user) });
    return textsOf(html, '[aria-label="Open sessions"] tbody tr').join("\n");
  };
  const rows = await open();
  expect(rows).toMatch(/Safari on iPhone.*203\.0\.113\.9/);
  expect(rows).toContain("Firefox on Windows");
  expect(rows).toContain(`${second.email} acts as this account`);
  await endFrom(there, own);
  expect(await open()).not.toContain("Firefox on Windows");
});

describe("a session in which an administrator acts as a user", () => {
  test("[LOG-09] is in the lists of both, and ends with the administrator's other sessions and with the user's", async () => {
    const [admin, user] = [await createAdmin(), await createUser()];
    const [elsewhere, owner] = [await signedInAs(admin), await signedInAs(user)];
    const first = await acting(admin, user);
    expect(pageText((await openSessions(elsewhere)).html)).toContain(`Acting as ${user.email}`);
    const seen = pageText((await openSessions(owner)).html);
    expect(seen).toContain("An administrator acts as this account");
    expect(seen).not.toContain(admin.email);
    await endFrom(elsewhere, "others");
    expect([await isOpen(first.visitor), await isOpen(owner)]).toEqual([false, true]);

    const second = await acting(admin, user);
    await endFrom(owner, "others");
    expect([await isOpen(second.visitor), await isOpen(elsewhere)]).toEqual([false, true]);
  });

  test("[LOG-09] shows the user's sessions but cannot end them", async () => {
    const [admin, user] = [await createAdmin(), await createUser()];
    const owner = await signedInAs(user);
    const [own] = await sessionsOf(user);
    const { visitor } = await acting(admin, user);
    const { html } = await openSessions(visitor);
    expect(rowsOf(html)).toHaveLength(2);
    expect(select(html, 'button[name="end"]')).toHaveLength(0);
    for (const end of [own?.id ?? "", "others"]) expect((await endFrom(visitor, end)).status).toBe(403);
    expect(await isOpen(owner)).toBe(true);
  });
});
