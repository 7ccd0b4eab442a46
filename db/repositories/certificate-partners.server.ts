import { type DbOrTrx, type Trx } from "../connection.server";
import { isOneOfTexts } from "../like";
import { type NewRow, type PartnerAnswer, type Row } from "../tables";

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
