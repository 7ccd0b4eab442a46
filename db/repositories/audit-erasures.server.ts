import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import { foldForSearch } from "~/lib/fold-text";
import { type DbOrTrx } from "../connection.server";
import { escapeLike } from "../like";
import { type Database } from "../tables";
import { type AuditRow } from "./audit-chain.server";

/** The accounts of a person, and texts that only this person has, such as an email. */
export interface PersonInTrail {
  ids: readonly number[];
  identifiers: readonly string[];
  /** How entries name the companies of this person alone. */
  references: readonly string[];
}

export const lastEntryId = async (db: DbOrTrx): Promise<number> =>
  Number(
    (
      await db
        .selectFrom("auditEntries")
        .select(({ fn }) => fn.max("id").as("last"))
        .executeTakeFirstOrThrow()
    ).last ?? 0,
  );

/** Returns the names with which these accounts are actors in the trail: their present and former addresses. */
export const listActorNames = async (db: DbOrTrx, ids: readonly number[]): Promise<string[]> =>
  (await db.selectFrom("auditEntries").select("actorName").distinct().where("actorId", "in", ids).execute()).map(
    ({ actorName }) => actorName,
  );

type Entries = ExpressionBuilder<Database, "auditEntries">;

/** An entry is by, about or with the person, or names one of the identifiers. */
function concerns(eb: Entries, { ids, identifiers, references }: PersonInTrail): Expression<SqlBool> {
  const named = identifiers.flatMap((text) => {
    const pattern = `%${escapeLike(foldForSearch(text))}%`;
    return [
      sql<SqlBool>`coalesce(search_text, lower(message)) like ${pattern} escape '\\'`,
      eb(eb.fn<string>("lower", ["actorName"]), "=", text.toLowerCase()),
      eb(eb.fn<string>("lower", ["reference"]), "=", text.toLowerCase()),
    ];
  });
  const own = references.map((text) => eb("reference", "=", text));
  return eb.or([eb("actorId", "in", ids), eb("impersonatorId", "in", ids), eb("userId", "in", ids), ...own, ...named]);
}

interface Span {
  /** Entries with greater ids. */
  from: number;
  /** The last id, or null for all. */
  upTo: number | null;
}

/** Returns the ids of the entries of the chain that concern a person, in order. It reads the whole span. */
export async function listMentions(db: DbOrTrx, person: PersonInTrail, { from, upTo }: Span): Promise<number[]> {
  let query = db
    .selectFrom("auditEntries")
    .select("id")
    .where("sequence", "is not", null)
    .where("id", ">", from)
    .where((eb) => concerns(eb, person));
  if (upTo !== null) query = query.where("id", "<=", upTo);
  return (await query.orderBy("id").execute()).map(({ id }) => id);
}

/** Returns the ids of the entries by an account that do not have its pseudonym as the actor. */
export const listLeftBehind = async (
  db: DbOrTrx,
  { ids, pseudonym }: { ids: readonly number[]; pseudonym: string },
): Promise<number[]> =>
  (
    await db
      .selectFrom("auditEntries")
      .select("id")
      .where("sequence", "is not", null)
      .where("actorId", "in", ids)
      .where("actorName", "!=", pseudonym)
      .orderBy("id")
      .execute()
  ).map(({ id }) => id);

/** Returns these entries, in the order of the chain. */
export const listEntriesById = (db: DbOrTrx, ids: readonly number[]): Promise<AuditRow[]> =>
  db.selectFrom("auditEntries").selectAll().where("id", "in", ids).orderBy("sequence").execute();
