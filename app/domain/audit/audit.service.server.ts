import { type Trx } from "~db/connection.server";

/** Who acts: a person, an administrator acting as somebody (both are kept), or the portal itself (id null). */
export interface Actor {
  id: number | null;
  /** E-mail or, for the portal, the job's name. */
  name: string;
  impersonatorId?: number | null;
}

export const systemActor = (name: string): Actor => ({ id: null, name });

export interface AuditEntry {
  actor: Actor;
  /** Stable name, `subject.verb`: `certificate.issued`. */
  event: string;
  /** One sentence for people. */
  message: string;
  userId?: number | null;
  orderId?: number | null;
  certificateId?: number | null;
  codeId?: number | null;
  reference?: string | null;
}

const toRow = ({ actor, ...entry }: AuditEntry, now: Date) => ({
  at: now,
  actorId: actor.id,
  actorName: actor.name,
  impersonatorId: actor.impersonatorId ?? null,
  ...entry,
});

/** Writes one entry in the transaction of the change that it records; if it cannot be written the change does not happen. */
export async function recordAudit(trx: Trx, entry: AuditEntry, now = new Date()): Promise<void> {
  await trx.insertInto("auditEntries").values(toRow(entry, now)).execute();
}

/** The same for a change of many rows, in one statement. Every entry names the same things. */
export async function recordAudits(trx: Trx, entries: readonly AuditEntry[], now = new Date()): Promise<void> {
  if (entries.length === 0) return;
  await trx
    .insertInto("auditEntries")
    .values(entries.map((entry) => toRow(entry, now)))
    .execute();
}
