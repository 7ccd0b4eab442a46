import { beforeEach, describe, expect, test } from "vitest";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import * as evidencePage from "~/routes/home.certificate-queue.$id_.evidence";
import * as queuePage from "~/routes/home.certificate-queue._index";
import * as exportFile from "~/routes/home.certificate-queue.export[.]csv";
import * as releasePage from "~/routes/home.certificate-queue.release";
import * as remindPage from "~/routes/home.certificate-queue.remind";
import * as takePage from "~/routes/home.certificate-queue.take";
import { getDb } from "~db/connection.server";
import { auditEventsOf, checksDone, mailsOf, readCertificate, setCertificate } from "../support/certificates";
import { createStaff, createUser } from "../support/factories";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { useQueue } from "./queue-orders";
import { toastOf } from "./revoking";

usePortal();
const { people, order, send, open } = useQueue();

// Each test sees only its own orders in the queue.
beforeEach(async () => {
  await getDb().updateTable("certificates").set({ status: "Cancelled" }).where("status", "=", "Pending").execute();
});

interface Row {
  id: number;
  commonName: string;
  age: number;
  assignee: string | null;
  comments: number;
}

interface Queue {
  rows: Row[];
  total: number;
  counts: Record<string, number>;
}

const queueAs = async (who: Visitor, query = "") =>
  jsonOf<Queue>(await run(queuePage.loader, who.get(`/home/certificate-queue${query}`)));
const idsIn = async (query: string, who = people.staff) => (await queueAs(who, query)).rows.map(({ id }) => id);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 60_000);

describe("[MAN-03] the stages of the queue", () => {
  test("[MAN-03] each order is at one stage, and the filters have counts", async () => {
    const unverified = await createUser({ emailVerifiedAt: null });
    const done = checksDone();
    const made = {
      new: await order(),
      begun: await order({ ...done, contactAnswer: null, csrCheckedAt: null }),
      contact: await order({ ...done, contactAnswer: null }),
      customer: await order(done, unverified),
      refused: await order({ ...done, contactAnswer: "refused" }),
      ready: await order(done),
      issuing: await order({ ...done, serialNumber: "7A55" }),
    };
    for (const [stage, { id }] of Object.entries(made)) expect(await idsIn(`?stage=${stage}`)).toEqual([id]);
    const { counts, total } = await queueAs(people.staff);
    expect(total).toBe(7);
    expect(counts).toEqual({ ...Object.fromEntries(Object.keys(made).map((stage) => [stage, 1])), all: 7 });
    const { html } = await openPage(queuePage, people.staff, "/home/certificate-queue?stage=contact");
    expect(textsOf(html, 'nav[aria-label="Pending orders"] a')).toEqual([
      "All (7)",
      "Ready (1)",
      "New (1)",
      "Partly checked (1)",
      "Waits for the contact (1)",
      "Waits for the customer (1)",
      "Refused by the contact (1)",
      "Being issued (1)",
    ]);
    expect(textsOf(html, 'nav[aria-label="Pending orders"] a[aria-current]')).toEqual(["Waits for the contact (1)"]);
  });

  test("[MAN-03] shows the age, and sorts by date, order, name and customer in both directions", async () => {
    const zulu = await createUser({ company: "Zulu Parts" });
    const one = await order({ requestedAt: daysAgo(12), commonName: "b.example", sortName: "b.example" }, zulu);
    const two = await order({ requestedAt: daysAgo(1), commonName: "a.example", sortName: "a.example" });
    const three = await order({ requestedAt: daysAgo(0), commonName: "c.example", sortName: "c.example" });
    expect((await queueAs(people.staff)).rows.map(({ id, age }) => [id, age])).toEqual([
      [one.id, 12],
      [two.id, 1],
      [three.id, 0],
    ]);
    const sorted = (key: string) => idsIn(`?sort=${key}`);
    expect(await sorted("requestedAt.desc")).toEqual([three.id, two.id, one.id]);
    expect(await sorted("orderNumber.desc")).toEqual([three.id, two.id, one.id]);
    expect(await sorted("commonName.asc")).toEqual([two.id, one.id, three.id]);
    expect(await sorted("company.asc")).toEqual([two.id, three.id, one.id]);
    expect(await sorted("company.desc")).toEqual([one.id, three.id, two.id]);
    const { html } = await openPage(queuePage, people.staff, "/home/certificate-queue?sort=company.desc");
    expect(pageText(html)).toContain("sorted by customer, descending");
    expect(textsOf(html, "td br + span")).toEqual(["12 days", "less than a day", "1 day"]);
    expect(textsOf(html, "td br + .warn")).toEqual(["12 days"]);
  });

  test("[MAN-03] the place of an order follows the sort order of the view", async () => {
    const zulu = await createUser({ company: "Zulu Parts" });
    const last = await order({ requestedAt: daysAgo(3) }, zulu);
    const first = await order({ requestedAt: daysAgo(1) });
    const second = await order({ requestedAt: daysAgo(2) });
    const view = "?sort=company.asc";
    const { html } = await openPage(orderPage, people.staff, `/home/certificate-queue/${second.id}${view}`, {
      params: { id: String(second.id) },
    });
    expect(pageText(html)).toContain("Order 2 of 3");
    expect(select(html, 'a[rel="prev"]').attr("href")).toBe(`/home/certificate-queue/${first.id}${view}`);
    expect(select(html, 'a[rel="next"]').attr("href")).toBe(`/home/certificate-queue/${last.id}${view}`);
    const back = await openPage(orderPage, people.staff, `/home/certificate-queue/${last.id}?sort=company.desc`, {
      params: { id: String(last.id) },
    });
    expect(pageText(back.html)).toContain("Order 1 of 3");
    expect(select(back.html, 'a[rel="next"]').attr("href")).toContain(`/${second.id}?`);
  });
});

describe("[MAN-03] who works on an order", () => {
  test("[MAN-03] takes it and releases it, which the queue and the history show", async () => {
    const { id } = await order();
    const other = await order();
    const taken = await send(id, { intent: "take", seen: "" });
    expect(taken.headers.get("Location")).toBe(`/home/certificate-queue/${id}#work`);
    expect((await toastOf(taken))?.text).toBe("You work on this order now.");
    expect([await idsIn("?work=mine"), await idsIn("?work=nobody")]).toEqual([[id], [other.id]]);
    const { html } = await open(id);
    expect(pageText(html)).toContain("(you), since");
    expect(textsOf(html, 'button[value="release"]')).toEqual(["Release"]);
    await send(id, { intent: "release" });
    expect(await idsIn("?work=mine")).toEqual([]);
    expect(await auditEventsOf(id)).toEqual(["certificate.order-taken", "certificate.order-released"]);
  });

  test("[MAN-03] an order that somebody took meanwhile is not taken silently, but can be taken over", async () => {
    const { id } = await order();
    const officer = await createStaff(["registration-officer"], { firstName: "Otto", lastName: "Officer" });
    const otto = await signedInAs(officer);
    await send(id, { intent: "take", seen: "" }, otto);
    const late = await send(id, { intent: "take", seen: "" });
    expect(await toastOf(late)).toMatchObject({ kind: "bad", at: "work" });
    expect((await toastOf(late))?.text).toContain("Otto Officer took the order meanwhile.");
    expect((await readCertificate(id)).assignedTo).toBe(officer.id);
    expect(textsOf((await open(id)).html, 'button[value="take"]')).toEqual(["Take over"]);
    await send(id, { intent: "take", seen: String(officer.id) });
    expect(await idsIn("?work=mine")).toEqual([id]);
    await send(id, { intent: "release" }, otto); // no longer his
    expect(await idsIn("?work=mine")).toEqual([id]);
  });

  test("[MAN-03] an auditor sees it and changes nothing", async () => {
    const { id } = await order();
    const auditor = await signedInAs(await createStaff(["auditor"]));
    const { html } = await openPage(orderPage, auditor, `/home/certificate-queue/${id}`, {
      params: { id: String(id) },
    });
    expect(select(html, 'button[value="take"], textarea[name="comment"]')).toHaveLength(0);
    const tries: Record<string, string>[] = [{ intent: "take" }, { intent: "comment", comment: "Seen" }];
    for (const fields of tries) expect((await send(id, fields, auditor)).status).toBe(403);
    expect(await auditEventsOf(id)).toEqual([]);
  });

  test("[MAN-03] a decided order is not taken", async () => {
    const { id } = await order({ status: "Rejected" });
    const answer = await send(id, { intent: "take" });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("This order has already been rejected.");
    expect((await readCertificate(id)).assignedTo).toBeNull();
  });
});

describe("[MAN-03] comments of staff about an order", () => {
  test("[MAN-03] are kept in order, shown to staff, counted in the queue and never changed", async () => {
    const { id } = await order();
    const first = { intent: "comment", comment: "Called, nobody there.\r\nAgain <b>tomorrow</b>.", seen: "0" };
    const answer = await send(id, first);
    expect(answer.headers.get("Location")).toBe(`/home/certificate-queue/${id}#comments`);
    await send(id, first); // sent twice
    await send(id, { intent: "comment", comment: "Reached them.", seen: "0" });
    const { html } = await open(id);
    expect(textsOf(html, "#comments .lines")).toEqual(["Reached them.", "Called, nobody there. Again tomorrow."]);
    expect(select(html, "#comments .lines").last().text()).toMatch(/there\.\r?\nAgain/);
    expect((await queueAs(people.staff)).rows.map(({ comments }) => comments)).toEqual([2]);
    expect(await auditEventsOf(id)).toEqual(["certificate.order-commented", "certificate.order-commented"]);
    await expect(getDb().updateTable("orderComments").set({ text: "x" }).execute()).rejects.toThrow("never changed");
    await expect(getDb().deleteFrom("orderComments").execute()).rejects.toThrow("never changed");
  });

  test("[MAN-03] an empty or too long comment comes back with the rule and what was typed", async () => {
    const { id } = await order();
    expect((await errorsOf(await send(id, { intent: "comment", comment: "  " }))).errors).toEqual({
      comment: "This field is required.",
    });
    const long = await send(id, { intent: "comment", comment: "x".repeat(2001) });
    expect(long.status).toBe(422);
    expect(await getDb().selectFrom("orderComments").selectAll().where("certificateId", "=", id).execute()).toEqual([]);
  });
});

describe("[MAN-03] evidence for a check, added by a person", () => {
  const FOUND = { check: "organisation", text: "Active since 1998.\r\n<b>Same</b> address.", reference: "HRB 12345" };
  const at = (id: number) => `/home/certificate-queue/${id}/evidence?stage=new`;
  const options = (id: number) => ({ params: { id: String(id) } });
  const add = async (id: number, fields: Record<string, string>, who = people.staff) =>
    run(evidencePage.action, await who.post(at(id), fields), { id: String(id) });

  test("[MAN-03] is shown beside the check, records no check, is stored once, and leads back to the view", async () => {
    const { id } = await order();
    const shown = await openPage(orderPage, people.staff, `/home/certificate-queue/${id}?stage=new`, options(id));
    expect(select(shown.html, `a[href="${at(id)}"]`).text()).toBe("Add evidence");
    const answer = await add(id, FOUND);
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      303,
      `/home/certificate-queue/${id}?stage=new#decision`,
    ]);
    expect(await toastOf(answer)).toMatchObject({ at: "decision", text: "The evidence was added." });
    await add(id, FOUND); // sent twice
    const { html } = await open(id);
    const line = /^Evidence of .* UTC, from .*: Active since 1998\. Same address\. \(HRB 12345\)$/;
    expect(textsOf(html, ".checks > li .lines")).toEqual([expect.stringMatching(line)]);
    expect(textsOf(html, ".checks > li")[1]).toContain("HRB 12345");
    expect(await readCertificate(id)).toMatchObject({ organisationCheckedAt: null, organisationNote: null });
    expect(await auditEventsOf(id)).toEqual(["certificate.evidence-added"]);
    const form = await openPage(evidencePage, people.staff, at(id), options(id));
    expect(textsOf(form.html, ".log .lines")).toEqual([expect.stringMatching(line)]);
  });

  test("[MAN-03] comes back with the rules and what was typed when a field is missing", async () => {
    const { id } = await order();
    const answer = await add(id, { check: "", text: " ", reference: "Extract 7" });
    expect(answer.status).toBe(422);
    const { errors, values } = await errorsOf(answer);
    expect(errors).toEqual({ check: "This field is required.", text: "This field is required." });
    expect(values).toMatchObject({ reference: "Extract 7" });
    expect(await auditEventsOf(id)).toEqual([]);
  });

  test("[MAN-03] is for those who record checks, of open orders that are not their own", async () => {
    const { id } = await order();
    const approver = await signedInAs(await createStaff(["approver"]));
    expect((await add(id, FOUND, approver)).headers.get("Location")).toBe("/home/dashboard");
    expect(await auditEventsOf(id)).toEqual([]);
    const shown = await openPage(orderPage, approver, `/home/certificate-queue/${id}`, options(id));
    expect(shown.html).not.toContain("Add evidence");
    const ended = await order({ status: "Rejected" });
    expect((await add(ended.id, FOUND)).status).toBe(422);
    expect((await open(ended.id)).html).not.toContain("Add evidence");
    const left = await run(evidencePage.loader, people.staff.get(at(ended.id)), { id: String(ended.id) });
    expect(left.headers.get("Location")).toBe(`/home/certificate-queue/${ended.id}?stage=new`);
    expect(await auditEventsOf(ended.id)).toEqual([]);
  });
});

describe("[MAN-03] reminding the contacts of selected orders", () => {
  const remind = async (ids: readonly number[], who = people.staff) =>
    run(remindPage.action, await who.post("/home/certificate-queue/remind", { id: ids.join(","), list: "stage=new" }));

  test("[MAN-03] asks first and names who is not reminded, then sends each contact a new link", async () => {
    const waiting = await order({ requestedAt: daysAgo(9) });
    const answered = await order(checksDone());
    const ids = [waiting.id, answered.id];
    const { html } = await openPage(
      remindPage,
      people.staff,
      `/home/certificate-queue/remind?id=${waiting.id}&id=${answered.id}&list=stage%3Dnew`,
    );
    expect(pageText(html)).toContain("Are you sure you wish to remind the contact of this order by email?");
    expect(pageText(html)).toContain("The contact has authorised the order.");
    expect(await mailsOf(waiting.orderId)).toEqual([]);
    const answer = await remind(ids);
    expect(answer.headers.get("Location")).toBe("/home/certificate-queue?stage=new");
    expect((await toastOf(answer))?.text).toMatch(
      /^1 contact is reminded by email\. SO-\d+: The contact has authorised/,
    );
    const [mail] = await mailsOf(waiting.orderId);
    expect(mail?.subject).toMatch(/^Reminder: please authorise certificate order SO-/);
    expect(mail?.text).toMatch(/We asked you on \d\d\/\d\d\/\d{4} and have no answer yet/);
    expect(mail?.text).toContain("/authorise-order/");
    expect(await auditEventsOf(waiting.id)).toEqual(["certificate.contact-reminded"]);
    expect(await mailsOf(answered.orderId)).toEqual([]);
  });

  test("[MAN-03] reminds nobody twice within 24 hours", async () => {
    const { id, orderId } = await order();
    await remind([id]);
    expect((await toastOf(await remind([id])))?.text).toContain("The contact was asked within the last 24 hours.");
    const { html } = await openPage(queuePage, people.staff, "/home/certificate-queue?stage=new");
    expect(textsOf(html, "table td .sub").some((text) => text.startsWith("Contact asked once, last "))).toBe(true);
    expect(await mailsOf(orderId)).toHaveLength(1);
  });

  test("[MAN-03] reminds nobody about a customer whose address is not confirmed, nor who wants no messages", async () => {
    const unverified = await createUser({ emailVerifiedAt: null });
    const held = await order({}, unverified);
    const stopped = await order({ authenticationEmail: "stopped@contact.example" });
    await getDb()
      .insertInto("contactStops")
      .values({ email: "stopped@contact.example", stoppedAt: new Date() })
      .execute();
    const { text } = (await toastOf(await remind([held.id, stopped.id]))) ?? { text: "" };
    expect(text).toContain("0 contacts are reminded");
    expect(text).toContain("has not confirmed their own email address");
    expect(text).toContain("wants no messages from us");
    expect([await mailsOf(held.orderId), await mailsOf(stopped.orderId)]).toEqual([[], []]);
  });

  test("[MAN-03] the message after the act names three reasons at most", async () => {
    const answered = await Promise.all([1, 2, 3, 4, 5].map(() => order(checksDone())));
    const { text } = (await toastOf(await remind(answered.map(({ id }) => id)))) ?? { text: "" };
    expect(text.match(/The contact has authorised the order\./g)).toHaveLength(3);
    expect(text).toMatch(/Nobody is reminded about 2 other orders either\.$/);
  });

  test("[MAN-03] needs a selection", async () => {
    const none = await run(remindPage.loader, people.staff.get("/home/certificate-queue/remind?list=stage%3Dnew"));
    const back = String(none.headers.get("Location"));
    expect(back).toBe("/home/certificate-queue?stage=new&problem=none-selected");
    const { html } = await openPage(queuePage, people.staff, back);
    expect(textsOf(html, ".errors li")).toEqual(["Select orders first."]);
    expect(textsOf(html, "title")).toEqual([expect.stringMatching(/^Error: /)]);
  });
});

describe("[MAN-03] taking selected orders", () => {
  const take = async (ids: readonly number[], who: Visitor) =>
    run(takePage.action, await who.post("/home/certificate-queue/take", { id: ids.join(","), list: "work=nobody" }));
  const assigneeIn = async (id: number) => (await readCertificate(id)).assignedTo;

  test("[MAN-03] asks first, then takes those that nobody has, and names the others", async () => {
    const [free, other, decided] = [await order(), await order(), await order({ status: "Cancelled" })];
    const [officer, colleague] = [await createStaff(["registration-officer"]), await createStaff(["approver"])];
    const visitor = await signedInAs(officer);
    await setCertificate(other.id, { assignedTo: colleague.id, assignedAt: new Date() });
    const ids = [free.id, other.id, decided.id];
    const query = ids.map((id) => `id=${id}`).join("&");
    const { html } = await openPage(takePage, visitor, `/home/certificate-queue/take?${query}&list=work%3Dnobody`);
    expect(pageText(html)).toContain("Are you sure you wish to work on this order?");
    expect(pageText(html)).toContain("works on it. You can take it over on its own page.");
    expect(await assigneeIn(free.id)).toBeNull();
    const answer = await take(ids, visitor);
    expect(answer.headers.get("Location")).toBe("/home/certificate-queue?work=nobody");
    expect((await toastOf(answer))?.text).toMatch(/^You work on 1 more order now\. SO-\d+: /);
    expect(await assigneeIn(free.id)).toBe(officer.id);
    expect(await assigneeIn(other.id)).toBe(colleague.id);
    expect(await auditEventsOf(free.id)).toEqual(["certificate.order-taken"]);
    expect((await toastOf(await take([free.id], visitor)))?.text).toContain("You work on it already.");
  });

  test("[MAN-03] releases those that the user has, and names the others", async () => {
    const [own, other, free] = [await order(), await order(), await order()];
    const [officer, colleague] = [await createStaff(["registration-officer"]), await createStaff(["approver"])];
    const visitor = await signedInAs(officer);
    await setCertificate(own.id, { assignedTo: officer.id, assignedAt: new Date() });
    await setCertificate(other.id, { assignedTo: colleague.id, assignedAt: new Date() });
    const query = `id=${own.id}&id=${other.id}&id=${free.id}`;
    const { html } = await openPage(releasePage, visitor, `/home/certificate-queue/release?${query}`);
    expect(pageText(html)).toContain("Are you sure you wish to release this order?");
    expect(pageText(html)).toContain("Nobody works on it.");
    const sent = { id: `${own.id},${other.id},${free.id}`, list: "work=mine" };
    const answer = await run(releasePage.action, await visitor.post("/home/certificate-queue/release", sent));
    expect(answer.headers.get("Location")).toBe("/home/certificate-queue?work=mine");
    expect((await toastOf(answer))?.text).toMatch(/^You no longer work on 1 order\. SO-\d+: /);
    expect([await assigneeIn(own.id), await assigneeIn(other.id)]).toEqual([null, colleague.id]);
    expect(await auditEventsOf(own.id)).toEqual(["certificate.order-released"]);
  });

  test("[MAN-03] needs a selection", async () => {
    const none = await run(takePage.loader, people.staff.get("/home/certificate-queue/take?list=stage%3Dnew"));
    expect(none.headers.get("Location")).toBe("/home/certificate-queue?stage=new&problem=none-selected");
  });
});

describe("[MAN-03] the file of selected orders", () => {
  test("[MAN-03] has what the queue shows, and is recorded", async () => {
    const one = await order({ requestedAt: daysAgo(5), commonName: "=cmd.example" });
    await order();
    const answer = await run(exportFile.loader, people.staff.get(`/home/certificate-queue/export.csv?id=${one.id}`));
    expect(answer.headers.get("Content-Disposition")).toContain("certificate-queue.csv");
    const lines = (await answer.text()).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("Order,Requested,Days waiting,Common name");
    expect(lines[1]).toContain(",5,");
    expect(lines[1]).not.toContain(",=cmd");
    expect(lines[1]).toContain("Authorisation by the authentication contact");
  });
});
