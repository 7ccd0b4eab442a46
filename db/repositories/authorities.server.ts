import { type DbOrTrx } from "../connection.server";
import { type AuthorityName, type HierarchyName, type NewRow } from "../tables";

/** A stored certificate authority of this portal. */
export interface Authority {
  id: number;
  name: AuthorityName;
  hierarchy: HierarchyName;
  isRoot: boolean;
  /** DER. */
  certificate: Buffer;
  subjectName: string;
  /** ISO timestamp. */
  notAfter: string;
  crlNumber: number;
  createdAt: string;
}

/** Returns all authorities in the order of their creation: each root before its issuing CA. */
export const listAuthorities = (db: DbOrTrx): Promise<Authority[]> =>
  db.selectFrom("authorities").selectAll().orderBy("id").execute();

/** Returns the last CRL number of each authority. */
export const listCrlNumbers = (db: DbOrTrx): Promise<Pick<Authority, "id" | "crlNumber">[]> =>
  db.selectFrom("authorities").select(["id", "crlNumber"]).orderBy("id").execute();

export async function findAuthority(db: DbOrTrx, name: AuthorityName): Promise<Authority | null> {
  return (await db.selectFrom("authorities").selectAll().where("name", "=", name).executeTakeFirst()) ?? null;
}

/** Stores an authority. Returns false when its name is taken. */
export async function insertAuthority(db: DbOrTrx, authority: NewRow<"authorities">): Promise<boolean> {
  const row = await db
    .insertInto("authorities")
    .values(authority)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}
