import { describe, expect, test } from "vitest";
import { findUser } from "~/http/guard.server";
import { getSession, startSession } from "~/http/session.server";
import * as change from "~/routes/_public.change-password/route";
import * as login from "~/routes/_public.login";
import * as notice from "~/routes/_public.password-expiry";
import * as dashboard from "~/routes/home.dashboard";
import { getDb } from "~db/connection.server";
import { findUserById, updateUser } from "~db/repositories/users.server";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { createMember, letExpire, toastOf, tokensOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, run, signedInAs, Visitor } from "../support/visitor";

usePortal();

const DAY = 86_400_000;
const NEW = "a brand new passphrase";
const NEXT = "You will now be taken to the account management page where you can change your password.";
const PAGE = "/home/certificates?page=2";
const NOTICE = `/password-expiry?redirectTo=${encodeURIComponent(PAGE)}`;
const CHANGE = `/change-password?redirectTo=${encodeURIComponent(PAGE)}`;

/** Creates an account whose password was set this many days ago. Passwords expire after 365 days. */
const withPasswordOf = (days: number, given: Parameters<typeof createMember>[0] = {}) =>
  createMember({ passwordChangedAt: new Date(Date.now() - days * DAY), ...given });

async function logIn(email: string, redirectTo = PAGE) {
  const visitor = await anonymous();
  const fields = { email, password: TEST_PASSWORD, redirectTo };
  const response = await run(login.action, await visitor.post("/login", fields));
  visitor.follow(response);
  return { visitor, target: response.headers.get("Location") };
}

const press = async (visitor: Visitor, fields: Record<string, string> = {}, path = NOTICE) => {
  const response = await run(notice.action, await visitor.post(path, { confirmed: "yes", ...fields }));
  visitor.follow(response);
  return response.headers.get("Location");
};

const changeTo = async (visitor: Visitor, password: string, path = CHANGE) => {
  const response = await run(change.action, await visitor.post(path, { password, confirmPassword: password }));
  visitor.follow(response);
  return response.headers.get("Location");
};

const opens = async (visitor: Visitor) =>
  (await run(dashboard.loader, visitor.get("/home/dashboard"))).headers.get("Location") ?? "opens";

describe("a password that is about to expire", () => {
  test("[LOG-04] makes the login ask with the exact texts; Yes opens change password", async () => {
    const { visitor, target } = await logIn((await withPasswordOf(352)).email);
    expect(target).toBe(NOTICE);
    const { html } = await openPage(notice, visitor, NOTICE);
    expect(textsOf(html, "h1")).toEqual(["Your password is about to expire"]);
    expect(pageText(html)).toContain(NEXT);
    expect(textsOf(html, "button")).toContain("Yes");
    expect(textsOf(html, "button")).toContain("No");
    expect(await press(visitor)).toBe(CHANGE);
    expect((await run(change.loader, visitor.get(CHANGE))).status).toBe(200);
  });

  test("[LOG-04] and No just logs in, to the requested page or the dashboard; change-password is then closed", async () => {
    const user = await withPasswordOf(352);
    const { visitor } = await logIn(user.email);
    const copy = new Visitor(visitor.cookie);
    expect(await press(visitor, { back: "yes" })).toBe(PAGE);
    expect(await opens(visitor)).toBe("opens");
    for (const closed of [visitor, copy])
      expect((await run(change.loader, closed.get(CHANGE))).headers.get("Location")).toBe(NOTICE);
    expect(await changeTo(copy, NEW)).toBe(NOTICE);

    const { visitor: other, target } = await logIn((await withPasswordOf(352)).email, "");
    expect(target).toBe("/password-expiry");
    expect(await press(other, { back: "yes" }, "/password-expiry")).toBe("/home/dashboard");
  });

  test("[LOG-04] [LOG-10] after the change lets this browser continue where it wanted to, and ends every other session", async () => {
    const user = await withPasswordOf(352);
    const elsewhere = await signedInAs(user);
    const { visitor } = await logIn(user.email);
    await press(visitor);
    const copy = new Visitor(visitor.cookie);
    expect(await changeTo(visitor, NEW)).toBe(PAGE);
    expect(await toastOf(visitor)).toBe("Your password has been successfully changed.");
    expect((await findUser(visitor.get("/")))?.passwordAge).toBe("fresh");
    for (const ended of [elsewhere, copy]) expect(await findUser(ended.get("/"))).toBeNull();
    expect((await run(change.loader, visitor.get(CHANGE))).headers.get("Location")).toBe("/home/user-management");
    expect((await findUserById(getDb(), user.id))?.emailVerifiedAt).not.toBeNull();
  });

  test("[LOG-04] does not confirm the email address by a change after a login", async () => {
    const user = await withPasswordOf(352, { emailVerifiedAt: null });
    const { visitor } = await logIn(user.email);
    await changeTo(visitor, NEW);
    expect((await findUserById(getDb(), user.id))?.emailVerifiedAt).toBeNull();
  });

  test("[LOG-04] is mentioned only to users whom it concerns", async () => {
    expect(await logIn((await withPasswordOf(350)).email)).toMatchObject({ target: PAGE });
    const fresh = await signedInAs(await createMember());
    expect((await run(notice.loader, fresh.get(NOTICE))).headers.get("Location")).toBe(PAGE);
    expect(await press(fresh)).toBe(PAGE);
    const nobody = await anonymous();
    expect((await run(notice.loader, nobody.get("/password-expiry"))).headers.get("Location")).toMatch(/^\/login/);
    const sent = await run(notice.action, await nobody.post("/password-expiry"));
    expect(sent.headers.get("Location")).toBe("/login?redirectTo=%2Fpassword-expiry");
  });

  test("[LOG-04] is not mentioned to an administrator who acts as the user, who cannot change it", async () => {
    const [user, admin] = [await withPasswordOf(400), await createAdmin()];
    const { visitor: owner } = await logIn(user.email);
    expect(await press(owner)).toBe(CHANGE);
    const changePermit = (await getSession(owner.get("/"))).get("changePermit") ?? "";
    const impersonator = { id: admin.id, epoch: 0 };
    const cookie = await startSession(
      new Request(TEST_ORIGIN),
      { id: user.id, sessionEpoch: 0 },
      { impersonator, changePermit },
    );
    const visitor = new Visitor(cookie.split(";")[0] ?? "");
    expect((await run(notice.loader, visitor.get(NOTICE))).headers.get("Location")).toBe(PAGE);
    expect((await run(change.loader, visitor.get(CHANGE))).headers.get("Location")).toBe("/home/user-management");
  });
});

describe("a password that has expired", () => {
  test("[LOG-05] makes the login say so with the exact texts and allows only change password", async () => {
    const { visitor, target } = await logIn((await withPasswordOf(366)).email);
    expect(target).toBe(NOTICE);
    const { html } = await openPage(notice, visitor, NOTICE);
    expect(textsOf(html, "h1")).toEqual(["Your password has expired"]);
    expect(pageText(html)).toContain(NEXT);
    expect(textsOf(html, "button")).toContain("Change password");
    expect(textsOf(html, "button")).not.toContain("No");
    expect(await press(visitor, { back: "yes" })).toBe(CHANGE);
    expect(await opens(visitor)).toBe("/password-expiry");
    expect(await changeTo(visitor, NEW)).toBe(PAGE);
    expect(await opens(visitor)).toBe("opens");
  });

  test("[LOG-05] includes one that must be changed, until it is", async () => {
    const { visitor, target } = await logIn((await createMember({ mustChangePassword: true })).email);
    expect(target).toBe(NOTICE);
    expect(await opens(visitor)).toMatch(/^\/password-expiry/);
    await changeTo(visitor, NEW);
    expect(await opens(visitor)).toBe("opens");
  });

  test("[LOG-05] cannot be chosen again", async () => {
    const { visitor } = await logIn((await withPasswordOf(366)).email);
    expect(await changeTo(visitor, TEST_PASSWORD)).toBeNull();
    expect(await opens(visitor)).toMatch(/^\/password-expiry/);
  });

  test("[LOG-05] needs a new login before the change in a session that was left open", async () => {
    const user = await withPasswordOf(366);
    const { visitor } = await logIn(user.email);
    await letExpire(user.id, "change-password");
    expect((await run(change.loader, visitor.get(CHANGE))).headers.get("Location")).toBe(NOTICE);
    expect(await changeTo(visitor, NEW)).toBe(NOTICE);
    const copy = new Visitor(visitor.cookie);
    expect(await press(visitor)).toBe(`/login?redirectTo=${encodeURIComponent(PAGE)}`);
    expect(await toastOf(visitor)).toBe(
      "Please log in again to change your password. It can be changed for 30 minutes after a login, in the browser that logged in last.",
    );
    for (const ended of [visitor, copy]) expect(await findUser(ended.get("/"))).toBeNull();
  });

  test("[LOG-05] when changed in two browsers makes the second log in again and says why", async () => {
    const CHANGED =
      "You have been logged out. The password of your account was changed in another browser: please log in with the new one.";
    const goTo = async (): Promise<[Visitor, Visitor, Visitor]> => {
      const { email } = await withPasswordOf(366);
      const [first, second] = [(await logIn(email)).visitor, (await logIn(email)).visitor];
      expect(await changeTo(second, NEW)).toBe(PAGE);
      return [first, new Visitor(first.cookie), second];
    };
    const [atNotice, atForm] = await goTo();
    expect(await press(atNotice)).toBe(`/?redirectTo=${encodeURIComponent(NOTICE)}`);
    expect(await toastOf(atNotice)).toBe(`${CHANGED} What you typed was not saved.`);
    expect(await changeTo(atForm, "yet another passphrase")).toBe(`/?redirectTo=${encodeURIComponent(PAGE)}`);
    expect(await toastOf(atForm)).toBe(CHANGED);
    const [reloading] = await goTo();
    const response = await run(change.loader, reloading.get(CHANGE));
    expect(response.headers.get("Location")).toBe(`/?redirectTo=${encodeURIComponent(PAGE)}`);
    reloading.follow(response);
    expect(await toastOf(reloading)).toBe(CHANGED);
  });

  test("[LOG-05] during a session has the same effect", async () => {
    const user = await createMember();
    const visitor = await signedInAs(user);
    expect(await opens(visitor)).toBe("opens");
    await updateUser(getDb(), user.id, { mustChangePassword: true });
    expect(await opens(visitor)).toBe("/password-expiry");
    expect(await press(visitor, {}, "/password-expiry")).toMatch(/^\/login/);
    expect(await tokensOf(user.id, "change-password")).toEqual([]);
  });

  test("[LOG-05] [LOG-07] is changed before missing details are completed; several accounts come first", async () => {
    const { visitor } = await logIn((await withPasswordOf(366, { detailsMissing: true })).email);
    expect(await opens(visitor)).toMatch(/^\/password-expiry/);
    expect(await changeTo(visitor, NEW)).toBe(`/complete-registration?redirectTo=${encodeURIComponent(PAGE)}`);
    expect(await toastOf(visitor)).toBe("Your password has been successfully changed.");

    const shared = await withPasswordOf(366, { email: "both@example-parts.com", username: "both-1" });
    await createMember({
      email: shared.email,
      username: "both-2",
      passwordHash: "$argon2id$v=19$m=19456,t=2,p=1$YWFhYWFhYWE$YWFhYWFhYWFhYWFhYWFhYQ",
    });
    const { visitor: several, target } = await logIn(shared.email);
    expect(target).toBe(PAGE);
    expect(await opens(several)).toBe("/consolidate-users");
  });
});

describe("the page after the duties", () => {
  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/..//evil.example"])(
    "[LOG-07] is never %s",
    async (redirectTo) => {
      const query = `?redirectTo=${encodeURIComponent(redirectTo)}`;
      const about = await logIn((await withPasswordOf(352)).email, redirectTo);
      expect(about.target).toBe("/password-expiry");
      expect(await press(about.visitor, { back: "yes" }, `/password-expiry${query}`)).toBe("/home/dashboard");
      const expired = await logIn((await withPasswordOf(366)).email, redirectTo);
      expect(await press(expired.visitor, {}, `/password-expiry${query}`)).not.toContain("evil");
      expect(await changeTo(expired.visitor, NEW, `/change-password${query}`)).toBe("/home/dashboard");
    },
  );
});
