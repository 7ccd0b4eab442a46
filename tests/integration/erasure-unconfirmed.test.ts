import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endRetention } from "~/domain/accounts/personal-data/retention.server";
import { addDays, DAY } from "~/lib/dates";
import * as verify from "~/routes/_public.verify-email.$token";
import * as ownPage from "~/routes/home.personal-data";
import * as erasurePage from "~/routes/home.personal-data_.erasure";
import * as ownFile from "~/routes/home.personal-data_.file";
import * as userPage from "~/routes/home.users.$id/route";
import * as usersPage from "~/routes/home.users._index";
import * as resend from "~/routes/resend-verification";
import { getDb } from "~db/connection.server";
import { issueToken } from "~db/repositories/tokens.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { administer, auditAbout, confirmed, storedUser } from "../support/administration";
import { apiClientOf } from "../support/api";
import { record, verified } from "../support/audit";
import { createCertificateOrder } from "../support/certificates";
import { createCode, createCodeOrder } from "../support/codes";
import { invite } from "../support/companies";
import { erase, placesOf } from "../support/erasure";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { queueAnyMail } from "../support/mails";
import { pageText } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { run, signedInAs } from "../support/visitor";

usePortal();
const people = usePeople();

type Account = Awaited<ReturnType<typeof createUser>>;

/** What the owner of a company has stored about somebody who has no account: a contact of codes and orders. */
const PHONE = "+39 011 5550 177";
let owner: Account;
let number = 0;
let holder: string;
let pending: number;

const contact = () =>
  JSON.stringify({
    name: "Paolo Conti",
    company: "Ferrante",
    position: "Buyer",
    email: holder.replace("paolo", "Paolo"),
    addressLine1: "1 Mill Lane",
    addressLine2: "",
    city: "Torino",
    postalCode: "10100",
    countryId: 380,
    country: "Italy",
    phoneNumber: PHONE,
  });

beforeAll(async () => {
  owner = await createUser({ company: "Ferrante" });
});

beforeEach(async () => {
  number += 1;
  holder = `paolo.${number}@ferrante.example`;
  const named = { authenticationContact: contact(), authenticationEmail: holder, contactAnswerBy: holder };
  const order = await createCertificateOrder(owner, undefined, { ...named, technicalContact: contact() });
  pending = order.orderId;
  await createCertificateOrder(owner, undefined, { ...named, status: "Rejected" });
  const expiryDate = new Date(Date.now() + 100 * DAY).toISOString();
  await createCertificateOrder(owner, undefined, { ...named, status: "Issued", expiryDate });
  await createCodeOrder(owner, "Basic", 1, { status: "Cancelled", invoiceAddress: contact() });
  const { id: codeId } = await createCode(owner);
  const names = { firstName: "Paolo", lastName: "Conti" };
  await getDb()
    .insertInto("codeContacts")
    .values({ codeId, contactType: "IT", ...names, email: holder })
    .execute();
  await invite(owner, holder);
  await getDb().insertInto("contactStops").values({ email: holder, stoppedAt: new Date() }).execute();
  await queueAnyMail(`authorisation-request:${order.id}`, holder, { subject: "Please authorise", text: "", html: "" });
  const link = { purpose: "authorise-order", email: holder, certificateId: order.id, lifetimeMs: DAY } as const;
  await inTransaction((trx) => issueToken(trx, link, new Date()));
  const actor = { id: owner.id, name: owner.email };
  await record({ actor, message: `Asked ${holder} to authorise the order.`, userId: owner.id });
});

/** Everything that others have stored with the address of the holder. */
async function storedByOthers() {
  const db = getDb();
  return {
    certificates: await db
      .selectFrom("certificates")
      .select(["id", "technicalContact", "authenticationContact", "authenticationEmail", "contactAnswerBy"])
      .where("authenticationEmail", "=", holder)
      .orderBy("id")
      .execute(),
    invoices: await db.selectFrom("orders").select("invoiceAddress").where("userId", "=", owner.id).execute(),
    contacts: await db.selectFrom("codeContacts").selectAll().where("email", "=", holder).execute(),
    invitations: await db.selectFrom("invitations").selectAll().where("email", "=", holder).execute(),
    mails: await db.selectFrom("mails").selectAll().where("subject", "=", "Please authorise").orderBy("id").execute(),
    stops: await db.selectFrom("contactStops").selectAll().where("email", "=", holder).execute(),
    links: await db.selectFrom("tokens").selectAll().where("purpose", "=", "authorise-order").execute(),
    noted: await db.selectFrom("erasedContacts").selectAll().execute(),
    entries: await db.selectFrom("auditEntries").selectAll().where("message", "like", `Asked ${holder}%`).execute(),
  };
}

/** Registers with the address of the holder, which is not confirmed. */
const createEve = (given: Parameters<typeof createUser>[0] = {}) =>
  createUser({ email: holder, firstName: "Eve", lastName: "Evil", emailVerifiedAt: null, ...given });

const UNCONFIRMED = "The email address of this account is not confirmed, so it may belong to somebody else.";
const PAGE = "/home/personal-data/erasure";
const FOUND = ["contactOfCertificates", "contactOfCodes", "invitations", "stoppedMessages"] as const;

type Exported = Record<string, Record<string, unknown>[]>;
const fileOf = async (user: Account) =>
  (await (await run(ownFile.loader, (await signedInAs(user)).get("/home/personal-data/file"))).json()) as Exported;

/** Confirms the address by the link in the message. */
async function confirmAddress(user: Account): Promise<void> {
  const visitor = await signedInAs(user);
  await run(resend.action, await visitor.post("/resend-verification"));
  const token = /\/verify-email\/(\S+)/.exec((await mailsTo(user.email)).at(-1)?.text ?? "")?.[1] ?? "";
  expect((await run(verify.action, await visitor.post(`/verify-email/${token}`), { token })).status).toBe(303);
}

describe("an account whose address is not confirmed", () => {
  test("[USR-06] sees and downloads nothing that is found only by the address, and is told so", async () => {
    const eve = await createEve();
    const visitor = await signedInAs(eve);
    const file = await fileOf(eve);
    for (const key of FOUND) expect([key, file[key]]).toEqual([key, []]);
    const call = await (await apiClientOf(eve.email, TEST_PASSWORD)).send("Users/DownloadPersonalData");
    const { html } = await openPage(ownPage, visitor, "/home/personal-data");
    for (const text of [JSON.stringify(file), await call.text(), pageText(html)])
      for (const word of ["Conti", PHONE, "Please authorise", "Ferrante"]) expect(text).not.toContain(word);
    expect(pageText(html)).toContain(UNCONFIRMED);
  });

  test("[USR-06] is told of no order that names the address, on the page and in the call", async () => {
    const eve = await createEve();
    const { html } = await openPage(erasurePage, await signedInAs(eve), PAGE);
    expect(pageText(html)).toContain(UNCONFIRMED);
    expect(pageText(html)).not.toContain(`SO-${pending}`);
    const client = await apiClientOf(eve.email, TEST_PASSWORD);
    expect((await client.get("Users/GetErasure")).content).toMatchObject({ barriers: [], isEmailConfirmed: false });
  });

  test("[USR-07] is erased alone; mail and pages tell user administrators that the address is not confirmed", async () => {
    const eve = await createEve({ lastName: "Bösewicht" });
    const before = await storedByOthers();
    const sent = await (await signedInAs(eve)).post(PAGE, { intent: "request-erasure", confirmed: "yes" });
    expect((await run(erasurePage.action, sent)).status).toBe(303);
    const mail = (await mailsTo(people.admin.email)).at(-1)?.text.replaceAll(/\s+/g, " ");
    expect(mail).toContain(UNCONFIRMED);
    expect(mail).not.toContain("confirmed who they are");
    const list = await openPage(usersPage, people.admin.visitor, "/home/users");
    expect(pageText(list.html)).toContain("email address not confirmed");
    const page = { params: { id: String(eve.id) } };
    const path = `/home/users/${eve.id}`;
    expect(pageText((await openPage(userPage, people.admin.visitor, path, page)).html)).toContain(UNCONFIRMED);
    const fields = { intent: "erase", reason: "asked on the page", wish: "stands" };
    const question = await openPage(userPage, people.admin.visitor, path, { ...page, fields });
    expect(pageText(question.html)).toContain(UNCONFIRMED);
    expect((await administer(people.admin.visitor, eve, fields)).status).toBe(200);

    expect((await confirmed(people.admin.visitor, eve, fields)).status).toBe(303);
    expect(await storedByOthers()).toEqual(before);
    expect(await storedUser(eve)).toMatchObject({
      firstName: "Erased",
      email: `erased-person-${eve.id}@erased.invalid`,
    });
    const about = await auditAbout(eve);
    expect(JSON.stringify(about)).not.toMatch(/Bösewicht|ferrante/i);
    expect(about.at(-1)?.message).toContain("was not confirmed, so what is found only by it was left");
    expect(await placesOf(["Bösewicht"])).toEqual([]);
    expect((await verified()).problems).toEqual([]);
  });

  test("[USR-07] loses what the account itself caused: messages that wait, and its own orders", async () => {
    const eve = await createEve({ email: `eve.${number}@evil.example`, lastName: "Schlangenbrut" });
    const own = contact().replace(/paolo\.\d+@ferrante/i, `eve.${number}@evil`);
    await createCodeOrder(eve, "Basic", 1, { status: "Cancelled", invoiceAddress: own });
    await createCertificateOrder(eve, undefined, { status: "Rejected", technicalContact: own });
    await getDb().updateTable("orders").set({ status: "Cancelled" }).where("userId", "=", eve.id).execute();
    await queueAnyMail(`new-login:${eve.id}`, eve.email, { subject: "New login", text: "x", html: "" });
    await getDb().updateTable("mails").set({ awaitsUserId: eve.id }).where("recipient", "=", eve.email).execute();
    expect((await fileOf(eve)).messages).toEqual([expect.objectContaining({ subject: "New login" })]);
    await erase(eve);
    expect(await placesOf([eve.email])).toEqual([]);
  });

  test("[USR-06] sees and erases what is found by the address once it is confirmed", async () => {
    const eve = await createEve();
    await confirmAddress(eve);
    const file = await fileOf(eve);
    for (const key of FOUND) expect([key, file[key]?.length]).not.toEqual([key, 0]);
    await expect(erase(eve)).rejects.toThrow("These pending orders name the person as a contact");
    await getDb().updateTable("certificates").set({ status: "Rejected" }).where("orderId", "=", pending).execute();
    await erase(eve);
    const left = await storedByOthers();
    expect([left.contacts, left.invitations, left.certificates.length]).toEqual([[], [], 1]);
    expect(left.noted.filter(({ userId }) => userId === eve.id)).toHaveLength(1);
  });
});

describe("an address that the account had before", () => {
  test("[USR-07] does not count when it was never confirmed, not even as the user name", async () => {
    const eve = await createEve();
    await record({ actor: { id: eve.id, name: holder }, message: "Looked around." });
    const before = await storedByOthers();
    await updateUser(getDb(), eve.id, { email: `eve.own.${number}@evil.example` });
    await confirmAddress({ ...eve, email: `eve.own.${number}@evil.example` });
    expect((await storedUser(eve)).username).toBe(holder);
    await erase(eve);
    expect(await storedByOthers()).toEqual(before);
    expect((await verified()).problems).toEqual([]);
  });

  test("[USR-07] counts when it was confirmed then", async () => {
    const eve = await createEve();
    await confirmAddress(eve);
    await updateUser(getDb(), eve.id, { email: `eve.own.${number}@evil.example` });
    await erase(eve);
    const left = await storedByOthers();
    expect([left.contacts, left.invitations, left.entries]).toEqual([[], [], []]);
  });
});

describe("the nightly job that ends retention", () => {
  test("erases an account that was never confirmed, and nothing that others have stored with its address", async () => {
    const longAgo = addDays(new Date(), -31);
    const eve = await createEve({ createdAt: longAgo, lastLoginAt: longAgo });
    const before = await storedByOthers();
    expect(await endRetention(new Date())).toMatch(/^1 accounts erased/);
    expect((await storedUser(eve)).erasedAt).not.toBeNull();
    expect(await storedByOthers()).toEqual(before);
    expect((await verified()).problems).toEqual([]);
  });
});
