import { type DbOrTrx, type Trx } from "../connection.server";
import { type AuthorityName, type HierarchyName, type NewRow } from "../tables";

/** A stored certificate authority of this portal. */
export interface Authority {
  id: number;
  name: AuthorityName;
  hierarchy: HierarchyName;
  isRoot: boolean;
  /** What people call it, such as in REP-01. */
  caption: string;
  /** DER. */
  certificate: Buffer;
  subjectName: string;
  /** ISO timestamp. */
  notAfter: string;
  /** When an issuing CA begins to issue, as an ISO timestamp. Null for roots, and while nobody has decided it. */
  issuesFrom: string | null;
  /** From when an issuing CA renews nothing more. */
  renewalsUntil: string | null;
  /** When its root revoked it, or an operator recorded that its key is compromised. */
  revokedAt: string | null;
  crlNumber: number;
  createdAt: string;
}

/** Returns all authorities in the order of their creation: each root before its issuing CA. */
export const listAuthorities = (db: DbOrTrx): Promise<Authority[]> =>
  db.selectFrom("authorities").selectAll().orderBy("id").execute();

const STATE_COLUMNS = [
  "id",
  "hierarchy",
  "isRoot",
  "notAfter",
  "issuesFrom",
  "renewalsUntil",
  "revokedAt",
  "crlNumber",
] as const satisfies (keyof Authority)[];

/** Returns the authorities without what never changes. */
export const listAuthorityStates = (db: DbOrTrx): Promise<Pick<Authority, (typeof STATE_COLUMNS)[number]>[]> =>
  db.selectFrom("authorities").select(STATE_COLUMNS).orderBy("id").execute();

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

/** Notes that an issuing CA is revoked. Returns false when it was known to be. */
export async function setRevoked(trx: Trx, id: number, revokedAt: Date): Promise<boolean> {
  const row = await trx
    .updateTable("authorities")
    .set({ revokedAt })
    .where("id", "=", id)
    .where("revokedAt", "is", null)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Changes when an issuing CA begins to issue, or stops renewing. */
export const changeLife = (
  trx: Trx,
  id: number,
  change: { issuesFrom: Date } | { renewalsUntil: Date },
): Promise<unknown> => trx.updateTable("authorities").set(change).where("id", "=", id).execute();
