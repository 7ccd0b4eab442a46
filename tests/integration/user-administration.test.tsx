import { load } from "cheerio";
import { beforeAll, describe, expect, test } from "vitest";
import { login } from "~/domain/accounts/login.service.server";
import { STAFF_RIGHTS } from "~/domain/accounts/rights.policy";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { findUser } from "~/http/guard.server";
import * as dashboard from "~/routes/home.dashboard";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { findToken, issueToken } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { acting } from "../support/acting";
import { administer, auditAbout, confirmed, paramsOf, refusalOf, storedUser } from "../support/administration";
import { createCertificateOrder } from "../support/certificates";
import { createCode } from "../support/codes";
import { createSeveral } from "../support/consolidation";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { toldAfter } from "../support/recovery";
import { openPage } from "../support/route-page";
import { save } from "../support/user-details";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

/** The buttons that grant one right of staff. */
const GRANTS = STAFF_RIGHTS.map((right) => `grant-${right}`);

type User = Awaited<ReturnType<typeof createUser>>;
let olga: User;
let staff: Visitor;

beforeAll(async () => {
  olga = await createAdmin();
  staff = await signedInAs(olga);
});

const open = (user: User, visitor = staff, query = "") =>
  openPage(userPage, visitor, `/home/users/${user.id}${query}`, { params: paramsOf(user) });

const send = (user: { id: number }, fields: Record<string, string>) => administer(staff, user, fields);
const confirm = (user: { id: number }, fields: Record<string, string>, visitor = staff) =>
  confirmed(visitor, user, fields);
const buttonsOf = (html: string) =>
  load(html)('[name="intent"]:not([aria-disabled])')
    .toArray()
    .map(({ attribs }) => attribs.value);

/** Returns the disabled buttons, each with the reason beside it. */
const barredOf = (html: string) => {
  const $ = load(html);
  const barred = $('[aria-disabled="true"]').toArray();
  const reason = (id = "") => $(`#${id}`).text();
  return Object.fromEntries(
    barred.map(({ attribs }): [string, string] => [attribs.value ?? "", reason(attribs["aria-describedby"])]),
  );
};

/** Returns the description lists of the page: each term with the text of its detail. */
const detailsOf = (html: string) => {
  const $ = load(html);
  const terms = $("dt").toArray();
  return terms.map((term) => `${$(term).text()}: ${pageText($(term).next("dd").html() ?? "").trim()}`);
};

/** The cells with the name of the person who acted. */
const WHO = 'td[data-l="Who"]';

describe("the page of an account", () => {
  test("[MAN-02] shows profile, addresses, rights, state, logins, possessions and history", async () => {
    const user = await createUser({
      taxNumber: "TAX-77",
      lastLoginAt: new Date("2026-03-04T05:06:07Z"),
      failedLogins: 3,
    });
    await createCertificateOrder(user);
    await createCertificateOrder(user);
    await createCode(user);
    await confirm(user, { intent: "grant-admin" });
    await confirm(user, { intent: "withdraw-admin" });
    const { status, html } = await open(user);
    expect(status).toBe(200);
    const details = detailsOf(html);
    for (const line of [
      "State: Active",
      "Rights: Applicant",
      `User name: ${user.username}`,
      `Email: ${user.email} Confirmed`,
      "Last login: 04/03/2026 05:06:07 UTC",
      "Wrong passwords: 3 since the last login or lock",
      "Certificates: 2",
      "Codes: 1",
      "Orders: 2",
      "Name: Anna Müller",
      "Position: EDI manager",
      "Telephone: +44 20 7946 0000",
      "Company: Example Parts Ltd",
      "Company registration number: 01234567",
      "Tax number: TAX-77",
      "VAT number: GB123456789 Not checked : no VAT service is configured for it",
      "Company address: Example Parts Ltd 1 Mill Lane Coventry CV1 1AA United Kingdom",
      "Mailing address: –",
    ])
      expect(details).toContain(line);
    expect(pageText(html)).toMatch(/Withdrew the right Admin\..*Granted the right Admin\./);
    expect(textsOf(html, WHO)).toEqual([olga.email, olga.email]);
  });

  test("[MAN-02] tells accounts with the same email apart by user name and id in its history", async () => {
    const [user] = await createSeveral({}, {});
    const admin = await createAdmin({ username: "olga.second" });
    await confirmed(await signedInAs(admin), user, { intent: "disable", reason: "Left" });
    await confirmed(staff, user, { intent: "enable" });
    const { visitor } = await acting(admin, user);
    await save(visitor, { position: "CEO" });
    const who = textsOf((await open(user)).html, WHO);
    const named = ({ email, username, id }: User) => `${email} (${username}, account ${id})`;
    expect(who.slice(0, 2)).toEqual([`${named(admin)} as ${named(user)}`, `${named(admin)} as ${named(user)}`]);
    expect(who).toContain(olga.email);
    expect(who.at(-1)).toBe(named(admin));
  });

  test("[MAN-02] shows its history by time, also with backdated entries; the later of simultaneous entries comes first", async () => {
    const user = await createUser();
    const [early, late] = [new Date("2026-01-02T03:04:05Z"), new Date("2026-05-06T07:08:09Z")];
    for (const [message, at] of [
      ["Third.", late],
      ["Fourth.", late],
      ["First.", early],
      ["Second.", early],
    ] as const) {
      const entry = { actor: systemActor("test"), event: "account.unlocked", message, userId: user.id };
      await inTransaction((trx) => recordAudit(trx, entry, at));
    }
    const { html } = await open(user);
    expect(pageText(html).match(/(First|Second|Third|Fourth)\./g)).toEqual(["Fourth.", "Third.", "Second.", "First."]);
  });

  test("[MAN-02] [GEN-03] isolates names of people and companies from the direction of the text around them", async () => {
    const { html } = await open(await createUser({ lastName: "كريم", company: "شركة" }));
    const [name, company] = ["<bdi>Anna كريم</bdi>", "<bdi>شركة</bdi>"];
    const $ = load(html);
    expect($("h1").html()).toBe(name);
    expect($("main p:has(bdi)").html()).toBe(company);
    expect($('dt:contains("Name") + dd').html()).toBe(name);
    expect($('dt:contains("Company") + dd > a').html()).toBe(company);
  });

  test("[MAN-02] offers what the state allows, but never disabling oneself or withdrawing one's own right", async () => {
    expect(buttonsOf((await open(await createUser())).html)).toEqual([
      "log-in-as",
      "send-reset-link",
      "end-sessions",
      "lock",
      "disable",
      "erase",
      "withdraw-applicant",
      "grant-admin",
      ...GRANTS,
    ]);
    const locked = await createUser({ lockedUntil: new Date(Date.now() + 600_000), emailVerifiedAt: null });
    expect(buttonsOf((await open(locked)).html)).toEqual([
      "log-in-as",
      "unlock",
      "send-verification",
      "send-reset-link",
      "end-sessions",
      "lock",
      "disable",
      "erase",
      "withdraw-applicant",
      "grant-admin",
      ...GRANTS,
    ]);
    const disabled = await open(await createUser({ isDisabled: true, isApplicant: false }));
    expect(buttonsOf(disabled.html)).toEqual(["enable", "erase", "grant-applicant", "grant-admin", ...GRANTS]);
    expect(barredOf(disabled.html)).toEqual({ "log-in-as": "The account is disabled." });
    expect(pageText(disabled.html).match(/account is disabled/g)).toHaveLength(1);
    const shut = await open(await createUser({ adminLockedAt: new Date() }));
    expect(barredOf(shut.html)["log-in-as"]).toBe("An administrator has locked the account.");
    const merged = await createUser({ isDisabled: true, mergedInto: locked.id });
    const { html } = await open(merged);
    expect(buttonsOf(html)).toEqual([]);
    expect(barredOf(html)).toEqual({});
    expect(textsOf(html, `a[href="/home/users/${locked.id}"]`)).toEqual([locked.username]);
    const own = await open(olga);
    expect(buttonsOf(own.html)).toEqual(["grant-applicant"]);
    expect(barredOf(own.html)).toEqual({
      ...Object.fromEntries(GRANTS.map((action) => [action, "The right Admin contains this right."])),
      "log-in-as": "You are logged in as this user already.",
      "send-reset-link": "You change your own password on the page 'User Details'.",
      disable: "You cannot disable your own account.",
      erase: "The account has rights of staff, which must be withdrawn first: Admin.",
      "withdraw-admin": "You cannot withdraw your own right Admin.",
    });
  });

  test("[MAN-02] is not found for an unknown account; the way back leads to the same page of the list", async () => {
    for (const id of ["999999", "0", "abc", "1e3", "99999999999"]) {
      expect((await run(userPage.loader, staff.get(`/home/users/${id}`), { id })).status).toBe(404);
      const post = await staff.post(`/home/users/${id}`, { intent: "unlock" });
      expect((await run(userPage.action, post, { id })).status).toBe(404);
    }
    const { html } = await open(await createUser(), staff, "?page=3&state=active");
    expect(select(html, 'a[href="/home/users?page=3&state=active"]')).toHaveLength(1);
  });
});

describe("disabling and enabling an account", () => {
  test("[MAN-02] [LOG-10] asks, requires a reason, and ends the user's sessions at the next request", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    const other = await signedInAs(user);
    const without = await errorsOf(await send(user, { intent: "disable", reason: " \u200b " }));
    expect(without).toMatchObject({ status: 422, errors: { reason: "This field is required." } });

    const asked = await send(user, { intent: "disable", reason: "Left the <b>company</b>" });
    expect(await jsonOf(asked)).toEqual({ asked: { intent: "disable", reason: "Left the company" } });
    expect((await storedUser(user)).isDisabled).toBe(false);
    const question = await openPage(userPage, staff, `/home/users/${user.id}`, {
      params: paramsOf(user),
      fields: { intent: "disable", reason: "Left" },
    });
    expect(pageText(question.html)).toContain("Are you sure you wish to disable this account?");
    expect(select(question.html, 'input[name="reason"]').attr()).toMatchObject({ type: "hidden", value: "Left" });
    expect(select(question.html, 'input[name="confirmed"]').attr()).toMatchObject({ type: "hidden", value: "yes" });
    expect((await run(dashboard.loader, visitor.get("/home/dashboard"))).status).toBe(200);

    const done = await confirm(user, { intent: "disable", reason: "Left the company" });
    expect(done.headers.get("Location")).toBe(`/home/users/${user.id}`);
    for (const session of [visitor, other]) {
      const answer = await run(dashboard.loader, session.get("/home/dashboard"));
      expect(answer.headers.get("Location")).toBe("/");
      expect(await toldAfter(answer)).toBe("You have been logged out.");
    }
    await expect(login(user.email, TEST_PASSWORD)).rejects.toThrow("This user account has been disabled.");
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.disabled",
      actorId: olga.id,
      impersonatorId: null,
      message: "Disabled the account: Left the company",
    });

    await confirm(user, { intent: "enable" });
    await expect(login(user.email, TEST_PASSWORD)).resolves.toMatchObject({ id: user.id, sessionEpoch: 1 });
    expect(await findUser(visitor.get("/"))).toBeNull();
    expect((await auditAbout(user)).map(({ event }) => event)).toContain("account.enabled");
  });

  test("[MAN-02] accepts a reason of 500 characters, also emoji and right-to-left text", async () => {
    for (const [reason, isFine] of [
      ["x".repeat(499), true],
      ["x".repeat(500), true],
      ["x".repeat(501), false],
      ["عربي 🚗 עברית", true],
    ] as const) {
      const user = await createUser();
      const response = await confirm(user, { intent: "disable", reason });
      expect(response.status).toBe(isFine ? 303 : 422);
      if (isFine) expect((await auditAbout(user)).at(-1)?.message).toBe(`Disabled the account: ${reason}`);
      else expect((await errorsOf(response)).errors.reason).toBe("At most 500 characters; this one has 501.");
    }
  });

  test("[MAN-02] [LOG-10] also ends reset codes and authStrings", async () => {
    const user = await createUser();
    const tokens = await inTransaction(async (trx) => {
      const common = { email: user.email, userId: user.id, lifetimeMs: 600_000 };
      return {
        "reset-password": await issueToken(trx, { ...common, purpose: "reset-password" }),
        "change-password": await issueToken(trx, { ...common, purpose: "change-password" }),
        "login-as-user": await issueToken(trx, { ...common, purpose: "login-as-user", adminId: olga.id }),
      };
    });
    await confirm(user, { intent: "disable", reason: "Left" });
    for (const [purpose, plain] of Object.entries(tokens))
      expect(await findToken(getDb(), purpose as keyof typeof tokens, plain)).toBeNull();
  });

  test("[MAN-02] after No in the question changes nothing and keeps the reason", async () => {
    const user = await createUser();
    const response = await send(user, { intent: "disable", reason: "Left", back: "yes", confirmed: "yes" });
    expect((await errorsOf(response)).values).toMatchObject({ reason: "Left" });
    expect((await storedUser(user)).isDisabled).toBe(false);
  });
});

describe("locking an account", () => {
  test("[MAN-02] asks, requires a reason, and is refused for the own account", async () => {
    const user = await createUser();
    const without = await errorsOf(await send(user, { intent: "lock", reason: " " }));
    expect(without).toMatchObject({ status: 422, errors: { reason: "This field is required." } });
    const asked = await send(user, { intent: "lock", reason: "Stolen laptop" });
    expect(await jsonOf(asked)).toEqual({ asked: { intent: "lock", reason: "Stolen laptop" } });
    expect((await storedUser(user)).adminLockedAt).toBeNull();
    await confirm(user, { intent: "lock", reason: "Stolen laptop" });
    expect((await storedUser(user)).adminLockedAt).not.toBeNull();
    expect((await auditAbout(user)).at(-1)).toMatchObject({ event: "account.locked", actorId: olga.id });
    expect(await refusalOf(await confirm(user, { intent: "lock", reason: "Again" }))).toBe(
      "An administrator has locked the account already.",
    );
    expect(await refusalOf(await confirm(olga, { intent: "lock", reason: "Me" }))).toBe(
      "You cannot lock your own account.",
    );
  });

  test("[MAN-02] shows on the page whose lock it is and until when", async () => {
    const lockedUntil = new Date("2099-03-04T05:06:07Z");
    const stateOf = async (given: Parameters<typeof createUser>[0]) =>
      detailsOf((await open(await createUser(given))).html).find((line) => line.startsWith("State: "));
    expect(await stateOf({ lockedUntil })).toBe(
      "State: Locked for unknown browsers and networks, because of wrong passwords, until 04/03/2099 05:06:07 UTC",
    );
    expect(await stateOf({ lockedUntil, adminLockedAt: new Date("2026-01-02T03:04:05Z") })).toBe(
      "State: Locked by an administrator since 02/01/2026 03:04:05 UTC",
    );
  });
});

describe("unlocking and verification", () => {
  test("[MAN-02] lets an unlocked account log in at once", async () => {
    const user = await createUser({ lockedUntil: new Date(Date.now() + 600_000), lockCount: 2, failedLogins: 1 });
    await expect(login(user.email, TEST_PASSWORD)).rejects.toThrow("This user account is locked.");
    expect((await send(user, { intent: "unlock" })).status).toBe(303);
    expect(await storedUser(user)).toMatchObject({ lockedUntil: null, lockCount: 0, failedLogins: 0 });
    await expect(login(user.email, TEST_PASSWORD)).resolves.toMatchObject({ id: user.id });
    expect((await auditAbout(user)).map(({ event }) => event)).toContain("account.unlocked");
  });

  test("[MAN-02] sends the verification link again in one transaction with its audit entry", async () => {
    const user = await createUser({ emailVerifiedAt: null });
    expect((await send(user, { intent: "send-verification" })).status).toBe(303);
    const mails = await getDb().selectFrom("mails").select("text").where("recipient", "=", user.email).execute();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("/verify-email/");
    expect((await auditAbout(user)).at(-1)).toMatchObject({ event: "account.verification-sent", actorId: olga.id });
    const verified = await createUser();
    expect(await refusalOf(await send(verified, { intent: "send-verification" }))).toBe(
      "The email address is confirmed already.",
    );
  });
});
