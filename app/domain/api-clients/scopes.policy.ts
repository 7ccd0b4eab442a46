import { may, namesOfRights, type RightsHolder, STAFF_RIGHTS, type Task } from "~/domain/accounts/rights.policy";
import { ROLES } from "~/domain/companies/roles.policy";
import { type CompanyRole } from "~db/tables";

interface ScopeRule {
  /** What the scope allows, for pages and documents. */
  text: string;
  /** The role that a client of a company needs for it. Null when only clients of staff have it. */
  role: CompanyRole | null;
  /** The tasks of staff that a client of staff may do with it. Null when only clients of companies have it. */
  tasks: readonly Task[] | null;
}

/**
 * The scopes of API clients: a group of calls, and whether they read or write. No scope is for calls of tokens and passwords, for calls that
 * need a fresh proof, or for what only a person may do.
 */
export const SCOPES = {
  "certificates:read": {
    text: "See certificates and their orders, check CSRs",
    role: "reader",
    tasks: ["see-customers"],
  },
  "certificates:write": { text: "Order, renew and revoke certificates", role: "purchaser", tasks: null },
  "downloads:read": { text: "Download certificates and invoices", role: "technical", tasks: ["see-customers"] },
  "codes:read": { text: "See ID codes, search the register", role: "reader", tasks: ["see-customers"] },
  "codes:write": {
    text: "Order, register and change ID codes",
    role: "purchaser",
    tasks: ["see-customers", "change-codes"],
  },
  "sales-orders:read": { text: "See sales orders", role: "reader", tasks: ["see-customers", "see-sales-orders"] },
  "sales-orders:write": { text: "Change sales orders", role: null, tasks: ["change-sales-orders"] },
  "queue:read": { text: "See the certificate queue and the checks of its orders", role: null, tasks: ["see-queue"] },
  "queue:write": { text: "Add evidence to the checks of orders", role: null, tasks: ["add-evidence"] },
  "companies:read": { text: "See the members of the company", role: "reader", tasks: null },
  "search:read": {
    text: "Search certificates, ID codes, invoices and, in a company, its members",
    role: "reader",
    tasks: ["see-customers"],
  },
} as const satisfies Record<string, ScopeRule>;

export type Scope = keyof typeof SCOPES;

/** For whom a client works. */
export type ClientKind = "company" | "staff";

const ALL = Object.keys(SCOPES) as Scope[];

export const isScope = (name: string): name is Scope => Object.hasOwn(SCOPES, name);

/** Returns the scopes that a client of this kind can have, in the order in which pages show them. */
export const scopesFor = (kind: ClientKind): Scope[] =>
  ALL.filter((scope) => SCOPES[scope][kind === "company" ? "role" : "tasks"] !== null);

/** Returns the scopes in a text in which spaces separate them (RFC 6749 §3.3), in order. Unknown ones are omitted. */
export function readScopes(text: string): Scope[] {
  const given = text.split(" ");
  return ALL.filter((scope) => given.includes(scope));
}

/** Returns whether a scope allows changes. */
export const isWriting = (scope: Scope): boolean => scope.endsWith(":write");

/** Returns the least role that has everything that these scopes allow to a client of a company. */
export function roleFor(scopes: readonly Scope[]): CompanyRole {
  const needed = scopes.map((scope) => SCOPES[scope].role);
  return ROLES.find((role) => needed.includes(role as never)) ?? "reader";
}

/** Returns the tasks of staff that these scopes allow to a client of staff. */
export const tasksFor = (scopes: readonly Scope[]): Task[] => [
  ...new Set(scopes.flatMap((scope): readonly Task[] => SCOPES[scope].tasks ?? [])),
];

/** The scopes that a client of staff cannot use: by scope, the rights of which a person needs one, such as `the right Finance or Admin`. */
export type ScopeBarriers = Partial<Record<Scope, string>>;

/**
 * Returns the scopes of staff that are beyond these rights, each with the rights of which one is needed: a client of staff has no scope
 * whose tasks the person who answers for it may not do.
 */
export function scopesBeyond(holder: RightsHolder): ScopeBarriers {
  const beyond = scopesFor("staff").filter((scope) => !tasksFor([scope]).every((task) => may(holder, task)));
  return Object.fromEntries(
    beyond.map((scope) => {
      const enough = STAFF_RIGHTS.filter((right) => tasksFor([scope]).every((task) => may({ rights: [right] }, task)));
      return [scope, `the right ${namesOfRights(enough).join(", ")} or Admin`];
    }),
  );
}

const LIST = new Intl.ListFormat("en-GB");

/** Names scopes in a sentence: `the scope codes:read`, `the scopes codes:read and codes:write`. */
export const scopesText = (scopes: readonly Scope[]): string =>
  `the ${scopes.length === 1 ? "scope" : "scopes"} ${LIST.format(scopes)}`;

/** Returns why scopes of a client do not count, in a sentence for each set of rights that they need. None when all of them count. */
export function beyondTexts(scopes: readonly Scope[], beyond: ScopeBarriers): string[] {
  const needs = [...new Set(scopes.flatMap((scope) => beyond[scope] ?? []))];
  return needs.map((rights) => {
    const these = scopes.filter((scope) => beyond[scope] === rights);
    return `${LIST.format(these)} ${these.length === 1 ? "does not count: it needs" : "do not count: they need"} ${rights}.`;
  });
}

/** Returns whether these barriers leave a client of this kind no scope at all. */
export const hasNoScope = (kind: ClientKind, beyond: ScopeBarriers): boolean =>
  scopesFor(kind).every((scope) => beyond[scope] !== undefined);

/** The API client that makes a call, as part of the user of the request (`SessionUser`). */
export interface ActingClient {
  id: number;
  name: string;
  /** The company for which it works; null for a client of staff. */
  companyId: number | null;
  /** The scopes of its access token. */
  scopes: readonly Scope[];
}
