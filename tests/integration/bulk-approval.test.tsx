import { beforeAll, describe, expect, test } from "vitest";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { approveOrders } from "~/domain/certificates/issuing/issuance.service.server";
import { BULK_LIMIT } from "~/domain/certificates/queue/queue-fields";
import { staffPaths } from "~/lib/staff-paths";
import * as confirmPage from "~/routes/_public.second-factors_.confirm/route";
import * as queuePage from "~/routes/home.certificate-queue._index";
import * as bulkPage from "~/routes/home.certificate-queue.approve";
import { getDb } from "~db/connection.server";
import { blockKey } from "~db/repositories/blocked-keys.server";
import { findOrder } from "~db/repositories/orders.server";
import { inTransaction } from "~db/transaction.server";
import { apiClientOf } from "../support/api";
import {
  auditEventsOf,
  checksDone,
  createCertificateOrder,
  invoiceMailsOf,
  mailsOf,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";
import { toastOf } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();

let staff: Visitor;
let approver: SessionUser;
let admin: Awaited<ReturnType<typeof createAdmin>>;

beforeAll(async () => {
  admin = await createAdmin();
  staff = await signedInAs(admin);
  const user = await findSessionUser({ id: admin.id, epoch: 0 });
  if (!user) throw new Error("no administrator");
  approver = user;
});

type Given = Parameters<typeof createCertificateOrder>[2];

/** Stores an order of a new customer. Without `given` all its checks are done. */
const order = async (given: Given = {}, customer?: Awaited<ReturnType<typeof createUser>>) =>
  createCertificateOrder(customer ?? (await createUser()), makeCsr().der, { ...checksDone(), ...given });

const query = (ids: readonly number[]) => `${staffPaths.approveOrders}?${ids.map((id) => `id=${id}`).join("&")}`;
const asking = async (ids: readonly number[], who = staff) => openPage(bulkPage, who, query(ids));

interface Result {
  issued: { id: number; serialNumber: string }[];
  refused: { id: number; reason: string; code: string }[];
}

async function sendAs(who: Visitor, ids: readonly number[]): Promise<Response> {
  return run(bulkPage.action, await who.post(query(ids), { id: ids.join(","), confirmed: "yes" }));
}

const approve = async (ids: readonly number[], who = staff) => (await (await sendAs(who, ids)).json()) as Result;

describe("approving several orders in one act", () => {
  test("[MAN-03] the queue offers to approve selected orders to whoever may approve, and to nobody else", async () => {
    const { id } = await order();
    const { html } = await openPage(queuePage, staff, "/home/certificate-queue?stage=ready");
    expect(
      select(html, `form[action="${staffPaths.approveOrders}"] input[type="checkbox"][value="${id}"]`),
    ).toHaveLength(1);
    expect(textsOf(html, "button")).toContain("Approve selected");
    const officer = await signedInAs(await createStaff(["registration-officer"]));
    const other = await openPage(queuePage, officer, "/home/certificate-queue?stage=ready");
    const buttons = textsOf(other.html, "button");
    expect(buttons).toEqual(expect.arrayContaining(["Remind selected contacts", "Export selected"]));
    expect(buttons).not.toContain("Approve selected");
  });

  test("[MAN-03] asks on a page of its own, which says what cannot be approved and why, and changes nothing", async () => {
    const [one, other] = [await order(), await order({ csrCheckedAt: null })];
    const { html } = await asking([one.id, other.id, 999_999]);
    const text = pageText(html);
    expect(text).toContain("Are you sure you wish to approve 1 order and issue the certificate?");
    expect(text).toContain("The CSR has not been compared with the company.");
    expect(select(html, 'input[type="hidden"][name="id"]').val()).toBe(String(one.id));
    expect(await readCertificate(one.id)).toMatchObject({ status: "Pending", tbsCertificate: null });
  });

  test("[MAN-03][AUD-02] issues all ready orders, each with its entries, message and invoice, and refuses each other alone", async () => {
    const ready = [await order(), await order(), await order()];
    const [unchecked, own, blocked] = [await order({ contactAnswer: null }), await order({}, admin), await order()];
    await inTransaction((trx) => blockKey(trx, blocked.keyIdentity, "reported", new Date()));
    const all = [unchecked, ...ready, own, blocked].map(({ id }) => id);
    const { issued, refused } = await approve(all);
    expect(issued.map(({ id }) => id)).toEqual(ready.map(({ id }) => id));
    expect(new Set(issued.map(({ serialNumber }) => serialNumber)).size).toBe(3);
    expect(refused.map(({ id, code }) => [id, code])).toEqual([
      [unchecked.id, "certificate.checks-missing"],
      [own.id, "certificate.own-order"],
      [blocked.id, "certificate.key-blocked"],
    ]);
    for (const { id, orderId } of ready) {
      expect((await readCertificate(id)).status).toBe("Issued");
      expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
      expect(await mailsOf(orderId)).toHaveLength(1);
      expect(await invoiceMailsOf(orderId)).toHaveLength(1);
    }
    for (const { id } of [unchecked, own, blocked])
      expect(await readCertificate(id)).toMatchObject({ status: "Pending", tbsCertificate: null });
  });

  test("[PUR-11] of two orders of two companies with one key only the first is approved", async () => {
    const csr = makeCsr().der;
    const orders = [
      await createCertificateOrder(await createUser(), csr, checksDone()),
      await createCertificateOrder(await createUser(), csr, checksDone()),
    ];
    const { issued, refused } = await approve(orders.map(({ id }) => id));
    expect(issued.map(({ id }) => id)).toEqual([orders[0]?.id]);
    expect(refused[0]?.reason).toContain("This key cannot be used");
  });

  test("[CAL-04] sent again by the same person gets the same answer, and by somebody else the reason", async () => {
    const ids = [(await order()).id, (await order()).id];
    const first = await approve(ids);
    expect(await approve(ids)).toEqual(first);
    const other = await approve(ids, await signedInAs(await createAdmin()));
    expect(other.issued).toEqual([]);
    expect(other.refused.map(({ code }) => code)).toEqual(["certificate.not-pending", "certificate.not-pending"]);
  });

  test("[CAL-04] two persons who approve the same orders at once issue each certificate once", async () => {
    const ids = [(await order()).id, (await order()).id, (await order()).id];
    const colleague = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
    if (!colleague) throw new Error("no administrator");
    const answers = await Promise.all([approveOrders(ids, approver), approveOrders(ids.toReversed(), colleague)]);
    const issued = answers.flat().filter((one) => "issued" in one);
    expect(issued).toHaveLength(3);
    for (const id of ids) expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
  });

  test("[CAL-04] one certificate that cannot be signed stops no other, and the job issues it", async () => {
    const orders = [await order(), await order(), await order()];
    const real = await getSigner("issuing-sha2");
    let calls = 0;
    setSigner("issuing-sha2", {
      hash: real.hash,
      sign: (tbs) => ((calls += 1) === 2 ? Promise.reject(new Error("the key store is away")) : real.sign(tbs)),
    });
    const result = await approve(orders.map(({ id }) => id)).finally(() => setSigner("issuing-sha2", null));
    expect([result.issued.length, result.refused.map(({ code }) => code)]).toEqual([2, ["certificate.failed"]]);
    expect(await finishInterruptedIssuing()).toBe(1);
    for (const { id } of orders)
      expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
  });

  test("[CAL-04] one certificate that cannot be stored stops no other", async () => {
    const orders = [await order(), await order()];
    const broken = await findOrder(getDb(), orders[0]?.orderId ?? 0);
    const real = await getSigner("issuing-sha2");
    setSigner("issuing-sha2", {
      hash: real.hash,
      sign: async (tbs) => {
        await getDb()
          .updateTable("orders")
          .set({ invoiceAddress: "{" })
          .where("id", "=", broken?.id ?? 0)
          .execute();
        return real.sign(tbs);
      },
    });
    const result = await approve(orders.map(({ id }) => id)).finally(() => setSigner("issuing-sha2", null));
    expect(result.issued.map(({ id }) => id)).toEqual([orders[1]?.id]);
    expect(await readCertificate(orders[0]?.id ?? 0)).toMatchObject({ status: "Pending", der: null });
    await getDb()
      .updateTable("orders")
      .set({ invoiceAddress: broken?.invoiceAddress ?? "" })
      .where("id", "=", broken?.id ?? 0)
      .execute();
    expect(await finishInterruptedIssuing()).toBe(1);
  });

  test("[MAN-03] the result names each chosen order, also one that was not ready; one that got ready meanwhile is not approved", async () => {
    const [ready, waiting, late] = [
      await order(),
      await order({ csrCheckedAt: null }),
      await order({ csrCheckedAt: null }),
    ];
    const ids = [ready.id, waiting.id, late.id, 999_999];
    const { html } = await asking(ids);
    const field = (name: string) => String(select(html, `form[method="post"] input[name="${name}"]`).val());
    expect([field("id"), field("notReady")]).toEqual([`${ready.id}`, `${waiting.id},${late.id},999999`]);
    await setCertificate(late.id, { csrCheckedAt: checksDone().csrCheckedAt });
    const fields = { id: field("id"), notReady: field("notReady"), confirmed: "yes" };
    const page = await openPage(bulkPage, staff, query(ids), { fields });
    const text = pageText(page.html);
    expect(text).toContain("1 certificate has been issued, 3 orders were not approved.");
    for (const reason of [
      "The CSR has not been compared with the company.",
      "It was not ready when you confirmed, but is ready now. Select it again to approve it.",
      "There is no such order.",
    ])
      expect(text).toContain(reason);
    expect((await readCertificate(ready.id)).status).toBe("Issued");
    expect(await readCertificate(late.id)).toMatchObject({ status: "Pending", tbsCertificate: null });
  });

  test("[MAN-03] an order that does not exist has a reason and no name", async () => {
    const { html } = await openPage(bulkPage, staff, `${staffPaths.approveOrders}?id=abc&id=999999`);
    expect(textsOf(html, "tbody th")).toEqual(["Unknown", "Unknown"]);
    expect(select(html, "tbody a")).toHaveLength(0);
    expect(pageText(html).match(/There is no such order\./g)).toHaveLength(2);
  });

  test("[GEN-04] all rows of the page are selected with a link where there are no scripts", async () => {
    await order();
    const ticked = (html: string) => select(html, 'tbody input[name="id"][checked]').length;
    const page = await openPage(queuePage, staff, "/home/certificate-queue?size=25&stage=ready");
    expect(ticked(page.html)).toBe(0);
    const link = String(select(page.html, ".all a").attr("href"));
    expect(link).toBe("/home/certificate-queue?size=25&stage=ready&all=yes");
    const all = await openPage(queuePage, staff, link);
    expect(ticked(all.html)).toBe(select(all.html, "tbody tr").length);
    expect(select(all.html, ".all a").attr("href")).toBe("/home/certificate-queue?size=25&stage=ready");
    expect(select(all.html, `input[name="list"]`).val()).toBe("size=25&stage=ready");
  });

  test(`[MAN-03] needs at least one order and takes at most ${BULK_LIMIT}; the queue says so and keeps its filter`, async () => {
    const list = "size=50&search=gears&stage=ready";
    const many = Array.from({ length: BULK_LIMIT + 1 }, (_, index) => index + 1);
    const at = (ids: readonly number[]) => `${query(ids)}&list=${encodeURIComponent(list)}`;
    const answers = [
      await run(bulkPage.loader, staff.get(at([]))),
      await run(bulkPage.loader, staff.get(at(many))),
      await run(bulkPage.action, await staff.post(at([1]), { id: "", list, confirmed: "yes" })),
      await run(
        bulkPage.action,
        await staff.post(at([1]), { id: "1", notReady: many.join(","), list, confirmed: "yes" }),
      ),
    ];
    const texts = ["Select orders first.", `Select at most ${BULK_LIMIT} orders at once.`];
    for (const [index, answer] of answers.entries()) {
      const location = String(answer.headers.get("Location"));
      expect(location).toMatch(/^\/home\/certificate-queue\?size=50&search=gears&stage=ready&problem=/);
      expect(await toastOf(answer)).toBeUndefined();
      const { html } = await openPage(queuePage, staff, location);
      expect(textsOf(html, ".errors li a")).toEqual([texts[index % 2]]);
      expect(select(html, select(html, ".errors a").attr("href") ?? "none").length).toBe(1);
      for (const link of ["nav a", ".errors ~ * a"]) expect(select(html, `${link}[href*="problem"]`)).toHaveLength(0);
    }
  });

  test("[MAN-03] Cancel and the result lead back to the same part of the queue", async () => {
    const [ready, waiting] = [await order(), await order({ csrCheckedAt: null })];
    const list = "page=2&size=25&stage=ready";
    const at = (id: number) => `${query([id])}&list=${encodeURIComponent(list)}`;
    const back = `a[href="/home/certificate-queue?${list}"]`;
    const asked = await openPage(bulkPage, staff, at(ready.id));
    expect(select(asked.html, back).length).toBe(1);
    expect(select((await openPage(bulkPage, staff, at(waiting.id))).html, back).length).toBe(1);
    const fields = { id: String(ready.id), notReady: "", list, confirmed: "yes" };
    const done = await openPage(bulkPage, staff, at(ready.id), { fields });
    expect(select(done.html, back).length).toBe(1);
    const strange = await openPage(
      bulkPage,
      staff,
      `${query([ready.id])}&list=${encodeURIComponent("//evil.example?x")}`,
    );
    expect(select(strange.html, 'a[href*="evil"]').length).toBe(0);
  });

  test("[MAN-03] asks for a fresh proof, which names the task and leads back to the question with all chosen orders", async () => {
    const ids = [(await order()).id, (await order({ csrCheckedAt: null })).id];
    const unproved = await signedInAs({ ...admin, proof: null });
    const location = String((await sendAs(unproved, ids)).headers.get("Location"));
    const target = new URL(location, "http://portal.invalid").searchParams.get("redirectTo");
    expect(target?.startsWith(`${query(ids)}&unsent=`)).toBe(true);
    expect(pageText((await openPage(confirmPage, unproved, location)).html)).toContain(
      "Confirm who you are to approve 2 orders",
    );
    expect((await readCertificate(ids[0] ?? 0)).status).toBe("Pending");
  });

  test("[API-03] the call answers for each order", async () => {
    const [one, other] = [await order(), await order()];
    await setCertificate(other.id, { organisationCheckedAt: null });
    const client = await apiClientOf(admin.email, TEST_PASSWORD);
    const answer = await client.post<object[]>("certificates/ApproveOrders", { certificateIds: [one.id, other.id] });
    expect(answer.content).toMatchObject([
      { certificateId: one.id, error: "", code: "" },
      { certificateId: other.id, serialNumber: "", code: "certificate.checks-missing" },
    ]);
  });
});
