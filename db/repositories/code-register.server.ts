import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";
import { holdUsers } from "./users.server";

/** Rows in one statement. Databases limit the number of parameters. */
const CONTACTS = 1000;

const addressOf = (db: DbOrTrx) =>
  db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .leftJoin("addresses", "addresses.id", "companies.companyAddressId")
    .select(["users.id", "users.username", "users.email", "users.companyId", "users.mergedInto"])
    .select(["companies.name as company", "addresses.city", "addresses.country as countryId"]);

/** Returns the accounts with one of these user names or emails, with the city and country of their company. */
export async function listOwners(db: DbOrTrx, names: readonly string[]) {
  if (names.length === 0) return [];
  const found = [
    ...(await addressOf(db).where("users.username", "in", names).execute()),
    ...(await addressOf(db).where("users.email", "in", names).execute()),
  ];
  return [...new Map(found.map((owner) => [owner.id, owner])).values()];
}

export type RegisterOwner = Awaited<ReturnType<typeof listOwners>>[number];

/** Returns the accounts with these ids in their current state and locks them against changes until the transaction ends. */
export async function holdOwners(trx: Trx, ids: readonly number[]): Promise<RegisterOwner[]> {
  await holdUsers(trx, ids);
  return addressOf(trx).where("users.id", "in", ids).execute();
}

/** Returns all entities and sub-entities with these codes. */
export const listCodesNamed = async (db: DbOrTrx, codes: readonly string[]) =>
  codes.length === 0
    ? []
    : db
        .selectFrom("codes")
        .select(["id", "code", "subcode", "codeType", "status"])
        .where("code", "in", codes)
        .execute();

/** Returns the entities with these codes, without sub-entities. */
export const listEntitiesNamed = async (db: DbOrTrx, codes: readonly string[]) =>
  codes.length === 0
    ? []
    : db
        .selectFrom("codes")
        .select(["id", "code", "codeType", "status", "sbeMaxNumber"])
        .where("code", "in", codes)
        .where("subcode", "=", "")
        .execute();

/** Stores new addresses. Returns their ids in the same order. */
export async function insertAddressList(trx: Trx, addresses: readonly NewRow<"addresses">[]): Promise<number[]> {
  if (addresses.length === 0) return [];
  const rows = await trx.insertInto("addresses").values(addresses).returning("id").execute();
  return rows.map(({ id }) => id).sort((one, other) => one - other); // ids are assigned in the order of `addresses`
}

export async function insertContacts(trx: Trx, contacts: readonly NewRow<"codeContacts">[]): Promise<void> {
  for (let from = 0; from < contacts.length; from += CONTACTS)
    await trx
      .insertInto("codeContacts")
      .values(contacts.slice(from, from + CONTACTS))
      .execute();
}

interface Place {
  code: string;
  subcode: string;
}

/** Returns the code register sorted by code and sub-code, starting after `after`. */
export const listRegister = (db: DbOrTrx, after: Place, limit: number) =>
  db
    .selectFrom("codes")
    .innerJoin("users", "users.id", "codes.userId")
    .selectAll("codes")
    .select("users.username")
    .where((eb) =>
      eb.or([
        eb("codes.code", ">", after.code),
        eb.and([eb("codes.code", "=", after.code), eb("codes.subcode", ">", after.subcode)]),
      ]),
    )
    .orderBy("codes.code")
    .orderBy("codes.subcode")
    .limit(limit)
    .execute();

export async function listContactsOf(db: DbOrTrx, codeIds: readonly number[]): Promise<Row<"codeContacts">[]> {
  if (codeIds.length === 0) return [];
  return db.selectFrom("codeContacts").selectAll().where("codeId", "in", codeIds).orderBy("id").execute();
}
