import { beforeAll, describe, expect, test } from "vitest";
import { administerAccount } from "~/domain/accounts/administration/user-administration.service.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import { DAY } from "~/lib/dates";
import * as userPage from "~/routes/home.users.$id/route";
import { loader as listLoader } from "~/routes/home.users._index";
import { getDb } from "~db/connection.server";
import { atOnce, auditAbout, confirmed, refusalOf, storedUser } from "../support/administration";
import { createCertificateOrder } from "../support/certificates";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { securityEvents } from "../support/security-events";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal({}, "strict");

type Account = Awaited<ReturnType<typeof createAdmin>>;
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

const rightsOf = async ({ id }: { id: number }) =>
  (await getDb().selectFrom("userRights").select("right").where("userId", "=", id).execute()).map(({ right }) => right);
const requestOf = ({ id }: { id: number }) =>
  getDb().selectFrom("dualControlRequests").selectAll().where("userId", "=", id).executeTakeFirstOrThrow();

/** Requests the right Approver for a new member of staff. Returns the account and the id of the request. */
async function requested(given: Parameters<typeof createStaff>[1] = {}) {
  const user = await createStaff(["auditor"], { firstName: "Dora", ...given });
  expect((await confirmed(first, user, { intent: "grant-approver" })).status).toBe(303);
  return { user, request: String((await requestOf(user)).id) };
}

const decide = (visitor: Visitor, user: { id: number }, request: string, intent = "approve-request") =>
  confirmed(visitor, user, { intent, request });

describe("under the strict four-eyes principle", () => {
  test("a second user administrator approves the grant of the right Approver; both are in the audit trail", async () => {
    const { user, request } = await requested();
    expect(await rightsOf(user)).toEqual(["auditor"]);
    const page = { params: { id: String(user.id) } };
    expect((await openPage(userPage, second, `/home/users/${user.id}`, page)).html).toContain("Approve request");
    expect((await decide(second, user, request)).status).toBe(303);
    expect(await rightsOf(user)).toEqual(["approver", "auditor"]);
    const entries = (await auditAbout(user)).map(({ actorId, event }) => ({ actorId, event }));
    expect(entries).toEqual([
      { actorId: one?.id, event: "account.second-requested" },
      { actorId: two?.id, event: "account.second-approved" },
      { actorId: two?.id, event: "account.right-granted" },
    ]);
    const events = (await securityEvents()).map(({ userId, event }) => ({ userId, event }));
    expect(events).toEqual(expect.arrayContaining(entries.map(({ event }) => ({ userId: user.id, event }))));
  });

  test.each(["user-administrator", "admin"])("the grant of %s waits too, that of Finance does not", async (right) => {
    const user = await createStaff([]);
    await confirmed(first, user, { intent: `grant-${right}` });
    expect(await requestOf(user)).toMatchObject({ right, outcome: null });
    await confirmed(first, user, { intent: "grant-finance" });
    expect(await rightsOf(user)).toEqual(["finance"]);
  });

  test("[USR-07] a second user administrator approves the erasure of a person, which is refused when something has come up", async () => {
    const user = await createUser();
    const erasing = { intent: "erase", reason: "asked by letter" };
    expect((await confirmed(first, user, erasing)).status).toBe(303);
    expect((await storedUser(user)).erasedAt).toBeNull();
    expect(await refusalOf(await confirmed(second, user, erasing))).toBe(
      "The erasure waits for a second user administrator already.",
    );
    const request = String((await requestOf(user)).id);
    const { id } = await createCertificateOrder(user);
    expect(await refusalOf(await decide(second, user, request))).toMatch(/1 pending order of a certificate/);
    await getDb().updateTable("certificates").set({ status: "Rejected" }).where("id", "=", id).execute();
    await getDb().updateTable("orders").set({ status: "Cancelled" }).where("userId", "=", user.id).execute();
    expect((await decide(second, user, request)).status).toBe(303);
    expect((await storedUser(user)).erasedAt).not.toBeNull();
    const entries = (await auditAbout(user)).slice(-2).map(({ actorId, event }) => ({ actorId, event }));
    expect(entries).toEqual([
      { actorId: two?.id, event: "account.second-approved" },
      { actorId: two?.id, event: "account.erased" },
    ]);
  });

  test("all other user administrators get a message, and see the request on the page of users", async () => {
    const { user } = await requested();
    const mails = await getDb().selectFrom("mails").select(["recipient", "dedupeKey"]).execute();
    const { id } = await requestOf(user);
    const told = mails.filter(({ dedupeKey }) => dedupeKey.startsWith(`second-needed:${id}:`));
    expect(told.map(({ recipient }) => recipient).toSorted()).toEqual([two?.email, three?.email].toSorted());
    const list = await jsonOf<{ requests: { userId: number }[] }>(await run(listLoader, second.get("/home/users")));
    expect(list.requests.map(({ userId }) => userId)).toContain(user.id);
  });

  test("neither the requester, nor the account concerned, nor another account of the requester decides", async () => {
    const { user, request } = await requested();
    const yours = "Nobody decides their own request: another user administrator decides it.";
    expect(await refusalOf(await decide(first, user, request))).toBe(yours);
    const twin = await signedInAs(await createAdmin({ firstName: "ada" }));
    expect(await refusalOf(await decide(twin, user, request))).toBe(yours);
    await getDb()
      .insertInto("userRights")
      .values({ userId: user.id, right: "user-administrator", grantedAt: new Date(), grantedBy: "tests" })
      .execute();
    expect(await refusalOf(await decide(await signedInAs(user), user, request))).toBe(
      "Nobody decides a request about their own account: another user administrator decides it.",
    );
    expect(await requestOf(user)).toMatchObject({ outcome: null });
    await getDb().deleteFrom("userRights").where("userId", "=", user.id).execute();
  });

  test("a decision that names no request is not found", async () => {
    const { user } = await requested();
    expect((await confirmed(second, user, { intent: "approve-request" })).status).toBe(404);
    expect(await requestOf(user)).toMatchObject({ outcome: null });
  });

  test("of two decisions at once one wins", async () => {
    const { user, request } = await requested();
    const answers = await atOnce(
      () => decide(second, user, request),
      () => decide(third, user, request, "refuse-request"),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    const { outcome } = await requestOf(user);
    expect((await rightsOf(user)).includes("approver")).toBe(outcome === "approved");
    expect((await auditAbout(user)).filter(({ event }) => /second-(approved|refused)/.test(event))).toHaveLength(1);
  });

  test("of two requests for the same right at once one wins", async () => {
    const user = await createStaff([]);
    const answers = await atOnce(
      () => confirmed(first, user, { intent: "grant-approver" }),
      () => confirmed(second, user, { intent: "grant-approver" }),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    expect(
      await getDb().selectFrom("dualControlRequests").selectAll().where("userId", "=", user.id).execute(),
    ).toHaveLength(1);
  });

  test("a refused request grants nothing, and cannot be approved afterwards", async () => {
    const { user, request } = await requested();
    expect((await decide(second, user, request, "refuse-request")).status).toBe(303);
    expect(await refusalOf(await decide(third, user, request))).toContain("has been decided already");
    expect(await rightsOf(user)).toEqual(["auditor"]);
    expect(await securityEvents()).toContainEqual(
      expect.objectContaining({
        event: "access.refused",
        detail: expect.stringContaining(`It was about account ${user.id}, to grant the right Approver.`) as string,
      }),
    );
  });

  test("the question before a request says that a second user administrator must approve it", async () => {
    const user = await createStaff([]);
    const asked = async (intent: string) => {
      const page = { params: { id: String(user.id) }, fields: { intent } };
      return pageText((await openPage(userPage, first, `/home/users/${user.id}`, page)).html);
    };
    const second = "Nothing changes until a second user administrator approves it.";
    expect(await asked("grant-approver")).toContain(second);
    expect(await asked("grant-finance")).not.toContain(second);
  });

  test("a request ends after seven days", async () => {
    const { user, request } = await requested();
    const stored = await requestOf(user);
    expect(Date.parse(stored.expiresAt) - Date.parse(stored.requestedAt)).toBe(7 * DAY);
    const past = new Date(Date.now() - 1000);
    await getDb().updateTable("dualControlRequests").set({ expiresAt: past }).where("userId", "=", user.id).execute();
    expect(await refusalOf(await decide(second, user, request))).toContain("its seven days are over");
    expect(await rightsOf(user)).toEqual(["auditor"]);
  });

  test("a requester who lost the right meanwhile asks in vain", async () => {
    const leaving = await createStaff(["user-administrator"], { firstName: "Lea" });
    const user = await createStaff([], { firstName: "Dora" });
    await confirmed(await signedInAs(leaving), user, { intent: "grant-approver" });
    await getDb().deleteFrom("userRights").where("userId", "=", leaving.id).execute();
    expect(await refusalOf(await decide(second, user, String((await requestOf(user)).id)))).toContain(
      "no longer a user administrator",
    );
  });

  test("nobody grants a right of staff to their own account", async () => {
    if (!two) throw new Error("missing");
    expect(await refusalOf(await confirmed(second, two, { intent: "grant-approver" }))).toBe(
      "Nobody grants a right of staff to their own account.",
    );
  });

  test("the only user administrator is told how to go on, and the command line grants alone", async () => {
    for (const account of [two, three])
      await getDb()
        .updateTable("users")
        .set({ isDisabled: true })
        .where("id", "=", account?.id ?? 0)
        .execute();
    await getDb()
      .updateTable("users")
      .set({ isAdmin: false })
      .where("isAdmin", "=", true)
      .where("id", "!=", one?.id ?? 0)
      .execute();
    await getDb().deleteFrom("userRights").where("right", "=", "user-administrator").execute();
    const user = await createStaff([], { firstName: "Dora" });
    expect(await refusalOf(await confirmed(first, user, { intent: "grant-approver" }))).toContain(
      "npm run portal -- users grant EMAIL RIGHT --operator WHO",
    );
    const actor = systemActor("command line (ops)");
    expect(await administerAccount({ action: "grant-approver", id: user.id, actor })).toBe("done");
    expect(await rightsOf(user)).toEqual(["approver"]);
  });
});
