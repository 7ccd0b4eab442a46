import { type DbOrTrx, type Trx } from "../connection.server";
import { type CodeType, type NewRow, type Row } from "../tables";

/** Returns the year in UTC in which the first account was created, or null when there are no accounts. */
export async function findFirstYear(db: DbOrTrx): Promise<number | null> {
  const first = await db.selectFrom("users").select("createdAt").orderBy("id").limit(1).executeTakeFirst();
  return first ? new Date(first.createdAt).getUTCFullYear() : null;
}

interface Charged {
  year: number;
  /** Codes registered before this ISO timestamp are charged. */
  before: string;
}

/** Returns the companies with registered codes that have no order for the year, by id, starting after `after`. */
export async function listUncharged(
  db: DbOrTrx,
  { year, before, after, limit }: Charged & { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom("codes")
    .select("companyId")
    .distinct()
    .where("status", "=", "Registered")
    .where("parentId", "is", null)
    .where("createdAt", "<", before)
    .where("companyId", ">", after)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("maintenanceOrders")
            .select("orderId")
            .where("year", "=", year)
            .whereRef("maintenanceOrders.companyId", "=", "codes.companyId"),
        ),
      ),
    )
    .orderBy("companyId")
    .limit(limit)
    .execute();
  return rows.map(({ companyId }) => companyId);
}

export const hasMaintenanceOrder = async (trx: Trx, year: number, companyId: number): Promise<boolean> =>
  (await trx
    .selectFrom("maintenanceOrders")
    .select("orderId")
    .where("year", "=", year)
    .where("companyId", "=", companyId)
    .executeTakeFirst()) !== undefined;

export interface MaintainedCode {
  id: number;
  code: string;
  codeType: CodeType;
  createdAt: string;
  /** The registered sub-codes, in order. */
  subcodes: string[];
}

/** Returns a company's registered codes that are charged, with their sub-codes. */
export async function listMaintainedCodes(trx: Trx, companyId: number, before: string): Promise<MaintainedCode[]> {
  const rows = await trx
    .selectFrom("codes")
    .select(["id", "parentId", "code", "subcode", "codeType", "createdAt"])
    .where("companyId", "=", companyId)
    .where("status", "=", "Registered")
    .where("createdAt", "<", before)
    .orderBy("code")
    .orderBy("subcode")
    .execute();
  const maintained = new Map<number, MaintainedCode>();
  for (const { parentId, subcode, ...code } of rows)
    if (parentId === null) maintained.set(code.id, { ...code, subcodes: [] });
  for (const { parentId, subcode } of rows) maintained.get(parentId ?? 0)?.subcodes.push(subcode);
  return [...maintained.values()];
}

/** Rows in one statement. Databases limit the number of parameters. */
const BATCH = 500;

/**
 * Stores the lines of a maintenance order, and which company it charges for which year. Fails when the company already has an order for the
 * year.
 */
export async function insertMaintenance(
  trx: Trx,
  order: NewRow<"maintenanceOrders">,
  lines: readonly Omit<NewRow<"orderLines">, "orderId">[],
): Promise<void> {
  const { orderId } = order;
  await trx.insertInto("maintenanceOrders").values(order).execute();
  const rows = lines.map((line) => ({ ...line, orderId }));
  for (let from = 0; from < rows.length; from += BATCH)
    await trx
      .insertInto("orderLines")
      .values(rows.slice(from, from + BATCH))
      .execute();
}

export const countOrderLines = async (db: DbOrTrx, orderId: number): Promise<number> =>
  (
    await db
      .selectFrom("orderLines")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("orderId", "=", orderId)
      .executeTakeFirstOrThrow()
  ).count;

/** Returns the lines of a maintenance order in the order in which they were stored. */
export const listOrderLines = (
  db: DbOrTrx,
  orderId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<Row<"orderLines">[]> =>
  db
    .selectFrom("orderLines")
    .selectAll()
    .where("orderId", "=", orderId)
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
