import { beforeAll, describe, expect, test } from "vitest";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { type loadAuditLog } from "~/domain/codes/audit-log.service.server";
import * as auditPage from "~/routes/home.codes_.code-details_.audit-log";
import { getDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { createCode, createCodeOrder } from "../support/codes";
import { select, textsOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run } from "../support/visitor";

usePortal();
const people = usePeople();

let codeId: number;
let orderId: number;
let name: string;

const record = (entry: Partial<Parameters<typeof recordAudit>[1]>, day: number) =>
  inTransaction((trx) => {
    const actor = { id: people.customer.id, name: people.customer.email };
    return recordAudit(
      trx,
      { actor, event: "code.test", message: "Done.", ...entry },
      new Date(Date.UTC(2026, 2, day)),
    );
  });

beforeAll(async () => {
  orderId = await createCodeOrder(people.customer, "Full", 2, { purchaseOrderNumber: "PO-77" });
  const paid = await createCode(people.customer, { orderId, code: "7F00" });
  const sibling = await createCode(people.customer, { orderId, code: "7F01" });
  const foreign = await createCode(people.stranger);
  codeId = paid.id;
  name = "7F0000";
  await record({ codeId, message: "Registered the entity." }, 1);
  await record({ orderId, message: "Paid.", reference: "INV-1" }, 2);
  await record({ codeId: sibling.id, orderId, message: "Registered the other one." }, 3);
  const actor = { id: people.customer.id, name: people.customer.email, impersonatorId: people.admin.id };
  await record({ codeId, actor, message: "Changed the code." }, 4);
  await record({ codeId: foreign.id, message: "Nobody's business." }, 5);
  await record({ codeId: sibling.id, message: "The other one's own." }, 6);
});

const load = async (query: string) =>
  jsonOf<Awaited<ReturnType<typeof loadAuditLog>>>(
    await run(auditPage.loader, people.admin.visitor.get(`/home/codes/code-details/audit-log?${query}`)),
  );
const messagesOf = async (query: string) => (await load(query)).rows.map(({ message }) => message);
const open = (query: string) =>
  openPage(auditPage, people.admin.visitor, `/home/codes/code-details/audit-log?${query}`);

describe("a code's audit log", () => {
  test("[AUD-01] has the entries of the code and of its order that concern no other code, newest first", async () => {
    expect(await messagesOf(`code=${codeId}`)).toEqual(["Changed the code.", "Paid.", "Registered the entity."]);
  });

  test("[AUD-01] shows its columns, dates as dd/MM/yyyy, and who acted as whom", async () => {
    const { status, html } = await open(`code=${codeId}&sort=dateTime.asc`);
    expect(status).toBe(200);
    expect(textsOf(html, 'th[scope="col"]')).toEqual([
      "Username",
      "Order Number",
      "Business Entity",
      "Message",
      "Recorded▲",
      "Reference",
    ]);
    const rows = select(html, "tbody tr")
      .toArray()
      .map((_row, index) => textsOf(html, `tbody tr:nth-child(${index + 1}) > td`));
    const who = people.customer.email;
    const entries = await getDb().selectFrom("auditEntries").select(["message", "sequence"]).execute();
    const places = new Map(entries.map(({ message, sequence }) => [message, sequence]));
    expect(rows).toEqual([
      [who, "PO-77", name, "Registered the entity.", "01/03/2026", `Entry ${places.get("Registered the entity.")}`],
      [who, "PO-77", "", "Paid.", "02/03/2026", "INV-1"],
      [
        `${people.admin.email} as ${who}`,
        "PO-77",
        name,
        "Changed the code.",
        "04/03/2026",
        `Entry ${places.get("Changed the code.")}`,
      ],
    ]);
    expect(select(html, `a[href="/home/codes/code-details?code=${codeId}"]`).length).toBe(1);
  });

  test("[AUD-01] can be sorted by every column in both directions", async () => {
    const messages = await messagesOf(`code=${codeId}`);
    expect(await messagesOf(`code=${codeId}&sort=message.asc`)).toEqual(messages.toSorted());
    expect(await messagesOf(`code=${codeId}&sort=message.desc`)).toEqual(messages.toSorted().reverse());
    expect((await messagesOf(`code=${codeId}&sort=auditReference.asc`))[0]).toBe("Paid.");
    expect((await messagesOf(`code=${codeId}&sort=code.desc`)).at(-1)).toBe("Paid.");
    for (const key of ["email", "purchaseOrderNumber", "code"])
      for (const direction of ["asc", "desc"])
        expect(await messagesOf(`code=${codeId}&sort=${key}.${direction}`)).toHaveLength(3);
  });

  test.each(["", "code=0", "code=-1", "code=x", "code="])("[AUD-01] with '%s' loads nothing", async (query) => {
    const { status, html } = await open(query);
    expect(status).toBe(200);
    expect(html).toContain("No records found");
    expect(textsOf(html, 'a[href="/home/codes"]')).toContain("‹ Back");
  });

  test("[AUD-01] of an unknown code is not found", async () => {
    const request = people.admin.visitor.get("/home/codes/code-details/audit-log?code=999999999");
    expect((await run(auditPage.loader, request)).status).toBe(404);
  });

  test("[AUD-01] has ten rows to a page; a page past the end is the last one", async () => {
    const { id } = await createCode(people.customer);
    for (let day = 1; day <= 11; day += 1) await record({ codeId: id, message: `Day ${day}` }, day);
    expect(await messagesOf(`code=${id}`)).toHaveLength(10);
    expect(await messagesOf(`code=${id}&page=2`)).toEqual(["Day 1"]);
    expect(await messagesOf(`code=${id}&page=99`)).toEqual(["Day 1"]);
    const { html } = await open(`code=${id}&sort=dateTime.asc`);
    expect(html).toContain("1 to 10 of 11, sorted by recorded");
    expect(select(html, `a[href$="audit-log?code=${id}&page=2&sort=dateTime.asc"]`).length).toBeGreaterThan(0);
  });

  test("[AUD-01] [SRC-02] leads back to the search from which the code was opened", async () => {
    const from = "from=%2Fhome%2Fsearch-codes%3Fcompany%3Dparts";
    const { html } = await open(`code=${codeId}&${from}`);
    expect(select(html, `a[href="/home/codes/code-details?code=${codeId}&${from}"]`).length).toBe(1);
  });
});
