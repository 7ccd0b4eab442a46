import { beforeAll, describe, expect, test } from "vitest";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import { auditEventsOf, checksDone, createCertificateOrder, mailsOf, readCertificate } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { type MadeCsr, useOpenssl } from "../support/openssl";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

let anna: Awaited<ReturnType<typeof createUser>>;
let admin: typeof anna;
let staff: Visitor;
let customer: Visitor;
let csr: MadeCsr;

beforeAll(async () => {
  [anna, admin] = [await createUser(), await createAdmin()];
  [staff, customer] = [await signedInAs(admin), await signedInAs(anna)];
  csr = makeCsr();
});

const order = (given: Parameters<typeof createCertificateOrder>[2] = {}, made = csr) =>
  createCertificateOrder(anna, made.der, given);
const send = async (id: number, fields: Record<string, string>) =>
  run(orderPage.action, await staff.post(`/home/certificate-queue/${id}`, fields), { id: String(id) });
const cancel = async (id: number, fields: Record<string, string>, who = customer) =>
  run(detailsPage.action, await who.post(`/home/certificate-details/${id}`, fields), { id: String(id) });
const details = async (id: number, fields?: Record<string, string>) =>
  openPage(detailsPage, customer, `/home/certificate-details/${id}`, {
    params: { id: String(id) },
    ...(fields && { fields }),
  });
const queuePage = async (id: number) =>
  openPage(orderPage, staff, `/home/certificate-queue/${id}`, { params: { id: String(id) } });

describe("the reason for the end of an order", () => {
  test.each([
    ["reject", "This order has been rejected."],
    ["cancel", "This order has been cancelled."],
  ])(
    "[MAN-03] %s by staff is shown to the owner with the time on the details page and in the mail",
    async (intent, title) => {
      const { id, orderId } = await order();
      await send(id, { intent, decisionReason: "Ordered twice, see SO-1", confirmed: "yes" });
      expect((await readCertificate(id)).decisionReason).toBe("Ordered twice, see SO-1");
      const forStaff = (await queuePage(id)).html;
      expect(textsOf(forStaff, ".tag")).not.toContain("Missing");
      expect(pageText(forStaff)).toMatch(
        new RegExp(`by ${admin.firstName} ${admin.lastName} ?: Ordered twice, see SO-1`),
      );
      const { status, html } = await details(id);
      expect(status).toBe(200);
      for (const text of [title, "Ordered twice, see SO-1"]) expect(pageText(html)).toContain(text);
      expect(html).not.toContain("Cancel this order");
      for (const absent of ["Download", "Revoke"]) expect(textsOf(html, "a, button")).not.toContain(absent);
      const [mail] = await mailsOf(orderId);
      expect(mail?.text).toContain("Ordered twice, see SO-1");
      expect(mail?.text).toContain(`/home/orders/${orderId}`);
    },
  );

  test("[MAN-03] can be given by the owner, is kept over the question, and shown afterwards", async () => {
    const { id } = await order();
    const asked = await details(id, { intent: "cancel", decisionReason: "Wrong <b>host</b>" });
    expect(valueOf(asked.html, "decisionReason")).toBe("Wrong host");
    const back = await details(id, { intent: "cancel", decisionReason: "Wrong host", confirmed: "yes", back: "yes" });
    expect(select(back.html, "textarea").val()).toBe("Wrong host");
    expect((await readCertificate(id)).status).toBe("Pending");
    await cancel(id, { decisionReason: "Wrong host", confirmed: "yes" });
    expect(await readCertificate(id)).toMatchObject({ status: "Cancelled", decisionReason: "Wrong host" });
    expect(pageText((await details(id)).html)).toContain("Wrong host");
  });

  test("[MAN-03] is optional for the owner; too long a one is refused, and nobody else can cancel", async () => {
    const { id } = await order();
    const tooLong = await errorsOf(await cancel(id, { decisionReason: "x".repeat(501) }));
    expect(tooLong).toMatchObject({
      status: 422,
      errors: { decisionReason: "At most 500 characters; this one has 501." },
    });
    const stranger = await signedInAs(await createUser());
    expect((await cancel(id, { confirmed: "yes" }, stranger)).headers.get("Location")).toBe("/home/certificates");
    expect((await readCertificate(id)).status).toBe("Pending");
    await cancel(id, { decisionReason: "x".repeat(500), confirmed: "yes" });
    expect((await readCertificate(id)).decisionReason).toBe("x".repeat(500));
    const other = await order();
    await cancel(other.id, { confirmed: "yes" });
    expect(await readCertificate(other.id)).toMatchObject({ status: "Cancelled", decisionReason: null });
  });
});

describe("an approved order that cannot be signed", () => {
  /** Returns the certificate id of an order that was approved while the CA could not sign. */
  async function stuck() {
    const { id } = await order(checksDone());
    setSigner("issuing-sha2", { hash: "sha256", sign: () => Promise.reject(new Error("the key is lost")) });
    const { status, errors } = await errorsOf(await send(id, { intent: "approve", confirmed: "yes" }));
    expect([status, errors.form]).toEqual([422, expect.stringContaining("cannot be signed at the moment")]);
    return id;
  }

  test("[MAN-03][CAL-04] can be undone, is pending again, and can then be rejected", async () => {
    const id = await stuck();
    try {
      const { serialNumber } = await readCertificate(id);
      const rejected = await errorsOf(await send(id, { intent: "reject", decisionReason: "No key", confirmed: "yes" }));
      expect(rejected.errors.form).toMatch(/already been approved/);
      const page = await queuePage(id);
      expect(textsOf(page.html, 'button[value="undo"]')).toEqual(["Undo approval"]);
      const asked = await send(id, { intent: "undo" });
      expect(await asked.json()).toMatchObject({ asked: { intent: "undo" }, about: { title: "Undo approval" } });
      expect((await readCertificate(id)).serialNumber).toBe(serialNumber);
      expect((await send(id, { intent: "undo", confirmed: "yes" })).status).toBe(303);
      expect(await readCertificate(id)).toMatchObject({ status: "Pending", serialNumber: null, tbsCertificate: null });
      const events = ["certificate.approved", "certificate.issuing-undone"];
      expect(await auditEventsOf(id)).toEqual(events);
      expect((await send(id, { intent: "reject", decisionReason: "No key", confirmed: "yes" })).status).toBe(303);
      expect(await auditEventsOf(id)).toEqual([...events, "certificate.rejected"]);
    } finally {
      setSigner("issuing-sha2", null);
    }
    expect(await finishInterruptedIssuing()).toBe(0);
    expect((await readCertificate(id)).status).toBe("Rejected");
  });

  test("[CAL-04] ignores a signature that comes after the approval was undone", async () => {
    const id = await stuck();
    setSigner("issuing-sha2", null);
    const signer = await getSigner("issuing-sha2");
    setSigner("issuing-sha2", {
      hash: signer.hash,
      sign: async (bytes: Uint8Array) => {
        await send(id, { intent: "undo", confirmed: "yes" });
        return signer.sign(bytes);
      },
    });
    try {
      expect(await finishInterruptedIssuing()).toBe(0);
    } finally {
      setSigner("issuing-sha2", null);
    }
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", der: null, serialNumber: null });
  });

  test("[CAL-04][MAN-03] is not reported as issued when a colleague undoes the approval in the meantime", async () => {
    const { id } = await order(checksDone());
    const signer = await getSigner("issuing-sha2");
    setSigner("issuing-sha2", {
      hash: signer.hash,
      sign: async (bytes: Uint8Array) => {
        await send(id, { intent: "undo", confirmed: "yes" });
        return signer.sign(bytes);
      },
    });
    try {
      const { status, errors } = await errorsOf(await send(id, { intent: "approve", confirmed: "yes" }));
      expect(status).toBe(422);
      expect(errors.form).toContain("taken back by somebody else");
    } finally {
      setSigner("issuing-sha2", null);
    }
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", der: null, serialNumber: null });
  });

  test("[MAN-03] cannot be undone while it can still be signed", async () => {
    const open = await order();
    const message = "The order is pending: its certificate is not being issued.";
    const gone = await order({ status: "Cancelled" });
    for (const confirmed of ["", "yes"]) {
      expect((await errorsOf(await send(open.id, { intent: "undo", confirmed }))).errors).toEqual({ form: message });
      expect((await errorsOf(await send(gone.id, { intent: "undo", confirmed }))).errors).toEqual({
        form: "This order has already been cancelled.",
      });
    }
    expect((await queuePage(open.id)).html).not.toContain("Undo approval");
  });
});

test("[MAN-03] staff see that a customer has another pending order with the same key", async () => {
  const made = makeCsr();
  const [one, two] = [await order({}, made), await order({}, made)];
  const gone = await order({ status: "Cancelled" }, made);
  const { html } = await queuePage(one.id);
  expect(pageText(html)).toContain("Other pending orders have the same public key:");
  expect(select(html, `.note a[href="/home/certificate-queue/${two.id}"]`)).toHaveLength(1);
  expect(select(html, `a[href="/home/certificate-queue/${gone.id}"]`)).toHaveLength(0);
  await cancel(two.id, { confirmed: "yes" });
  expect((await queuePage(one.id)).html).not.toContain("Other pending orders");
});
