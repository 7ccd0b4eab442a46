import { describe, expect, test } from "vitest";
import { endOwnStanding, getAskPage } from "~/domain/certificates/standing/asking.service.server";
import { issueLeftWithin } from "~/domain/certificates/standing/issuing.service.server";
import { keepStanding } from "~/domain/certificates/standing/nightly.service.server";
import { getOwnStanding } from "~/domain/certificates/standing/views.service.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { listStandingUses } from "~db/repositories/standing-authorisations.server";
import { newProgram } from "../support/api";
import { auditEventsOf, mailsOf, readCertificate } from "../support/certificates";
import { personOf } from "../support/companies";
import { createPerson, erase } from "../support/erasure";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { type AnswerUnder, confirmDomainOf, grantStanding, issueBasis, orderUnder } from "../support/standing";
import { issueEnding } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();

const DOMAIN = "edi.example.org";
let count = 0;

/** Returns a CSR for a new host of the domain. */
const newCsr = (given: Parameters<typeof makeCsr>[0] = {}) => {
  const host = `host${(count += 1)}.${DOMAIN}`;
  return makeCsr({ subject: `/C=GB/L=Coventry/O=Example Parts Ltd/CN=${host}`, san: [`DNS:${host}`], ...given }).pem;
};

/** A program of a company with a standing authorisation. */
async function newStanding(given: Parameters<typeof grantStanding>[2] = {}) {
  const { user, client } = await newProgram();
  const domain = `d${(count += 1)}.example.org`;
  await confirmDomainOf(user, domain);
  const csrOf = (more: Parameters<typeof makeCsr>[0] = {}) => {
    const host = `host${(count += 1)}.${domain}`;
    return makeCsr({ subject: `/C=GB/L=Coventry/O=Example Parts Ltd/CN=${host}`, san: [`DNS:${host}`], ...more }).pem;
  };
  const basis = await issueBasis(client, csrOf());
  return { user, client, domain, csrOf, basis, id: await grantStanding(user, basis, given) };
}

const usedOf = async (id: number) => (await listStandingUses(getDb(), [id])).get(id);

const reasonsOf = ({ content }: AnswerUnder) => content.reasons.join(" ");

describe("[API-03] an order within a standing authorisation", () => {
  test("[API-03] is issued at once, with its order, invoice, audit entries and mails", async () => {
    const { user, client, csrOf, basis, id } = await newStanding();
    const answer = await orderUnder(client, id, csrOf(), { validityPeriod: 2 });
    expect(answer).toMatchObject({ status: 200, content: { isWithin: true, isIssued: true, reasons: [] } });
    const { certificateId, orderId } = answer.content;
    const row = await readCertificate(certificateId);
    const { organisationCheckedAt, organisationCheckedBy } = await readCertificate(basis);
    expect(row).toMatchObject({ status: "Issued", organisationCheckedAt, organisationCheckedBy, userId: user.id });
    expect(await auditEventsOf(certificateId)).toEqual([
      "order.created",
      "certificate.requested",
      "order.within-standing",
      "certificate.approved",
      "certificate.issued",
    ]);
    const order = await getDb().selectFrom("orders").selectAll().where("id", "=", orderId).executeTakeFirstOrThrow();
    expect(order).toMatchObject({ purchaseOrderNumber: "PO-STANDING", status: "Invoiced" });
    const mails = await mailsOf(orderId);
    expect(mails.map(({ recipient }) => recipient)).not.toContain("berta.brown@example-parts.com");
    expect(await usedOf(id)).toEqual({ certificates: 1, cents: order.netCents });
  });

  test("[API-03] is placed once under an Idempotency-Key", async () => {
    const { client, csrOf, id } = await newStanding();
    const csr = csrOf();
    const first = await orderUnder(client, id, csr, {}, "key-1");
    const again = await orderUnder(client, id, csr, {}, "key-1");
    expect(again.content).toEqual({ ...first.content });
    expect((await usedOf(id))?.certificates).toBe(1);
  });

  test("[API-03] needs a new key", async () => {
    const { client, csrOf, id } = await newStanding();
    const csr = csrOf();
    const { content } = await orderUnder(client, id, csr);
    const same = await orderUnder(client, id, csr);
    expect(same).toMatchObject({ status: 422 });
    expect(JSON.stringify(same)).toContain("A new key is needed");
    expect((await readCertificate(content.certificateId)).status).toBe("Issued");
  });

  test("[API-03] can be a renewal, which takes over the subject and the usage and needs a new key", async () => {
    const { user, client, domain, id } = await newStanding();
    const host = `old.${domain}`;
    const subject = `/C=GB/L=Coventry/O=Example Parts Ltd/CN=${host}`;
    const first = makeCsr({ subject, san: [`DNS:${host}`] });
    const old = await issueEnding(60, { customer: user, csr: first.der, order: { hasEmail: false } });
    const renewal = { previousOrderId: old.orderId, validityPeriod: 1 };
    const same = await orderUnder(client, id, first.pem, renewal);
    expect(same).toMatchObject({ status: 422 });
    expect(JSON.stringify(same)).toContain("A new key is needed");
    const answer = await orderUnder(client, id, makeCsr({ subject, san: [`DNS:${host}`] }).pem, renewal);
    expect(answer.content).toMatchObject({ isWithin: true, isIssued: true, reasons: [] });
    const row = await readCertificate(answer.content.certificateId);
    expect(row).toMatchObject({
      orderType: "Renewal",
      previousCertificateId: old.id,
      status: "Issued",
      hasEmail: false,
    });
    expect((await readCertificate(old.id)).status).toBe("Renewed");
    expect(await usedOf(id)).toMatchObject({ certificates: 1 });
  });
});

describe("[API-03] an order that is not within it", () => {
  test.each<[string, { subject?: string; san?: string[] }, object, string]>([
    ["organisation", { subject: "/C=GB/L=Coventry/O=Another Ltd/CN=a.D" }, {}, "The organisation is 'Another Ltd'"],
    ["country", { subject: "/C=DE/L=Coventry/O=Example Parts Ltd/CN=a.D" }, {}, "The country is 'DE'"],
    ["host", { san: ["DNS:www.other.example"] }, {}, "www.other.example is not covered by the domains"],
    ["OFTP ID", {}, { oftpid: "O0177ZZZZ000000" }, "O0177ZZZZ000000 is not an OFTP ID"],
    ["validity", {}, { validityPeriod: 3 }, "The validity of 3 years is longer than the 2"],
  ])("[API-03] waits for staff because of its %s, and the answer says why", async (_, csr, given, reason) => {
    const { client, csrOf, domain, id } = await newStanding();
    const subject = csr.subject?.replace("a.D", `a${(count += 1)}.${domain}`);
    const answer = await orderUnder(client, id, csrOf({ ...csr, ...(subject && { subject }) }), given);
    expect(answer).toMatchObject({ status: 200, content: { isWithin: false, isIssued: false } });
    expect(reasonsOf(answer)).toContain(reason);
    const row = await readCertificate(answer.content.certificateId);
    expect(row).toMatchObject({ status: "Pending", contactAnswer: null, organisationCheckedAt: null });
    expect(await auditEventsOf(row.id)).toContain("order.outside-standing");
    expect((await mailsOf(answer.content.orderId)).map(({ recipient }) => recipient)).toContain(
      "berta.brown@example-parts.com",
    );
    expect(await usedOf(id)).toBeUndefined();
  });

  test("[API-03] waits when its usage is not covered", async () => {
    const { client, csrOf, id } = await newStanding({ usage: ["hasSecureSession"] as never });
    expect(reasonsOf(await orderUnder(client, id, csrOf()))).toContain("does not cover the usage E-mail, Encryption");
  });

  test("[API-03] waits when the domain is not confirmed any more", async () => {
    const { client, csrOf, domain, id } = await newStanding();
    const ended = { endedAt: new Date(), endedWhy: "Sold" };
    await getDb().updateTable("companyDomains").set(ended).where("name", "=", domain).execute();
    expect(reasonsOf(await orderUnder(client, id, csrOf()))).toContain("has confirmed now");
  });

  test("[API-03] waits when the ceiling is reached, also with two orders at once", async () => {
    const { client, csrOf, id } = await newStanding({ ceilingCertificates: 2 });
    await orderUnder(client, id, csrOf());
    const answers = await Promise.all([orderUnder(client, id, csrOf()), orderUnder(client, id, csrOf())]);
    expect(answers.map(({ content }) => content.isIssued).toSorted()).toEqual([false, true]);
    expect(answers.map(reasonsOf).join("")).toBe(
      "The ceiling of the standing authorisation is reached: 2 certificates.",
    );
    expect((await usedOf(id))?.certificates).toBe(2);
  });

  test("[API-03] waits when it costs more than what is left", async () => {
    const { client, csrOf, id } = await newStanding({ ceilingCertificates: null, ceilingEuro: 30_000 });
    expect((await orderUnder(client, id, csrOf())).content.isIssued).toBe(true);
    expect(reasonsOf(await orderUnder(client, id, csrOf()))).toMatch(/The order costs €[\d.]+, and €[\d.]+ of/);
  });

  test("[API-03] waits when the authorisation has ended, and is refused for another company", async () => {
    const { user, client, csrOf, id } = await newStanding();
    await endOwnStanding(await personOf(user), id, "The purchase order was replaced");
    expect(reasonsOf(await orderUnder(client, id, csrOf()))).toContain("The standing authorisation has ended.");
    const stranger = await newProgram();
    expect((await orderUnder(stranger.client, id, newCsr())).status).toBe(404);
  });
});

describe("[MAN-03] a standing authorisation", () => {
  test("[MAN-03] is not based on an order that was placed under one", async () => {
    const { user, client, csrOf, basis, id } = await newStanding();
    await orderUnder(client, id, csrOf());
    expect((await getAskPage(await personOf(user))).bases.map((base) => base.id)).toEqual([basis]);
  });

  test("[MAN-03] is reminded of and ends, and its owners are told", async () => {
    await getDb().updateTable("standingAuthorisations").set({ endedAt: new Date(), endedBy: "staff" }).execute();
    const { user, id } = await newStanding();
    const { endsAt } = await getOwnStanding(await personOf(user), id);
    expect(await keepStanding(addDays(new Date(endsAt), -8))).toContain("1 reminded of");
    expect(await keepStanding(addDays(new Date(endsAt), -8))).toContain("0 reminded of");
    expect(await keepStanding(new Date(endsAt))).toContain("1 ended");
    expect((await getOwnStanding(await personOf(user), id)).state).toBe("Ended");
    const subjects = (await mailsTo(user.email)).map(({ subject }) => subject);
    for (const text of ["is in force", "ends in 8 days", "has ended"])
      expect(subjects.join("\n")).toContain(`Standing authorisation ${id} ${text}`);
  });

  test("[MAN-03] ends when the data of its contact is erased, and its owners are told", async () => {
    const { user, client, csrOf, basis, id } = await newStanding();
    const contact = await createPerson();
    await getDb()
      .updateTable("certificates")
      .set((eb) => ({
        authenticationContact: eb.fn<string>("replace", [
          "authenticationContact",
          eb.val("berta.brown@example-parts.com"),
          eb.val(contact.email),
        ]),
        authenticationEmail: contact.email,
      }))
      .where("id", "=", basis)
      .execute();
    await erase(contact);
    const page = await getOwnStanding(await personOf(user), id);
    expect(page).toMatchObject({ state: "Ended", endedWhy: "The data of the contact was erased." });
    expect(JSON.stringify(await orderUnder(client, id, csrOf()))).toContain("is not there any more");
    expect((await mailsTo(user.email)).map(({ subject }) => subject)).toContain(
      `Standing authorisation ${id} has ended`,
    );
  });

  test("[MAN-03] issues later what a crash left behind, and leaves to staff what a rule refuses", async () => {
    const { client, csrOf, id } = await newStanding();
    const { content } = await orderUnder(client, id, csrOf({ san: ["DNS:www.other.example"] }));
    // As an order that was stored within the authorisation and never reached the approval.
    await getDb()
      .updateTable("standingOrders")
      .set({ whyOutside: null, placedAt: addDays(new Date(), -1) })
      .where("certificateId", "=", content.certificateId)
      .execute();
    expect(await issueLeftWithin()).toBe(1);
    const under = await getDb()
      .selectFrom("standingOrders")
      .select("whyOutside")
      .where("certificateId", "=", content.certificateId)
      .executeTakeFirstOrThrow();
    expect(under.whyOutside).toContain("has not authorised the order");
    expect(await issueLeftWithin()).toBe(0);
  });
});
