import { isEmail } from "~/lib/fields";
import { addressDigits, networkOf } from "~/lib/networks.server";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { insertSecurityEvent } from "~db/repositories/security-events.server";
import { type NewRow } from "~db/tables";
import { afterCommit, beforeCommit } from "~db/transaction.server";
import { storeInBackground } from "./background.server";
import { type Client } from "./client";
import { type Outcome, SECURITY_EVENTS, type SecurityEventName } from "./events";
import { writeLine } from "./lines.server";

export interface SecurityEvent {
  event: SecurityEventName;
  /** The usual outcome of the event unless given. */
  outcome?: Outcome;
  /** The account concerned. */
  userId?: number | null | undefined;
  /** The email of whoever acted, or the name that was typed (`typedName`). */
  actorName?: string | null;
  impersonatorId?: number | null;
  client: Client;
  /** A sentence for people. It contains no password, token or code. */
  detail: string;
}

const LONGEST = { actorName: 120, path: 200, requestId: 60, detail: 500 };

/** Returns the text as both databases store it, at most `length` characters long, and null for none. */
const cut = (text: string | null | undefined, length: number): string | null =>
  text ? Buffer.from(text.slice(0, length), "utf8").toString("utf8") : null;

function toRow(given: SecurityEvent, now: Date): NewRow<"securityEvents"> {
  const { event, client, detail } = given;
  return {
    at: now.toISOString(),
    lastAt: now.toISOString(),
    event,
    outcome: given.outcome ?? SECURITY_EVENTS[event].outcome,
    userId: given.userId ?? null,
    actorName: cut(given.actorName, LONGEST.actorName),
    impersonatorId: given.impersonatorId ?? null,
    address: client.address || null,
    network: client.address ? networkOf(client.address) : null,
    addressDigits: addressDigits(client.address),
    userAgent: client.userAgent || null,
    path: cut(client.path, LONGEST.path),
    requestId: cut(client.requestId, LONGEST.requestId),
    detail: cut(detail, LONGEST.detail) ?? "",
  };
}

async function storeAll(trx: Trx, rows: readonly NewRow<"securityEvents">[]): Promise<void> {
  for (const row of rows) await insertSecurityEvent(trx, row);
  afterCommit(trx, () => {
    for (const row of rows) writeLine(row);
    return Promise.resolve();
  });
}

/** Records events in the transaction of the change that they are about. They are stored with it or not at all. */
export function recordWithChange(trx: Trx, events: readonly SecurityEvent[], now: Date): void {
  beforeCommit(
    trx,
    storeAll,
    events.map((event) => toRow(event, now)),
  );
}

/**
 * Records a security event. In a transaction it is stored together with the change, or not at all. Outside a transaction it is stored in
 * the background, so that it neither delays nor fails the request; that is the way to record refusals, whose work is rolled back. A change
 * that has an audit entry needs no call of its own (`SECURITY_EVENTS`).
 */
export function recordSecurityEvent(db: DbOrTrx, event: SecurityEvent, now = new Date()): Promise<void> {
  if (db.isTransaction) recordWithChange(db as Trx, [event], now);
  else storeInBackground(toRow(event, now), now);
  return Promise.resolve();
}

const UNKNOWN_NAME = "(unknown name)";

/**
 * Returns the name that somebody typed for a login. A name that no account has may be a password in the wrong field, so it is kept only
 * when it looks like an email address.
 */
export const typedName = (name: string, isKnown: boolean): string => (isKnown || isEmail(name) ? name : UNKNOWN_NAME);
