import { randomBytes } from "node:crypto";
import { kdfRounds } from "~/ca/keys.server";
import { administerAccount } from "~/domain/accounts/administration/user-administration.service.server";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { verifyAndSign } from "~/domain/audit/checkpoint.service.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { extendProducts } from "~/domain/keys/modulus-products.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { getConnection, getDb } from "~db/connection.server";
import { migrateToLatest } from "~db/migrate.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { storeAcmeKey } from "./acme-rows";
import { createCertificateOrder, issueCertificate, storeRevocation } from "./certificates";
import { createAvailableCodes, createCode, createCodeOrder } from "./codes";
import { signCsr } from "./csr";
import { createAdmin, createStaff, createUser } from "./factories";
import { nextRsaKey } from "./keys";
import { readSchema } from "./schema";
import { storeDelivery, storeWebhook } from "./webhooks";

const now = new Date();
const at = { createdAt: now, updatedAt: now };
const text = () => randomBytes(16).toString("base64url");
const hash = () => randomBytes(32).toString("hex");
const later = new Date(now.getTime() + 24 * 60 * 60 * 1000);

type Account = Awaited<ReturnType<typeof createUser>>;

async function fillAccounts(anna: Account, admin: Account): Promise<void> {
  const db = getDb();
  await createUser({
    username: "anna.old",
    email: "anna.old@example-parts.com",
    mergedInto: anna.id,
    isDisabled: true,
  });
  await createUser({ email: "new@example-parts.com", detailsMissing: true, emailVerifiedAt: null });
  const token = { tokenHash: hash(), email: anna.email, createdAt: now, expiresAt: later };
  await db
    .insertInto("tokens")
    .values({ ...token, purpose: "login-as-user", userId: anna.id, adminId: admin.id, sessionId: text() })
    .execute();
  const bearer = { userId: anna.id, epoch: 0, expiresAt: later };
  await db
    .insertInto("apiTokens")
    .values({ ...bearer, tokenHash: hash(), kind: "bearer" })
    .execute();
  const session = { kind: "browser" as const, userId: anna.id, epoch: 0, startedAt: now, lastUsedAt: now };
  await db
    .insertInto("sessions")
    .values({ ...session, id: text(), address: "192.0.2.7", userAgent: "Firefox", expiresAt: later })
    .execute();
  await db
    .insertInto("loginPlaces")
    .values({ userId: anna.id, place: `network:${hash()}`, expiresAt: later })
    .execute();
}

/** Adds what accounts and companies were called before, and erases the person of an account who is a contact of a certificate. */
async function fillFormerPeople(anna: Account): Promise<void> {
  const db = getDb();
  await updateUser(db, anna.id, { lastName: "Ander" }, now);
  await db
    .insertInto("formerCompanyDetails")
    .values({ companyId: anna.companyId, kind: "company", text: "Example Parts Trading", notedAt: now })
    .execute();
  const carl = await createUser({ email: "carl@example-parts.com", firstName: "Carl" });
  const actor = { id: carl.id, name: carl.email };
  await inTransaction((trx) =>
    recordAudit(
      trx,
      { actor, event: "account.details-changed", message: "Changed the position.", userId: carl.id },
      now,
    ),
  );
  await administerAccount({ action: "erase", id: carl.id, actor: { id: null, name: "command line" }, reason: "Asked" });
  const certificate = await db
    .selectFrom("certificates")
    .select("id")
    .where("status", "=", "Issued")
    .executeTakeFirst();
  await db
    .insertInto("erasedContacts")
    .values({ certificateId: certificate?.id ?? 0, contact: "technical", userId: carl.id })
    .execute();
}

async function fillFactors({ id: userId }: Account): Promise<void> {
  const db = getDb();
  const factor = { userId, createdAt: now, lastUsedAt: now };
  const app = { kind: "totp" as const, name: "Work phone", secret: text(), lastStep: 59_999_999 };
  const passkey = { kind: "passkey" as const, name: "Key", credentialId: text(), publicKey: text(), counter: 1 };
  await db
    .insertInto("secondFactors")
    .values([
      { ...factor, ...app },
      { ...factor, ...passkey, transports: "usb,nfc" },
    ])
    .execute();
  await db.insertInto("recoveryCodes").values({ userId, codeHash: text(), usedAt: null }).execute();
}

async function fillRights(anna: Account, admin: Account): Promise<void> {
  const db = getDb();
  const operator = await createStaff(["operator"]);
  await db.insertInto("groupRights").values({ userId: operator.id, right: "operator", grantedAt: now }).execute();
  const identity = { issuer: "https://login.example.org", subject: text(), userId: operator.id, linkedAt: now };
  await db.insertInto("signOnIdentities").values(identity).execute();
  await db
    .insertInto("dualControlRequests")
    .values({
      kind: "grant-right",
      userId: operator.id,
      right: "approver",
      reason: "Holidays",
      requestedBy: admin.id,
      requestedAt: now,
      expiresAt: later,
      decidedBy: anna.id,
      decidedAt: now,
      outcome: "refused",
    })
    .execute();
}

async function fillInvitations(anna: Account): Promise<void> {
  const invitation = { companyId: anna.companyId, invitedBy: anna.id, createdAt: now, expiresAt: later };
  await getDb()
    .insertInto("invitations")
    .values({ ...invitation, email: "bernd.boss@example-parts.com", role: "technical", tokenHash: hash() })
    .execute();
}

const fillNotes = async ({ companyId }: Account, { id: writtenBy }: Account): Promise<void> => {
  const note = { companyId, writtenBy, writtenAt: now, text: "Calls before it orders." };
  await getDb().insertInto("companyNotes").values(note).execute();
};

/** Makes an officer work on an order and write a comment about it. */
async function fillOrderWork({ id: officer }: Account): Promise<void> {
  const { id } = await getDb().selectFrom("certificates").select("id").orderBy("id").limit(1).executeTakeFirstOrThrow();
  const work = { assignedTo: officer, assignedAt: now };
  await getDb().updateTable("certificates").set(work).where("id", "=", id).execute();
  const comment = { certificateId: id, writtenBy: officer, writtenAt: now, text: "Calls back on Monday." };
  await getDb().insertInto("orderComments").values(comment).execute();
  const evidence = { certificateId: id, text: "Found in the register.", reference: "HRB 1" };
  await getDb()
    .insertInto("checkEvidence")
    .values({ ...evidence, checkName: "organisation", addedBy: officer, addedAt: now })
    .execute();
}

/** Notes where a certificate is used. */
async function fillCertificateNotes({ id: changedBy }: Account): Promise<void> {
  const first = getDb().selectFrom("certificates").select(["id", "companyId"]).orderBy("id").limit(1);
  const { id, companyId } = await first.executeTakeFirstOrThrow();
  const notes = { notes: "In the gateway of plant 1.", tags: '["Plant 1"]', version: 1, changedBy, changedAt: now };
  await getDb()
    .insertInto("certificateNotes")
    .values({ certificateId: id, ...notes })
    .execute();
  const tag = { certificateId: id, companyId, tag: "Plant 1", folded: "plant 1" };
  await getDb().insertInto("certificateTags").values(tag).execute();
}

/** Names partners of the same certificate and publishes it to one of them. */
async function fillPartners({ id: addedBy }: Account): Promise<void> {
  const first = getDb().selectFrom("certificates").select(["id", "companyId"]).orderBy("id").limit(1);
  const { id: certificateId, companyId } = await first.executeTakeFirstOrThrow();
  const partner = { certificateId, companyId, name: "Karl Meier", addedBy, addedAt: now, sentAt: now, openedAt: now };
  const answer = { answer: "question" as const, answeredAt: now, question: "Which SSID?" };
  const { id: partnerId } = await getDb()
    .insertInto("certificatePartners")
    .values({ ...partner, ...answer, email: "karl.meier@example.net" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await getDb().insertInto("certificatePartnerLinks").values({ linkHash: hash(), partnerId, createdAt: now }).execute();
  await getDb()
    .insertInto("certificatePublications")
    .values({ certificateId, publishedBy: addedBy, publishedAt: now, cutOverOn: "2026-12-15" })
    .execute();
  await getDb()
    .insertInto("certificatePartnerSettings")
    .values({ certificateId, switchDays: 14, setBy: addedBy, setAt: now })
    .execute();
}

/** Makes a row only: making a sound cross-certificate takes a ceremony. */
const fillCrossCertificates = async (): Promise<void> => {
  const db = getDb();
  const { id, certificate, subjectName, notAfter } = await getAuthority(db, "root");
  const row = { authorityId: id, issuerName: subjectName, certificate, notBefore: now, notAfter, createdAt: now };
  await db
    .insertInto("crossCertificates")
    .values({ ...row, issuerCertificate: certificate, serialNumber: "0A", thumbprint: hash() })
    .execute();
};

const fillDomains = async ({ id: createdBy, companyId }: Account): Promise<void> => {
  const row = { companyId, createdBy, createdAt: now, token: text(), challengeEndsAt: later };
  const confirmed = { confirmedAt: now, method: "dns" as const, confirmedToken: row.token, validUntil: later };
  await getDb()
    .insertInto("companyDomains")
    .values([
      { ...row, ...confirmed, name: "example-parts.com", recheckedAt: now, checkedAt: now },
      { ...row, name: "it@example-parts.net", mailedTo: "it@example-parts.net", mailTokenHash: hash() },
    ])
    .execute();
};

const fillStanding = async (owner: Account): Promise<void> => {
  const { id: askedBy, companyId } = owner;
  const db = getDb();
  const { id, orderId } = await db
    .selectFrom("certificates")
    .select(["id", "orderId"])
    .where("status", "=", "Issued")
    .limit(1)
    .executeTakeFirstOrThrow();
  const { id: authorisationId } = await db
    .insertInto("standingAuthorisations")
    .values({
      companyId,
      basedOn: id,
      askedBy,
      askedAt: now,
      organisation: "Example Parts Ltd",
      locality: "Coventry",
      country: "GB",
      identityCheckedAt: now,
      domains: '[{"name":"example-parts.com","isHostOnly":false}]',
      oftpIds: '["O0177AB12000000"]',
      usages: '["hasSecureSession"]',
      longestYears: 2,
      purchaseOrderNumber: "PO-1",
      ceilingCertificates: 10,
      ceilingCents: 500000,
      endsAt: later,
      isInvoicedMonthly: true,
      contactCheckedBy: askedBy,
      contactCheckedAt: now,
      contactNote: "Called back.",
      approvedBy: askedBy,
      approvedAt: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const order = {
    certificateId: id,
    authorisationId,
    placedAt: now,
    netCents: 29000,
    whyOutside: null,
    awaitsInvoice: true,
  };
  await db.insertInto("standingOrders").values(order).execute();
  const invoice = await db.selectFrom("invoices").select(["id", "kind"]).limit(1).executeTakeFirstOrThrow();
  const further = { orderId, kind: invoice.kind, round: 0, invoiceId: invoice.id };
  await db.insertInto("invoiceFurtherOrders").values(further).execute();
  await fillAcme(owner, authorisationId);
};

async function fillAcme(owner: Account, authorisationId: number): Promise<void> {
  const db = getDb();
  const acmeKeyId = await storeAcmeKey(owner, authorisationId, { boundAt: now, usedAt: now });
  const jwk = '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}';
  const account = { acmeKeyId, thumbprint: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", jwk, createdAt: now };
  const made = await db.insertInto("acmeAccounts").values(account).returning("id").executeTakeFirstOrThrow();
  const order = { accountId: made.id, names: '["www.example-parts.com"]', createdAt: now, expiresAt: later };
  const { id } = await db.insertInto("acmeOrders").values(order).returning("id").executeTakeFirstOrThrow();
  const name = { acmeOrderId: id, name: "www.example-parts.com", isWildcard: false };
  await db
    .insertInto("acmeAuthorizations")
    .values({ ...name, httpToken: "token-1", dnsToken: "token-2", validatedAt: now })
    .execute();
  await db.insertInto("acmeNonces").values({ nonce: "nonce", expiresAt: later }).execute();
}

async function fillWebhooks({ companyId }: Account): Promise<void> {
  const id = await storeWebhook({ companyId }, { url: "https://hooks.example-parts.com/certificates" });
  await storeDelivery(id, { attempts: 1, triedAt: now, statusCode: 503, lastError: "The receiver answered with 503." });
}

async function fillApiClients(anna: Account): Promise<void> {
  const db = getDb();
  const client = { name: "Certificate store", scopes: "certificates:read downloads:read", networks: "192.0.2.0/24" };
  const owner = { companyId: anna.companyId, responsibleId: anna.id, createdAt: now, endsAt: later };
  const { id: apiClientId } = await db
    .insertInto("apiClients")
    .values({ ...client, ...owner, clientId: "mc_0011223344556677", lastUsedAt: now, lastUsedAddress: "192.0.2.7" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: secretId } = await db
    .insertInto("apiClientSecrets")
    .values({ apiClientId, secretHash: hash(), createdAt: now, createdBy: anna.id, endsAt: later, lastUsedAt: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("apiClientTokens")
    .values({ tokenHash: hash(), secretId, scopes: "certificates:read", createdAt: now, expiresAt: later })
    .execute();
}

async function fillOrders(anna: Account): Promise<void> {
  const db = getDb();
  const data = JSON.stringify({ purchaseOrderNumber: "PO-1" });
  await db
    .insertInto("drafts")
    .values({
      id: text(),
      userId: anna.id,
      companyId: anna.companyId,
      kind: "code-purchase",
      data,
      expiresAt: later,
      ...at,
    })
    .execute();
  const orderId = await createCodeOrder(anna, "Basic", 2, { status: "Invoiced", vatNumberChecked: true });
  await db
    .insertInto("apiIdempotency")
    .values({ userId: anna.id, keyHash: hash(), fingerprint: hash(), orderId, expiresAt: later })
    .execute();
  const batchId = text();
  await db.insertInto("promotionBatches").values({ id: batchId, count: 2, createdAt: now }).execute();
  const code = { valueCents: 5000, months: 12, createdAt: now, batchId };
  await db
    .insertInto("promotionCodes")
    .values([
      { ...code, code: "WELCOME1", usedByOrderId: orderId, usedAt: now },
      { ...code, code: "WELCOME2", validUntil: later },
    ])
    .execute();
  const number = { kind: "invoice" as const, year: now.getFullYear() };
  await db
    .insertInto("invoiceCounters")
    .values({ ...number, last: 1 })
    .execute();
  const { id } = await db
    .insertInto("invoices")
    .values({ ...number, number: 1, orderId, round: 0, totalCents: 60_000, content: "{}", issuedAt: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  const pdf = Buffer.from("%PDF-1.7");
  await db.insertInto("invoiceFiles").values({ invoiceId: id, pdf, sha256: hash(), storedAt: now }).execute();
  const changes = JSON.stringify([{ label: "Purchase order number", from: "PO-1", to: "PO-2" }]);
  await db
    .insertInto("orderCorrections")
    .values({ year: number.year, number: 1, orderId, kind: "order", changes, madeBy: anna.id, createdAt: now })
    .execute();
}

/** One hierarchy is enough, because the other one has rows of the same kind. */
async function dropSecondHierarchy(): Promise<void> {
  const db = getDb();
  const second = db.selectFrom("authorities").select("id").where("hierarchy", "=", "g3");
  for (const table of ["crls", "ocspResponders"] as const)
    await db.deleteFrom(table).where("authorityId", "in", second).execute();
  await db.deleteFrom("authorities").where("hierarchy", "=", "g3").execute();
}

async function fillCertificates(anna: Account): Promise<void> {
  const db = getDb();
  await createAuthorities({ bits: 2048 });
  await fillCrossCertificates();
  await renewResponders();
  await issueCertificate({ customer: anna });
  await storeRevocation(await issueCertificate({ customer: anna }));
  const csr = signCsr({
    subject: "/C=GB/O=Example Parts Ltd/CN=new.example",
    san: [],
    digest: "sha256",
    key: nextRsaKey(),
  });
  await createCertificateOrder(anna, csr.pem);
  await publishCrls("issuing-sha2");
  await dropSecondHierarchy();
  await db
    .insertInto("blockedKeys")
    .values({ keyIdentity: hash(), reason: "Key Compromise", createdAt: now })
    .execute();
  const list = { name: "blacklist.RSA-2048", keyCount: 1, hasDebianKeys: true, ...at };
  const { id: listId } = await db.insertInto("keyLists").values(list).returning("id").executeTakeFirstOrThrow();
  await db
    .insertInto("listedKeys")
    .values({ listId, fingerprint: randomBytes(10) })
    .execute();
  await db.insertInto("keyComparisons").values({ keyIdentity: hash(), productVersion: 1, comparedAt: now }).execute();
}

async function fillCodes(anna: Account): Promise<void> {
  const db = getDb();
  const orderId = await createAvailableCodes(anna, "Full", 2);
  const code = await createCode(anna, { orderId, tradeName: "Parts" });
  await createCode(anna, { code: code.code, subcode: "01", parentId: code.id, entityName: "Example Parts Plant 2" });
  const contact = { codeId: code.id, firstName: "Bernd", lastName: "Boss", email: "bernd.boss@example-parts.com" };
  await db
    .insertInto("codeContacts")
    .values({ ...contact, contactType: "IT", phoneNumber: "+44 20 7946 0001" })
    .execute();
  const maintenanceId = await createCodeOrder(anna, "Full", 1, { isMaintenance: true, codeType: null });
  const line = { orderId: maintenanceId, codeId: code.id, code: `${code.code}00`, codeType: code.codeType };
  await db
    .insertInto("orderLines")
    .values({ ...line, subcodes: '["01"]', costCents: 20_000, discountNumMonths: 0 })
    .execute();
  await db
    .insertInto("maintenanceOrders")
    .values({ year: now.getFullYear(), companyId: anna.companyId, orderId: maintenanceId })
    .execute();
}

/** Publishes the first certificate at the entity, and has its owner told of changes. */
async function fillEntities({ id: userId, companyId }: Account): Promise<void> {
  const first = getDb().selectFrom("certificates").select("id").orderBy("id").limit(1);
  const { id: certificateId } = await first.executeTakeFirstOrThrow();
  const code = getDb().selectFrom("codes").select("id").where("subcode", "=", "");
  const { id: codeId } = await code.executeTakeFirstOrThrow();
  await getDb()
    .insertInto("entityCertificates")
    .values({ codeId, certificateId, companyId, publishedBy: userId, publishedAt: now })
    .execute();
  await getDb().insertInto("entityFollowers").values({ codeId, userId, companyId, followedAt: now }).execute();
}

async function fillOperations(anna: Account): Promise<void> {
  const db = getDb();
  const mail = { recipient: anna.email, subject: "Hello", createdAt: now, nextAttemptAt: now };
  await db
    .insertInto("mails")
    .values([
      { ...mail, dedupeKey: "order-confirmation:1", text: "A message.", html: "<p>A message.</p>", isContact: true },
      { ...mail, dedupeKey: "order-confirmation:2", text: "", html: "", isContact: false, sentAt: now },
    ])
    .execute();
  const event = { event: "login.failed", outcome: "failure", address: "192.0.2.1", network: "192.0.2.1" } as const;
  await db
    .insertInto("securityEvents")
    .values({ ...event, at: now, lastAt: now, detail: "The password was wrong." })
    .execute();
  await db.insertInto("contactStops").values({ email: "stop@example-parts.com", stoppedAt: now }).execute();
  await db
    .insertInto("jobs")
    .values({ name: "mail", nextRunAt: later, lastResult: "Sent: 1", lastFinishedAt: now })
    .execute();
  await db
    .insertInto("alerts")
    .values({
      rule: "job-late",
      subject: "mail",
      heldSince: now,
      lastHeldAt: now,
      begunAt: now,
      told: "begun",
      toldAt: now,
    })
    .execute();
  const audit = await db
    .insertInto("certificateAudits")
    .values({ startedAt: now, finishedAt: now, afterId: 10001, checked: 1 })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("auditFindings")
    .values({
      rule: "key",
      subject: "certificate 10001",
      cause: "The key is blocked.",
      firstSeenAt: now,
      lastSeenAt: now,
      auditId: audit.id,
      settledAt: now,
    })
    .execute();
  await db.insertInto("statusEvents").values({ kind: "down", subject: "", begunAt: now, endedAt: later }).execute();
  await db.insertInto("revocationPublications").values({ certificateId: 1, askedAt: now, publishedAt: now }).execute();
  await db
    .insertInto("settings")
    .values({ name: "queryParams", userId: anna.id, value: "{}", updatedAt: now })
    .execute();
  await db.insertInto("rateLimits").values({ key: "login:1", points: 1, expire: later.getTime() }).execute();
  await db.insertInto("writeProbes").values({ id: 1, writtenAt: now }).execute();
}

/**
 * Creates a small portal in the database and the data folder that the variables name, with a few rows in every table. Throws an Error when
 * a table is empty: the rows of a new table must be added here.
 */
export async function makeLanding(): Promise<void> {
  kdfRounds.replace(2048);
  await migrateToLatest(getConnection());
  const admin = await createAdmin({ email: "olga@example.org" });
  const anna = await createUser({ username: "anna", email: "anna@example-parts.com" });
  await fillAccounts(anna, admin);
  await fillFactors(anna);
  await fillRights(anna, admin);
  await fillInvitations(anna);
  await fillNotes(anna, admin);
  await fillDomains(anna);
  await fillWebhooks(anna);
  await fillApiClients(anna);
  await fillOrders(anna);
  await fillCertificates(anna);
  await fillOrderWork(admin);
  await fillCertificateNotes(anna);
  await fillPartners(anna);
  await fillStanding(anna);
  await fillCodes(anna);
  await fillEntities(anna);
  await fillOperations(anna);
  await fillFormerPeople(anna);
  await extendProducts();
  await verifyAndSign();
  const used = getDb().selectFrom("addresses").select("country");
  await getDb()
    .deleteFrom("countries")
    .where("id", "not in", used)
    .where("id", "not in", getDb().selectFrom("orders").select("countryId"))
    .execute(); // the next start creates them again
  for (const [name, rows] of Object.entries(await readRows()))
    if (rows.length === 0 && !name.startsWith("kysely"))
      throw new Error(`${name} is empty: give it a row in ${import.meta.filename}.`);
}

/** Returns every row of every table as the driver delivers it. */
export async function readRows(): Promise<Record<string, Record<string, unknown>[]>> {
  const plain = getDb().withoutPlugins();
  const { tables } = await readSchema(getConnection());
  const read = async (name: string) =>
    [
      name,
      await plain
        .selectFrom(name as never)
        .selectAll()
        .execute(),
    ] as const;
  return Object.fromEntries(await Promise.all(tables.map(({ name }) => read(name))));
}
