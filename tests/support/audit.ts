import { type AuditEntry, recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { problemText } from "~/domain/audit/problems";
import { type Verification, verifyTrail } from "~/domain/audit/verify.service.server";
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
