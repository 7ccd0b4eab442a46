import { rmSync } from "node:fs";
import { beforeEach } from "vitest";
import { type AuditEntry, recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { checkpointFile } from "~/domain/audit/checkpoint-file.server";
import { problemText } from "~/domain/audit/problems";
import { type Verification, verifyTrail } from "~/domain/audit/verify.service.server";
import { getDb } from "~db/connection.server";
import { type AuditRow, listChain } from "~db/repositories/audit-chain.server";
import { inTransaction } from "~db/transaction.server";

/** Records one entry in its own transaction. */
export const record = (change: Partial<AuditEntry> = {}, now?: Date): Promise<void> =>
  inTransaction((trx) =>
    recordAudit(
      trx,
      {
        actor: { id: 7, name: "anna@example.org", impersonatorId: 8 },
        event: "test.happened",
        message: "Something happened.",
        userId: 1,
        orderId: 2,
        certificateId: 3,
        codeId: 4,
        reference: "MQ-5",
        ...change,
      },
      now,
    ),
  );

/** Records `count` entries, one after the other. */
export async function recordMany(count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1)
    await record({ actor: systemActor("test"), message: `Entry ${index} of the test.` });
}

/** Verifies the whole audit trail. Returns the result and the texts of the problems. */
export async function verified(files: readonly string[] = []): Promise<Verification & { problems: string[] }> {
  const problems: string[] = [];
  const verification = await verifyTrail({ files, onProblem: (problem) => problems.push(problemText(problem)) });
  return { ...verification, problems };
}

/** Empties the audit trail, as it is after the migration. */
export async function emptyTrail(): Promise<void> {
  await getDb().deleteFrom("auditErasures").execute();
  await getDb().deleteFrom("auditEntries").execute();
  await getDb().deleteFrom("auditCheckpoints").execute();
  const empty = Buffer.alloc(0);
  await getDb().updateTable("auditHead").set({ sequence: 0, entryId: 0, mac: empty, keyId: "", seal: empty }).execute();
  rmSync(checkpointFile(), { force: true });
}

/** Empties the audit trail before each test. Call it once at the top of the file, after `usePortal`. */
export const useEmptyTrail = (): void => beforeEach(emptyTrail);

/** Returns the entry at this position of the chain. */
export const entryAt = async (sequence: number) => (await listChain(getDb(), sequence, 1))[0] as AuditRow;

/** Changes a stored entry without sealing it. */
export const tamperWith = (sequence: number, values: Partial<AuditRow>) =>
  getDb().updateTable("auditEntries").set(values).where("sequence", "=", sequence).execute();
