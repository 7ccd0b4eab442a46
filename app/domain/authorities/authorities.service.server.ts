import { type DbOrTrx } from "~db/connection.server";
import { type Authority, findAuthority, listAuthorities } from "~db/repositories/authorities.server";
import { type AuthorityName, type HierarchyName } from "~db/tables";
import { issuerOf, rootOf } from "./catalogue";

export { type Authority, findAuthority, listAuthorities };

/** Returns the issuing CA of a hierarchy, or null before it is created. */
export const findIssuer = (db: DbOrTrx, hierarchy: HierarchyName): Promise<Authority | null> =>
  findAuthority(db, issuerOf(hierarchy));

/** Returns the root of a hierarchy, or null before it is created. */
export const findRoot = (db: DbOrTrx, hierarchy: HierarchyName): Promise<Authority | null> =>
  findAuthority(db, rootOf(hierarchy));

/** Returns the authority with this name. Throws when the hierarchies have not been created. */
export async function getAuthority(db: DbOrTrx, name: AuthorityName): Promise<Authority> {
  const authority = await findAuthority(db, name);
  if (!authority) throw new Error(`There is no CA '${name}' yet: run 'npm run portal -- setup'.`);
  return authority;
}
