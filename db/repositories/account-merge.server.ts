import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type UserRow } from "./users.server";

/**
 * Tables whose rows belong to an account by their `userId` and go with it; a new table of that kind is added here, and a test finds one
 * that was forgotten. Drafts come first: an order is stored while its draft is locked, so a merge waits for it and then finds it.
 */
export const OWNED_TABLES = [
  "drafts",
  "orders",
  "certificates",
  "codes",
  "availableCodes",
  "addresses",
  "tokens",
] as const;

/** Tables with a `userId` that say something else, or that move in their own way. */
export const OTHER_TABLES = [
  "auditEntries",
  "settings",
  "maintenanceOrders",
  "apiTokens",
  "apiIdempotency",
  "loginPlaces",
] as const;

export type Moved = Record<(typeof OWNED_TABLES)[number] | "settings", number>;

const openAccounts = (db: DbOrTrx, email: string) =>
  db
    .selectFrom("users")
    .selectAll()
    .where("email", "=", email)
    .where("isDisabled", "=", false)
    .where("adminLockedAt", "is", null)
    .where("mergedInto", "is", null)
    .orderBy("id");

/** The accounts that a merge takes together. */
export const listOpenAccounts = (db: DbOrTrx, email: string): Promise<UserRow[]> => openAccounts(db, email).execute();

/**
 * The same, held against every other change of them until the transaction ends. On SQLite every transaction is the only one that
 * writes, from its beginning.
 */
export const lockOpenAccounts = (trx: Trx, email: string): Promise<UserRow[]> =>
  (getConnection().dialect === "postgres"
    ? openAccounts(trx, email).forNoKeyUpdate()
    : openAccounts(trx, email)
  ).execute();

/** Settings of an account by name: what the new owner has stays; of the others' the latest moves, the rest stays behind. */
async function moveSettings(trx: Trx, from: readonly number[], to: number): Promise<number> {
  const own = await trx.selectFrom("settings").select("name").where("userId", "=", to).execute();
  const theirs = await trx
    .selectFrom("settings")
    .select(["name", "userId"])
    .where("userId", "in", from)
    .orderBy("updatedAt", "desc")
    .orderBy("userId")
    .execute();
  const taken = new Set(own.map(({ name }) => name));
  let moved = 0;
  for (const { name, userId } of theirs) {
    if (taken.has(name)) continue;
    taken.add(name);
    await trx
      .updateTable("settings")
      .set({ userId: to })
      .where("name", "=", name)
      .where("userId", "=", userId)
      .execute();
    moved += 1;
  }
  return moved;
}

/** Ends the unused links, codes and permits of these accounts, but for those that prove the common e-mail: they serve the new owner. */
export async function endPersonalTokens(trx: Trx, from: readonly number[], now: Date): Promise<void> {
  await trx
    .updateTable("tokens")
    .set({ usedAt: now })
    .where("userId", "in", from)
    .where("purpose", "!=", "verify-email")
    .where("usedAt", "is", null)
    .execute();
}

/** What waits until one of these accounts' address is confirmed waits for the new owner's. */
const moveAwaiting = (trx: Trx, from: readonly number[], to: number) =>
  trx.updateTable("mails").set({ awaitsUserId: to }).where("awaitsUserId", "in", from).execute();

/** Gives everything that these accounts own to another one. Out: how many rows of each table. */
export async function moveOwned(trx: Trx, from: readonly number[], to: number): Promise<Moved> {
  const moved: Partial<Moved> = {};
  for (const table of OWNED_TABLES) {
    const { numUpdatedRows } = await trx
      .updateTable(table)
      .set({ userId: to })
      .where("userId", "in", from)
      .executeTakeFirst();
    moved[table] = Number(numUpdatedRows);
  }
  await moveAwaiting(trx, from, to);
  return { ...(moved as Moved), settings: await moveSettings(trx, from, to) };
}

/** Closes accounts for good: their sessions end, and who looks for them, or for one that was merged into them, finds the new one. */
export async function closeMerged(trx: Trx, from: readonly number[], to: number, now: Date): Promise<void> {
  await trx.updateTable("users").set({ mergedInto: to }).where("mergedInto", "in", from).execute();
  await trx
    .updateTable("users")
    .set((eb) => ({ isDisabled: true, mergedInto: to, sessionEpoch: eb("sessionEpoch", "+", 1), updatedAt: now }))
    .where("id", "in", from)
    .execute();
}

/** How many certificates, codes and orders each of these accounts has. */
export async function countOwned(db: DbOrTrx, ids: readonly number[]) {
  const count = async (table: "certificates" | "codes" | "orders") => {
    const rows = await db
      .selectFrom(table)
      .select(({ fn }) => ["userId", fn.countAll<number>().as("count")])
      .where("userId", "in", ids)
      .groupBy("userId")
      .execute();
    return new Map(rows.map((row) => [row.userId, Number(row.count)]));
  };
  return { certificates: await count("certificates"), codes: await count("codes"), orders: await count("orders") };
}
