import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type FramedForm, openFramedForm } from "~/domain/frame/framed-form.service.server";
import { redeemPartnerToken } from "~/domain/frame/partner-login.service.server";
import { startSession } from "~/http/session.server";
import { serverPaths } from "~/lib/server-paths.server";
import * as frame from "~/routes/home.frame.$targetSite.$targetUrl.($json)";
import * as logout from "~/routes/logout";
import * as verify from "~/routes/partner.verify-token";
import { getDb } from "~db/connection.server";
import { issueToken } from "~db/repositories/tokens.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { createAdmin, createUser } from "../support/factories";
import { select } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, jsonOf, run, signedInAs, Visitor } from "../support/visitor";

const SECRET = "the partner's secret of the tests, long enough";
const dir = mkdtempSync(join(tmpdir(), "marque-frame-"));
const config = join(dir, "portal.json");
const shipped = JSON.parse(readFileSync("config/portal.json", "utf8")) as object;
const endpoints = { odetteCaEndPoint: "https://ca.example/app/", oscarEndPoint: "https://codes.example" };
writeFileSync(config, JSON.stringify({ ...shipped, ...endpoints, partner: { loginPath: "/sso/remote-login" } }));
afterAll(() => rmSync(dir, { recursive: true }));

usePortal({ PORTAL_CONFIG: config, PARTNER_SECRET: SECRET, RATE_LIMITS: "on" });

type Params = { targetSite: string; targetUrl: string; json?: string };

/** Runs the loader of the page, with parameters as the router decodes them. */
const open = (visitor: Visitor, { json, ...rest }: Params, query = "") =>
  run(frame.loader, visitor.get(serverPaths.frame(rest.targetSite, rest.targetUrl, json) + query), {
    ...rest,
    ...(json !== undefined && { json }),
  });
const formOf = async (visitor: Visitor, params: Params, query = "") =>
  jsonOf<FramedForm>(await open(visitor, params, query));

const settings = () => getDb().selectFrom("settings").select(["name", "userId", "value"]).orderBy("userId").execute();
const tokens = () => getDb().selectFrom("tokens").selectAll().where("purpose", "=", "partner-login").execute();

beforeEach(async () => {
  await getDb().deleteFrom("settings").execute();
  await getDb().deleteFrom("tokens").execute();
});

describe("framed forms", () => {
  test("[FRM-01] 'odette' selects the endpoint of the certificate authority, anything else that of the other service", async () => {
    const visitor = await signedInAs(await createUser());
    const targetUrl = "forms/apply.aspx";
    const targetOf = async (targetSite: string) => (await formOf(visitor, { targetSite, targetUrl })).targetUrl;
    expect(await targetOf("odette")).toBe("https://ca.example/app/forms/apply.aspx");
    for (const site of ["oscar", "Odette", "odette2", "https://evil.example"])
      expect(await targetOf(site)).toBe("https://codes.example/forms/apply.aspx");
  });

  test("[FRM-01] the query parameters are saved as the user's entry 'queryParams', and only the last ones", async () => {
    const [anna, bernd] = [await createUser(), await createUser()];
    const [one, other] = [await signedInAs(anna), await signedInAs(bernd)];
    const params = { targetSite: "odette", targetUrl: "forms" };
    await open(one, params, "?code=AB12&type=Full&type=Basic&empty=&name=K%C3%B6ln%00%F0%9F%9A%97");
    await open(other, params);
    const entry = { code: "AB12", type: ["Full", "Basic"], empty: "", name: "Köln\u0000🚗" };
    expect(await settings()).toEqual([
      { name: "queryParams", userId: anna.id, value: JSON.stringify(entry) },
      { name: "queryParams", userId: bernd.id, value: "{}" },
    ]);
    await open(one, params, "?code=CD34");
    expect((await settings())[0]?.value).toBe('{"code":"CD34"}');
  });

  test("[FRM-01] parameters of 8000 characters are saved; one more is refused and changes nothing", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    const params = { targetSite: "odette", targetUrl: "forms" };
    const longest = 8000 - '{"a":""}'.length;
    expect((await open(visitor, params, `?a=${"x".repeat(longest)}`)).status).toBe(200);
    const before = await settings();
    const refused = await open(visitor, params, `?a=${"x".repeat(longest + 1)}`);
    expect([refused.status, (await jsonOf<{ message: string }>(refused)).message]).toEqual([
      400,
      "The address has too many parameters.",
    ]);
    expect(await settings()).toEqual(before);
    expect(await tokens()).toHaveLength(1);
  });

  test("[FRM-01] json becomes the target's parameter 'json'; invalid or too long JSON is refused", async () => {
    const visitor = await signedInAs(await createUser());
    const params = { targetSite: "oscar", targetUrl: "forms?id=5" };
    const json = '{"code":"AB12","name":"Köln & Söhne"}';
    const target = new URL((await formOf(visitor, { ...params, json })).targetUrl);
    expect([target.origin, target.pathname]).toEqual(["https://codes.example", "/forms"]);
    expect([...target.searchParams]).toEqual([
      ["id", "5"],
      ["json", json],
    ]);
    const longest = JSON.stringify("x".repeat(1998));
    expect((await open(visitor, { ...params, json: longest })).status).toBe(200);
    for (const bad of ["{", "undefined", "{'a':1}", '{"a":1}x', JSON.stringify("x".repeat(1999))])
      expect((await open(visitor, { ...params, json: bad })).status).toBe(400);
  });

  test.each(["//other.example", "https://other.example", "..", "../x", "a/../../x", "a\\..\\x", "%2e%2e/x", "a//b"])(
    "[FRM-01] [FRM-02] the target '%s' is refused on a clear page and nothing is saved",
    async (targetUrl) => {
      const visitor = await signedInAs(await createUser());
      const answer = await open(visitor, { targetSite: "odette", targetUrl }, "?a=1");
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { code: "frame.refused", message: "The address of the form is not valid." },
      ]);
      expect([await settings(), await tokens()]).toEqual([[], []]);
    },
  );

  test("[FRM-01] anonymous visitors log in first and come back", async () => {
    const answer = await open(await anonymous(), { targetSite: "odette", targetUrl: "a/b" }, "?x=1");
    const back = encodeURIComponent("/home/frame/odette/a%2Fb?x=1");
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, `/login?redirectTo=${back}`]);
    expect(await settings()).toEqual([]);
  });

  test("[FRM-02] a link inside the portal loads the page as a document, so that its own policy allows the frame", async () => {
    const visitor = await signedInAs(await createUser());
    const context = { cspNonce: "nonce", requestId: "request", isNavigation: true };
    const answer = await run(
      (args) => frame.loader({ ...args, context }),
      visitor.get("/home/frame/odette/forms?code=AB12"),
      { targetSite: "odette", targetUrl: "forms" },
    );
    expect(answer.headers.get("X-Remix-Reload-Document")).toBe("true");
    expect(answer.headers.get("Location")).toBe("/home/frame/odette/forms?code=AB12");
    expect([await settings(), await tokens()]).toEqual([[], []]);
  });

  test("[FRM-02] the page posts a token to the remote login inside the titled, sandboxed frame, then opens the form there", async () => {
    const visitor = await signedInAs(await createUser());
    const params = { targetSite: "odette", targetUrl: "forms/apply" };
    const { html } = await openPage(frame, visitor, "/home/frame/odette/forms%2Fapply", { params });
    const logIn = select(html, 'form[action="https://ca.example/app/sso/remote-login"]');
    expect(logIn.attr()).toMatchObject({ method: "post", target: "partner-form" });
    expect(logIn.find("input")).toHaveLength(1); // none of the portal's own fields is sent to the partner
    expect(logIn.find('input[type="hidden"][name="token"]').val()).toMatch(/^[\w-]{43}$/);
    expect(logIn.find('button[type="submit"]').text()).toBe("Log in to ca.example");
    const toForm = select(html, 'a[href="https://ca.example/app/forms/apply"]');
    expect(toForm.attr()).toMatchObject({ target: "partner-form", rel: "noreferrer" });
    const iframe = select(html, "iframe").attr();
    expect(iframe).toMatchObject({ name: "partner-form", title: "Form of ca.example" });
    expect(iframe?.referrerpolicy).toBe("no-referrer");
    expect(iframe).not.toHaveProperty("src");
    const sandbox = iframe?.sandbox?.split(" ") ?? [];
    expect(sandbox).toContain("allow-forms");
    expect(sandbox.filter((permission) => /top-navigation|escape-sandbox/.test(permission))).toEqual([]);
  });
});

describe("the partner's remote login", () => {
  const tokenOf = async (user: { id: number }) =>
    (await formOf(await signedInAs(user), { targetSite: "odette", targetUrl: "forms" })).token;

  const ask = (token: string, { authorization = `Bearer ${SECRET}`, address = "192.0.2.1" } = {}) =>
    run(
      verify.action,
      new Request(`${TEST_ORIGIN}/partner/verify-token`, {
        method: "POST",
        body: new URLSearchParams({ token }),
        headers: { Authorization: authorization, "x-marque-address": address },
      }),
    );

  test("[FRM-02] has a token of 256 bits that is stored only as its hash", async () => {
    const token = await tokenOf(await createUser());
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(JSON.stringify(await tokens())).not.toContain(token);
  });

  test("[FRM-02] tells the partner the user of a token once, and is recorded in the audit trail", async () => {
    const user = await createUser({ isAdmin: true });
    const token = await tokenOf(user);
    const answer = await ask(token);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        success: true,
        userId: user.id,
        username: user.username,
        rights: "Applicant,Admin",
        actingUserId: null,
        actingUsername: null,
      },
    ]);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const entry = () =>
      getDb()
        .selectFrom("auditEntries")
        .selectAll()
        .where("event", "=", "partner.signed-in")
        .where("userId", "=", user.id);
    expect(await entry().execute()).toMatchObject([{ actorId: user.id, actorName: user.email, impersonatorId: null }]);
    const again = await ask(token);
    expect([again.status, await again.json()]).toEqual([400, { success: false }]);
    expect(await entry().execute()).toHaveLength(1);
  });

  test("[FRM-02] answers one of two simultaneous requests with the same token", async () => {
    const token = await tokenOf(await createUser());
    const answers = await Promise.all([ask(token), ask(token), ask(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test("[FRM-02] refuses a token after 60 seconds", async () => {
    const { id, email } = await createUser();
    const user = { id, email, actor: { id, name: email }, sessionId: null };
    const made = new Date();
    const wish = { user, targetSite: "odette", targetUrl: "forms", query: new URLSearchParams() };
    const after = (ms: number) => new Date(made.getTime() + ms);
    const early = (await openFramedForm(wish, made)).token;
    expect(await redeemPartnerToken(early, after(59_999))).toMatchObject({ userId: id });
    const late = (await openFramedForm(wish, made)).token;
    expect(await redeemPartnerToken(late, after(60_000))).toBeNull();
  });

  test("[FRM-02] refuses a token after its user's account has ended or has a new password", async () => {
    const [disabled, changed] = [await createUser(), await createUser()];
    const given = [await tokenOf(disabled), await tokenOf(changed)];
    await updateUser(getDb(), disabled.id, { isDisabled: true });
    await updateUser(getDb(), changed.id, { passwordChangedAt: new Date(Date.now() + 1) });
    for (const token of given) expect((await ask(token)).status).toBe(400);
  });

  test("[FRM-02] [LOG-08] refuses a token of a logged-out session; those of the user's other sessions stay valid", async () => {
    const user = await createUser();
    const [left, stays] = [await signedInAs(user), await signedInAs(user)];
    const tokenIn = async (visitor: Visitor) =>
      (await formOf(visitor, { targetSite: "odette", targetUrl: "forms" })).token;
    const [ended, other] = [await tokenIn(left), await tokenIn(stays)];
    expect((await run(logout.action, await left.post("/logout"))).status).toBe(303);
    const answer = await ask(ended);
    expect([answer.status, await answer.json()]).toEqual([400, { success: false }]);
    expect((await ask(other)).status).toBe(200);
  });

  /** Returns a token that was made while the administrator acts as the user. */
  const tokenOfActing = async (admin: { id: number }, user: { id: number; sessionEpoch: number }) => {
    const cookie = await startSession(new Request(TEST_ORIGIN), user, { impersonator: { id: admin.id, epoch: 0 } });
    const visitor = new Visitor(cookie.split(";")[0] ?? "");
    return (await formOf(visitor, { targetSite: "odette", targetUrl: "forms" })).token;
  };

  test("[FRM-02] [LOG-09] names an administrator who acts as the user to the partner and in the audit trail", async () => {
    const [admin, user] = [await createAdmin(), await createUser()];
    const answer = await ask(await tokenOfActing(admin, user));
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        success: true,
        userId: user.id,
        username: user.username,
        rights: "Applicant",
        actingUserId: admin.id,
        actingUsername: admin.username,
      },
    ]);
    const entries = getDb().selectFrom("auditEntries").selectAll().where("event", "=", "partner.signed-in");
    expect(await entries.where("userId", "=", user.id).execute()).toMatchObject([
      { actorId: user.id, impersonatorId: admin.id },
    ]);
  });

  test("[FRM-02] [LOG-09] refuses a token of an acting administrator who lost the account or the right, or whose user became an administrator", async () => {
    const endings: ["admin" | "user", Parameters<typeof updateUser>[2]][] = [
      ["admin", { isDisabled: true }],
      ["admin", { isAdmin: false }],
      ["admin", { passwordChangedAt: new Date(Date.now() + 60_000) }],
      ["user", { isAdmin: true }],
      ["user", { isDisabled: true }],
    ];
    for (const [whose, change] of endings) {
      const accounts = { admin: await createAdmin(), user: await createUser() };
      const token = await tokenOfActing(accounts.admin, accounts.user);
      await updateUser(getDb(), accounts[whose].id, change);
      const answer = await ask(token);
      expect({ whose, change, status: answer.status }).toEqual({ whose, change, status: 400 });
    }
  });

  test("[FRM-02] refuses tokens of other purposes, unknown ones and a missing one", async () => {
    const { id: userId, email } = await createUser();
    const other = await inTransaction((trx) =>
      issueToken(trx, { purpose: "verify-email", email, userId, lifetimeMs: 60_000 }),
    );
    for (const token of [other, "unknown", "", "x".repeat(3000)]) expect((await ask(token)).status).toBe(400);
    expect((await ask("x".repeat(5000))).status).toBe(413);
  });

  test("[FRM-02] needs the secret; guessing it is stopped, and the partner is not affected", async () => {
    const token = await tokenOf(await createUser());
    for (const authorization of ["", "Bearer ", `Bearer ${SECRET}x`, SECRET, `Basic ${SECRET}`])
      expect((await ask(token, { authorization })).status).toBe(401);
    const wrong = { authorization: "Bearer wrong", address: "192.0.2.99" };
    for (let tries = 0; tries < 30; tries += 1) expect((await ask(token, wrong)).status).toBe(401);
    expect((await ask(token, wrong)).status).toBe(429);
    expect((await ask(token, { address: "192.0.2.99" })).status).toBe(200);
  });

  test("[FRM-02] verifies nothing by GET", async () => {
    expect((await run(verify.loader, new Request(`${TEST_ORIGIN}/partner/verify-token?token=x`))).status).toBe(405);
  });
});
