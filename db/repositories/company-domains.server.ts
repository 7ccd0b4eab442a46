import { createHash } from "node:crypto";
import { sql, type SqlBool } from "kysely";
import { takeLock } from "../advisory-lock.server";
import { type DbOrTrx, type Trx } from "../connection.server";
import { escapeLike } from "../like";
import { type NewRow, type Row } from "../tables";

export type CompanyDomain = Row<"companyDomains">;

/** Waits until no other transaction changes who has confirmed this domain or mailbox. */
export const lockDomain = (trx: Trx, name: string): Promise<void> =>
  takeLock(trx, "domain", createHash("sha256").update(name).digest().readInt32BE());

const openRows = (db: DbOrTrx) => db.selectFrom("companyDomains").where("endedAt", "is", null);

const confirmedRows = (db: DbOrTrx) => openRows(db).where("confirmedAt", "is not", null);

/** Returns the domains and mailboxes of a company that have not ended, confirmed or not, by name. */
export const listOpenDomains = (db: DbOrTrx, companyId: number): Promise<CompanyDomain[]> =>
  openRows(db).selectAll().where("companyId", "=", companyId).orderBy("name").orderBy("id").execute();

/** Returns the latest `limit` confirmed domains and mailboxes of a company that have ended, the latest first. */
export const listEndedDomains = (db: DbOrTrx, companyId: number, limit: number): Promise<CompanyDomain[]> =>
  db
    .selectFrom("companyDomains")
    .selectAll()
    .where("companyId", "=", companyId)
    .where("endedAt", "is not", null)
    .orderBy("endedAt", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

/** Returns the names that these companies have confirmed and that count at this time. A file on a web server confirms its host only. */
export async function listConfirmedNames(
  db: DbOrTrx,
  companyIds: readonly number[],
  now: Date,
): Promise<{ companyId: number; name: string; isHostOnly: boolean }[]> {
  if (companyIds.length === 0) return [];
  const rows = await confirmedRows(db)
    .select(["companyId", "name", "method"])
    .where("companyId", "in", companyIds)
    .where("validUntil", ">", now.toISOString())
    .execute();
  return rows.map(({ method, ...row }) => ({ ...row, isHostOnly: method === "http" }));
}

/** Returns a domain of a company that has not ended, or null. */
export const findOpenDomain = async (
  db: DbOrTrx,
  { id, companyId }: { id: number; companyId: number },
): Promise<CompanyDomain | null> =>
  (await openRows(db).selectAll().where("id", "=", id).where("companyId", "=", companyId).executeTakeFirst()) ?? null;

/**
 * Returns what `findOpenDomain` returns, and lets no other transaction confirm or end the same name until this one has ended. The row is read
 * again when the lock is there, because another transaction may have ended it meanwhile.
 */
export async function lockOpenDomain(trx: Trx, of: { id: number; companyId: number }): Promise<CompanyDomain | null> {
  const row = await findOpenDomain(trx, of);
  if (!row) return null;
  await lockDomain(trx, row.name);
  return findOpenDomain(trx, of);
}

/** Returns the domain whose link has a token with this hash, while it can be used, with the name of its company, or null. */
export const findMailedDomain = async (db: DbOrTrx, mailTokenHash: string, now: Date) =>
  (await openRows(db)
    .innerJoin("companies", "companies.id", "companyDomains.companyId")
    .selectAll("companyDomains")
    .select("companies.name as company")
    .where("mailTokenHash", "=", mailTokenHash)
    .where("challengeEndsAt", ">", now.toISOString())
    .executeTakeFirst()) ?? null;

/** Returns the rows that have confirmed this name, whoever owns them. There is one at most. */
export const listConfirmedRows = (trx: Trx, name: string): Promise<CompanyDomain[]> =>
  confirmedRows(trx).selectAll().where("name", "=", name).execute();

/** Returns what other companies have confirmed by mail below a domain: hosts and mailboxes, which no nightly check looks at. */
export const listMailedBelow = (trx: Trx, { name, companyId }: CompanyDomain): Promise<CompanyDomain[]> =>
  confirmedRows(trx)
    .selectAll()
    .where("companyId", "!=", companyId)
    .where("method", "=", "mail")
    .where((eb) =>
      eb.or(
        [".", "@"].map((mark) => sql<SqlBool>`${eb.ref("name")} like ${`%${mark}${escapeLike(name)}`} escape '\\'`),
      ),
    )
    .orderBy("id")
    .execute();

export const insertDomain = async (trx: Trx, domain: NewRow<"companyDomains">): Promise<number> =>
  (await trx.insertInto("companyDomains").values(domain).returning("id").executeTakeFirstOrThrow()).id;

export async function updateDomain(trx: Trx, id: number, change: Partial<NewRow<"companyDomains">>): Promise<void> {
  await trx.updateTable("companyDomains").set(change).where("id", "=", id).execute();
}

/** Deletes a domain that was never confirmed. */
export async function deleteDomain(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom("companyDomains").where("id", "=", id).where("confirmedAt", "is", null).execute();
}

/**
 * Returns up to `limit` domains that DNS or a file has confirmed and that were not checked again since `checkedBefore`, with ids above
 * `afterId`, by id. Checks that the company makes do not count, so that nobody can put off the nightly one.
 */
export const listToCheckAgain = (
  db: DbOrTrx,
  { afterId, checkedBefore, limit }: { afterId: number; checkedBefore: Date; limit: number },
): Promise<CompanyDomain[]> =>
  confirmedRows(db)
    .selectAll()
    .where("id", ">", afterId)
    .where("method", "in", ["dns", "http"])
    .where((eb) => eb.or([eb("recheckedAt", "is", null), eb("recheckedAt", "<", checkedBefore.toISOString())]))
    .orderBy("id")
    .limit(limit)
    .execute();

/** Returns up to `limit` confirmed domains whose year is over. */
export const listOverdue = (db: DbOrTrx, now: Date, limit: number): Promise<CompanyDomain[]> =>
  confirmedRows(db)
    .selectAll()
    .where("validUntil", "<=", now.toISOString())
    .orderBy("validUntil")
    .orderBy("id")
    .limit(limit)
    .execute();

/**
 * Notes the reminder `days` on up to `limit` domains whose confirmation ends after `from` and not after `to`, and returns them. The condition
 * is part of the statement, so that only one of two processes gets each domain.
 */
export function claimDomainReminders(
  trx: Trx,
  { days, from, to, limit }: { days: number; from: Date; to: Date; limit: number },
): Promise<CompanyDomain[]> {
  const due = confirmedRows(trx)
    .select("id")
    .where("validUntil", ">", from.toISOString())
    .where("validUntil", "<=", to.toISOString())
    .where((eb) => eb.or([eb("remindedDays", "is", null), eb("remindedDays", "!=", days)]))
    .orderBy("validUntil")
    .orderBy("id")
    .limit(limit);
  return trx
    .updateTable("companyDomains")
    .set({ remindedDays: days })
    .where("id", "in", due)
    .where((eb) => eb.or([eb("remindedDays", "is", null), eb("remindedDays", "!=", days)]))
    .returningAll()
    .execute();
}
