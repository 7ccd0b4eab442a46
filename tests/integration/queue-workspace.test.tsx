import { beforeEach, describe, expect, test } from "vitest";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import * as queuePage from "~/routes/home.certificate-queue._index";
import * as bulkPage from "~/routes/home.certificate-queue.approve";
import { getDb } from "~db/connection.server";
import { auditEventsOf, checksDone, readCertificate } from "../support/certificates";
import { checkForm } from "../support/check-forms";
import { createUser } from "../support/factories";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, run } from "../support/visitor";
import { useQueue } from "./queue-orders";
import { toastOf } from "./revoking";

usePortal();
const { people, order, send, open } = useQueue();

// Each test sees only its own orders in the queue.
beforeEach(async () => {
  await getDb().updateTable("certificates").set({ status: "Cancelled" }).where("status", "=", "Pending").execute();
});

const CHOSEN = {
  contact: "Called back through the switchboard",
  organisation: "Trade register seen",
  csr: "Agrees with the register",
};

const day = (number: number) => new Date(`2026-11-0${number}T10:00:00Z`);

/** Opens the page of an order in a view of the queue. */
const openIn = async (id: number, view: string) =>
  openPage(orderPage, people.staff, `/home/certificate-queue/${id}${view}`, { params: { id: String(id) } });
const sendIn = async (id: number, view: string, fields: Record<string, string>) =>
  run(orderPage.action, await people.staff.post(`/home/certificate-queue/${id}${view}`, fields), { id: String(id) });
const hrefOf = (html: string, selector: string) => select(html, selector).attr("href");

describe("[MAN-03] the place of an order in the queue", () => {
  test("[MAN-03] is that of the view in the address, with the ways to its neighbours and back", async () => {
    const [third, first, second] = [
      await order({ requestedAt: day(3) }),
      await order({ requestedAt: day(1) }),
      await order({ requestedAt: day(2) }),
    ];
    const { html } = await openIn(second.id, "?size=25");
    expect(pageText(html)).toContain("Order 2 of 3");
    expect(hrefOf(html, 'a[rel="prev"]')).toBe(`/home/certificate-queue/${first.id}?size=25`);
    expect(hrefOf(html, 'a[rel="next"]')).toBe(`/home/certificate-queue/${third.id}?size=25`);
    expect(select(html, 'a[href="/home/certificate-queue?size=25"]').length).toBeGreaterThan(0);
    const ends = (await openIn(third.id, "")).html;
    expect([hrefOf(ends, 'a[rel="prev"]'), hrefOf(ends, 'a[rel="next"]')]).toEqual([
      `/home/certificate-queue/${second.id}`,
      undefined,
    ]);
  });

  test("[MAN-03] counts only the orders of a filtered view, also beside an order that it does not show", async () => {
    const ready = [
      await order({ ...checksDone(), requestedAt: day(1) }),
      await order({ ...checksDone(), requestedAt: day(4) }),
    ];
    const open = await order({ requestedAt: day(2) });
    const { html } = await openIn(open.id, "?stage=ready");
    expect(pageText(html)).not.toMatch(/Order \d+ of/);
    expect(["prev", "next"].map((rel) => hrefOf(html, `a[rel="${rel}"]`))).toEqual(
      ready.map(({ id }) => `/home/certificate-queue/${id}?stage=ready`),
    );
    expect(pageText((await openIn(ready[1]?.id ?? 0, "?stage=ready")).html)).toContain("Order 2 of 2");
    const list = (await openPage(queuePage, people.staff, "/home/certificate-queue?stage=ready")).html;
    expect(select(list, `a[href="/home/certificate-queue/${ready[0]?.id}?stage=ready"]`)).toHaveLength(1);
  });

  test("[MAN-03] leads on the page of the queue that shows the order back to that page", async () => {
    const rows = [];
    for (let number = 0; number < 11; number += 1) rows.push(await order({ requestedAt: day(1) }));
    const last = rows.at(-1)?.id ?? 0;
    const { html } = await openIn(last, "");
    expect(pageText(html)).toContain("Order 11 of 11");
    expect(select(html, 'a[href="/home/certificate-queue?page=2"]').length).toBeGreaterThan(0);
  });
});

describe("[MAN-03] recording and going on", () => {
  test("[MAN-03] opens the next order of the view with the message, and after the last one the queue", async () => {
    const [one, two] = [await order({ requestedAt: day(1) }), await order({ requestedAt: day(2) })];
    const answer = await sendIn(one.id, "?size=25", { intent: "next", ...CHOSEN });
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      303,
      `/home/certificate-queue/${two.id}?size=25#message`,
    ]);
    expect(await toastOf(answer)).toMatchObject({ at: "message" });
    expect((await toastOf(answer))?.text).toContain("have been recorded.");
    expect(await auditEventsOf(one.id)).toHaveLength(3);
    expect(select((await openIn(two.id, "?size=25")).html, '#message[tabindex="-1"]')).toHaveLength(1);
    const last = await sendIn(two.id, "?size=25", { ...checkForm({ csr: "Agrees" }), intent: "next" });
    expect(last.headers.get("Location")).toBe("/home/certificate-queue?size=25");
    expect((await toastOf(last))?.text).toContain("It was the last order of this view.");
  });

  test("[MAN-03] a rejection is told on the next order with the number of its own", async () => {
    const [one] = [await order({ requestedAt: day(1) }), await order({ requestedAt: day(2) })];
    const fields = { intent: "reject", decisionReason: "No such company", confirmed: "yes" };
    const answer = await sendIn(one.id, "?size=25", fields);
    expect((await toastOf(answer))?.text).toContain(`Order SO-${one.orderId} has been rejected.`);
  });

  test("[MAN-03] stays at the order when Enter records", async () => {
    const { id } = await order();
    const answer = await sendIn(id, "?stage=ready", checkForm({ csr: "Agrees" }));
    expect(answer.headers.get("Location")).toBe(`/home/certificate-queue/${id}?stage=ready#decision`);
  });
});

describe("[MAN-03] recording and approving at once, in a small office", () => {
  test("[MAN-03] records the checks, asks once, issues, and opens the next order", async () => {
    const [one, two] = [await order({ requestedAt: day(1) }), await order({ requestedAt: day(2) })];
    const asked = await open(one.id, { intent: "approve", ...CHOSEN });
    expect(pageText(asked.html)).toContain("Are you sure you wish to approve this order and issue its certificate?");
    expect(select(asked.html, 'input[name="csr"]')).toHaveLength(0);
    expect(await readCertificate(one.id)).toMatchObject({ status: "Pending", csrNote: CHOSEN.csr });
    const answer = await send(one.id, { intent: "approve", confirmed: "yes" });
    expect(answer.headers.get("Location")).toBe(`/home/certificate-queue/${two.id}#message`);
    expect((await readCertificate(one.id)).status).toBe("Issued");
    expect(await auditEventsOf(one.id)).toEqual([
      "certificate.contact-checked",
      "certificate.organisation-checked",
      "certificate.csr-checked",
      "certificate.approved",
      "certificate.issued",
    ]);
  });

  test("[MAN-03] names each check that is not chosen, and records none", async () => {
    const { id } = await order();
    const fields = { intent: "approve", contact: "", organisation: CHOSEN.organisation, csr: "" };
    const { status, errors } = await errorsOf(await send(id, fields));
    expect([status, Object.keys(errors)]).toEqual([422, ["contact", "csr"]]);
    const { html } = await open(id, fields);
    expect(textsOf(html, '.errors a[href="#queue-order-csr"]')[0]).toContain("CSR and company: Not checked yet.");
    expect(select(html, 'input[name="organisation"]:checked').val()).toBe(CHOSEN.organisation);
    expect(await auditEventsOf(id)).toEqual([]);
  });

  test("[MAN-03] keeps what is recorded when the order cannot be approved", async () => {
    const unverified = await createUser({ emailVerifiedAt: null });
    const { id } = await order({}, unverified);
    const { status, errors } = await errorsOf(await send(id, { intent: "approve", ...CHOSEN }));
    expect({ status, errors }).toEqual({
      status: 422,
      errors: { form: "The customer's email address is not verified." },
    });
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", csrNote: CHOSEN.csr });
  });
});

describe("[MAN-03] approving all ready orders of a view", () => {
  test("[MAN-03] asks about them all, and says when there is none", async () => {
    const list = `list=${encodeURIComponent("stage=ready")}`;
    const none = await run(bulkPage.loader, people.staff.get(`/home/certificate-queue/approve?all-ready=yes&${list}`));
    expect(none.headers.get("Location")).toBe("/home/certificate-queue?stage=ready&problem=none-ready");
    const customers = [await createUser(), await createUser()];
    for (const customer of customers) await order(checksDone(), customer);
    await order();
    const page = (await openPage(queuePage, people.staff, "/home/certificate-queue")).html;
    const to = select(page, 'a[href*="all-ready"]').attr("href") ?? "";
    const selected = await run(bulkPage.loader, people.staff.get(to));
    const { html } = await openPage(bulkPage, people.staff, selected.headers.get("Location") ?? "");
    expect(pageText(html)).toContain("Are you sure you wish to approve 2 orders and issue the certificates?");
  });
});
