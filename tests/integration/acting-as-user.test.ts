import { beforeAll, describe, expect, test } from "vitest";
import { type Shell } from "~/domain/shell";
import { findUser } from "~/http/guard.server";
import { findSessionRow, startSession } from "~/http/session.server";
import { loadShell } from "~/http/shell.server";
import * as back from "~/routes/end-login-as-user";
import * as dashboard from "~/routes/home.dashboard";
import * as userManagement from "~/routes/home.user-management/route";
import * as users from "~/routes/home.users._index";
import * as logout from "~/routes/logout";
import * as resend from "~/routes/resend-verification";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { acting, mint, sendLink } from "../support/acting";
import { auditAbout, storedUser } from "../support/administration";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, select } from "../support/page";
import { usePortal } from "../support/portal";
import { toldAfter } from "../support/recovery";
import { openPage } from "../support/route-page";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, errorsOf, jsonOf, run, signedInAs, Visitor } from "../support/visitor";

usePortal();

type User = Awaited<ReturnType<typeof createUser>>;
let olga: User;
let anna: User;

beforeAll(async () => {
  [olga, anna] = [await createAdmin(), await createUser()];
});

const goBack = async (visitor: Visitor, fields: Record<string, string> = {}) =>
  run(back.action, await visitor.post("/end-login-as-user", fields));
const idOf = async (visitor: Visitor) => (await findUser(visitor.get("/")))?.id ?? null;
const locationOf = async (visitor: Visitor) =>
  (await run(dashboard.loader, visitor.get("/home/dashboard"))).headers.get("Location");

/** Returns the initial values of a form as the fields that a browser sends. */
function fieldsOf(values: object, prefix = ""): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    if (typeof value === "object" && value !== null) Object.assign(fields, fieldsOf(value, `${prefix}${name}.`));
    else if (value === true) fields[prefix + name] = "on";
    else if (typeof value === "string") fields[prefix + name] = value;
  }
  return fields;
}

describe("while an administrator acts as a user", () => {
  test("[LOG-09] every page knows who acts as whom", async () => {
    const { visitor } = await acting(olga, anna);
    const shell = await jsonOf<Shell>(await loadShell(visitor.get("/")));
    expect(shell.user).toMatchObject({
      name: "Anna Müller",
      company: "Example Parts Ltd",
      impersonator: { name: "Olga Staff" },
    });
    const own = await jsonOf<Shell>(await loadShell((await signedInAs(anna)).get("/")));
    expect(own.user?.impersonator).toBeNull();
  });

  test("[LOG-09] the audit trail records both", async () => {
    const user = await createUser({ emailVerifiedAt: null });
    const { visitor } = await acting(olga, user);
    await run(resend.action, await visitor.post("/resend-verification"));
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.verification-sent",
      actorId: user.id,
      actorName: user.email,
      impersonatorId: olga.id,
    });
  });

  test("[LOG-09] only the owner can change personal details, but the company's numbers can be corrected", async () => {
    const user = await createUser();
    const { visitor } = await acting(olga, user);
    const path = "/home/user-management";
    const { values } = await jsonOf<{ values: Record<string, unknown> }>(
      await run(userManagement.loader, visitor.get(path)),
    );
    const save = async (change: Record<string, string>) =>
      run(userManagement.action, await visitor.post(path, { ...fieldsOf(values), ...change }));
    const secret = { password: "a quite new password", confirmPassword: "a quite new password" };
    const question = { securityQuestion: "What was the name of your first pet?", securityAnswer: "Bello" };

    for (const change of [secret, question])
      expect((await save({ ...change, currentPassword: TEST_PASSWORD })).status).toBe(403);
    const refused = await errorsOf(await save({ email: "olga@example-association.org" }));
    expect(refused).toMatchObject({
      status: 403,
      errors: { email: "An administrator who acts as a user cannot change the email address." },
    });
    const { passwordHash, email, username, securityQuestion } = await storedUser(user);
    expect({ passwordHash, email, username, securityQuestion }).toEqual({
      passwordHash: user.passwordHash,
      email: user.email,
      username: user.username,
      securityQuestion: null,
    });

    expect((await save({ companyRegistrationNumber: "HRB 1", taxNumber: "T-2" })).status).toBe(303);
    expect(await storedUser(user)).toMatchObject({ companyRegistrationNumber: "HRB 1", taxNumber: "T-2" });
    expect((await auditAbout(user)).at(-1)).toMatchObject({ actorId: user.id, impersonatorId: olga.id });
  });

  test("[LOG-09] [USR-01] the email field is read-only and the page says why", async () => {
    const emailOf = async (visitor: Visitor) => {
      const { html } = await openPage(userManagement, visitor, "/home/user-management");
      const input = select(html, 'input[name="email"]');
      expect(input).toHaveLength(1);
      return { html, isReadOnly: input.is("[readonly]") };
    };
    const why = "An administrator who acts as a user cannot change the email address.";
    const usual = "We send a message with a link to a new address.";
    const staff = await emailOf((await acting(olga, anna)).visitor);
    expect(staff.isReadOnly).toBe(true);
    expect(pageText(staff.html)).toContain(why);
    expect(staff.html).not.toContain(usual);
    const own = await emailOf(await signedInAs(anna));
    expect(own.isReadOnly).toBe(false);
    expect(pageText(own.html)).toContain(usual);
    expect(own.html).not.toContain(why);
  });

  test("[LOG-09] [DSH-03] pages of administrators are closed", async () => {
    const { visitor } = await acting(olga, anna);
    expect((await run(users.loader, visitor.get("/home/users"))).headers.get("Location")).toBe("/home/dashboard");
    await updateUser(getDb(), anna.id, { isAdmin: true });
    expect((await run(users.loader, visitor.get("/home/users"))).headers.get("Location")).toBe(
      "/?redirectTo=%2Fhome%2Fusers",
    );
    expect(await idOf(visitor)).toBeNull();
    await updateUser(getDb(), anna.id, { isAdmin: false });
  });

  test.each([
    ["the administrator is disabled", "admin", { isDisabled: true }],
    ["the administrator's sessions are ended", "admin", { sessionEpoch: 1 }],
    ["the administrator loses the right", "admin", { isAdmin: false }],
    ["the user is disabled", "user", { isDisabled: true }],
    ["the user changes the password", "user", { sessionEpoch: 1 }],
    ["the user becomes an administrator", "user", { isAdmin: true }],
  ] as const)("[LOG-09] [LOG-10] acting ends with the next request when %s", async (_, whose, change) => {
    const [admin, user] = [await createAdmin(), await createUser()];
    const { visitor } = await acting(admin, user);
    expect(await locationOf(visitor)).toBeNull();
    await updateUser(getDb(), whose === "admin" ? admin.id : user.id, change);
    const answer = await run(dashboard.loader, visitor.get("/home/dashboard"));
    expect(answer.headers.get("Location")).toBe("/");
    expect(await toldAfter(answer)).toBe("You have been logged out.");
    const returned = await goBack(visitor);
    expect(returned.headers.get("Location")).toBe("/?redirectTo=%2Fend-login-as-user");
    expect(await toldAfter(returned)).toMatch(/^You have been logged out\./);
  });

  test("[LOG-08] [LOG-09] Log out ends both sessions and their copies, and is audited", async () => {
    const user = await createUser();
    const { visitor, before } = await acting(olga, user);
    const copy = new Visitor(visitor.cookie);
    const response = await run(logout.action, await visitor.post("/logout"));
    expect(response.headers.get("Location")).toBe("/login");
    visitor.follow(response);
    for (const browser of [visitor, copy, before]) expect(await idOf(browser)).toBeNull();
    expect((await auditAbout(user)).at(-1)).toMatchObject({ event: "account.acting-ended", impersonatorId: olga.id });
  });
});

describe("the way back", () => {
  test("[LOG-09] leads to the administrator's own session and the user's page, and ends acting for copies too", async () => {
    const user = await createUser();
    const { visitor, before } = await acting(olga, user);
    const copy = new Visitor(visitor.cookie);
    const response = await goBack(visitor);
    expect({ status: response.status, place: response.headers.get("Location") }).toEqual({
      status: 303,
      place: `/home/users/${user.id}`,
    });
    visitor.follow(response);
    expect(await findUser(visitor.get("/"))).toMatchObject({ id: olga.id, isAdmin: true, impersonator: null });
    for (const browser of [copy, before]) expect(await idOf(browser)).toBeNull();
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.acting-ended",
      actorId: user.id,
      impersonatorId: olga.id,
    });
    expect((await jsonOf<Shell>(await loadShell(visitor.get("/")))).toast?.text).toBe(
      "You no longer act as Anna Müller.",
    );
  });

  test("[LOG-09] keeps the administrator's limit of 24 hours since the first login", async () => {
    const startedAt = new Date(Date.now() - 7 * 3_600_000);
    const cookie = await startSession(new Request(TEST_ORIGIN), olga, { startedAt });
    const visitor = new Visitor(cookie.split(";")[0] ?? "");
    const started = async () => (await findSessionRow(visitor.get("/")))?.startedAt;
    visitor.follow(await sendLink(visitor, { id: anna.id, authString: await mint(visitor, anna) }));
    expect(await idOf(visitor)).toBe(anna.id);
    expect(await started()).toBe(startedAt.toISOString());
    visitor.follow(await goBack(visitor));
    expect(await idOf(visitor)).toBe(olga.id);
    expect(await started()).toBe(startedAt.toISOString());
  });

  test("[LOG-09] is a POST with the token of the session", async () => {
    const { visitor } = await acting(olga, anna);
    expect((await run(back.loader, visitor.get("/end-login-as-user"))).headers.get("Location")).toBe("/");
    const foreign = new URLSearchParams(await (await (await signedInAs(olga)).post("/")).text()).get("csrf") ?? "";
    for (const csrf of ["", foreign]) expect((await goBack(visitor, { csrf })).status).toBe(403);
    expect(await idOf(visitor)).toBe(anna.id);
  });

  test("[LOG-09] does nothing for a user who acts as nobody", async () => {
    const visitor = await signedInAs(anna);
    const response = await goBack(visitor);
    expect(response.headers.get("Location")).toBe("/home/dashboard");
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await goBack(await anonymous())).headers.get("Location")).toMatch(/^\/login\?/);
  });

  test("[LOG-08] [LOG-09] cannot be used with a forged cookie", async () => {
    const { visitor } = await acting(olga, anna);
    const [name = "", signed = ""] = visitor.cookie.split("=");
    const [value = "", signature = ""] = decodeURIComponent(signed).split(".");
    const session = JSON.parse(Buffer.from(value, "base64").toString()) as Record<string, unknown>;
    const forge = (change: Record<string, unknown>) =>
      Buffer.from(JSON.stringify({ ...session, ...change })).toString("base64");
    for (const forged of [forge({ id: "another" }), forge({ userId: olga.id })])
      for (const cookie of [`${forged}.${signature}`, forged])
        expect(await idOf(new Visitor(`${name}=${encodeURIComponent(cookie)}`))).toBeNull();
    expect(await idOf(visitor)).toBe(anna.id);
  });
});
