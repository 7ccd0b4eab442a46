import { inTransaction } from "~db/transaction.server";
import { type Actor, recordAudit } from "./audit.service.server";

interface Export {
  event: "audit.exported" | "security-events.exported";
  /** What the file contains, such as "Audit entries". */
  what: string;
  count: number;
  /** The fields of the search with their values. Empty ones are not recorded. */
  filters: Readonly<Record<string, string | null>>;
}

/** Records that somebody exported entries to a file, with the search by which they were found. */
export function recordExport({ event, what, count, filters }: Export, actor: Actor): Promise<void> {
  const used = Object.entries(filters).filter(([, value]) => value);
  const by = used.map(([name, value]) => `${name} "${value}"`).join(", ");
  const message = `${what} exported to a file: ${count}${by && `, found by ${by}`}.`;
  return inTransaction((trx) => recordAudit(trx, { actor, event, message }));
}
