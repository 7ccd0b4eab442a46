import { beforeAll, describe, expect, test } from "vitest";
import { type QueueItem } from "~/domain/certificates/queue.service.server";
import * as queuePage from "~/routes/home.certificate-queue._index";
import * as orderPage from "~/routes/home.certificate-queue.$id";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import {
  auditEventsOf,
  checksDone,
  createCertificateOrder,
  mailsOf,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { type MadeCsr, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { toastOf } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();

type User = Awaited<ReturnType<typeof createUser>>;
let anna: User;
let staff: Visitor;
let customer: Visitor;
let csr: MadeCsr;

beforeAll(async () => {
  anna = await createUser();
  const admin = await createAdmin({ email: "olga@example.org" });
  [staff, customer] = [await signedInAs(admin), await signedInAs(anna)];
  csr = makeCsr({ san: ["DNS:edi.acme.example"] });
});

const order = (given: Parameters<typeof createCertificateOrder>[2] = {}, user = anna) =>
  createCertificateOrder(user, csr.der, given);
const send = async (id: number, fields: Record<string, string>, who = staff) =>
  run(orderPage.action, await who.post(`/home/certificate-queue/${id}`, fields), { id: String(id) });
const open = (id: number, fields?: Record<string, string>) =>
  openPage(orderPage, staff, `/home/certificate-queue/${id}`, {
    params: { id: String(id) },
    ...(fields && { fields }),
  });

const rowsOf = async (query: string) =>
  (await jsonOf<{ rows: QueueItem[] }>(await run(queuePage.loader, staff.get(`/home/certificate-queue${query}`)))).rows;

describe("the queue", () => {
  test("[MAN-03] pending orders oldest first with what each waits for; others are not there", async () => {
    const late = await order({ requestedAt: new Date("2026-11-20T10:00:00Z"), ...checksDone() });
    const early = await order({ requestedAt: new Date("2026-11-01T10:00:00Z"), contactAnswer: "refused" });
    const rejected = await order({ status: "Rejected" });
    const answer = await run(queuePage.loader, staff.get("/home/certificate-queue"));
    const { rows, total } = await jsonOf<{ rows: QueueItem[]; total: number }>(answer);
    expect(rows.map((row) => row.id)).toEqual([early.id, late.id]);
    expect(total).toBe(2);
    expect(rows.map((row) => row.waitsFor)).toEqual([
      [
        "The authentication contact refused the order.",
        "Check of the organisation",
        "Comparison of the CSR with the company",
      ],
      [],
    ]);
    expect(rows.map((row) => row.id)).not.toContain(rejected.id);
    const { html } = await openPage(queuePage, staff, "/home/certificate-queue");
    expect(html).toContain(`href="/home/certificate-queue/${early.id}"`);
    expect(html).toContain("1 to 2 of 2, oldest first");
    const found = await run(queuePage.loader, staff.get(`/home/certificate-queue?search=SO-${late.orderId}`));
    expect((await jsonOf<{ rows: QueueItem[] }>(found)).rows.map((row) => row.id)).toEqual([late.id]);
  });

  test("[MAN-03] is searched by the customer's e-mail, name and company of today", async () => {
    const carl = await createUser({ email: "carl.quill@paper.example", firstName: "Carl", lastName: "Quill" });
    const { id } = await order({}, carl);
    const found = async (search: string) =>
      (await rowsOf(`?search=${encodeURIComponent(search)}`)).map((row) => row.id);
    for (const search of [
      "carl.quill@paper.example",
      "CARL.QUILL@",
      "Quill Carl",
      `SO-${(await readCertificate(id)).orderId} quill`,
    ])
      expect(await found(search)).toEqual([id]);
    await updateUser(getDb(), carl.id, {
      email: "c.quill@press.example",
      username: "c.quill@press.example",
      company: "Press GmbH",
    });
    expect(await found("paper.example")).toEqual([]);
    expect(await found("press.example press gmbh")).toEqual([id]);
    await setCertificate(id, { status: "Cancelled" });
  });

  test("[MAN-03] shows only what needs nothing but approval", async () => {
    const unverified = await createUser({ emailVerifiedAt: null });
    const { id } = await order(checksDone());
    await order(checksDone(), unverified);
    for (const missing of ["contactAnswer", "organisationCheckedAt", "csrCheckedAt"])
      await order({ ...checksDone(), [missing]: null });
    await order({ ...checksDone(), contactAnswer: "refused" });
    await order({ ...checksDone(), serialNumber: "7A01" });
    const all = (await rowsOf("?size=100")).filter(({ waitsFor }) => waitsFor.length === 0).map((row) => row.id);
    const ready = (await rowsOf("?ready=yes&size=100")).map((row) => row.id);
    expect(ready).toEqual(all);
    expect(ready).toContain(id);
    expect(await rowsOf(`?ready=yes&search=${unverified.email}`)).toEqual([]);
    const { html } = await openPage(queuePage, staff, "/home/certificate-queue?ready=yes");
    expect(html).toContain('<input type="hidden" name="ready" value="yes"/>');
    expect(html).toMatch(/<a aria-current="true"[^>]*ready=yes[^>]*>ready to approve</);
    expect((await rowsOf("?ready=1&size=100")).length).toBeGreaterThan(ready.length);
    await getDb().updateTable("certificates").set({ status: "Cancelled" }).execute(); // not among those of other tests
  });

  test("[MAN-03][CER-04] a renewal names the certificate that it renews, in the queue and with a link on its page", async () => {
    const original = await order({ status: "Downloaded" });
    const { id } = await order({ orderType: "Renewal", previousCertificateId: original.id });
    const text = `Renewal [${original.id}]`;
    expect((await openPage(queuePage, staff, "/home/certificate-queue")).html).toContain(text);
    const { html } = await open(id);
    expect(html).toMatch(new RegExp(`<a [^>]*href="/home/certificate-details/${original.id}"[^>]*>Renewal \\[`));
    await setCertificate(id, { status: "Cancelled" });
  });

  test("[DSH-03][MAN-03] only administrators see it and act in it", async () => {
    const { id } = await order();
    const params = { id: String(id) };
    for (const [who, location] of [
      [customer, "/"],
      [await anonymous(), /^\/login/],
    ] as const) {
      const answers = [
        await run(queuePage.loader, who.get("/home/certificate-queue")),
        await run(orderPage.loader, who.get(`/home/certificate-queue/${id}`), params),
        await send(id, { intent: "approve", confirmed: "yes" }, who),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(302);
        expect(answer.headers.get("Location")).toMatch(location === "/" ? /^\/$/ : location);
      }
    }
    expect((await readCertificate(id)).status).toBe("Pending");
  });
});

describe("an order", () => {
  test("[MAN-03] shows contacts, the decoded CSR, whether the e-mail is verified and another domain", async () => {
    const unverified = await createUser({
      emailVerifiedAt: null,
      company: "Unverified Ltd",
      email: "carl@unverified.example",
    });
    const { id, orderId } = await order({}, unverified);
    const { html } = await open(id);
    for (const expected of [
      `Order SO-${orderId}`,
      "Unverified Ltd",
      "Not verified",
      "Bernd Boss",
      "bernd.boss@example-parts.com",
      "1 Mill Lane, Coventry, CV1 1AA, United Kingdom",
      "The e-mail address belongs to another domain than the customer&#x27;s.",
      "oftp.acme.example",
      "edi.acme.example",
      "RSA, 2048 bits",
      "Secure session, E-mail, Encryption, File signing",
      "-----BEGIN CERTIFICATE REQUEST-----",
      "PO-7",
      "€348.00",
      "The customer&#x27;s e-mail address is not verified.",
    ])
      expect(html).toContain(expected);
  });

  test.each([
    ["SN-4711", true],
    ["O0177ABC", true],
    ["O0177ABCD", false],
    ["o0177 ab-1", false],
    [null, false],
  ])("[MAN-03] a serial number %s: a hint that it is no OFTP ID: %s", async (ssid, isHinted) => {
    const { html } = await open((await order({ ssid })).id);
    expect(html.includes("has not the form of an OFTP ID")).toBe(isHinted);
  });

  test("[MAN-03] one domain is not flagged, a blocked key is", async () => {
    const same = await createUser({ email: "dora@example-parts.com" });
    const { id, keyIdentity } = await order({}, same);
    expect((await open(id)).html).not.toContain("belongs to another domain");
    await getDb().insertInto("blockedKeys").values({ keyIdentity, reason: "test", createdAt: new Date() }).execute();
    expect((await open(id)).html).toContain("This public key is blocked");
    expect(
      (await errorsOf(await send(await approvable(), { intent: "approve", confirmed: "yes" }))).errors.form,
    ).toMatch(/public key of this order is blocked/);
    await getDb().deleteFrom("blockedKeys").execute();
  });

  const approvable = async () => (await order(checksDone())).id;

  test("[MAN-03] one that does not exist is not found", async () => {
    for (const id of ["99999999", "x"]) {
      const answer = await run(orderPage.loader, staff.get("/"), { id });
      expect(answer.status).toBe(404);
    }
    expect((await send(99999999, { intent: "approve", confirmed: "yes" })).status).toBe(404);
  });
});

describe("checks", () => {
  test("[MAN-03][AUD-02] each is recorded with its note, by whom and when", async () => {
    const { id } = await order();
    for (const [intent, field] of [
      ["contact", "contactNote"],
      ["organisation", "organisationNote"],
      ["csr", "csrNote"],
    ] as const) {
      const answer = await send(id, { intent, [field]: `Seen: ${intent}` });
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/home/certificate-queue/${id}`]);
    }
    expect(await readCertificate(id)).toMatchObject({
      contactAnswer: "authorised",
      contactAnswerBy: "olga@example.org",
      contactNote: "Seen: contact",
      organisationCheckedBy: "olga@example.org",
      organisationNote: "Seen: organisation",
      csrCheckedBy: "olga@example.org",
      csrNote: "Seen: csr",
    });
    expect(await auditEventsOf(id)).toEqual([
      "certificate.contact-checked",
      "certificate.organisation-checked",
      "certificate.csr-checked",
    ]);
    const { html } = await open(id);
    expect(html).toContain("by olga@example.org: Seen: organisation");
    expect(html).not.toContain("The order cannot be approved yet:");
  });

  test.each(["contact", "organisation", "csr"])("[MAN-03] the note of the %s check is required", async (intent) => {
    const { id } = await order();
    for (const note of ["", "   "]) {
      const answer = await errorsOf(await send(id, { intent, [`${intent}Note`]: note }));
      expect(answer).toMatchObject({ status: 422, errors: { [`${intent}Note`]: "This field is required." } });
    }
    const tooLong = await errorsOf(await send(id, { intent, [`${intent}Note`]: "x".repeat(501) }));
    expect(tooLong.errors[`${intent}Note`]).toBe("Entered value is not valid.");
    expect(await auditEventsOf(id)).toEqual([]);
  });

  test("[MAN-03] what was typed for other checks is kept, and a colleague's record is not overwritten", async () => {
    const { id } = await order();
    const typed = { contactNote: "Called <again> at ten", csrNote: "Same company", organisationNote: "" };
    await send(id, { intent: "organisation", ...typed, organisationNote: "Register extract" });
    const kept = await readCertificate(id);
    expect(kept).toMatchObject({ contactAnswer: null, csrCheckedAt: null, csrNote: "Same company" });
    expect(kept.organisationCheckedAt).not.toBeNull();
    const { html } = await open(id);
    expect(html).toMatch(/<textarea[^>]*name="csrNote"[^>]*>Same company<\/textarea>/);
    expect(html).toContain("The CSR has not been compared with the company.");
    await send(id, { intent: "contact", contactNote: "By telephone", csrNote: "", organisationNote: "Typed before" });
    expect(await readCertificate(id)).toMatchObject({
      contactNote: "By telephone",
      csrNote: "Same company",
      organisationNote: "Register extract",
    });
    expect(await auditEventsOf(id)).toEqual(["certificate.organisation-checked", "certificate.contact-checked"]);
  });

  test("[MAN-03] a refused note loses none of the others", async () => {
    const { id } = await order();
    const { html } = await open(id, {
      intent: "contact",
      contactNote: "",
      csrNote: "Half a note",
      decisionReason: "x",
    });
    expect(html).toContain("This field is required.");
    expect(html).toMatch(/<textarea[^>]*name="csrNote"[^>]*>Half a note<\/textarea>/);
  });

  test("[MAN-03] the contact's refusal stays: staff can only reject or cancel", async () => {
    const refused = {
      contactAnswer: "refused" as const,
      contactAnsweredAt: new Date(),
      contactAnswerBy: "b@x.example",
    };
    const { id } = await order({ ...checksDone(), ...refused });
    const { html } = await open(id);
    expect(html).toContain("Staff cannot record another answer: reject or cancel the order.");
    expect(html).not.toContain("Record Authorisation");
    const { status, errors } = await errorsOf(await send(id, { intent: "contact", contactNote: "By telephone" }));
    expect({ status, errors }).toEqual({
      status: 422,
      errors: {
        form: "The authentication contact refused the order. That answer stays: reject or cancel the order.",
      },
    });
    expect(await readCertificate(id)).toMatchObject({ contactAnswer: "refused", contactAnswerBy: "b@x.example" });
    expect(await auditEventsOf(id)).toEqual([]);
    expect((await send(id, { intent: "cancel", decisionReason: "No", confirmed: "yes" })).status).toBe(303);
  });

  test("[MAN-03] an unknown intent is refused", async () => {
    const { id } = await order();
    expect((await send(id, { intent: "delete" })).status).toBe(422);
  });
});

describe("approval", () => {
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

  test("[MAN-03] is refused while the customer's e-mail is not verified", async () => {
    const unverified = await createUser({ emailVerifiedAt: null });
    const { id } = await order(checksDone(), unverified);
    const answer = await errorsOf(await send(id, { intent: "approve", confirmed: "yes" }));
    expect(answer.errors.form).toBe("The customer's e-mail address is not verified.");
    await getDb().updateTable("users").set({ emailVerifiedAt: new Date() }).where("id", "=", unverified.id).execute();
    expect((await send(id, { intent: "approve", confirmed: "yes" })).status).toBe(303);
  });

  test("[MAN-03] asks on a page of its own, then issues", async () => {
    const { id } = await order(checksDone());
    const asked = await open(id, { intent: "approve" });
    expect(asked.html).toContain("Are you sure you wish to approve this order and issue its certificate?");
    expect(asked.html).toContain('<input type="hidden" name="confirmed" value="yes"/>');
    expect((await readCertificate(id)).status).toBe("Pending");
    const answer = await send(id, { intent: "approve", confirmed: "yes" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificate-queue"]);
    expect((await readCertificate(id)).status).toBe("Issued");
    const { html } = await open(id);
    expect(html).toContain("This order has already been approved and its certificate has been issued.");
    expect(html).not.toContain(">Approve<");
  });

  test("[MAN-03][CAL-04] an approval that is sent several times issues once and is answered as the first time", async () => {
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

  test("[MAN-03][CAL-04] a second approval by another says so and issues nothing", async () => {
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
  test.each(["reject", "cancel"])("[MAN-03] %s needs its reason", async (intent) => {
    const { id } = await order();
    const answer = await errorsOf(await send(id, { intent, decisionReason: " ", confirmed: "yes" }));
    expect(answer).toMatchObject({ status: 422, errors: { decisionReason: "This field is required." } });
    expect((await readCertificate(id)).status).toBe("Pending");
  });

  test("[MAN-03][MAI-01][AUD-02] a rejection asks, then stores the reason and tells the customer", async () => {
    const { id, orderId } = await order();
    const asked = await open(id, { intent: "reject", decisionReason: "Company unknown" });
    expect(asked.html).toContain("Are you sure you wish to reject this order?");
    expect(asked.html).toContain('name="decisionReason" value="Company unknown"');
    const answer = await send(id, { intent: "reject", decisionReason: "Company unknown", confirmed: "yes" });
    expect(answer.headers.get("Location")).toBe("/home/certificate-queue");
    expect(await readCertificate(id)).toMatchObject({ status: "Rejected", decisionReason: "Company unknown" });
    expect(await auditEventsOf(id)).toEqual(["certificate.rejected"]);
    const mails = await mailsOf(orderId);
    expect(mails.map(({ recipient, text }) => [recipient, text.includes("Company unknown")])).toEqual([
      [anna.email, true],
    ]);
    const row = await getDb().selectFrom("orders").select("status").where("id", "=", orderId).executeTakeFirst();
    expect(row?.status).toBe("Cancelled");
  });

  test("[MAN-03] the way back from the question shows what was typed and changes nothing", async () => {
    const { id } = await order();
    const typed = { intent: "reject", decisionReason: "Company unknown", csrNote: "Differs" };
    const asked = await open(id, typed);
    expect(asked.html).toContain('name="csrNote" value="Differs"');
    const back = await open(id, { ...typed, confirmed: "yes", back: "yes" });
    expect(back.status).toBe(200);
    expect(back.html).toMatch(/<textarea[^>]*name="decisionReason"[^>]*>Company unknown<\/textarea>/);
    expect(back.html).toMatch(/<textarea[^>]*name="csrNote"[^>]*>Differs<\/textarea>/);
    expect(back.html).not.toContain("There is a problem");
    expect((await readCertificate(id)).status).toBe("Pending");
  });

  test("[MAN-03] an order that was paid is not closed with its certificate", async () => {
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
  ] as const)("[MAN-03] nothing is decided about an order that is %s", async (status, message) => {
    const { id } = await order(checksDone());
    await setCertificate(id, { status });
    const forms: Record<string, string>[] = [
      { intent: "approve", confirmed: "yes" },
      { intent: "approve" },
      { intent: "cancel", decisionReason: "No", confirmed: "yes" },
      { intent: "reject", decisionReason: "No", confirmed: "yes" },
      { intent: "csr", csrNote: "Again" },
    ];
    for (const fields of forms) expect((await errorsOf(await send(id, fields))).errors).toEqual({ form: message });
    expect(await auditEventsOf(id)).toEqual([]);
  });

  test("[MAN-03] of two decisions at once one wins", async () => {
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
