import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type AcmeKeyRow = Row<"acmeKeys">;
export type AcmeAccountRow = Row<"acmeAccounts">;

/** Selects keys with their company and the person who made them, as far as it decides whether that person still answers for them. */
const answeredKeys = (db: DbOrTrx) =>
  db
    .selectFrom("acmeKeys")
    .innerJoin("users", "users.id", "acmeKeys.madeBy")
    .innerJoin("companies", "companies.id", "acmeKeys.companyId")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.companyId", "=", "acmeKeys.companyId")
        .onRef("memberships.userId", "=", "acmeKeys.madeBy"),
    )
    .selectAll("acmeKeys")
    .select(["companies.name as company", "memberships.role"])
    .select(["users.firstName", "users.lastName", "users.isDisabled", "users.adminLockedAt"]);

/** A key with its company and the person who made it. */
export type AnsweredAcmeKey = Awaited<ReturnType<typeof listAcmeKeys>>[number];

/** Returns the keys of a standing authorisation, the latest first. */
export const listAcmeKeys = (db: DbOrTrx, authorisationId: number) =>
  answeredKeys(db).where("authorisationId", "=", authorisationId).orderBy("acmeKeys.id", "desc").execute();

/** Returns the keys that a person has made and that were not revoked, of standing authorisations that have not ended, the oldest first. */
export const listAcmeKeysOf = (db: DbOrTrx, userId: number, now: Date): Promise<AnsweredAcmeKey[]> =>
  answeredKeys(db)
    .innerJoin("standingAuthorisations", "standingAuthorisations.id", "acmeKeys.authorisationId")
    .where("madeBy", "=", userId)
    .where("acmeKeys.revokedAt", "is", null)
    .where("standingAuthorisations.endedAt", "is", null)
    .where("standingAuthorisations.endsAt", ">", now.toISOString())
    .orderBy("acmeKeys.id")
    .execute();

/** Returns a key of a company, or null. */
export const findAcmeKey = async (
  db: DbOrTrx,
  { id, companyId }: Pick<AcmeKeyRow, "id" | "companyId">,
): Promise<AcmeKeyRow | null> =>
  (await db
    .selectFrom("acmeKeys")
    .selectAll()
    .where("id", "=", id)
    .where("companyId", "=", companyId)
    .executeTakeFirst()) ?? null;

/** Returns the key with the identifier that a client sends, or null. */
export const findAcmeKeyByName = async (db: DbOrTrx, keyId: string): Promise<AcmeKeyRow | null> =>
  (await db.selectFrom("acmeKeys").selectAll().where("keyId", "=", keyId).executeTakeFirst()) ?? null;

export const insertAcmeKey = async (trx: Trx, row: NewRow<"acmeKeys">): Promise<number> =>
  (await trx.insertInto("acmeKeys").values(row).returning("id").executeTakeFirstOrThrow()).id;

export async function setAcmeSecret(trx: Trx, id: number, secret: string): Promise<void> {
  await trx.updateTable("acmeKeys").set({ secret }).where("id", "=", id).execute();
}

/** Notes that a key is used for an account. Returns false when it was used or revoked before. */
export async function bindAcmeKey(trx: Trx, id: number, now: Date): Promise<boolean> {
  const query = trx.updateTable("acmeKeys").set({ boundAt: now, usedAt: now }).where("id", "=", id);
  const { numUpdatedRows } = await query.where("boundAt", "is", null).where("revokedAt", "is", null).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Revokes a key. Returns false when it was revoked before. */
export async function revokeAcmeKeyRow(trx: Trx, id: number, now: Date): Promise<boolean> {
  const query = trx.updateTable("acmeKeys").set({ revokedAt: now }).where("id", "=", id);
  const { numUpdatedRows } = await query.where("revokedAt", "is", null).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Notes the use of a key, unless one since `before` is noted. */
export async function noteAcmeKeyUse(db: DbOrTrx, id: number, now: Date, before: Date): Promise<void> {
  await db
    .updateTable("acmeKeys")
    .set({ usedAt: now })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("usedAt", "is", null), eb("usedAt", "<", before.toISOString())]))
    .execute();
}

/** An account with the key that binds it to a standing authorisation. */
export type BoundAccount = AcmeAccountRow &
  Pick<AcmeKeyRow, "companyId" | "authorisationId" | "keyId" | "description" | "madeBy" | "usedAt" | "revokedAt">;

const accounts = (db: DbOrTrx) =>
  db
    .selectFrom("acmeAccounts")
    .innerJoin("acmeKeys", "acmeKeys.id", "acmeAccounts.acmeKeyId")
    .selectAll("acmeAccounts")
    .select(["companyId", "authorisationId", "keyId", "description", "madeBy", "usedAt", "revokedAt"]);

export const findAcmeAccount = async (db: DbOrTrx, id: number): Promise<BoundAccount | null> =>
  (await accounts(db).where("acmeAccounts.id", "=", id).executeTakeFirst()) ?? null;

/** Returns the account with this public key, or null. */
export const findAcmeAccountByKey = async (db: DbOrTrx, thumbprint: string): Promise<BoundAccount | null> =>
  (await accounts(db).where("thumbprint", "=", thumbprint).executeTakeFirst()) ?? null;

/** Stores an account. Returns its id, or null when another account has its public key. */
export async function insertAcmeAccount(trx: Trx, row: NewRow<"acmeAccounts">): Promise<number | null> {
  const query = trx.insertInto("acmeAccounts").values(row);
  const inserted = await query
    .onConflict((conflict) => conflict.column("thumbprint").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id ?? null;
}

/** Deactivates an account for ever. Returns false when it was before. */
export async function deactivateAcmeAccount(trx: Trx, id: number, now: Date): Promise<boolean> {
  const query = trx.updateTable("acmeAccounts").set({ deactivatedAt: now }).where("id", "=", id);
  const { numUpdatedRows } = await query.where("deactivatedAt", "is", null).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Gives an account another public key in the place of the one with `former`. Returns false when it has another one meanwhile. */
export async function changeAcmeAccountKey(
  trx: Trx,
  { id, former }: { id: number; former: string },
  key: Pick<AcmeAccountRow, "thumbprint" | "jwk">,
): Promise<boolean> {
  const query = trx.updateTable("acmeAccounts").set(key).where("id", "=", id).where("thumbprint", "=", former);
  const { numUpdatedRows } = await query.executeTakeFirst();
  return numUpdatedRows === 1n;
}
