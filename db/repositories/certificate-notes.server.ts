import { foldForSearch } from "~/lib/fold-text";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row } from "../tables";

export type CertificateNotesRow = Row<"certificateNotes">;

/** Returns what the company of a certificate has noted about it, or null when it never did. */
export const findCertificateNotes = async (db: DbOrTrx, certificateId: number): Promise<CertificateNotesRow | null> =>
  (await db.selectFrom("certificateNotes").selectAll().where("certificateId", "=", certificateId).executeTakeFirst()) ??
  null;

interface NotesChange {
  notes: string;
  tags: string;
  changedBy: number;
  changedAt: Date;
}

/** Repeats the tags in the notes about a certificate as rows of their own, which the list reads. Called whenever the notes have changed. */
export async function repeatTags(trx: Trx, certificateId: number): Promise<void> {
  await trx.deleteFrom("certificateTags").where("certificateId", "=", certificateId).execute();
  const noted = await trx
    .selectFrom("certificateNotes")
    .innerJoin("certificates", "certificates.id", "certificateNotes.certificateId")
    .select(["certificateNotes.tags", "certificates.companyId"])
    .where("certificateId", "=", certificateId)
    .executeTakeFirst();
  if (!noted) return;
  const tags = new Set(JSON.parse(noted.tags) as string[]);
  const { companyId } = noted;
  const rows = [...tags].map((tag) => ({ certificateId, companyId, tag, folded: foldForSearch(tag) }));
  if (rows.length > 0) await trx.insertInto("certificateTags").values(rows).execute();
}

/** Returns the tags of these certificates, by the certificate's id. Those without tags are left out. */
export async function listTagsOf(db: DbOrTrx, certificateIds: readonly number[]): Promise<Map<number, string[]>> {
  if (certificateIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("certificateNotes")
    .select(["certificateId", "tags"])
    .where("certificateId", "in", certificateIds)
    .where("tags", "!=", "[]")
    .execute();
  return new Map(rows.map(({ certificateId, tags }) => [certificateId, JSON.parse(tags) as string[]]));
}

/** Returns the tags of a company that most of its certificates have, with how many have each. Tags that are searched alike count as one. */
export async function listCompanyTags(
  db: DbOrTrx,
  companyId: number,
  limit: number,
): Promise<{ tag: string; count: number }[]> {
  return db
    .selectFrom("certificateTags")
    .select((eb) => [eb.fn.min<string>("tag").as("tag"), eb.fn.count<number>("certificateId").distinct().as("count")])
    .where("companyId", "=", companyId)
    .groupBy("folded")
    .orderBy("count", "desc")
    .orderBy("folded")
    .limit(limit)
    .execute();
}

/** Stores the notes about a certificate as its next version. */
export async function storeCertificateNotes(trx: Trx, certificateId: number, change: NotesChange): Promise<void> {
  await trx
    .insertInto("certificateNotes")
    .values({ certificateId, version: 1, ...change })
    .onConflict((conflict) =>
      conflict
        .column("certificateId")
        .doUpdateSet((eb) => ({ ...change, version: eb("certificateNotes.version", "+", 1) })),
    )
    .execute();
  await repeatTags(trx, certificateId);
}

/** Gives a certificate a copy of the notes about the one that it renews or replaces, if both belong to the same company. */
export async function copyCertificateNotes(trx: Trx, from: number, to: number): Promise<void> {
  await trx
    .insertInto("certificateNotes")
    .columns(["certificateId", "notes", "tags", "version", "changedBy", "changedAt"])
    .expression((eb) =>
      eb
        .selectFrom("certificateNotes")
        .innerJoin("certificates as previous", "previous.id", "certificateNotes.certificateId")
        .innerJoin("certificates as next", "next.companyId", "previous.companyId")
        .select(["next.id", "notes", "tags", eb.val(1).as("version"), "changedBy", "changedAt"])
        .where("previous.id", "=", from)
        .where("next.id", "=", to),
    )
    .execute();
  await repeatTags(trx, to);
}
