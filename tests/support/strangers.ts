import { purchaseWizard, renewalWizard } from "~/domain/certificates/purchase/wizards.server";
import { startCodeDraft } from "~/domain/codes/code-draft.server";
import { codeWizard } from "~/domain/codes/purchase/draft.server";
import { startDraft, type Wizard } from "~/domain/drafts/drafts.service.server";
import { issueInvoice } from "~/domain/orders/invoices/invoices.service.server";
import { addDays, addYears } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { insertPartners, listPartners } from "~db/repositories/certificate-partners.server";
import { insertCodeContact, listCodeContacts } from "~db/repositories/code-contacts.server";
import { insertDomain } from "~db/repositories/company-domains.server";
import { updateDraft } from "~db/repositories/drafts.server";
import { insertEntityCertificate } from "~db/repositories/entity-certificates.server";
import { insertInvitation } from "~db/repositories/members.server";
import { inTransaction } from "~db/transaction.server";
import { storeAcmeKey } from "./acme-rows";
import { makeClient, newestSecret } from "./api-clients";
import { stateOfTables } from "./audited";
import { createCertificateOrder, issueCertificate } from "./certificates";
import { createAvailableCodes, createCode } from "./codes";
import { createColleague } from "./companies";
import { createAdmin, createUser } from "./factories";
import { createInvoiceableOrder, invoicesOf } from "./invoices";
import { type useOpenssl } from "./openssl";
import { storeStanding } from "./standing";
import { storeDelivery, storeWebhook } from "./webhooks";

/** This text is in all private data of the other applicant. Names in the register of codes are public. */
export const SECRET = "bravo-secret";

const IDS = [
  ...["user", "certificate", "certificateOrder", "pendingCertificate", "pendingOrder", "code", "subcode", "contact"],
  ...[
    "invitation",
    "apiClient",
    "apiClientSecret",
    "domain",
    "standing",
    "acmeKey",
    "webhook",
    "webhookDelivery",
    "company",
    "codeOrder",
    "invoice",
    "purchaseDraft",
    "renewalDraft",
    "codePurchaseDraft",
    "codeDraft",
    "orderedDraft",
    "orderedCodesDraft",
    "handedDraft",
    "member",
    "partner",
    "publishedCertificate",
  ],
] as const;

/** The ids of an applicant's data, as texts. */
export type Ids = Readonly<Record<(typeof IDS)[number], string>>;

/** Ids that do not exist. */
export const UNKNOWN = Object.fromEntries(
  IDS.map((name) => [name, name.endsWith("Draft") ? "A".repeat(22) : "999999999"]),
) as Ids;

type MakeCsr = ReturnType<typeof useOpenssl>["makeCsr"];
type Person = Awaited<ReturnType<typeof createUser>>;

async function createContact(codeId: number): Promise<number> {
  const contact = {
    contactType: "Sales",
    firstName: SECRET,
    lastName: SECRET,
    email: `${SECRET}@example.com`,
  } as const;
  await inTransaction((trx) => insertCodeContact(trx, { codeId, ...contact }));
  return (await listCodeContacts(getDb(), codeId))[0]?.id ?? 0;
}

/** Adds a partner of a certificate, to whom nothing was sent yet. */
async function createPartner({ id: addedBy, companyId }: Person, certificateId: number): Promise<number> {
  const partner = { certificateId, companyId, email: `${SECRET}@example.org`, name: SECRET, addedBy };
  await inTransaction((trx) => insertPartners(trx, [{ ...partner, addedAt: new Date() }]));
  return (await listPartners(getDb(), certificateId))[0]?.id ?? 0;
}

/** Publishes a certificate at an entity of its company. */
async function publishFor({ id: publishedBy, companyId }: Person, codeId: number, certificateId: number) {
  const row = { codeId, certificateId, companyId, publishedBy, publishedAt: new Date() };
  await inTransaction((trx) => insertEntityCertificate(trx, row));
}

async function createOrders(other: Person, makeCsr: MakeCsr) {
  const csr = (host: string) =>
    makeCsr({ subject: `/C=GB/L=Coventry/O=Public Works/CN=${host}.${SECRET}.example` }).der;
  const renewable = { now: addYears(addDays(new Date(), 60), -2), order: { validityYears: 2 } };
  const certificate = await issueCertificate({ customer: other, csr: csr("a"), ...renewable });
  const pending = await createCertificateOrder(other, csr("b"));
  const handed = await issueCertificate({ customer: other, csr: csr("c"), ...renewable });
  await createAvailableCodes(other, "Full", 5);
  const codeOrder = await createInvoiceableOrder(other, { purchaseOrderNumber: SECRET, remarks: SECRET });
  await issueInvoice(codeOrder, { id: (await createAdmin()).id, name: "staff" });
  return {
    certificate: certificate.id,
    partner: await createPartner(other, certificate.id),
    /** The certificate whose renewal waits: there is no second renewal of it. */
    handedCertificate: handed.id,
    /** Names in it are public. */
    publishedCertificate: (await issueCertificate({ customer: other })).id,
    certificateOrder: certificate.orderId,
    pendingCertificate: pending.id,
    pendingOrder: pending.orderId,
    codeOrder,
    invoice: (await invoicesOf(codeOrder))[0]?.id,
  };
}

async function createInvitation({ id: invitedBy, companyId }: Person): Promise<number> {
  const times = { createdAt: new Date(), expiresAt: addDays(new Date(), 7) };
  const row = {
    companyId,
    invitedBy,
    email: `${SECRET}@example.net`,
    role: "reader",
    tokenHash: SECRET,
    ...times,
  } as const;
  return inTransaction((trx) => insertInvitation(trx, row));
}

/** Creates the renewal of a certificate that a technical member has handed over. */
async function startHandedOver({ companyId }: Person, certificate: number): Promise<string> {
  const { id: technical } = await createColleague({ companyId }, "technical", { lastName: SECRET });
  const draftId = await startDraft(renewalWizard, technical, { renews: certificate, contact: { name: SECRET } });
  await inTransaction((trx) => updateDraft(trx, draftId, { handedOverAt: new Date() }));
  return draftId;
}

/** Makes an API client, which is as secret as the rest. */
async function createApiClient(other: Person) {
  const { id } = await makeClient(other, ["certificates:read", "certificates:write"], { name: SECRET });
  return { apiClient: id, apiClientSecret: await newestSecret(id) };
}

/** Stores a webhook with something that is to be sent to it. */
async function createWebhookOf(other: Person) {
  const webhook = await storeWebhook(other, { url: `https://127.0.0.1/${SECRET}`, description: SECRET });
  return { webhook, webhookDelivery: await storeDelivery(webhook, { body: JSON.stringify({ type: SECRET }) }) };
}

/** Creates a confirmed domain, with values for another confirmation. */
async function confirmDomainOf({ id: createdBy, companyId }: Person): Promise<number> {
  const now = new Date();
  const challenge = { token: SECRET, challengeEndsAt: addDays(now, 30) };
  const confirmed = {
    confirmedAt: now,
    method: "mail",
    confirmedToken: "former",
    validUntil: addYears(now, 1),
  } as const;
  const row = { companyId, createdBy, createdAt: now, name: `${SECRET}.example.com`, ...challenge, ...confirmed };
  return inTransaction((trx) => insertDomain(trx, row));
}

/** Creates a draft that became this order. */
async function startOrdered<Data extends object>(wizard: Wizard<Data>, userId: number, orderId: number) {
  const draftId = await startDraft(wizard, userId);
  await getDb().updateTable("drafts").set({ orderId }).where("id", "=", draftId).execute();
  await getDb().updateTable("orders").set({ draftId }).where("id", "=", orderId).execute();
  return draftId;
}

/** Creates an applicant who has one of everything. */
export async function createOther(makeCsr: MakeCsr): Promise<{ other: Person; ids: Ids }> {
  const other = await createUser({ email: `${SECRET}@example.com`, lastName: SECRET, position: SECRET });
  const { id: code } = await createCode(other, { code: "QQ1Q", entityName: "Public Works" });
  const sub = { code: "QQ1Q", subcode: "P1", parentId: code, entityName: "Public Plant" };
  const orders = await createOrders(other, makeCsr);
  const standing = await storeStanding(other, orders.certificate, SECRET);
  const ids = {
    ...orders,
    standing,
    acmeKey: await storeAcmeKey(other, standing, { description: SECRET }),
    user: other.id,
    code,
    subcode: (await createCode(other, sub)).id,
    contact: await createContact(code),
    invitation: await createInvitation(other),
    company: other.companyId,
    ...(await createApiClient(other)),
    domain: await confirmDomainOf(other),
    ...(await createWebhookOf(other)),
    purchaseDraft: await startDraft(purchaseWizard, other.id, { contact: { name: SECRET } }),
    renewalDraft: "",
    codePurchaseDraft: await startDraft(codeWizard, other.id, {
      isConfirmed: true,
      order: { purchaseOrderNumber: SECRET },
    }),
    codeDraft: await startCodeDraft(other.id, { code }, { entityName: SECRET }),
  };
  ids.renewalDraft = await startDraft(renewalWizard, other.id, { renews: ids.certificate, contact: { name: SECRET } });
  await publishFor(other, Number(ids.subcode), ids.publishedCertificate);
  const ordered = {
    orderedDraft: await startOrdered(purchaseWizard, other.id, ids.pendingOrder),
    orderedCodesDraft: await startOrdered(codeWizard, other.id, ids.codeOrder),
    handedDraft: await startHandedOver(other, ids.handedCertificate),
    member: (await createColleague(other, "reader", { email: `${SECRET}@example.org` })).id,
  };
  const texts = Object.entries({ ...ids, ...ordered }).map(([name, id]) => [name, String(id)]);
  return { other, ids: Object.fromEntries(texts) as Ids };
}

/**
 * Returns all stored data except for drafts and messages of others. It is the same before and after a request that changes nothing of this
 * user.
 */
export async function stateFor({ id, email }: Person): Promise<object> {
  const db = getDb();
  return {
    tables: Object.fromEntries(await stateOfTables()),
    drafts: await db.selectFrom("drafts").selectAll().where("userId", "=", id).orderBy("id").execute(),
    mails: await db.selectFrom("mails").select("id").where("recipient", "=", email).orderBy("id").execute(),
  };
}

/** Returns a text without these ids and without the ids of new drafts. */
export function withoutIds(text: string, ...known: readonly Ids[]): string {
  const ids = known.flatMap((one) => Object.values(one)).filter(Boolean);
  // New drafts first: their random ids can contain a short one.
  return text
    .replace(/draft=([\w-]{22})/g, (_, draft: string) => `draft=${ids.includes(draft) ? "#" : "new"}`)
    .replace(new RegExp(`\\b(${ids.join("|")})\\b`, "g"), "#");
}
