import { type AuthorityName, type HierarchyName, type RootName } from "~db/tables";

/** A CA that the first start of a trial makes. */
export interface FirstAuthority {
  name: AuthorityName;
  hierarchy: HierarchyName;
  isRoot: boolean;
  /** The name of the authority in REP-01. */
  caption: string;
}

/** The four authorities of CAL-01. Each issuing CA comes after its root. Others can follow these issuing CAs. */
export const FIRST_AUTHORITIES: readonly FirstAuthority[] = [
  { name: "root", hierarchy: "sha2", isRoot: true, caption: "Root" },
  { name: "issuing-sha2", hierarchy: "sha2", isRoot: false, caption: "Issuing CA (SHA2)" },
  { name: "root-g3", hierarchy: "g3", isRoot: true, caption: "Root G3" },
  { name: "issuing-g3", hierarchy: "g3", isRoot: false, caption: "Issuing G3 (SHA512)" },
];

const ROOTS: Readonly<Record<HierarchyName, RootName>> = { sha2: "root", g3: "root-g3" };

/** The names of the roots. */
export const ROOT_NAMES: readonly RootName[] = Object.values(ROOTS);

/** Returns the name of the root of a hierarchy. */
export const rootOf = (hierarchy: HierarchyName): RootName => ROOTS[hierarchy];

/** Returns whether a CA with this name is a root. */
export const isRootName = (name: string): name is RootName => (ROOT_NAMES as readonly string[]).includes(name);

/** The rule of `issuingHierarchy` in words. */
export const ISSUING_NAME_RULE =
  "must be 'issuing-sha2' or 'issuing-g3', for a successor followed by a hyphen and 1 to 7 digits or small letters, such as 'issuing-sha2-2031'";

/**
 * Returns the hierarchy of the issuing CA with this name, or null when the name is none of an issuing CA: `issuing-`, the hierarchy, and for
 * a successor of the first one a hyphen with 1 to 7 digits or small letters. `delta` is excluded, because files of delta CRLs end with it.
 */
export function issuingHierarchy(name: string): HierarchyName | null {
  const [, hierarchy, successor] = /^issuing-(sha2|g3)(?:-([a-z0-9]{1,7}))?$/.exec(name) ?? [];
  return hierarchy === undefined || successor === "delta" ? null : (hierarchy as HierarchyName);
}

/** Returns whether a CA can have this name. */
export const isAuthorityName = (name: string): name is AuthorityName =>
  isRootName(name) || issuingHierarchy(name) !== null;
