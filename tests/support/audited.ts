import { createHash } from "node:crypto";
import { sql } from "kysely";
import { getDb } from "~db/connection.server";
import { type ApiClient } from "./api";
import { type Visitor } from "./visitor";

/** A form that somebody is about to send to a route's action. */
export interface Submission {
  visitor: Visitor;
  fields?: Parameters<Visitor["post"]>[1];
  /** Where it differs from the route's own. */
  path?: string;
  params?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Something that succeeds, and which audit entries it leaves; none when it changes nothing that the trail is about. */
export interface Deed {
  what: string;
  prepare: () => Promise<Submission>;
  events: readonly string[];
}

export const deed = (what: string, events: readonly string[], prepare: Deed["prepare"]): Deed => ({
  what,
  events,
  prepare,
});

/** A call that somebody is about to make. */
export interface Making {
  client: ApiClient;
  body?: object;
}

/** The same of a call. */
export interface CallDeed {
  events: readonly string[];
  prepare: () => Promise<Making>;
}

/**
 * What the audit trail is not about: itself, forms that are still being filled in, messages, the permits and links that a login, a recovery
 * or an order left behind (their making and their use have entries), what the search for shared primes keeps, and what keeps the portal running.
 */
const BESIDES = [
  "audit_entries",
  "audit_head",
  "audit_checkpoints",
  "drafts",
  "key_comparisons",
  "modulus_products",
  "mails",
  "tokens",
  "api_tokens",
  "ended_sessions",
  "login_places",
  "rate_limits",
  "jobs",
  "write_probes",
];

const isWatched = (name: string) => !BESIDES.includes(name) && !/^(kysely_|sqlite_)/.test(name);

/** When a row was last written, and in which product its key is, is no change of what it says. */
const withoutStamp = (name: string, value: unknown) =>
  ["updatedAt", "modulusProductId"].includes(name) ? undefined : value;

/** A digest of every table that the audit trail is about. */
export async function stateOfTables(): Promise<Map<string, string>> {
  const tables = await getDb().introspection.getTables();
  const names = tables.map(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const state = new Map<string, string>();
  for (const name of names.filter(isWatched)) {
    // The parameters of framed forms are settings, too: of their users.
    const portals = name === "settings" ? sql`where user_id = 0` : sql``;
    const { rows } = await sql`select * from ${sql.table(name)} ${portals}`.execute(getDb());
    const lines = rows.map((row) => JSON.stringify(row, withoutStamp)).sort();
    state.set(name, createHash("sha256").update(lines.join("\n")).digest("hex"));
  }
  return state;
}

/** The tables whose rows are not what they were. */
export const changedTables = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...after.keys()].filter((name) => before.get(name) !== after.get(name));

export const lastEntry = async (): Promise<number> => {
  const { last } = await getDb()
    .selectFrom("auditEntries")
    .select(({ fn }) => fn.max("id").as("last"))
    .executeTakeFirstOrThrow();
  return Number(last ?? 0);
};

/** The events recorded after this entry, sorted. */
export const eventsAfter = async (id: number): Promise<string[]> =>
  (await getDb().selectFrom("auditEntries").select("event").where("id", ">", id).execute())
    .map(({ event }) => event)
    .sort();
