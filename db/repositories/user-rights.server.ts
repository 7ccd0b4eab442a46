import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row, type StaffRight } from "../tables";

export type UserRightRow = Row<"userRights">;

/** Returns the rights of staff that were granted to an account one by one. */
export const listRightsOf = (db: DbOrTrx, userId: number): Promise<UserRightRow[]> =>
  db.selectFrom("userRights").selectAll().where("userId", "=", userId).orderBy("right").execute();

/** Returns the rights of staff of these accounts that were granted one by one, by account id. */
export async function listRightsOfMany(db: DbOrTrx, ids: readonly number[]): Promise<Map<number, StaffRight[]>> {
  const rights = new Map<number, StaffRight[]>();
  if (ids.length === 0) return rights;
  const rows = await db.selectFrom("userRights").selectAll().where("userId", "in", ids).orderBy("right").execute();
  for (const { userId, right } of rows) rights.set(userId, [...(rights.get(userId) ?? []), right]);
  return rights;
}

/** Returns which of these rights were granted to these accounts one by one, and when. */
export const listGrantsOf = async (
  db: DbOrTrx,
  ids: readonly number[],
  rights: readonly StaffRight[],
): Promise<UserRightRow[]> =>
  ids.length === 0
    ? []
    : db.selectFrom("userRights").selectAll().where("userId", "in", ids).where("right", "in", rights).execute();

/** Returns the rights that groups of the identity provider gave to an account. */
export const listGroupRights = async (db: DbOrTrx, userId: number): Promise<Row<"groupRights">["right"][]> =>
  (await db.selectFrom("groupRights").select("right").where("userId", "=", userId).orderBy("right").execute()).map(
    ({ right }) => right,
  );

/** Records that groups of the identity provider gave a right to an account. */
export async function storeGroupRight(trx: Trx, groupRight: NewRow<"groupRights">): Promise<void> {
  await trx
    .insertInto("groupRights")
    .values(groupRight)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const forgetGroupRight = (trx: Trx, userId: number, right: Row<"groupRights">["right"]) =>
  trx.deleteFrom("groupRights").where("userId", "=", userId).where("right", "=", right).execute();

interface RightChange {
  right: StaffRight | "applicant" | "admin";
  isGranted: boolean;
}

async function setFlag(trx: Trx, userId: number, flag: "isAdmin" | "isApplicant", isSet: boolean): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ [flag]: isSet })
    .where("id", "=", userId)
    .where(flag, "=", !isSet)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function insertRight(trx: Trx, right: NewRow<"userRights">): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("userRights")
    .values(right)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

async function deleteRight(trx: Trx, userId: number, right: StaffRight): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("userRights")
    .where("userId", "=", userId)
    .where("right", "=", right)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/**
 * Grants or withdraws a right of an account. The row of the account is changed too, so that whoever locks it sees the change. Returns false
 * when that changes nothing.
 *
 * @param by The name of the actor in the audit trail.
 */
export async function storeRight(
  trx: Trx,
  userId: number,
  { right, isGranted }: RightChange,
  by: string,
  now: Date,
): Promise<boolean> {
  await trx.updateTable("users").set({ updatedAt: now }).where("id", "=", userId).execute();
  if (!isGranted && right !== "applicant") await forgetGroupRight(trx, userId, right);
  if (right === "applicant") return setFlag(trx, userId, "isApplicant", isGranted);
  if (right === "admin") return setFlag(trx, userId, "isAdmin", isGranted);
  return isGranted
    ? insertRight(trx, { userId, right, grantedAt: now, grantedBy: by })
    : deleteRight(trx, userId, right);
}
