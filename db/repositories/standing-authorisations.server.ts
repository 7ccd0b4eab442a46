import { sql } from "kysely";
import { addDays } from "~/lib/dates";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type StandingRow = Row<"standingAuthorisations">;

const rows = (db: DbOrTrx) =>
  db
    .selectFrom("standingAuthorisations")
    .innerJoin("companies", "companies.id", "standingAuthorisations.companyId")
    .selectAll("standingAuthorisations")
    .select("companies.name as company");

/** A standing authorisation with the name of its company. */
export type NamedStandingRow = StandingRow & { company: string };

export const findStanding = async (db: DbOrTrx, id: number): Promise<NamedStandingRow | null> =>
  (await rows(db).where("standingAuthorisations.id", "=", id).executeTakeFirst()) ?? null;

/** Returns a standing authorisation, and lets no other transaction change it or count an order until this one has ended. */
export async function lockStanding(trx: Trx, id: number): Promise<NamedStandingRow | null> {
  const set = { remindedDays: sql<number | null>`reminded_days` };
  await trx.updateTable("standingAuthorisations").set(set).where("id", "=", id).execute();
  return findStanding(trx, id);
}

/** Returns the standing authorisations of a company, the latest first. */
export const listStandingOf = (db: DbOrTrx, companyId: number): Promise<NamedStandingRow[]> =>
  rows(db).where("companyId", "=", companyId).orderBy("standingAuthorisations.id", "desc").execute();

/** Returns the latest `limit` standing authorisations of all companies: those that wait for staff first, then those in force. */
export const listStanding = (db: DbOrTrx, limit: number): Promise<NamedStandingRow[]> =>
  rows(db)
    .orderBy(sql`case when ended_at is not null then 2 when approved_at is not null then 1 else 0 end`)
    .orderBy("standingAuthorisations.id", "desc")
    .limit(limit)
    .execute();

/** Returns how many standing authorisations of a company have not ended. */
export async function countOpenStanding(db: DbOrTrx, companyId: number): Promise<number> {
  const query = db.selectFrom("standingAuthorisations").select((eb) => eb.fn.countAll<number>().as("count"));
  const row = await query.where("companyId", "=", companyId).where("endedAt", "is", null).executeTakeFirstOrThrow();
  return Number(row.count);
}

export const insertStanding = async (trx: Trx, row: NewRow<"standingAuthorisations">): Promise<number> =>
  (await trx.insertInto("standingAuthorisations").values(row).returning("id").executeTakeFirstOrThrow()).id;

export async function updateStanding(
  trx: Trx,
  id: number,
  change: Partial<NewRow<"standingAuthorisations">>,
): Promise<void> {
  await trx.updateTable("standingAuthorisations").set(change).where("id", "=", id).execute();
}

/** What a standing authorisation has been used for: certificates, and their net amount in cents. */
export interface StandingUse {
  certificates: number;
  cents: number;
}

/**
 * Returns what each of these standing authorisations has been used for, by id. An order that was rejected or cancelled does not count.
 */
export async function listStandingUses(db: DbOrTrx, ids: readonly number[]): Promise<Map<number, StandingUse>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .selectFrom("standingOrders")
    .innerJoin("certificates", "certificates.id", "standingOrders.certificateId")
    .select("authorisationId")
    .select((eb) => [eb.fn.countAll<number>().as("certificates"), eb.fn.sum<number>("netCents").as("cents")])
    .where("authorisationId", "in", ids)
    .where("whyOutside", "is", null)
    .where("certificates.status", "not in", ["Rejected", "Cancelled"])
    .groupBy("authorisationId")
    .execute();
  return new Map(
    found.map(({ authorisationId, certificates, cents }) => [
      authorisationId,
      { certificates: Number(certificates), cents: Number(cents) },
    ]),
  );
}

export async function insertStandingOrder(trx: Trx, row: NewRow<"standingOrders">): Promise<void> {
  await trx.insertInto("standingOrders").values(row).execute();
}

/** Returns the standing authorisation under which an order was placed, and whether the order is within it, or null. */
export const findStandingOrder = async (db: DbOrTrx, certificateId: number) =>
  (await db.selectFrom("standingOrders").selectAll().where("certificateId", "=", certificateId).executeTakeFirst()) ??
  null;

/** Returns the standing authorisation within which each of these certificates was ordered, by the id of the certificate. */
export async function listStandingUnder(db: DbOrTrx, certificateIds: readonly number[]): Promise<Map<number, number>> {
  if (certificateIds.length === 0) return new Map();
  const query = db.selectFrom("standingOrders").select(["certificateId", "authorisationId"]);
  const found = await query.where("certificateId", "in", certificateIds).where("whyOutside", "is", null).execute();
  return new Map(found.map(({ certificateId, authorisationId }) => [certificateId, authorisationId]));
}

/** Notes why staff decide about an order that was within its standing authorisation. From then on it does not count there. */
export async function setOutside(trx: Trx, certificateId: number, whyOutside: string): Promise<boolean> {
  const query = trx.updateTable("standingOrders").set({ whyOutside }).where("certificateId", "=", certificateId);
  const { numUpdatedRows } = await query.where("whyOutside", "is", null).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Notes which of these certificates were ordered within a standing authorisation with one invoice a month, and so wait for it. Returns their
 * ids.
 */
export async function markAwaitingInvoice(trx: Trx, certificateIds: readonly number[]): Promise<Set<number>> {
  if (certificateIds.length === 0) return new Set();
  const monthly = trx.selectFrom("standingAuthorisations").select("id").where("isInvoicedMonthly", "=", true);
  const marked = await trx
    .updateTable("standingOrders")
    .set({ awaitsInvoice: true })
    .where("certificateId", "in", certificateIds)
    .where("whyOutside", "is", null)
    .where("authorisationId", "in", monthly)
    .returning("certificateId")
    .execute();
  return new Set(marked.map(({ certificateId }) => certificateId));
}

/** Notes that these certificates wait for an invoice of the month no more. */
export async function unmarkAwaitingInvoice(trx: Trx, certificateIds: readonly number[]): Promise<void> {
  await trx
    .updateTable("standingOrders")
    .set({ awaitsInvoice: false })
    .where("certificateId", "in", certificateIds)
    .execute();
}

const awaiting = (db: DbOrTrx) =>
  db
    .selectFrom("standingOrders")
    .innerJoin("certificates", "certificates.id", "standingOrders.certificateId")
    .select(["certificates.id as certificateId", "certificates.orderId", "authorisationId"])
    .where("awaitsInvoice", "=", true);

/**
 * Returns the orders whose certificates were issued before this time and that wait for an invoice of the month, by company, standing
 * authorisation and id.
 */
export const listAwaitingInvoice = (db: DbOrTrx, before: Date) =>
  awaiting(db)
    .select("certificates.companyId")
    .where("certificates.issuedAt", "<", before.toISOString())
    .orderBy("certificates.companyId")
    .orderBy("authorisationId")
    .orderBy("certificates.orderId")
    .execute();

export type AwaitingInvoice = Awaited<ReturnType<typeof listAwaitingInvoice>>[number];

/** Returns whether an order waits for an invoice of the month. */
export const awaitsMonthlyInvoice = async (db: DbOrTrx, orderId: number): Promise<boolean> =>
  (await awaiting(db).where("certificates.orderId", "=", orderId).executeTakeFirst()) !== undefined;

/** Returns how many orders under a standing authorisation wait for an invoice of the month. */
export const countAwaitingInvoice = async (db: DbOrTrx, authorisationId: number): Promise<number> =>
  Number(
    (
      await awaiting(db)
        .clearSelect()
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .innerJoin("orders", "orders.id", "certificates.orderId")
        .where("authorisationId", "=", authorisationId)
        .where("orders.status", "!=", "Cancelled")
        .where("orders.invoiceNumber", "is", null)
        .executeTakeFirstOrThrow()
    ).count,
  );

/** Returns the latest `limit` orders under a standing authorisation, the latest first. */
export const listOrdersUnder = (db: DbOrTrx, authorisationId: number, limit: number) =>
  db
    .selectFrom("standingOrders")
    .innerJoin("certificates", "certificates.id", "standingOrders.certificateId")
    .select(["certificates.id", "certificates.orderId", "commonName", "status", "placedAt", "netCents", "whyOutside"])
    .where("authorisationId", "=", authorisationId)
    .orderBy("standingOrders.certificateId", "desc")
    .limit(limit)
    .execute();

/** Returns which of these certificates were ordered within a standing authorisation that is in force at this time. */
export async function listWithinStanding(db: DbOrTrx, certificateIds: readonly number[], now: Date) {
  const found = await db
    .selectFrom("standingOrders")
    .innerJoin("standingAuthorisations", "standingAuthorisations.id", "standingOrders.authorisationId")
    .select(["certificateId", "authorisationId"])
    .where("certificateId", "in", certificateIds)
    .where("whyOutside", "is", null)
    .where("approvedAt", "is not", null)
    .where("endedAt", "is", null)
    .where("endsAt", ">", now.toISOString())
    .execute();
  return new Map(found.map(({ certificateId, authorisationId }) => [certificateId, authorisationId]));
}

/** Returns the ids of up to `limit` orders within a standing authorisation that were placed before `before` and are still to be issued. */
export async function listWaitingWithin(db: DbOrTrx, before: Date, limit: number): Promise<number[]> {
  const found = await db
    .selectFrom("standingOrders")
    .innerJoin("certificates", "certificates.id", "standingOrders.certificateId")
    .select("certificateId")
    .where("whyOutside", "is", null)
    .where("status", "=", "Pending")
    .where("tbsCertificate", "is", null)
    .where("placedAt", "<", before.toISOString())
    .orderBy("certificateId")
    .limit(limit)
    .execute();
  return found.map(({ certificateId }) => certificateId);
}

/**
 * Returns up to `limit` orders on which a company can base a standing authorisation, the latest first: their certificates are issued, staff
 * checked the organisation since `checkedSince`, their contact authorised them, and they were not placed under a standing authorisation.
 */
export const listBases = (db: DbOrTrx, companyId: number, checkedSince: Date, limit: number) =>
  db
    .selectFrom("certificates")
    .innerJoin("orders", "orders.id", "certificates.orderId")
    .leftJoin("standingOrders", "standingOrders.certificateId", "certificates.id")
    .leftJoin("erasedContacts", (join) =>
      join
        .onRef("erasedContacts.certificateId", "=", "certificates.id")
        .on("erasedContacts.contact", "=", "authentication"),
    )
    .select(["certificates.id", "certificates.orderId", "commonName", "organisation", "authenticationContact"])
    .select(["organisationUnit", "locality", "state", "certificates.country", "organisationCheckedAt", "ssid"])
    .select("orders.invoiceAddress")
    .where("certificates.companyId", "=", companyId)
    .where("certificates.status", "in", ["Issued", "Downloaded", "Renewed"])
    .where("contactAnswer", "=", "authorised")
    .where("organisationCheckedAt", ">", checkedSince.toISOString())
    .where("standingOrders.certificateId", "is", null)
    .where("erasedContacts.certificateId", "is", null)
    .orderBy("certificates.id", "desc")
    .limit(limit)
    .execute();

export type StandingBase = Awaited<ReturnType<typeof listBases>>[number];

/** Returns whether the contact of a certificate's order was erased. */
export const isContactErased = async (db: DbOrTrx, certificateId: number): Promise<boolean> =>
  (await db
    .selectFrom("erasedContacts")
    .select("certificateId")
    .where("certificateId", "=", certificateId)
    .where("contact", "=", "authentication")
    .executeTakeFirst()) !== undefined;

/** Removes the notes about a contact, and returns the ids of the standing authorisations with this contact that have not ended. */
export async function forgetStandingContact(trx: Trx, certificateId: number): Promise<number[]> {
  const based = trx
    .updateTable("standingAuthorisations")
    .set({ contactNote: null })
    .where("basedOn", "=", certificateId);
  const rows = await based.returning(["id", "endedAt"]).execute();
  return rows.filter(({ endedAt }) => endedAt === null).map(({ id }) => id);
}

/** Returns the OFTP codes of a company's registered entities and sub-entities. */
export const listEntityCodes = (db: DbOrTrx, companyId: number) =>
  db
    .selectFrom("codes")
    .select(["codeType", "code", "subcode"])
    .where("companyId", "=", companyId)
    .where("status", "=", "Registered")
    .orderBy("code")
    .orderBy("subcode")
    .execute();

const openRows = (trx: Trx) => trx.selectFrom("standingAuthorisations").where("endedAt", "is", null);

/** Returns the ids of up to `limit` standing authorisations whose time is over. */
export const listStandingOverdue = async (trx: Trx, now: Date, limit: number): Promise<number[]> =>
  (
    await openRows(trx).select("id").where("endsAt", "<=", now.toISOString()).orderBy("endsAt").limit(limit).execute()
  ).map(({ id }) => id);

/**
 * Notes the reminder `days` on up to `limit` standing authorisations in force that end after `from` days and within `days`, and returns their
 * ids. The condition is part of the statement, so that only one of two processes gets each of them.
 */
export async function claimStandingReminders(
  trx: Trx,
  { days, from, limit }: { days: number; from: number; limit: number },
  now: Date,
): Promise<number[]> {
  const due = openRows(trx)
    .select("id")
    .where("approvedAt", "is not", null)
    .where("endsAt", ">", addDays(now, from).toISOString())
    .where("endsAt", "<=", addDays(now, days).toISOString())
    .where((eb) => eb.or([eb("remindedDays", "is", null), eb("remindedDays", "!=", days)]))
    .orderBy("endsAt")
    .orderBy("id")
    .limit(limit);
  const claimed = await trx
    .updateTable("standingAuthorisations")
    .set({ remindedDays: days })
    .where("id", "in", due)
    .where((eb) => eb.or([eb("remindedDays", "is", null), eb("remindedDays", "!=", days)]))
    .returning("id")
    .execute();
  return claimed.map(({ id }) => id);
}
