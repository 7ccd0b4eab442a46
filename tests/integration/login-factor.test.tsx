import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { OTP_MISSING } from "~/domain/accounts/factors/program-login.server";
import { findUser } from "~/http/guard.server";
import * as login from "~/routes/_public.login";
import * as page from "~/routes/_public.login_.factor/route";
import * as dashboard from "~/routes/home.dashboard";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { auditAbout } from "../support/administration";
import { ApiClient } from "../support/api";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { enterFactor, enterPassword, giveApp } from "../support/factors";
import { select } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { clientFrom, securityEvents } from "../support/security-events";
import { sessionsOf } from "../support/sessions";
import { anonymous, errorsOf, run, signedInAs } from "../support/visitor";

usePortal({ RATE_LIMITS: "on" });

const withApp = async (given: Parameters<typeof createUser>[0] = {}) => {
  const user = await createUser(given);
  return { user, ...(await giveApp(user)) };
};

const eventsOf = async ({ id }: { id: number }) =>
  (await securityEvents()).filter(({ userId }) => userId === id).map(({ event }) => event);

const WRONG = /^This code is not right\./;
const USED = "This code was used already. Wait until your authenticator app shows the next one.";

describe("the second page of the login", () => {
  test("[LOG-01] the right password alone opens no session; a code of the app does, and it says so everywhere", async () => {
    const { user, app } = await withApp();
    const { visitor, answer } = await enterPassword(user);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/login/factor"]);
    expect(await findUser(visitor.get("/"))).toBeNull();
    expect(await sessionsOf(user)).toEqual([]);

    const { html } = await openPage(page, visitor, "/login/factor");
    expect(select(html, 'input[name="code"]').attr()).toMatchObject({ autocomplete: "one-time-code", type: "text" });
    const done = await enterFactor(visitor, app.code(), clientFrom("198.51.100.7"));
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/home/dashboard"]);
    expect((await findUser(visitor.get("/")))?.id).toBe(user.id);
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.logged-in",
      message: "Logged in with an authenticator app as second factor.",
      actorId: user.id,
    });
    const events = await eventsOf(user);
    expect(events.slice(-2)).toEqual(["factor.asked", "account.logged-in"]);
    expect((await sessionsOf(user))[0]).toMatchObject({ provedBy: "totp", address: "198.51.100.7" });
  });

  test("[LOG-06] the page that was asked for opens after the second factor", async () => {
    const { user, app } = await withApp();
    const visitor = await anonymous();
    const fields = { email: user.email, password: TEST_PASSWORD, redirectTo: "/home/codes?page=2" };
    const answer = await run(login.action, await visitor.post("/login", fields));
    visitor.follow(answer);
    const next = answer.headers.get("Location") ?? "";
    expect(next).toBe("/login/factor?redirectTo=%2Fhome%2Fcodes%3Fpage%3D2");
    const done = await run(page.action, await visitor.post(next, { code: app.code() }));
    expect(done.headers.get("Location")).toBe("/home/codes?page=2");
  });

  test("[LOG-01] a code works once, also in another browser, and 30 seconds early or late", async () => {
    const { user, app } = await withApp();
    const now = Date.now();
    const [late, early, older] = [app.codeAt(now - 30_000), app.codeAt(now + 30_000), app.codeAt(now - 90_000)];
    const first = (await enterPassword(user)).visitor;
    expect((await errorsOf(await enterFactor(first, older))).errors.code).toMatch(WRONG);
    expect((await enterFactor(first, late)).status).toBe(303);
    const second = (await enterPassword(user)).visitor;
    expect(await errorsOf(await enterFactor(second, late))).toMatchObject({ status: 422, errors: { code: USED } });
    expect(await eventsOf(user)).toContain("factor.refused");
    expect((await enterFactor(second, early)).status).toBe(303);
    expect((await errorsOf(await enterFactor((await enterPassword(user)).visitor, app.codeAt(now)))).errors.code).toBe(
      USED,
    );
  });

  test("[LOG-01] of two requests with one code, one logs in", async () => {
    const { user, app } = await withApp();
    const code = app.code();
    const { visitor: one } = await enterPassword(user);
    const { visitor: other } = await enterPassword(user);
    const answers = await Promise.all([enterFactor(one, code), enterFactor(other, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
  });

  test("[LOG-01] says so when the key of an app's secret is gone; a recovery code still works", async () => {
    const { user, app, codes } = await withApp();
    const secret = randomBytes(60).toString("base64url");
    await getDb().updateTable("secondFactors").set({ secret }).where("userId", "=", user.id).execute();
    const { visitor } = await enterPassword(user);
    expect((await errorsOf(await enterFactor(visitor, app.code()))).errors.code).toMatch(/cannot check the codes/);
    expect((await enterFactor(visitor, codes[0] ?? "")).status).toBe(303);
  });

  test("[LOG-01] a recovery code works once, however it is typed, and the owner is told by mail", async () => {
    const { user, codes } = await withApp();
    expect(codes).toHaveLength(10);
    const typed = ` ${codes[3]?.toLowerCase().replace("-", " ")} `;
    const { visitor } = await enterPassword(user);
    const answer = await enterFactor(visitor, typed);
    expect(answer.status).toBe(303);
    visitor.follow(answer);
    expect(await toastOf(visitor)).toBe("You logged in with a recovery code. Recovery codes that are left: 9.");
    expect((await auditAbout(user)).map(({ event }) => event)).toContain("account.recovery-code-used");
    const mail = (await mailsTo(user.email)).at(-1);
    expect(mail).toMatchObject({
      subject: "A recovery code was used",
      text: expect.stringContaining("9 recovery codes") as string,
    });
    const again = await enterFactor((await enterPassword(user)).visitor, codes[3] ?? "");
    expect((await errorsOf(again)).errors.code).toMatch(/^This recovery code was used already/);
    expect((await sessionsOf(user)).map(({ provedBy }) => provedBy)).toEqual(["recovery-code"]);
  });

  test("[LOG-01] refuses an empty code, one of another account, and every code after twenty tries", async () => {
    const { user, app } = await withApp();
    const stranger = await withApp();
    const { visitor } = await enterPassword(user);
    expect((await errorsOf(await enterFactor(visitor, " "))).errors).toEqual({ code: "This field is required." });
    for (const code of [stranger.app.code(), stranger.codes[0] ?? "", "x".repeat(40)])
      expect((await errorsOf(await enterFactor(visitor, code))).errors.code).toMatch(WRONG);
    for (let tries = 3; tries < 20; tries += 1) await enterFactor(visitor, "000000");
    const refusal = await errorsOf(await enterFactor(visitor, app.code()));
    expect(refusal).toMatchObject({
      status: 429,
      errors: { form: expect.stringContaining("20 wrong codes and passkeys") as string },
    });
    expect(await findUser(visitor.get("/"))).toBeNull();
    const limited = (await securityEvents()).filter(({ event }) => event === "rate-limit.reached");
    expect(limited).toMatchObject([{ userId: user.id, actorName: user.email }]);
    expect((await mailsTo(user.email)).at(-1)?.subject).toBe(
      "Somebody who knows your password entered many wrong codes",
    );
  });

  test("[LOG-01] right codes are no tries", async () => {
    const { user, codes } = await withApp();
    for (const code of codes.slice(0, 3))
      expect((await enterFactor((await enterPassword(user)).visitor, code)).status).toBe(303);
    const { visitor } = await enterPassword(user);
    for (let tries = 0; tries < 20; tries += 1) expect((await enterFactor(visitor, "000000")).status).toBe(422);
    expect((await enterFactor(visitor, "000000")).status).toBe(429);
  });

  test("[LOG-01] a login waits ten minutes, ends when it is finished, and not when the password was changed meanwhile", async () => {
    const { user, app } = await withApp();
    const { visitor } = await enterPassword(user);
    const cookie = visitor.cookie;
    await enterFactor(visitor, app.code());
    visitor.cookie = cookie;
    const again = await enterFactor(visitor, app.code());
    expect(again.headers.get("Location")).toBe("/login");
    expect(await toastOf(visitor)).toBe("This login has ended. Please enter your password again.");

    const waiting = (await enterPassword(user)).visitor;
    await updateUser(getDb(), user.id, { passwordChangedAt: new Date(Date.now() + 1) }, new Date());
    expect((await enterFactor(waiting, app.code())).headers.get("Location")).toBe("/login");

    const late = (await enterPassword(user)).visitor;
    await updateUser(getDb(), user.id, { passwordChangedAt: new Date(0) }, new Date());
    await getDb().updateTable("tokens").set({ expiresAt: new Date() }).where("purpose", "=", "second-factor").execute();
    expect((await run(page.loader, late.get("/login/factor"))).headers.get("Location")).toBe("/login");
  });

  test("[LOG-03] a locked or disabled account does not finish its login", async () => {
    for (const change of [{ isDisabled: true }, { adminLockedAt: new Date() }]) {
      const { user, app } = await withApp();
      const { visitor } = await enterPassword(user);
      await updateUser(getDb(), user.id, change, new Date());
      expect((await enterFactor(visitor, app.code())).headers.get("Location")).toBe("/login");
      expect(await findUser(visitor.get("/"))).toBeNull();
    }
  });

  test("[LOG-02] a wrong password is refused as before, whether the account has a factor or not", async () => {
    const { user } = await withApp();
    const visitor = await anonymous();
    const answer = await run(login.action, await visitor.post("/login", { email: user.email, password: "wrong" }));
    expect((await errorsOf(answer)).errors.form).toMatch(/^The password you have entered is Invalid/);
    expect((await run(page.loader, visitor.get("/login/factor"))).headers.get("Location")).toBe("/login");
  });
});

describe("programs", () => {
  const grant = (user: { email: string }, otp?: string) =>
    new ApiClient().grant({
      grant_type: "password",
      username: user.email,
      password: TEST_PASSWORD,
      ...(otp && { otp }),
    });

  test("[API-01] send the code as otp, once", async () => {
    const { user, app, codes } = await withApp();
    const without = await grant(user);
    expect([without.status, await without.json()]).toEqual([
      400,
      { error: "invalid_grant", error_description: OTP_MISSING },
    ]);
    const code = app.code();
    const granted = await grant(user, code);
    expect([granted.status, await granted.json()]).toEqual([
      200,
      expect.objectContaining({ userId: user.id, authenticateUserResult: "0:Success" }),
    ]);
    const again = await grant(user, code);
    expect([again.status, await again.json()]).toEqual([400, { error: "invalid_grant", error_description: USED }]);
    expect((await grant(user, codes[0])).status).toBe(200);
    expect((await sessionsOf(user)).map(({ provedBy }) => provedBy).sort()).toEqual(["recovery-code", "totp"]);
  });
});

describe("staff", () => {
  const DAYS_LATER = (days: number) => new Date(Date.now() - days * 86_400_000);
  const askedDaysAgo = ({ id }: { id: number }, days: number) =>
    getDb()
      .updateTable("users")
      .set({ factorAskedAt: DAYS_LATER(days) })
      .where("id", "=", id)
      .execute();

  test("[LOG-07] are asked at their first login and go on without a factor for fourteen days, then not", async () => {
    const admin = await createAdmin();
    const { visitor } = await enterPassword(admin);
    expect((await run(dashboard.loader, visitor.get("/home/dashboard"))).status).toBe(200);
    await askedDaysAgo(admin, 13);
    expect((await run(dashboard.loader, visitor.get("/home/dashboard"))).status).toBe(200);
    await askedDaysAgo(admin, 14);
    const held = await run(dashboard.loader, visitor.get("/home/dashboard"));
    expect(held.headers.get("Location")).toBe("/second-factors");
    const program = new ApiClient();
    const token = await program.grant({ grant_type: "password", username: admin.email, password: TEST_PASSWORD });
    program.token = ((await token.json()) as { access_token: string }).access_token;
    const refused = await program.get("codes/getSalesOrders");
    expect(refused).toMatchObject({ status: 403, code: "account.duty" });
    await giveApp(admin);
    expect((await run(dashboard.loader, visitor.get("/home/dashboard"))).status).toBe(200);
  });

  test("[LOG-07] customers are never asked", async () => {
    const user = await createUser();
    await askedDaysAgo(user, 400);
    const visitor = await signedInAs(user);
    expect((await run(dashboard.loader, visitor.get("/home/dashboard"))).status).toBe(200);
  });
});
