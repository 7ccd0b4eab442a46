import { createHash } from "node:crypto";
import { sql } from "kysely";
import { getDb } from "~db/connection.server";
import { type ApiClient } from "./api";
import { type Visitor } from "./visitor";

/** A form to be sent to a route's action. */
export interface Submission {
  visitor: Visitor;
  fields?: Parameters<Visitor["post"]>[1];
  /** The path, if it is not the route's own. */
  path?: string;
  params?: Record<string, string>;
  headers?: Record<string, string>;
}

/** A successful action and the audit entries that it creates. It creates none when it changes nothing that the audit trail covers. */
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

/** An API call to be made. */
export interface Making {
  client: ApiClient;
  body?: object;
}

/** A successful API call and the audit entries that it creates. */
export interface CallDeed {
  events: readonly string[];
  prepare: () => Promise<Making>;
}

/**
 * Tables that the audit trail does not cover: its own, forms that are still being filled in, messages, permits and links of a login, a
 * recovery or an order (their creation and use have entries), security events, the data of the search for shared primes, and operational
 * data.
 */
const BESIDES = [
  "audit_entries",
  "audit_head",
  "audit_checkpoints",
  "audit_erasures",
  "drafts",
  "key_comparisons",
  "modulus_products",
  "mails",
  "tokens",
  "api_tokens",
  "api_client_tokens",
  "sessions",
  "login_places",
  "rate_limits",
  "security_events",
  "jobs",
  "write_probes",
];

const isWatched = (name: string) => !BESIDES.includes(name) && !/^(kysely_|sqlite_)/.test(name);

/** Ignores when a row was last written and which product contains its key, because neither changes its content. */
const withoutStamp = (name: string, value: unknown) =>
  ["updatedAt", "modulusProductId"].includes(name) ? undefined : value;

/** Returns a digest of every table that the audit trail covers. */
export async function stateOfTables(): Promise<Map<string, string>> {
  const tables = await getDb().introspection.getTables();
  const names = tables.map(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const state = new Map<string, string>();
  for (const name of names.filter(isWatched)) {
    // The parameters of framed forms are settings too, but belong to users.
    const portals = name === "settings" ? sql`where user_id = 0` : sql``;
    const { rows } = await sql`select * from ${sql.table(name)} ${portals}`.execute(getDb());
    const lines = rows.map((row) => JSON.stringify(row, withoutStamp)).sort();
    state.set(name, createHash("sha256").update(lines.join("\n")).digest("hex"));
  }
  return state;
}

/** Returns the tables whose rows have changed. */
export const changedTables = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...after.keys()].filter((name) => before.get(name) !== after.get(name));

export const lastEntry = async (): Promise<number> => {
  const { last } = await getDb()
    .selectFrom("auditEntries")
    .select(({ fn }) => fn.max("id").as("last"))
    .executeTakeFirstOrThrow();
  return Number(last ?? 0);
};

/** Returns the events recorded after this entry, sorted. */
export const eventsAfter = async (id: number): Promise<string[]> =>
  (await getDb().selectFrom("auditEntries").select("event").where("id", ">", id).execute())
    .map(({ event }) => event)
    .sort();
