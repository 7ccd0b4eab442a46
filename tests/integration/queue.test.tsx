import { describe, expect, test } from "vitest";
import { type QueueItem } from "~/domain/certificates/queue/queue-list.service.server";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import * as queuePage from "~/routes/home.certificate-queue._index";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { auditEventsOf, checksDone, readCertificate, setCertificate } from "../support/certificates";
import { checkForm } from "../support/check-forms";
import { createAdmin, createUser } from "../support/factories";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run, signedInAs } from "../support/visitor";
import { useQueue } from "./queue-orders";
import { toastOf } from "./revoking";

usePortal();
const { people, order, send, open } = useQueue();

const valuesOf = (html: string, selector: string) =>
  select(html, selector)
    .get()
    .map((element) => ("attribs" in element ? element.attribs.value : undefined));

const rowsOf = async (query: string) =>
  (
    await jsonOf<{ rows: QueueItem[] }>(
      await run(queuePage.loader, people.staff.get(`/home/certificate-queue${query}`)),
    )
  ).rows;

describe("the certificate queue", () => {
  test("[MAN-03] shows only pending orders, oldest first, with what each waits for", async () => {
    const late = await order({ requestedAt: new Date("2026-11-20T10:00:00Z"), ...checksDone() });
    const early = await order({ requestedAt: new Date("2026-11-01T10:00:00Z"), contactAnswer: "refused" });
    const rejected = await order({ status: "Rejected" });
    const answer = await run(queuePage.loader, people.staff.get("/home/certificate-queue"));
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
    const { html } = await openPage(queuePage, people.staff, "/home/certificate-queue");
    expect(select(html, `a[href="/home/certificate-queue/${early.id}"]`)).toHaveLength(1);
    expect(pageText(html)).toContain("1 to 2 of 2, sorted by request date");
    const found = await run(queuePage.loader, people.staff.get(`/home/certificate-queue?search=SO-${late.orderId}`));
    expect((await jsonOf<{ rows: QueueItem[] }>(found)).rows.map((row) => row.id)).toEqual([late.id]);
  });

  test("[MAN-03] can be searched by the customer's current email, name and company", async () => {
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

  test("[MAN-03] can show only orders that are ready for approval", async () => {
    const unverified = await createUser({ emailVerifiedAt: null });
    const { id } = await order(checksDone());
    await order(checksDone(), unverified);
    for (const missing of ["contactAnswer", "organisationCheckedAt", "csrCheckedAt"])
      await order({ ...checksDone(), [missing]: null });
    await order({ ...checksDone(), contactAnswer: "refused" });
    await order({ ...checksDone(), serialNumber: "7A01" });
    const all = (await rowsOf("?size=100")).filter(({ waitsFor }) => waitsFor.length === 0).map((row) => row.id);
    const ready = (await rowsOf("?stage=ready&size=100")).map((row) => row.id);
    expect(ready).toEqual(all);
    expect(ready).toContain(id);
    expect(await rowsOf(`?stage=ready&search=${unverified.email}`)).toEqual([]);
    const { html } = await openPage(queuePage, people.staff, "/home/certificate-queue?stage=ready");
    expect(select(html, 'input[type="hidden"][name="stage"]').attr("value")).toBe("ready");
    expect(textsOf(html, 'nav[aria-label="Pending orders"] a[aria-current="true"]')).toEqual([
      `Ready (${ready.length})`,
    ]);
    expect((await rowsOf("?stage=1&size=100")).length).toBeGreaterThan(ready.length);
    await getDb().updateTable("certificates").set({ status: "Cancelled" }).execute(); // hides the orders of other tests
  });

  test("[MAN-03][CER-04] names the certificate that a renewal renews, and its page links it", async () => {
    const original = await order({ status: "Downloaded" });
    const { id } = await order({ orderType: "Renewal", previousCertificateId: original.id });
    const text = `Renewal [${original.id}]`;
    expect(pageText((await openPage(queuePage, people.staff, "/home/certificate-queue")).html)).toContain(text);
    const { html } = await open(id);
    expect(textsOf(html, `a[href="/home/certificate-details/${original.id}"]`)).toEqual([text]);
    await setCertificate(id, { status: "Cancelled" });
  });

  test("[DSH-03][MAN-03] is for administrators only, to see and to use", async () => {
    const { id } = await order();
    const params = { id: String(id) };
    for (const [who, location] of [
      [people.customer, /^\/home\/dashboard$/],
      [await anonymous(), /^\/login/],
    ] as const) {
      const answers = [
        await run(queuePage.loader, who.get("/home/certificate-queue")),
        await run(orderPage.loader, who.get(`/home/certificate-queue/${id}`), params),
        await send(id, { intent: "approve", confirmed: "yes" }, who),
      ];
      for (const answer of answers) {
        expect([302, 303]).toContain(answer.status);
        expect(answer.headers.get("Location")).toMatch(location);
      }
    }
    expect((await readCertificate(id)).status).toBe("Pending");
  });
});

describe("the page of an order in the queue", () => {
  test("[MAN-03] shows contacts, the decoded CSR, whether the email is verified, and another domain", async () => {
    const unverified = await createUser({
      emailVerifiedAt: null,
      company: "Unverified Ltd",
      email: "carl@unverified.example",
    });
    const { id, orderId } = await order({}, unverified);
    const text = pageText((await open(id)).html);
    for (const expected of [
      `Order SO-${orderId}`,
      "Unverified Ltd",
      "Not verified",
      "Bernd Boss",
      "bernd.boss@example-parts.com",
      "1 Mill Lane",
      "The email address belongs to another domain than the customer's.",
      "oftp.acme.example",
      "edi.acme.example",
      "RSA, 2048 bits",
      "Secure session, E-mail, Encryption, File signing",
      "-----BEGIN CERTIFICATE REQUEST-----",
      "PO-7",
      "€348.00",
      "Confirmation of the customer's email address",
    ])
      expect(text).toContain(expected);
  });

  test.each([
    ["SN-4711", true],
    ["O0177ABC", true],
    ["O0177ABCD", false],
    ["o0177 ab-1", false],
    [null, false],
  ])("[MAN-03] for a serial number %s has a hint that it is no OFTP ID: %s", async (ssid, isHinted) => {
    const { html } = await open((await order({ ssid })).id);
    expect(pageText(html).includes("is not a valid OFTP ID")).toBe(isHinted);
  });

  test("[MAN-03] flags a blocked key, but not an equal domain", async () => {
    const same = await createUser({ email: "dora@example-parts.com" });
    const { id, keyIdentity } = await order({}, same);
    expect((await open(id)).html).not.toContain("belongs to another domain");
    await getDb().insertInto("blockedKeys").values({ keyIdentity, reason: "test", createdAt: new Date() }).execute();
    expect(pageText((await open(id)).html)).toContain("This public key is blocked");
    expect(
      (await errorsOf(await send((await order(checksDone(), same)).id, { intent: "approve", confirmed: "yes" }))).errors
        .form,
    ).toMatch(/public key of this order is blocked/);
    await getDb().deleteFrom("blockedKeys").execute();
  });

  test("[MAN-03] is not found for an unknown order", async () => {
    for (const id of ["99999999", "x"]) {
      const answer = await run(orderPage.loader, people.staff.get("/"), { id });
      expect(answer.status).toBe(404);
    }
    expect((await send(99999999, { intent: "approve", confirmed: "yes" })).status).toBe(404);
  });
});

describe("the checks of an order", () => {
  test("[MAN-03][AUD-02] are each recorded with note, person and time, and the page says so where they are", async () => {
    const { id } = await order();
    const typed = { contact: "Called back through the switchboard", organisation: "other", organisationNote: "Seen" };
    expect(select((await open(id)).html, '#decision[tabindex="-1"]')).toHaveLength(1);
    const answer = await send(id, { intent: "record", ...typed, csr: "", csrNote: "Not yet" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/home/certificate-queue/${id}#decision`]);
    expect(await toastOf(answer)).toMatchObject({
      text: "The checks “Authentication contact” and “Organisation document” have been recorded.",
      at: "decision",
    });
    expect(await readCertificate(id)).toMatchObject({
      contactAnswer: "authorised",
      contactAnswerBy: "olga@example.org",
      contactNote: "Called back through the switchboard",
      organisationCheckedBy: "olga@example.org",
      organisationNote: "Seen",
      csrCheckedAt: null,
    });
    await send(id, checkForm({ csr: "Agrees" }));
    expect(await auditEventsOf(id)).toEqual([
      "certificate.contact-checked",
      "certificate.organisation-checked",
      "certificate.csr-checked",
    ]);
    const { html } = await open(id);
    expect(pageText(html)).toContain("by olga@example.org: Seen");
    expect(html).not.toContain("The order cannot be approved yet:");
  });

  test("[MAN-03] are all recorded or none", async () => {
    const { id } = await order();
    await send(id, checkForm({ csr: "Agrees" }));
    const colleague = await signedInAs(await createAdmin());
    const { status, errors } = await errorsOf(
      await send(id, checkForm({ organisation: "Seen", csr: "Same" }), colleague),
    );
    expect([status, Object.keys(errors)]).toEqual([422, ["csr"]]);
    expect(errors.csr).toContain("Nothing of this form is stored.");
    expect(await readCertificate(id)).toMatchObject({ organisationCheckedAt: null, csrNote: "Agrees" });
    expect(await auditEventsOf(id)).toEqual(["certificate.csr-checked"]);
  });

  test("[MAN-03] are not chosen beforehand, and Enter records", async () => {
    const { html } = await open((await order()).id);
    for (const check of ["contact", "organisation", "csr"])
      expect(select(html, `input[name="${check}"]:checked`).val()).toBe("");
    const buttons = ["record", "approve", "next", "reject", "cancel"];
    expect(valuesOf(html, '#queue-order button[name="intent"]')).toEqual(buttons);
  });

  test("[MAN-03] offer the notes that an officer used before, the most frequent first, but no long ones", async () => {
    const officer = await signedInAs(await createAdmin());
    const notes = [
      "Register of Coventry",
      "Chamber of commerce",
      "Chamber of commerce",
      "Asked a colleague",
      "x".repeat(61),
    ];
    for (const organisation of notes) await send((await order()).id, checkForm({ organisation }), officer);
    const { id } = await order();
    const choicesFor = async (who: typeof officer) => {
      const path = `/home/certificate-queue/${id}`;
      const { html } = await openPage(orderPage, who, path, { params: { id: String(id) } });
      return valuesOf(html, 'input[name="organisation"]');
    };
    const presets = ["Trade register seen", "Extract sent by the customer", "Known from an earlier order"];
    expect(await choicesFor(officer)).toEqual(["", ...presets, "Chamber of commerce", "Asked a colleague", "other"]);
    expect(await choicesFor(people.staff)).not.toContain("Chamber of commerce");
  });

  test.each(["contact", "organisation", "csr"] as const)("[MAN-03] need a note for another %s note", async (check) => {
    const { id } = await order();
    for (const note of ["", "   "]) {
      const answer = await errorsOf(await send(id, checkForm({ [check]: note })));
      expect(answer).toMatchObject({ status: 422, errors: { [`${check}Note`]: "This field is required." } });
    }
    const tooLong = await errorsOf(await send(id, checkForm({ [check]: "x".repeat(501) })));
    expect(tooLong.errors[`${check}Note`]).toBe("At most 500 characters; this one has 501.");
    expect(await auditEventsOf(id)).toEqual([]);
  });

  test.each(["record", "next"])("[MAN-03] that are not chosen are not recorded by %s", async (intent) => {
    const { id } = await order();
    const { status, errors } = await errorsOf(await send(id, { intent, contact: "", contactNote: "Called" }));
    expect({ status, errors }).toEqual({ status: 422, errors: { form: "Choose how a check was done to record it." } });
    expect(await auditEventsOf(id)).toEqual([]);
  });

  test("[MAN-03] keep notes that were typed for other checks, and do not overwrite a colleague's record", async () => {
    const { id } = await order();
    const typed = { contactNote: "Called <again> at ten", csrNote: "Same company" };
    await send(id, { ...typed, ...checkForm({ organisation: "Register extract" }) });
    const kept = await readCertificate(id);
    expect(kept).toMatchObject({ contactAnswer: null, csrCheckedAt: null, csrNote: "Same company" });
    expect(kept.organisationCheckedAt).not.toBeNull();
    const { html } = await open(id);
    expect(valueOf(html, "csrNote")).toBe("Same company");
    expect(select(html, 'input[name="csr"]:checked').val()).toBe("");
    await send(id, { ...checkForm({ contact: "By telephone" }), csrNote: "", organisationNote: "Typed before" });
    expect(await readCertificate(id)).toMatchObject({
      contactNote: "By telephone",
      csrNote: "Same company",
      organisationNote: "Register extract",
    });
    expect(await auditEventsOf(id)).toEqual(["certificate.organisation-checked", "certificate.contact-checked"]);
  });

  test("[MAN-03] keep a typed reason for the decision, which an approval drops", async () => {
    const { id } = await order({ ...checksDone(), csrCheckedAt: null });
    await send(id, { ...checkForm({ csr: "Same company" }), decisionReason: "Key too short" });
    const { html } = await open(id);
    expect(textsOf(html, 'textarea[name="decisionReason"]')).toEqual(["Key too short"]);
    const asked = await open(id, { intent: "approve", decisionReason: "Key too short" });
    expect(asked.html).not.toContain("Reason: ");
    await send(id, { intent: "approve", confirmed: "yes", decisionReason: "Key too short" });
    expect(await readCertificate(id)).toMatchObject({ status: "Issued", decisionReason: null });
    expect((await open(id)).html).not.toContain("Key too short");
  });

  test("[MAN-03] keep all other notes and choices when one is refused", async () => {
    const { id } = await order();
    const { html } = await open(id, { ...checkForm({ contact: "", csr: "Half a note" }), decisionReason: "x" });
    expect(pageText(html)).toContain("This field is required.");
    expect(valueOf(html, "csrNote")).toBe("Half a note");
    expect(select(html, 'input[name="csr"]:checked').val()).toBe("other");
  });

  test("[MAN-03] with the contact's refusal allow only rejecting and cancelling", async () => {
    const refused = {
      contactAnswer: "refused" as const,
      contactAnsweredAt: new Date(),
      contactAnswerBy: "b@x.example",
    };
    const { id } = await order({ ...checksDone(), ...refused });
    const { html } = await open(id);
    expect(pageText(html)).toContain("Staff cannot record a different answer: reject or cancel the order.");
    expect(select(html, 'input[name="contact"]')).toHaveLength(0);
    const { status, errors } = await errorsOf(await send(id, checkForm({ contact: "By telephone" })));
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

  test("[MAN-03] refuse an unknown intent", async () => {
    const { id } = await order();
    expect((await send(id, { intent: "delete" })).status).toBe(422);
  });
});
