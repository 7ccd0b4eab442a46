import { beforeAll, describe, expect, test } from "vitest";
import { findUser } from "~/http/guard.server";
import * as dashboard from "~/routes/home.dashboard";
import * as overview from "~/routes/home.overview";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { deleteEndedRows } from "~db/repositories/upkeep.server";
import { updateUser } from "~db/repositories/users.server";
import { administer, atOnce, auditAbout, confirmed, paramsOf, refusalOf } from "../support/administration";
import { createSeveral, merge, readUser } from "../support/consolidation";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { enterFactor, enterPassword, giveApp } from "../support/factors";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { admitted, changePassword, createMember, mailsTo, NEW_PASSWORD, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { securityEvents } from "../support/security-events";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

type Account = Awaited<ReturnType<typeof createUser>>;
let [one, two, three]: Account[] = [];
let first: Visitor;
let second: Visitor;
let third: Visitor;

beforeAll(async () => {
  one = await createAdmin({ firstName: "Ada" });
  two = await createStaff(["user-administrator"], { firstName: "Bea" });
  three = await createStaff(["user-administrator"], { firstName: "Cleo" });
  [first, second, third] = await Promise.all([signedInAs(one), signedInAs(two), signedInAs(three)]);
});

const RESET = { intent: "reset-factors", reason: "Lost the phone; recognised by a call back" };

const factorsOf = async ({ id }: { id: number }) => {
  const count = async (table: "secondFactors" | "recoveryCodes") =>
    (await getDb().selectFrom(table).select("id").where("userId", "=", id).execute()).length;
  return [await count("secondFactors"), await count("recoveryCodes")];
};
const requestsOf = ({ id }: { id: number }) =>
  getDb().selectFrom("dualControlRequests").selectAll().where("userId", "=", id).orderBy("id").execute();

/** Requests a reset of the second factors of an account. Returns the id of the request. */
async function requestReset(user: { id: number }): Promise<string> {
  expect((await confirmed(first, user, RESET)).status).toBe(303);
  return String((await requestsOf(user)).at(-1)?.id);
}

/** Creates an account with an authenticator app, and requests a reset. */
async function requested() {
  const user = await createUser();
  const { app, codes } = await giveApp(user);
  return { user, app, codes, request: await requestReset(user) };
}

const decide = (visitor: Visitor, user: { id: number }, request: string, intent = "approve-request") =>
  confirmed(visitor, user, { intent, request });

describe("a reset of the second factors", () => {
  test("asks, requires a reason, and waits for a second user administrator, also in a small office", async () => {
    const user = await createUser();
    expect(await refusalOf(await administer(first, user, RESET))).toBe("The account has no second factor.");
    await giveApp(user);
    const { html } = await openPage(userPage, first, `/home/users/${user.id}`, { params: paramsOf(user) });
    for (const text of ["Work phone", "Authenticator app", "Recovery codes left: 10", "Reset second factors"])
      expect(pageText(html)).toContain(text);
    const without = await administer(first, user, { ...RESET, reason: " " });
    expect(await errorsOf(without)).toMatchObject({ status: 422, errors: { reason: "This field is required." } });
    expect((await administer(first, user, RESET)).status).toBe(200);
    expect(await requestsOf(user)).toEqual([]);

    await requestReset(user);
    expect(await requestsOf(user)).toMatchObject([
      { kind: "reset-factors", right: null, reason: RESET.reason, outcome: null },
    ]);
    expect(await factorsOf(user)).toEqual([1, 10]);
    expect(await refusalOf(await confirmed(second, user, RESET))).toBe(
      "A reset waits for a second user administrator already.",
    );
    const asked = await openPage(userPage, second, `/home/users/${user.id}`, { params: paramsOf(user) });
    expect(pageText(asked.html)).toContain("to reset the second factors");
    expect(pageText(asked.html)).toContain(`Reason: ${RESET.reason}`);
  });

  test("removes factors and recovery codes, ends sessions and waiting logins, and is recorded and told to the owner", async () => {
    const { user, app, request } = await requested();
    const [browser, { visitor: waiting }] = [await signedInAs({ ...user, proof: "totp" }), await enterPassword(user)];
    expect((await decide(second, user, request)).status).toBe(303);
    expect(await factorsOf(user)).toEqual([0, 0]);
    expect(await findUser(browser.get("/"))).toBeNull();
    expect((await enterFactor(waiting, app.code())).headers.get("Location")).toBe("/login");
    const entries = (await auditAbout(user)).map(({ actorId, event }) => ({ actorId, event }));
    expect(entries.slice(-3)).toEqual([
      { actorId: one?.id, event: "account.second-requested" },
      { actorId: two?.id, event: "account.second-approved" },
      { actorId: two?.id, event: "account.factors-reset" },
    ]);
    expect((await auditAbout(user)).at(-1)?.message).toBe(`Reset the second factors: ${RESET.reason}`);
    expect((await securityEvents()).filter(({ userId }) => userId === user.id).map(({ event }) => event)).toContain(
      "account.factors-reset",
    );
    expect((await mailsTo(user.email)).at(-1)).toMatchObject({
      subject: "The second factors of your account were reset",
    });
    const { visitor } = await enterPassword(user);
    expect((await run(dashboard.loader, visitor.get("/home/dashboard"))).status).toBe(200);
  });

  test("makes staff add a factor right after the next login", async () => {
    const user = await createStaff(["finance"], { firstName: "Dora" });
    await giveApp(user);
    second.follow(await decide(second, user, await requestReset(user)));
    expect(await toastOf(second)).toBe(
      "The request to reset the second factors has been approved, and has taken effect.",
    );
    const { visitor } = await enterPassword(user);
    const held = await run(dashboard.loader, visitor.get("/home/dashboard"));
    expect(held.headers.get("Location")).toBe("/second-factors");
  });

  test("is neither requested nor approved by the person whose factors they are, whichever account they use", async () => {
    if (!two) throw new Error("missing");
    await giveApp(two);
    const own = await signedInAs({ ...two, proof: "totp" });
    const others = "Nobody resets the second factors of their own account: another user administrator does it.";
    expect(await refusalOf(await confirmed(own, two, RESET))).toBe(others);
    const twin = await signedInAs(await createAdmin({ firstName: "Bea" }));
    expect(await refusalOf(await confirmed(twin, two, RESET))).toBe(others);

    const request = await requestReset(two);
    const yours = "Nobody decides a request about their own account: another user administrator decides it.";
    const twins =
      "The request is about another account with a name or an email address that the user administrator has or had: another one decides it.";
    expect(await refusalOf(await decide(twin, two, request))).toBe(twins);
    expect(await refusalOf(await decide(own, two, request))).toBe(yours);
    expect(await refusalOf(await decide(first, two, request))).toContain("Nobody decides their own request");
    expect(await factorsOf(two)).toEqual([1, 10]);
    expect((await decide(third, two, request)).status).toBe(303);
    expect(await factorsOf(two)).toEqual([0, 0]);
    second = await signedInAs(two);
    await updateUser(getDb(), two.id, { factorAskedAt: null }, new Date());
  });

  test("is refused by the person whose factors they are, who is shown the button for it alone", async () => {
    const target = await createStaff(["user-administrator"], { firstName: "Rita" });
    await giveApp(target);
    const own = await signedInAs({ ...target, proof: "totp" });
    const request = await requestReset(target);
    const { html } = await openPage(userPage, own, `/home/users/${target.id}`, { params: paramsOf(target) });
    expect(html).toContain("Refuse request");
    expect(html).not.toContain("Approve request");
    own.follow(await decide(own, target, request, "refuse-request"));
    expect(await requestsOf(target)).toMatchObject([{ outcome: "refused", decidedBy: target.id }]);
    expect(await refusalOf(await decide(second, target, request))).toContain("has been decided already");
    expect(await factorsOf(target)).toEqual([1, 10]);
    await getDb().deleteFrom("userRights").where("userId", "=", target.id).execute();
  });

  test("of two decisions at once one wins, and a refused request resets nothing", async () => {
    const { user, request } = await requested();
    const answers = await atOnce(
      () => decide(second, user, request),
      () => decide(third, user, request, "refuse-request"),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    const [stored] = await requestsOf(user);
    expect(await factorsOf(user)).toEqual(stored?.outcome === "approved" ? [0, 0] : [1, 10]);

    const again = await requested();
    second.follow(await decide(second, again.user, again.request, "refuse-request"));
    expect(await toastOf(second)).toBe("The request to reset the second factors has been refused.");
    expect(await refusalOf(await decide(third, again.user, again.request))).toContain("has been decided already");
    expect(await factorsOf(again.user)).toEqual([1, 10]);
  });

  test("whoever made a request withdraws it, from the account's page", async () => {
    const { user, request } = await requested();
    const page = { params: { id: String(user.id) } };
    expect((await openPage(userPage, first, `/home/users/${user.id}`, page)).html).toContain("Withdraw request");
    expect((await openPage(userPage, second, `/home/users/${user.id}`, page)).html).not.toContain("Withdraw request");
    const answer = await decide(first, user, request, "refuse-request");
    first.follow(answer);
    expect(await toastOf(first)).toBe("The request to reset the second factors has been withdrawn.");
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.second-withdrawn",
      message: "Withdrew the request to reset the second factors.",
    });
    expect(await refusalOf(await decide(second, user, request))).toContain("has been decided already");
    expect(await factorsOf(user)).toEqual([1, 10]);
  });

  test("of two requests at once one is made", async () => {
    const user = await createUser();
    await giveApp(user);
    const answers = await atOnce(
      () => confirmed(first, user, RESET),
      () => confirmed(second, user, RESET),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    expect(await requestsOf(user)).toHaveLength(1);
  });

  test("comes too late when the factors are gone or the account is disabled", async () => {
    const { user, request } = await requested();
    await getDb().deleteFrom("secondFactors").where("userId", "=", user.id).execute();
    expect(await refusalOf(await decide(second, user, request))).toBe("The account has no second factor any more.");
    const { user: left, request: late } = await requested();
    await confirmed(first, left, { intent: "disable", reason: "Left" });
    expect(await refusalOf(await decide(second, left, late))).toBe("The account is disabled.");
    expect(await factorsOf(left)).toEqual([1, 10]);
  });

  test("is for the command line when no second user administrator can log in", async () => {
    const user = await createUser();
    await giveApp(user);
    await getDb().deleteFrom("userRights").where("right", "=", "user-administrator").execute();
    await getDb()
      .updateTable("users")
      .set({ isAdmin: false })
      .where("isAdmin", "=", true)
      .where("id", "!=", one?.id ?? 0)
      .execute();
    expect(await refusalOf(await confirmed(first, user, RESET))).toContain(
      "npm run portal -- users reset-factor EMAIL --operator WHO",
    );
    expect(await factorsOf(user)).toEqual([1, 10]);
  });
});

describe("second factors outlast", () => {
  const asksForFactor = async (user: { email: string }, password?: string) =>
    (await enterPassword(user, {}, password)).answer.headers.get("Location") === "/login/factor";

  test("[REC-05] a new password after the recovery", async () => {
    const user = await createMember();
    await giveApp(user);
    expect((await changePassword(await admitted(user.email))).status).toBe(303);
    expect(await factorsOf(user)).toEqual([1, 10]);
    expect(await asksForFactor(user, NEW_PASSWORD)).toBe(true);
  });

  test("[MAN-02] the time in which the account is disabled", async () => {
    const user = await createUser();
    await giveApp(user);
    await confirmed(first, user, { intent: "disable", reason: "On leave" });
    await confirmed(first, user, { intent: "enable" });
    expect(await asksForFactor(user)).toBe(true);
  });

  test("[CON-01] a merge, which closes no account with a factor", async () => {
    const [plain, guarded] = (await createSeveral({}, {})) as [Account, Account];
    await giveApp(guarded);
    expect((await errorsOf(await merge(await signedInAs(plain)))).errors.form).toBe(
      `An account with a second factor is not closed (${guarded.username}). Please log out and log in with that account: the others are merged into it.`,
    );
    expect((await readUser(guarded.id)).mergedInto).toBeNull();
    expect((await merge(await signedInAs({ ...guarded, proof: "totp" }))).status).toBe(303);
    expect((await readUser(plain.id)).mergedInto).toBe(guarded.id);
    expect(await factorsOf(guarded)).toEqual([1, 10]);
    expect(await asksForFactor(plain)).toBe(true);
  });

  test("[CON-01] two accounts with factors, which only a reset allows to merge", async () => {
    const [own, other] = (await createSeveral({}, {})) as [Account, Account];
    for (const user of [own, other]) await giveApp(user);
    const refused = await merge(await signedInAs({ ...own, proof: "totp" }));
    expect((await errorsOf(refused)).errors.form).toContain("the second factors of all but one must be reset first");
  });
});

test("the overview says how many members of staff have no second factor, to those who see accounts", async () => {
  await getDb().updateTable("users").set({ isDisabled: true }).execute();
  await getDb().updateTable("users").set({ isAdmin: false }).execute();
  const [admin, officer] = [await createAdmin(), await createStaff(["registration-officer"])];
  const notice = async (user: { id: number }) =>
    /[^.]* no second factor yet\./.exec(
      pageText((await openPage(overview, await signedInAs(user), "/home/overview")).html),
    )?.[0];
  expect(await notice(admin)).toContain("2 members of staff have no second factor yet.");
  expect(await notice(officer)).toBeUndefined();
  await giveApp(officer);
  expect(await notice(admin)).toContain("One member of staff has no second factor yet.");
});

test("logins that waited for a factor are deleted a day after their end", async () => {
  const user = await createUser();
  await giveApp(user);
  await enterPassword(user);
  const left = () => getDb().selectFrom("tokens").select("id").where("userId", "=", user.id).execute();
  expect(await left()).toHaveLength(1);
  await deleteEndedRows(getDb(), new Date(Date.now() + 3_600_000));
  expect(await left()).toEqual([]);
});
