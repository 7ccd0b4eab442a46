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
}
