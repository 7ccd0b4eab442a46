import { type SessionUser } from "~/domain/accounts/session-user";
import { changeCertificateNotes } from "~/domain/certificates/catalogue/notes.service.server";
import { setPartnersOfRenewals } from "~/domain/certificates/partners/following.service.server";
import { addPartners } from "~/domain/certificates/partners/partners.service.server";
import { publishToPartners } from "~/domain/certificates/partners/publishing.service.server";
import { USAGE_FLAGS } from "~/domain/certificates/purchase/fields";
import { addEvidence } from "~/domain/certificates/queue/evidence.service.server";
import { addOrderComment, takeOrder } from "~/domain/certificates/queue/order-work.service.server";
import { askForStanding } from "~/domain/certificates/standing/asking.service.server";
import { approveStanding, checkStanding } from "~/domain/certificates/standing/decisions.service.server";
import { followEntity } from "~/domain/codes/certificates/following.service.server";
import { findEntityByOftpId } from "~/domain/codes/certificates/oftp-id.server";
import { publishAtEntity } from "~/domain/codes/certificates/publishing.service.server";
import { newToken } from "~/domain/companies/domains/proofs.server";
import { addDays, addYears } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { listPartners, notePartnerOpened, storePartnerAnswer } from "~db/repositories/certificate-partners.server";
import { findCertificate } from "~db/repositories/certificates.server";
import { insertDomain } from "~db/repositories/company-domains.server";
import { inTransaction } from "~db/transaction.server";
import { actAs, APPROVER, OFFICER } from "./accounts";
import { COMPANIES, type DemoCompany, loginOf } from "./companies";

const companyOf = (domain: string): DemoCompany => {
  const found = COMPANIES.find((company) => company.domain === domain);
  if (!found) throw new Error(`demo: there is no company ${domain}`);
  return found;
};

/** Returns the id of the certificate or order of a company for this host, the latest first. */
async function certificateFor(user: SessionUser, host: string): Promise<number> {
  const query = getDb().selectFrom("certificates").select("id").where("companyId", "=", user.companyId);
  return (await query.where("commonName", "=", host).orderBy("id", "desc").executeTakeFirstOrThrow()).id;
}

/**
 * Confirms a domain as if a link in a message had been followed. No resolver knows the domains of the demo, so the nightly check of a DNS
 * record would end the confirmation.
 */
function confirmDomain({ id: createdBy, companyId }: SessionUser, name: string, now: Date): Promise<number> {
  const token = newToken();
  return inTransaction((trx) =>
    insertDomain(trx, {
      companyId,
      name,
      createdBy,
      createdAt: now,
      token,
      challengeEndsAt: addDays(now, 30),
      confirmedAt: now,
      method: "mail",
      confirmedToken: token,
      validUntil: addYears(now, 1),
    }),
  );
}

/** Asks for a standing authorisation for some days that rests on the certificate for a host. Returns its id. */
async function ask(user: SessionUser, host: string, days: number, now: Date): Promise<number> {
  const form = {
    basis: await certificateFor(user, host),
    usage: [...USAGE_FLAGS],
    longestYears: 1,
    purchaseOrderNumber: "450021435",
    ceilingCertificates: 5,
    ceilingEuro: null,
    isInvoicedMonthly: true,
    lastDay: addDays(now, days).toISOString().slice(0, 10),
    termsAndConditionsAccepted: true,
  };
  return askForStanding(user, form, now);
}

/** Publishes a certificate to three partners, of whom one has imported it, one has a question and one has only opened it. */
async function publish(owner: SessionUser, host: string, now: Date): Promise<void> {
  const id = await certificateFor(owner, host);
  const partners = [
    `${loginOf(companyOf("keller-praezision"))},Keller`,
    `${loginOf(companyOf("roussel-injection"))},Roussel`,
    "edi@north-logistics.example,North Logistics",
  ];
  await addPartners(owner, id, partners.join("\n"), now);
  await publishToPartners(owner, id, { cutOverOn: addDays(now, 20).toISOString().slice(0, 10) }, now);
  await setPartnersOfRenewals(owner, id, 14, now);
  const [keller, roussel, north] = await listPartners(getDb(), id);
  await inTransaction(async (trx) => {
    if (keller) await storePartnerAnswer(trx, keller.id, { answer: "imported", question: null }, now);
    if (roussel) await storePartnerAnswer(trx, roussel.id, { answer: "question", question: "Which SSID?" }, now);
    if (north) await notePartnerOpened(trx, north.id, now);
  });
}

/** Publishes a certificate at the entity of its OFTP ID, which another company follows. */
async function publishInRegister(owner: SessionUser, host: string, now: Date): Promise<void> {
  const id = await certificateFor(owner, host);
  const row = await findCertificate(getDb(), id);
  const entity = await findEntityByOftpId(getDb(), row?.ssid ?? null);
  if (!entity) throw new Error(`demo: no entity has the OFTP ID of ${host}`);
  await followEntity(await actAs(loginOf(companyOf("whitmore-castings"))), entity.id, now);
  await publishAtEntity(owner, entity.id, [id], now);
}

/**
 * Makes a standing authorisation in force and one that waits, notes of a customer and partners of a certificate, a certificate in the register
 * of codes, and an order on which staff have begun to work.
 */
export async function makeAutomation(now: Date): Promise<void> {
  const [officer, approver] = [await actAs(OFFICER), await actAs(APPROVER)];
  const roussel = await actAs(loginOf(companyOf("roussel-injection")));
  await confirmDomain(roussel, "roussel-injection.example", now);
  const id = await ask(roussel, "transfert.roussel-injection.example", 300, now);
  await checkStanding(officer, id, "Called back through the switchboard", now);
  await approveStanding(approver, id, now);

  const bauer = await actAs(loginOf(companyOf("bauer-fahrzeugteile")));
  await confirmDomain(bauer, "bauer-fahrzeugteile.example", now);
  await ask(bauer, "oftp2-test.bauer-fahrzeugteile.example", 40, now);
  for (const [host, tags, notes] of [
    ["oftp2.bauer-fahrzeugteile.example", ["Production", "Plant 1"], "edi-gw-01, port 6619"],
    ["oftp2-test.bauer-fahrzeugteile.example", ["Test", "Plant 1"], "edi-gw-02, port 6619"],
  ] as const)
    await changeCertificateNotes(bauer, await certificateFor(bauer, host), { notes, tags: [...tags], seen: 0 }, now);

  await publish(bauer, "oftp2-test.bauer-fahrzeugteile.example", now);
  await publishInRegister(bauer, "oftp2.bauer-fahrzeugteile.example", now);

  const keller = await actAs(loginOf(companyOf("keller-praezision")));
  const order = await certificateFor(keller, "oftp2-neu.keller-praezision.example");
  await takeOrder(officer, order, null, now);
  const found = "Active since 1984, same address.";
  await addEvidence(officer, order, { check: "organisation", text: found, reference: "CHE-123.456.789" }, now);
  await addOrderComment(officer, order, { text: "The switchboard asks us to call again on Monday.", seen: 0 }, now);
}
