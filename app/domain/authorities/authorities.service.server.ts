import { describeCrl } from "~/ca/crl/describe.server";
import { type DbOrTrx } from "~db/connection.server";
import { type Authority, findAuthority, listAuthorities } from "~db/repositories/authorities.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { type AuthorityName, type HierarchyName } from "~db/tables";
import { rootOf } from "./catalogue";
import { issuerOfNew } from "./life.policy";

export { type Authority, findAuthority, listAuthorities };

/** Returns the issuing CA of a hierarchy from which new orders get their certificates, or null when there is none. */
export const findIssuer = async (db: DbOrTrx, hierarchy: HierarchyName, now = new Date()): Promise<Authority | null> =>
  issuerOfNew(await listAuthorities(db), hierarchy, now);

/** Returns the ids of the CAs that are revoked. */
export const listRevokedIds = async (db: DbOrTrx): Promise<ReadonlySet<number>> =>
  new Set((await listAuthorities(db)).filter(({ revokedAt }) => revokedAt !== null).map(({ id }) => id));

/** Returns the root of a hierarchy, or null before it is created. */
export const findRoot = (db: DbOrTrx, hierarchy: HierarchyName): Promise<Authority | null> =>
  findAuthority(db, rootOf(hierarchy));

/** Returns the authority with this name. Throws when the hierarchies have not been created. */
export async function getAuthority(db: DbOrTrx, name: AuthorityName): Promise<Authority> {
  const authority = await findAuthority(db, name);
  if (!authority) throw new Error(`There is no CA '${name}' yet: run 'npm run portal -- setup'.`);
  return authority;
}

/** Returns whether the latest CRL of a CA lists the certificate with this serial number. */
export async function isOnCrl(db: DbOrTrx, { id }: Authority, serialNumber: string): Promise<boolean> {
  const latest = await findLatestCrl(db, id, false);
  return latest !== null && Boolean(describeCrl(latest.der).find(serialNumber));
}
