import { beforeAll, describe, expect, test } from "vitest";
import * as erasurePage from "~/routes/home.personal-data_.erasure";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { lockUser } from "~db/repositories/users.server";
import { administer, auditAbout, confirmed, refusalOf, storedUser } from "../support/administration";
import { newProgram } from "../support/api";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { oneAfterTheOther } from "../support/lock-waits";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal({}, "strict");

type Account = Awaited<ReturnType<typeof createUser>>;
let one: Account;
let two: Account;
let first: Visitor;
let second: Visitor;

beforeAll(async () => {
  one = await createAdmin({ firstName: "Ada" });
  first = await signedInAs(one);
  two = await createStaff(["user-administrator"], { firstName: "Bea" });
  second = await signedInAs(two);
});

const PAGE = "/home/personal-data/erasure";
const ERASE = { intent: "erase", reason: "asked on the page" };
const ASK = { intent: "request-erasure", confirmed: "yes" };
const WITHDRAW = { intent: "withdraw-erasure" };
const ENDED = "The person has withdrawn their own request for the erasure, which has ended this one.";
const GONE = "The person has withdrawn the request for the erasure meanwhile.";

const send = async (visitor: Visitor, fields: Record<string, string>) =>
  run(erasurePage.action, await visitor.post(PAGE, fields));

/** Sends the form and returns the message that the next page shows. */
async function toldIn(visitor: Visitor, fields: Record<string, string>) {
  visitor.follow(await send(visitor, fields));
  return toastOf(visitor);
}

/** Creates a person in a browser. */
async function createPerson() {
  const user = await createUser();
  return { user, visitor: await signedInAs(user) };
}

const requestOf = ({ id }: { id: number }) =>
  getDb().selectFrom("dualControlRequests").selectAll().where("userId", "=", id).executeTakeFirstOrThrow();

/** Has the first user administrator ask a second one for the erasure. Returns the fields of an approval. */
async function started(user: Account) {
  expect((await confirmed(first, user, ERASE)).status).toBe(303);
  return { intent: "approve-request", request: String((await requestOf(user)).id) };
}

const textOf = async (visitor: Visitor, user: Account) =>
  pageText((await openPage(userPage, visitor, `/home/users/${user.id}`, { params: { id: String(user.id) } })).html);

const isErased = async (user: Account) => (await storedUser(user)).erasedAt !== null;

describe("a person who keeps the data while the erasure waits for a second user administrator", () => {
  test("[USR-07] ends the request, tells whoever made it, and it cannot be approved any more", async () => {
    const { user, visitor } = await createPerson();
    await send(visitor, ASK);
    const approval = await started(user);
    expect(await textOf(second, user)).toContain("The person has asked for this in the portal.");
    expect(await toldIn(visitor, WITHDRAW)).toBe("You have withdrawn your request. Your data will not be erased.");
    expect(await refusalOf(await administer(second, user, approval))).toBe(ENDED);
    expect(await refusalOf(await confirmed(second, user, approval))).toBe(ENDED);
    expect(await isErased(user)).toBe(false);
    expect(await requestOf(user)).toMatchObject({ outcome: "refused", decidedBy: user.id });
    expect(await textOf(second, user)).not.toContain("A request waits for a second user administrator.");
    const mail = (await mailsTo(one.email)).at(-1);
    expect(mail?.dedupeKey).toMatch(/^erasure-withdrawn:/);
    expect(mail?.text).toContain("Your request to erase the data has ended");
    expect((await auditAbout(user)).slice(-2).map(({ actorId, event }) => ({ actorId, event }))).toEqual([
      { actorId: user.id, event: "account.erasure-withdrawn" },
      { actorId: user.id, event: "account.second-refused" },
    ]);
  });

  test("[USR-07] ends it with a call, too", async () => {
    const { user, client } = await newProgram();
    await client.post("Users/RequestErasure");
    const approval = await started({ ...user });
    expect((await client.get("Users/GetErasure")).content).toMatchObject({ isAskedByStaff: false });
    expect(await client.post("Users/WithdrawErasure")).toMatchObject({ status: 200 });
    expect(await refusalOf(await confirmed(second, user, approval))).toBe(ENDED);
  });

  test("[USR-07] does not end one that was made for another reason, which both sides can read", async () => {
    const { user, visitor } = await createPerson();
    const approval = await started(user);
    expect(await textOf(second, user)).toContain("The person has not asked for this in the portal.");
    await send(visitor, ASK);
    expect(await jsonOf(await administer(second, user, approval))).toEqual({ asked: { ...approval, wish: "stands" } });
    const { html } = await openPage(erasurePage, visitor, PAGE);
    expect(pageText(html)).toContain("User administrators have asked for the erasure of your data for another reason");
    expect(await toldIn(visitor, WITHDRAW)).toBe(
      "You have withdrawn your request. User administrators have another reason to erase your data.",
    );
    expect((await mailsTo(one.email)).at(-1)?.text).toContain("still waits for a second user administrator");
    const note = /The person asked for the erasure, too, and withdrew that on .* made before, for another reason/;
    expect(await textOf(second, user)).toMatch(note);
    const asked = await openPage(userPage, second, `/home/users/${user.id}`, {
      params: { id: String(user.id) },
      fields: approval,
    });
    expect(pageText(asked.html)).toMatch(note);
    expect(await refusalOf(await confirmed(second, user, { ...approval, wish: "stands" }))).toBe(GONE);
    expect((await confirmed(second, user, approval)).status).toBe(303);
    expect(await isErased(user)).toBe(true);
  });

  test("[USR-07] is not needed for the second one to learn that the address is not confirmed", async () => {
    const user = await createUser({ emailVerifiedAt: null });
    const approval = await started(user);
    const unconfirmed = "The email address of this account is not confirmed";
    expect((await mailsTo(two.email)).at(-1)?.text.replaceAll(/\s+/g, " ")).toContain(unconfirmed);
    const params = { id: String(user.id) };
    const asked = await openPage(userPage, second, `/home/users/${user.id}`, { params, fields: approval });
    expect(pageText(asked.html)).toContain(unconfirmed);
  });

  test("[USR-07] also stops a user administrator who has begun before the person withdrew", async () => {
    const { user, visitor } = await createPerson();
    await send(visitor, ASK);
    const { html } = await openPage(userPage, first, `/home/users/${user.id}`, { params: { id: String(user.id) } });
    expect(html).toContain('name="wish"');
    const wish = { ...ERASE, wish: "stands" };
    expect(await jsonOf(await administer(first, user, wish))).toMatchObject({ asked: wish });
    await send(visitor, WITHDRAW);
    expect(await refusalOf(await administer(first, user, wish))).toBe(GONE);
    expect(await refusalOf(await confirmed(first, user, wish))).toBe(GONE);
    expect(
      await getDb().selectFrom("dualControlRequests").where("userId", "=", user.id).select("id").execute(),
    ).toEqual([]);
  });
});

describe("a withdrawal and an approval at once", () => {
  test.each(["the withdrawal", "the approval"])("[USR-07] one of them wins when %s comes first", async (which) => {
    const { user, visitor } = await createPerson();
    await send(visitor, ASK);
    const approval = await started(user);
    const answers: Record<string, Response> = {};
    const withdraw = async () => (answers.withdrawal = await send(visitor, WITHDRAW));
    const approve = async () => (answers.approval = await confirmed(second, user, approval));
    const isFirst = which === "the withdrawal";
    await oneAfterTheOther((trx) => lockUser(trx, user.id), isFirst ? withdraw : approve, isFirst ? approve : withdraw);
    const erased = await isErased(user);
    // Either can win: SQLite has one transaction at a time, and on PostgreSQL those who wait for a changed row have no order.
    expect([answers.approval?.status, answers.withdrawal?.status]).toEqual(erased ? [303, 422] : [422, 303]);
    expect(await refusalOf((erased ? answers.withdrawal : answers.approval) as Response)).toBe(
      erased ? "Your data has been erased." : ENDED,
    );
    expect(await requestOf(user)).toMatchObject({ outcome: erased ? "approved" : "refused" });
    const events = (await auditAbout(user)).map(({ event }) => event);
    expect(events.includes("account.erased")).toBe(erased);
    expect(events.includes("account.erasure-withdrawn")).toBe(!erased);
  });
});
