import { type ExpressionBuilder } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { isOneOfTexts } from "../like";
import { type CertificateStatus, type Database, type NewRow, type PartnerAnswer, type Row } from "../tables";

/** Returns the partners of certificates, each with the entity that it is, if it is one of the register. */
const selectPartners = (db: DbOrTrx) =>
  db
    .selectFrom("certificatePartners")
    .leftJoin("codes", "codes.id", "certificatePartners.codeId")
    .selectAll("certificatePartners")
    .select(["codes.codeType", "codes.code", "codes.subcode", "codes.entityName", "codes.status as codeStatus"])
    .select(["codes.userId as codeUserId", "codes.companyId as codeCompanyId"]);

/** Returns the partners of a certificate in the order in which they were added. */
export const listPartners = (db: DbOrTrx, certificateId: number) =>
  selectPartners(db)
    .where("certificatePartners.certificateId", "=", certificateId)
    .orderBy("certificatePartners.id")
    .execute();

export type PartnerRow = Awaited<ReturnType<typeof listPartners>>[number];

/** Adds partners of a certificate. Those that it has already are left out. Returns how many were added. */
export async function insertPartners(trx: Trx, partners: readonly NewRow<"certificatePartners">[]): Promise<number> {
  let added = 0;
  for (const partner of partners) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("certificatePartners")
      .values(partner)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    added += Number(numInsertedOrUpdatedRows ?? 0n);
  }
  return added;
}

export async function deletePartner(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom("certificatePartners").where("id", "=", id).execute();
}

/**
 * Gives a certificate the partners of the one that it renews or replaces, if both belong to the same company. Those who said that the
 * earlier one is not theirs are left out. Nothing is sent to them yet.
 */
export async function takeOverPartners(trx: Trx, from: number, to: number): Promise<void> {
  await trx
    .insertInto("certificatePartners")
    .columns(["certificateId", "companyId", "email", "codeId", "name", "addedBy", "addedAt"])
    .expression((eb) =>
      eb
        .selectFrom("certificatePartners as earlier")
        .innerJoin("certificates as next", "next.companyId", "earlier.companyId")
        .select(["next.id", "next.companyId", "earlier.email", "earlier.codeId", "earlier.name"])
        .select(["earlier.addedBy", "earlier.addedAt"])
        .where("earlier.certificateId", "=", from)
        .where("next.id", "=", to)
        .where((where) => where.or([where("earlier.answer", "is", null), where("earlier.answer", "!=", "not-ours")]))
        .orderBy("earlier.id"),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stores a link to the page of a partner, and that the message with it is on its way. */
export async function storeSentLink(trx: Trx, partnerId: number, linkHash: string, now: Date): Promise<void> {
  await trx.insertInto("certificatePartnerLinks").values({ linkHash, partnerId, createdAt: now }).execute();
  await trx.updateTable("certificatePartners").set({ sentAt: now }).where("id", "=", partnerId).execute();
}

/** Returns the partner of a link, or null when there is no such link. */
export const findPartnerByLink = async (db: DbOrTrx, linkHash: string): Promise<PartnerRow | null> =>
  (await selectPartners(db)
    .innerJoin("certificatePartnerLinks", "certificatePartnerLinks.partnerId", "certificatePartners.id")
    .where("linkHash", "=", linkHash)
    .executeTakeFirst()) ?? null;

/** Notes when a partner first opened the page. */
export async function notePartnerOpened(db: DbOrTrx, id: number, now: Date): Promise<void> {
  await db
    .updateTable("certificatePartners")
    .set({ openedAt: now })
    .where("id", "=", id)
    .where("openedAt", "is", null)
    .execute();
}

/** Stores the answer of a partner in place of an earlier one. `question` is null unless the answer is one. */
export async function storePartnerAnswer(
  trx: Trx,
  id: number,
  { answer, question }: { answer: PartnerAnswer; question: string | null },
  now: Date,
): Promise<void> {
  await trx
    .updateTable("certificatePartners")
    .set((eb) => ({
      answer,
      question,
      answeredAt: now,
      openedAt: eb.fn.coalesce("openedAt", eb.val(now.toISOString())),
    }))
    .where("id", "=", id)
    .execute();
}

/** Returns when a certificate was published to its partners, or null when it never was. */
export const findPublication = async (
  db: DbOrTrx,
  certificateId: number,
): Promise<Row<"certificatePublications"> | null> =>
  (await db
    .selectFrom("certificatePublications")
    .selectAll()
    .where("certificateId", "=", certificateId)
    .executeTakeFirst()) ?? null;

/** Stores that a certificate was published, in place of an earlier time. */
export async function storePublication(trx: Trx, publication: NewRow<"certificatePublications">): Promise<void> {
  const { certificateId, ...change } = publication;
  await trx
    .insertInto("certificatePublications")
    .values({ certificateId, ...change })
    .onConflict((conflict) => conflict.column("certificateId").doUpdateSet(change))
    .execute();
}

/** Returns the choice that renewals of a certificate are published by themselves, or null. */
export const findPartnerSettings = async (
  db: DbOrTrx,
  certificateId: number,
): Promise<Row<"certificatePartnerSettings"> | null> =>
  (await db
    .selectFrom("certificatePartnerSettings")
    .selectAll()
    .where("certificateId", "=", certificateId)
    .executeTakeFirst()) ?? null;

/** Stores the choice that renewals of a certificate are published by themselves, in place of an earlier one. */
export async function storePartnerSettings(
  trx: Trx,
  { certificateId, ...change }: Omit<NewRow<"certificatePartnerSettings">, "dueAt">,
): Promise<void> {
  await trx
    .insertInto("certificatePartnerSettings")
    .values({ certificateId, ...change })
    .onConflict((conflict) => conflict.column("certificateId").doUpdateSet(change))
    .execute();
}

export async function deletePartnerSettings(trx: Trx, certificateId: number): Promise<void> {
  await trx.deleteFrom("certificatePartnerSettings").where("certificateId", "=", certificateId).execute();
}

/** Moves that choice from a certificate to its renewal, which is due to be published now. */
export async function movePartnerSettings(trx: Trx, from: number, to: number, now: Date): Promise<void> {
  await trx
    .updateTable("certificatePartnerSettings")
    .set({ certificateId: to, dueAt: now })
    .where("certificateId", "=", from)
    .execute();
}

/** Notes that a renewal is not due to be published any more. */
export async function endPublicationDue(trx: Trx, certificateId: number): Promise<void> {
  await trx
    .updateTable("certificatePartnerSettings")
    .set({ dueAt: null })
    .where("certificateId", "=", certificateId)
    .execute();
}

/** Returns the ids of the certificates that are due to be published to their partners, the longest due first. */
export async function listPublicationsDue(db: DbOrTrx, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("certificatePartnerSettings")
    .select("certificateId")
    .where("dueAt", "is not", null)
    .orderBy("dueAt")
    .limit(limit)
    .execute();
  return rows.map(({ certificateId }) => certificateId);
}

interface RemindersDue {
  now: Date;
  /** Partners whose last message is from before this time are due. */
  before: Date;
  /** Partners with this many reminders are not due any more. */
  most: number;
}

/** Returns whether a partner has not answered and is due for a reminder of a certificate that is in force. */
const isReminderDue =
  ({ before, most }: Omit<RemindersDue, "now">) =>
  (eb: ExpressionBuilder<Database, "certificatePartners">) =>
    eb.and([
      eb("answer", "is", null),
      eb("reminders", "<", most),
      eb("sentAt", "<=", before.toISOString()),
      eb.or([eb("remindedAt", "is", null), eb("remindedAt", "<=", before.toISOString())]),
    ]);

/** Returns the ids of certificates in force with partners who are due for a reminder, from `after` on, in the order of the ids. */
export async function listCertificatesToRemind(
  db: DbOrTrx,
  { now, ...due }: RemindersDue,
  { after, limit, statuses }: { after: number; limit: number; statuses: readonly CertificateStatus[] },
): Promise<number[]> {
  const rows = await db
    .selectFrom("certificatePartners")
    .innerJoin("certificates", "certificates.id", "certificatePartners.certificateId")
    .select("certificatePartners.certificateId")
    .distinct()
    .where(isReminderDue(due))
    .where("certificates.status", "in", statuses)
    .where("certificates.expiryDate", ">", now.toISOString())
    .where("certificatePartners.certificateId", ">", after)
    .orderBy("certificatePartners.certificateId")
    .limit(limit)
    .execute();
  return rows.map(({ certificateId }) => certificateId);
}

/** Returns the ids of the partners of a certificate who are due for a reminder. */
export async function listPartnersToRemind(
  db: DbOrTrx,
  certificateId: number,
  due: Omit<RemindersDue, "now">,
): Promise<number[]> {
  const rows = await db
    .selectFrom("certificatePartners")
    .select("id")
    .where("certificateId", "=", certificateId)
    .where(isReminderDue(due))
    .execute();
  return rows.map(({ id }) => id);
}

/** Stores a link to the page of a partner, and that a reminder with it is on its way. */
export async function storeReminderLink(trx: Trx, partnerId: number, linkHash: string, now: Date): Promise<void> {
  await trx.insertInto("certificatePartnerLinks").values({ linkHash, partnerId, createdAt: now }).execute();
  await trx
    .updateTable("certificatePartners")
    .set((eb) => ({ remindedAt: now.toISOString(), reminders: eb("reminders", "+", 1) }))
    .where("id", "=", partnerId)
    .execute();
}

/** How many certificates can be chosen to take over their partners. */
const SOURCES = 50;

/** Returns other certificates of a company that have partners, the newest first, each with the number of its partners. */
export const listPartnerSources = (db: DbOrTrx, { companyId, except }: { companyId: number; except: number }) =>
  db
    .selectFrom("certificatePartners")
    .innerJoin("certificates", "certificates.id", "certificatePartners.certificateId")
    .select((eb) => ["certificates.id", "certificates.commonName", eb.fn.countAll<number | string>().as("partners")])
    .where("certificatePartners.companyId", "=", companyId)
    .where("certificates.companyId", "=", companyId)
    .where("certificates.id", "!=", except)
    .groupBy(["certificates.id", "certificates.commonName"])
    .orderBy("certificates.id", "desc")
    .limit(SOURCES)
    .execute();

/** Deletes the partners with one of these addresses, which are in lower case. */
export async function deletePartnersCalled(trx: Trx, emails: readonly string[]): Promise<void> {
  await trx
    .deleteFrom("certificatePartners")
    .where((eb) => isOneOfTexts(eb.ref("email"), emails))
    .execute();
}

/** Deletes the partners of certificates that ended before this time. Returns how many there were. */
export async function deleteEndedPartners(db: DbOrTrx, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("certificatePartners")
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("certificates")
          .select("certificates.id")
          .whereRef("certificates.id", "=", "certificatePartners.certificateId")
          .where("certificates.expiryDate", "<", before.toISOString()),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
