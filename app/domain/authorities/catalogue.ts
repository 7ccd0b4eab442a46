import { type AuthorityName, type HierarchyName } from "~db/tables";

export interface AuthorityEntry {
  name: AuthorityName;
  hierarchy: HierarchyName;
  isRoot: boolean;
  /** The name of the authority in REP-01. */
  caption: string;
}

/** The four authorities of CAL-01. Each issuing CA comes after its root. */
export const AUTHORITIES: readonly AuthorityEntry[] = [
  { name: "root", hierarchy: "sha2", isRoot: true, caption: "Root" },
  { name: "issuing-sha2", hierarchy: "sha2", isRoot: false, caption: "Issuing CA (SHA2)" },
  { name: "root-g3", hierarchy: "g3", isRoot: true, caption: "Root G3" },
  { name: "issuing-g3", hierarchy: "g3", isRoot: false, caption: "Issuing G3 (SHA512)" },
];

/** Returns the entry of the authority with this name. Throws a RangeError when there is none. */
export function authorityEntry(name: AuthorityName): AuthorityEntry {
  const entry = AUTHORITIES.find((candidate) => candidate.name === name);
  if (!entry) throw new RangeError(`There is no authority '${String(name)}'.`);
  return entry;
}

/** Returns the name of the root of a hierarchy. */
export const rootOf = (hierarchy: HierarchyName): AuthorityName => (hierarchy === "sha2" ? "root" : "root-g3");

export const issuerOf = (hierarchy: HierarchyName): AuthorityName =>
  hierarchy === "sha2" ? "issuing-sha2" : "issuing-g3";
