import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { mintAuthString, redeemAuthString } from "~/domain/accounts/administration/impersonation.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Shell } from "~/domain/shell";
import { findUser } from "~/http/guard.server";
import { loadShell } from "~/http/shell.server";
import * as page from "~/routes/_public.login-as-user.$userId.$authString";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { acting, mint, openLink, sendLink } from "../support/acting";
import { administer, atOnce, auditAbout, refusalOf, storedUser } from "../support/administration";
import { createAdmin, createUser } from "../support/factories";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

type User = Awaited<ReturnType<typeof createUser>>;
let olga: User;
let anna: User;
let staff: Visitor;

beforeAll(async () => {
  [olga, anna] = [await createAdmin(), await createUser()];
  staff = await signedInAs(olga);
});

const DEAD = "This link can no longer be used.";
const problemOf = async (response: Response) => (await jsonOf<{ problem?: string | null }>(response)).problem;
const tokenOf = (authString: string) =>
  getDb()
    .selectFrom("tokens")
    .selectAll()
    .where("tokenHash", "=", createHash("sha256").update(authString).digest("hex"))
    .executeTakeFirstOrThrow();
const sessionUserOf = async (visitor: Visitor): Promise<SessionUser> =>
  (await findUser(visitor.get("/"))) ?? expect.fail("not signed in");

describe("the authString", () => {
  test("[LOG-09] has 256 bits, is stored hashed for the administrator and the user, expires after 60 seconds, and is audited", async () => {
    const authString = await mint(staff, anna);
    expect(Buffer.from(authString, "base64url")).toHaveLength(32);
    const token = await tokenOf(authString);
    expect(token).toMatchObject({ purpose: "login-as-user", userId: anna.id, adminId: olga.id, usedAt: null });
    expect(Date.parse(token.expiresAt) - Date.parse(token.createdAt)).toBe(60_000);
    expect(JSON.stringify([token, await auditAbout(anna)])).not.toContain(authString);
    expect((await auditAbout(anna)).at(-1)).toMatchObject({ event: "account.acting-allowed", actorId: olga.id });
    expect(await mint(staff, anna)).not.toBe(authString);
  });

  test("[LOG-09] is not created for administrators, disabled or merged accounts, or oneself", async () => {
    const refused: [User, string][] = [
      [await createAdmin(), "Nobody can log in as an administrator."],
      [await createUser({ isAdmin: true }), "Nobody can log in as an administrator."],
      [await createUser({ isDisabled: true }), "The account is disabled."],
      [await createUser({ isDisabled: true, mergedInto: anna.id }), "The account was merged into another one."],
      [olga, "You are logged in as this user already."],
    ];
    for (const [user, message] of refused) {
      expect(await refusalOf(await administer(staff, user, { intent: "log-in-as" }))).toBe(message);
      const tokens = await getDb().selectFrom("tokens").select("id").where("userId", "=", user.id).execute();
      expect(tokens).toEqual([]);
    }
  });

  test("[LOG-09] works until its last millisecond", async () => {
    const admin = await sessionUserOf(staff);
    const now = new Date();
    const after = (ms: number) => new Date(now.getTime() + ms);
    const late = await mintAuthString(anna.id, admin, { now });
    const attempt = (authString: string) => ({ userId: anna.id, authString });
    await expect(redeemAuthString(attempt(late), admin, after(60_000))).rejects.toThrow(DEAD);
    await expect(redeemAuthString(attempt(late), admin, after(59_999))).resolves.toMatchObject({ id: anna.id });
  });
});

describe("the page that opens the address", () => {
  test("[LOG-09] says 'Please wait while log in completes', has a button without scripts, and changes nothing", async () => {
    const attempt = { id: anna.id, authString: await mint(staff, anna) };
    const { status, html } = await openPage(page, staff, `/login-as-user/${anna.id}/${attempt.authString}`, {
      params: { userId: String(anna.id), authString: attempt.authString },
    });
    expect(status).toBe(200);
    expect(pageText(html)).toContain("Please wait while log in completes");
    expect(textsOf(html, 'div.no-js > button[type="submit"]')).toEqual(["Continue"]);
    const response = await openLink(staff, attempt);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await tokenOf(attempt.authString)).usedAt).toBeNull();
    expect((await sessionUserOf(staff)).id).toBe(olga.id);
  });

  test("[LOG-09] says that an address cannot be used, with status 404 and no form", async () => {
    const other = await signedInAs(await createAdmin());
    const authString = await mint(staff, anna);
    for (const [visitor, attempt] of [
      [staff, { id: anna.id, authString: "nonsense" }],
      [staff, { id: (await createUser()).id, authString }],
      [other, { id: anna.id, authString }],
    ] as const) {
      const response = await openLink(visitor, attempt);
      expect(response.status).toBe(404);
      expect(await problemOf(response)).toBe(DEAD);
    }
  });

  test("[LOG-09] is refused to a user who is already logged in as that user, directly or by acting", async () => {
    const authString = await mint(staff, anna);
    for (const visitor of [await signedInAs(anna), (await acting(olga, anna)).visitor]) {
      for (const response of [
        await openLink(visitor, { id: anna.id, authString }),
        await sendLink(visitor, { id: anna.id, authString }),
      ]) {
        expect(response.status).toBe(409);
        expect(await jsonOf(response)).toMatchObject({ message: "You are logged in as this user already." });
      }
    }
    expect((await tokenOf(authString)).usedAt).toBeNull();
  });

  test("[LOG-09] [DSH-03] redirects anonymous visitors to the login and users without the right to the dashboard", async () => {
    const attempt = { id: anna.id, authString: await mint(staff, anna) };
    const nobody = await anonymous();
    expect((await openLink(nobody, attempt)).headers.get("Location")).toMatch(/^\/login\?redirectTo=/);
    expect((await sendLink(nobody, attempt)).headers.get("Location")).toMatch(/^\/login\?redirectTo=/);
    const user = await signedInAs(await createUser());
    expect((await openLink(user, attempt)).headers.get("Location")).toBe("/home/dashboard");
    expect((await sendLink(user, attempt)).headers.get("Location")).toBe("/home/dashboard");
    expect((await tokenOf(attempt.authString)).usedAt).toBeNull();
  });

  test("[LOG-09] by a user who acts as another asks to go back first", async () => {
    const attempt = { id: anna.id, authString: await mint(staff, anna) };
    const other = await createUser({ firstName: "Bernd", lastName: "Weiß" });
    const { visitor } = await acting(olga, other);
    for (const enter of [openLink, sendLink]) {
      const response = await enter(visitor, attempt);
      expect([response.status, response.headers.get("Location")]).toEqual([303, "/home/dashboard"]);
      visitor.follow(response);
      const { user, toast } = await jsonOf<Shell>(await loadShell(visitor.get("/home/dashboard")));
      expect(user).toMatchObject({ id: other.id, impersonator: { name: "Olga Staff" } });
      expect(toast).toEqual({
        kind: "warn",
        text: "You act as Bernd Weiß. Go back to your own account before you log in as another user.",
      });
    }
    expect((await tokenOf(attempt.authString)).usedAt).toBeNull();
  });
});

describe("logging in as a user", () => {
  test("[LOG-09] starts a session as the user with the administrator recorded, and audits both", async () => {
    const user = await createUser();
    const { visitor, before } = await acting(olga, user);
    expect(await sessionUserOf(visitor)).toMatchObject({
      id: user.id,
      isAdmin: false,
      impersonator: { id: olga.id, name: "Olga Staff" },
      actor: { id: user.id, impersonatorId: olga.id },
    });
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.acting-started",
      actorId: user.id,
      impersonatorId: olga.id,
    });
    expect((await storedUser(user)).lastLoginAt).toBeNull();
    expect(await findUser(before.get("/"))).toBeNull();
  });

  test("[LOG-09] opens the dashboard, whatever address is requested", async () => {
    const authString = await mint(staff, anna);
    const visitor = await signedInAs(olga);
    const response = await sendLink(visitor, { id: anna.id, authString }, { redirectTo: "https://evil.example/" });
    expect(response.headers.get("Location")).toBe("/home/dashboard");
  });

  test("[LOG-09] works once for an authString", async () => {
    const authString = await mint(staff, anna);
    const attempt = { id: anna.id, authString };
    const browsers = await Promise.all([signedInAs(olga), signedInAs(olga), signedInAs(olga)]);
    const answers = await atOnce(...browsers.map((visitor) => () => sendLink(visitor, attempt)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422, 422]);
    const again = await sendLink(staff, attempt);
    expect({ status: again.status, problem: await problemOf(again) }).toEqual({ status: 422, problem: DEAD });
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  test("[LOG-09] is refused to another administrator and for another user", async () => {
    const authString = await mint(staff, anna);
    const other = await signedInAs(await createAdmin());
    const stranger = await createUser();
    for (const [visitor, id] of [
      [other, anna.id],
      [staff, stranger.id],
      [staff, 0],
    ] as const)
      expect(await problemOf(await sendLink(visitor, { id, authString }))).toBe(DEAD);
    expect((await tokenOf(authString)).usedAt).toBeNull();
  });

  test("[LOG-09] takes into account what has happened to the user since", async () => {
    for (const [change, message] of [
      [{ isAdmin: true }, "Nobody can log in as an administrator."],
      [{ isDisabled: true }, "The account is disabled."],
      [{ isDisabled: true, mergedInto: anna.id }, "The account was merged into another one."],
    ] as const) {
      const user = await createUser();
      const attempt = { id: user.id, authString: await mint(staff, user) };
      await updateUser(getDb(), user.id, change);
      expect(await problemOf(await sendLink(staff, attempt))).toBe(message);
      expect((await sessionUserOf(staff)).id).toBe(olga.id);
    }
  });

  test("[LOG-09] [DSH-03] ignores a form of another session or site", async () => {
    const attempt = { id: anna.id, authString: await mint(staff, anna) };
    const foreign = new URLSearchParams(await (await (await signedInAs(olga)).post("/")).text()).get("csrf") ?? "";
    for (const csrf of ["", "x", foreign]) expect((await sendLink(staff, attempt, { csrf })).status).toBe(403);
    expect((await sendLink(staff, attempt, {}, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await tokenOf(attempt.authString)).usedAt).toBeNull();
    expect(await run(page.action, await staff.post("/login-as-user/x/y"), {})).toMatchObject({ status: 422 });
  });
});
