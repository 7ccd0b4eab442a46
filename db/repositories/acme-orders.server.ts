import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type AcmeOrderRow = Row<"acmeOrders">;
export type AcmeAuthorizationRow = Row<"acmeAuthorizations">;

export const insertAcmeOrder = async (trx: Trx, row: NewRow<"acmeOrders">): Promise<number> =>
  (await trx.insertInto("acmeOrders").values(row).returning("id").executeTakeFirstOrThrow()).id;

export async function insertAcmeAuthorizations(trx: Trx, rows: readonly NewRow<"acmeAuthorizations">[]): Promise<void> {
  await trx
    .insertInto("acmeAuthorizations")
    .values([...rows])
    .execute();
}

export const findAcmeOrder = async (db: DbOrTrx, id: number): Promise<AcmeOrderRow | null> =>
  (await db.selectFrom("acmeOrders").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;

/** Returns an order and locks its row until the end of the transaction, or null. */
export async function lockAcmeOrder(trx: Trx, id: number): Promise<AcmeOrderRow | null> {
  const query = trx.selectFrom("acmeOrders").selectAll().where("id", "=", id);
  const locked = getConnection().dialect === "postgres" ? query.forUpdate() : query;
  return (await locked.executeTakeFirst()) ?? null;
}

/** Records the portal's order that an ACME order has become, and the certificate that it replaces. */
export async function setAcmePlaced(
  trx: Trx,
  id: number,
  placed: Required<Pick<NewRow<"acmeOrders">, "orderId" | "replaces">>,
): Promise<void> {
  await trx.updateTable("acmeOrders").set(placed).where("id", "=", id).execute();
}

/** Returns up to `limit` orders of an account with an id below `before`, the latest first. */
export async function listAcmeOrderIds(
  db: DbOrTrx,
  accountId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<number[]> {
  let query = db.selectFrom("acmeOrders").select("id").where("accountId", "=", accountId);
  if (before !== null) query = query.where("id", "<", before);
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(({ id }) => id);
}

/** Returns how many orders of an account can still be finalised. */
export async function countOpenAcmeOrders(db: DbOrTrx, accountId: number, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom("acmeOrders")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("accountId", "=", accountId)
    .where("orderId", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What tells the certificates of an account from each other: exactly these names, and the profile. */
type AcmeWanted = Pick<AcmeOrderRow, "accountId" | "names" | "profile">;

/** Returns the portal's order that an account has finalised for these names and this profile and that still waits, or null. */
export async function findWaitingAcmeOrder(
  db: DbOrTrx,
  { accountId, names, profile }: AcmeWanted,
): Promise<number | null> {
  const row = await db
    .selectFrom("acmeOrders")
    .innerJoin("certificates", "certificates.orderId", "acmeOrders.orderId")
    .select("acmeOrders.orderId")
    .where("accountId", "=", accountId)
    .where("names", "=", names)
    .where("profile", "is not distinct from", profile)
    .where("certificates.status", "=", "Pending")
    .executeTakeFirst();
  return row?.orderId ?? null;
}

/** Returns the orders that replace a certificate and were finalised, or still can be. */
export const listAcmeReplacing = (db: DbOrTrx, certificateId: number, now: Date): Promise<AcmeOrderRow[]> =>
  db
    .selectFrom("acmeOrders")
    .selectAll()
    .where("replaces", "=", certificateId)
    .where((eb) => eb.or([eb("orderId", "is not", null), eb("expiresAt", ">", now.toISOString())]))
    .execute();

/**
 * Returns the certificates that an account has ordered for these names and this profile and that nothing has renewed or revoked, by their end. Those
 * that ended before `since` are left out.
 */
export const listAcmeRenewable = (db: DbOrTrx, { accountId, names, profile }: AcmeWanted, since: Date) =>
  db
    .selectFrom("acmeOrders")
    .innerJoin("certificates", "certificates.orderId", "acmeOrders.orderId")
    .select(["certificates.id", "expiryDate"])
    .where("accountId", "=", accountId)
    .where("names", "=", names)
    .where("profile", "is not distinct from", profile)
    .where("certificates.status", "in", ["Issued", "Downloaded", "Expired"])
    .where("expiryDate", ">", since.toISOString())
    .orderBy("expiryDate")
    .execute();

/** Returns the certificates that those of these orders replace, by the id of the order. */
export async function listAcmeReplaced(db: DbOrTrx, orderIds: readonly number[]): Promise<Map<number, number>> {
  if (orderIds.length === 0) return new Map();
  const query = db.selectFrom("acmeOrders").select(["orderId", "replaces"]).where("orderId", "in", orderIds);
  const rows = await query.where("replaces", "is not", null).execute();
  return new Map(rows.map(({ orderId, replaces }) => [orderId ?? 0, replaces ?? 0]));
}

export const listAcmeAuthorizations = (db: DbOrTrx, acmeOrderId: number): Promise<AcmeAuthorizationRow[]> =>
  db.selectFrom("acmeAuthorizations").selectAll().where("acmeOrderId", "=", acmeOrderId).orderBy("id").execute();

/** An authorization with the account and the end of its order. */
export type OwnedAuthorization = AcmeAuthorizationRow & Pick<AcmeOrderRow, "accountId" | "expiresAt">;

export const findAcmeAuthorization = async (db: DbOrTrx, id: number): Promise<OwnedAuthorization | null> =>
  (await db
    .selectFrom("acmeAuthorizations")
    .innerJoin("acmeOrders", "acmeOrders.id", "acmeAuthorizations.acmeOrderId")
    .selectAll("acmeAuthorizations")
    .select(["accountId", "expiresAt"])
    .where("acmeAuthorizations.id", "=", id)
    .executeTakeFirst()) ?? null;

/**
 * Begins the try of a challenge. Returns false when one was begun since `brokenOffBefore`, or had an outcome, so that an authorization is
 * tried once.
 */
export async function beginAcmeTry(
  db: DbOrTrx,
  id: number,
  triedBy: NonNullable<AcmeAuthorizationRow["triedBy"]>,
  now: Date,
  brokenOffBefore: Date,
): Promise<boolean> {
  const query = db.updateTable("acmeAuthorizations").set({ triedAt: now, triedBy }).where("id", "=", id);
  const { numUpdatedRows } = await query
    .where((eb) => eb.or([eb("triedAt", "is", null), eb("triedAt", "<", brokenOffBefore.toISOString())]))
    .where("problem", "is", null)
    .where("validatedAt", "is", null)
    .where("deactivatedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores what came of the try of a challenge, or that the client deactivated the authorization. */
export async function changeAcmeAuthorization(
  db: DbOrTrx,
  id: number,
  change: Partial<Pick<NewRow<"acmeAuthorizations">, "provedBy" | "validatedAt" | "problem" | "deactivatedAt">>,
): Promise<void> {
  await db.updateTable("acmeAuthorizations").set(change).where("id", "=", id).execute();
}

const certificates = (db: DbOrTrx) =>
  db
    .selectFrom("certificates")
    .leftJoin("acmeOrders", "acmeOrders.orderId", "certificates.orderId")
    .select(["certificates.id", "certificates.orderId", "keyIdentity", "status", "der", "startDate", "expiryDate"])
    .select(["authorityId", "serialNumber", "accountId", "names"]);

/** Returns a certificate with the ACME account that has ordered it, if one has, or null. */
export const findAcmeCertificateById = async (db: DbOrTrx, id: number) =>
  (await certificates(db).where("certificates.id", "=", id).executeTakeFirst()) ?? null;

/** Returns the certificate with this serial number with the ACME account that has ordered it, if one has, or null. */
export const findAcmeCertificateBySerial = async (db: DbOrTrx, serialNumber: string) =>
  (await certificates(db).where("serialNumber", "=", serialNumber).executeTakeFirst()) ?? null;
