import { describe, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { auditEventsOf, checksDone, mailsOf, readCertificate, setCertificate } from "../support/certificates";
import { checkForm } from "../support/check-forms";
import { createAdmin, createUser } from "../support/factories";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { errorsOf, signedInAs } from "../support/visitor";
import { useQueue } from "./queue-orders";
import { toastOf } from "./revoking";

usePortal();
const { people, order, send, open } = useQueue();

/** The address after a decision: the next order, or the queue after the last one. */
const ON = /^\/home\/certificate-queue(\/\d+#message)?$/;

describe("the approval of an order", () => {
  test.each([
    [{ contactAnswer: null }, "The authentication contact has not authorised the order."],
    [{ contactAnswer: "refused" as const }, "The authentication contact refused the order."],
    [{ organisationCheckedAt: null }, "The document that proves the organisation has not been seen."],
    [{ csrCheckedAt: null }, "The CSR has not been compared with the company."],
  ])("[MAN-03] is refused while a check is missing: %j", async (change, message) => {
    const { id } = await order({ ...checksDone(), ...change });
    for (const confirmed of ["", "yes"]) {
      const answer = await errorsOf(await send(id, { intent: "approve", confirmed }));
      expect(answer).toMatchObject({ status: 422, errors: { form: message } });
    }
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", tbsCertificate: null, serialNumber: null });
  });

  test("[MAN-03] is refused while the customer's email is not verified", async () => {
    const unverified = await createUser({ emailVerifiedAt: null });
    const { id } = await order(checksDone(), unverified);
    const answer = await errorsOf(await send(id, { intent: "approve", confirmed: "yes" }));
    expect(answer.errors.form).toBe("The customer's email address is not verified.");
    await getDb().updateTable("users").set({ emailVerifiedAt: new Date() }).where("id", "=", unverified.id).execute();
    expect((await send(id, { intent: "approve", confirmed: "yes" })).status).toBe(303);
  });

  test("[MAN-03] asks on a page of its own, then issues", async () => {
    const { id } = await order(checksDone());
    const asked = await open(id, { intent: "approve" });
    expect(pageText(asked.html)).toContain("Are you sure you wish to approve this order and issue its certificate?");
    expect(select(asked.html, 'input[type="hidden"][name="confirmed"]').val()).toBe("yes");
    expect((await readCertificate(id)).status).toBe("Pending");
    const answer = await send(id, { intent: "approve", confirmed: "yes" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toMatch(ON);
    expect((await readCertificate(id)).status).toBe("Issued");
    const { html } = await open(id);
    expect(pageText(html)).toContain("This order has already been approved and its certificate has been issued.");
    expect(textsOf(html, "button")).not.toContain("Approve");
  });

  test("[MAN-03][CAL-04] sent several times issues once, with the same answer each time", async () => {
    const { id } = await order(checksDone());
    const approve = () => send(id, { intent: "approve", confirmed: "yes" });
    const answers = [...(await Promise.all([approve(), approve(), approve()])), await approve()];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const { serialNumber } = await readCertificate(id);
    const texts = await Promise.all(answers.map(async (answer) => (await toastOf(answer))?.text));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]?.replaceAll(":", "")).toContain(serialNumber);
    expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
  });

  test("[MAN-03][CAL-04] by a second administrator says so and issues nothing", async () => {
    const { id } = await order(checksDone());
    await send(id, { intent: "approve", confirmed: "yes" });
    const first = await readCertificate(id);
    const colleague = await signedInAs(await createAdmin());
    const answer = await errorsOf(await send(id, { intent: "approve", confirmed: "yes" }, colleague));
    expect(answer).toMatchObject({
      status: 422,
      errors: { form: "This order has already been approved and its certificate has been issued." },
    });
    expect(await readCertificate(id)).toEqual(first);
  });
});

describe("rejecting and cancelling", () => {
  test.each(["reject", "cancel"])("[MAN-03] by %s needs a reason", async (intent) => {
    const { id } = await order();
    const answer = await errorsOf(await send(id, { intent, decisionReason: " ", confirmed: "yes" }));
    expect(answer).toMatchObject({ status: 422, errors: { decisionReason: "This field is required." } });
    expect((await readCertificate(id)).status).toBe("Pending");
  });

  test("[MAN-03][MAI-01][AUD-02] a rejection asks, then stores the reason and tells the customer", async () => {
    const { id, orderId } = await order();
    const asked = await open(id, { intent: "reject", decisionReason: "Company unknown" });
    expect(pageText(asked.html)).toContain("Are you sure you wish to reject this order?");
    expect(valueOf(asked.html, "decisionReason")).toBe("Company unknown");
    const answer = await send(id, { intent: "reject", decisionReason: "Company unknown", confirmed: "yes" });
    expect(answer.headers.get("Location")).toMatch(ON);
    expect(await readCertificate(id)).toMatchObject({ status: "Rejected", decisionReason: "Company unknown" });
    expect(await auditEventsOf(id)).toEqual(["certificate.rejected"]);
    const mails = await mailsOf(orderId);
    expect(mails.map(({ recipient, text }) => [recipient, text.includes("Company unknown")])).toEqual([
      [people.anna.email, true],
    ]);
    const row = await getDb().selectFrom("orders").select("status").where("id", "=", orderId).executeTakeFirst();
    expect(row?.status).toBe("Cancelled");
  });

  test("[MAN-03] going back from the question keeps the typed values and changes nothing", async () => {
    const { id } = await order();
    const typed = { intent: "reject", decisionReason: "Company unknown", csrNote: "Differs" };
    const asked = await open(id, typed);
    expect(valueOf(asked.html, "csrNote")).toBe("Differs");
    const back = await open(id, { ...typed, confirmed: "yes", back: "yes" });
    expect(back.status).toBe(200);
    expect(select(back.html, 'textarea[name="decisionReason"]').val()).toBe("Company unknown");
    expect(valueOf(back.html, "csrNote")).toBe("Differs");
    expect(textsOf(back.html, "button")).toContain("Record and approve");
    expect(back.html).not.toContain("There is a problem");
    expect((await readCertificate(id)).status).toBe("Pending");
  });

  test("[MAN-03] a paid order is not closed with its certificate", async () => {
    const { id, orderId } = await order();
    await getDb().updateTable("orders").set({ status: "Paid" }).where("id", "=", orderId).execute();
    await send(id, { intent: "cancel", decisionReason: "No", confirmed: "yes" });
    expect((await readCertificate(id)).status).toBe("Cancelled");
    const row = await getDb().selectFrom("orders").select("status").where("id", "=", orderId).executeTakeFirst();
    expect(row?.status).toBe("Paid");
  });

  test.each([
    ["Issued", "This order has already been approved and its certificate has been issued."],
    ["Rejected", "This order has already been rejected."],
    ["Cancelled", "This order has already been cancelled."],
  ] as const)("[MAN-03] no decision is possible about an order that is %s", async (status, message) => {
    const { id } = await order(checksDone());
    await setCertificate(id, { status });
    const forms: Record<string, string>[] = [
      { intent: "approve", confirmed: "yes" },
      { intent: "approve" },
      { intent: "cancel", decisionReason: "No", confirmed: "yes" },
      { intent: "reject", decisionReason: "No", confirmed: "yes" },
      checkForm({ csr: "Again" }),
    ];
    for (const fields of forms) expect((await errorsOf(await send(id, fields))).errors).toEqual({ form: message });
    expect(await auditEventsOf(id)).toEqual([]);
  });

  test("[MAN-03] one of two simultaneous decisions wins", async () => {
    const { id } = await order(checksDone());
    const answers = await Promise.all([
      send(id, { intent: "reject", decisionReason: "No", confirmed: "yes" }),
      send(id, { intent: "cancel", decisionReason: "No", confirmed: "yes" }),
      send(id, { intent: "approve", confirmed: "yes" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
    const { status, der } = await readCertificate(id);
    expect(der !== null).toBe(status === "Issued");
  });
});
