import { type Client, NO_CLIENT } from "~/domain/security-events/client";
import { isSecurityEvent } from "~/domain/security-events/events";
import { recordWithChange, type SecurityEvent } from "~/domain/security-events/security-events.service.server";
import { type Trx } from "~db/connection.server";
import { beforeCommit } from "~db/transaction.server";
import { appendEntries, type UnsealedEntry } from "./append.server";

/** Who acts: a person, an administrator acting as somebody (both are recorded), or the portal itself (id null). */
export interface Actor {
  id: number | null;
  /** An email, or the name of the job when the portal acts. */
  name: string;
  impersonatorId?: number | null;
  /** The client of the person's request. The guard fills it in; the portal itself has none. */
  client?: Client;
  /** The API client that acts. `id` is then the person who answers for it, and `name` names the client. */
  apiClientId?: number;
}

export const systemActor = (name: string): Actor => ({ id: null, name });

export interface AuditEntry {
  actor: Actor;
  /** A stable name of the form `subject.verb`, such as `certificate.issued`. */
  event: string;
  /** A sentence for people. */
  message: string;
  userId?: number | null;
  orderId?: number | null;
  certificateId?: number | null;
  codeId?: number | null;
  /** A number or name by which the entry is found. It is sealed as it is and cannot be erased, so it never names a person. */
  reference?: string | null;
}

/** Returns a text as every database stores it: an unpaired surrogate becomes U+FFFD. */
const storable = (text: string) => Buffer.from(text, "utf8").toString("utf8");

const toRow = ({ actor, event, message, ...about }: AuditEntry, now: Date): UnsealedEntry => ({
  at: now.toISOString(),
  actorId: actor.id,
  actorName: storable(actor.name),
  impersonatorId: actor.impersonatorId ?? null,
  event,
  message: storable(message),
  userId: about.userId ?? null,
  orderId: about.orderId ?? null,
  certificateId: about.certificateId ?? null,
  codeId: about.codeId ?? null,
  reference: about.reference ? storable(about.reference) : null,
  address: actor.client?.address || null,
  apiClientId: actor.apiClientId ?? null,
});

/** Returns the security event of an entry, or nothing when the entry is not about security. */
function securityEventOf({ actor, event, message, userId }: AuditEntry): SecurityEvent[] {
  if (!isSecurityEvent(event)) return [];
  const { id, name, impersonatorId = null, client = NO_CLIENT } = actor;
  return [{ event, userId: userId ?? id, actorName: name, impersonatorId, client, detail: message }];
}

/**
 * Records an entry in the transaction of the change. The entry is written, sealed and chained to the previous one as the last work before
 * the commit ([0025](../../../docs/decisions/0025-audit-trail.md)). If it cannot be written, the change does not happen. It cannot be read
 * within the transaction. An entry about security is a security event too.
 */
export function recordAudit(trx: Trx, entry: AuditEntry, now = new Date()): Promise<void> {
  return recordAudits(trx, [entry], now);
}

/** Records the entries of a change of many rows, as `recordAudit` does for one. */
export function recordAudits(trx: Trx, entries: readonly AuditEntry[], now = new Date()): Promise<void> {
  recordWithChange(trx, entries.flatMap(securityEventOf), now);
  const rows = entries.map((entry) => toRow(entry, now));
  if (rows.length > 0) beforeCommit(trx, appendEntries, rows);
  return Promise.resolve();
}
