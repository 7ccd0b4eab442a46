import { recordAudits, systemActor } from "~/domain/audit/audit.service.server";
import { type Trx } from "~db/connection.server";
import {
  type AuditFinding,
  insertFinding,
  listOpenFindings,
  settleUnseen,
  updateFinding,
} from "~db/repositories/certificate-audits.server";
import { inTransaction } from "~db/transaction.server";
import { auditRuleOf, type FoundProblem } from "./rules";

const ACTOR = systemActor("certificate audit");

/** The number of findings that one transaction settles. */
const SETTLED_AT_ONCE = 200;

/** Joins the causes of problems of the same rule and subject, which are one finding. */
function joined(problems: readonly FoundProblem[]): FoundProblem[] {
  const all = new Map<string, FoundProblem>();
  for (const problem of problems) {
    const key = `${problem.rule} ${problem.subject}`;
    const known = all.get(key);
    all.set(key, known ? { ...known, cause: `${known.cause} ${problem.cause}` } : problem);
  }
  return [...all.values()];
}

const entryOf = (
  finding: Pick<AuditFinding, "rule" | "subject" | "certificateId">,
  event: string,
  message: string,
) => ({
  actor: ACTOR,
  event,
  message,
  certificateId: finding.certificateId,
  reference: finding.rule,
});

/** Stores what a run has found. A finding that is open already is only seen again; a new one gets an audit entry. */
export async function storeFound(
  trx: Trx,
  auditId: number,
  problems: readonly FoundProblem[],
  now: Date,
): Promise<void> {
  if (problems.length === 0) return;
  const found = joined(problems);
  const open = await listOpenFindings(trx, [...new Set(found.map(({ subject }) => subject))]);
  for (const problem of found) {
    const known = open.find(({ rule, subject }) => rule === problem.rule && subject === problem.subject);
    if (known) {
      await updateFinding(trx, known.id, { cause: problem.cause, lastSeenAt: now, auditId });
      continue;
    }
    await insertFinding(trx, { ...problem, firstSeenAt: now, lastSeenAt: now, auditId });
    const message = `The nightly audit found about ${problem.subject}: ${auditRuleOf(problem.rule).title}. ${problem.cause}`;
    await recordAudits(trx, [entryOf(problem, "certificate-audit.found", message)], now);
  }
}

/** Settles every open finding that a run, which has audited everything, has not seen. Returns how many. */
export async function settleOthers(auditId: number, now: Date): Promise<number> {
  for (let settled = 0; ;) {
    const some = await inTransaction(async (trx) => {
      const findings = await settleUnseen(trx, auditId, now, SETTLED_AT_ONCE);
      const entries = findings.map((finding) => {
        const text = `The nightly audit no longer finds about ${finding.subject}: ${auditRuleOf(finding.rule).title}.`;
        return entryOf(finding, "certificate-audit.settled", text);
      });
      await recordAudits(trx, entries, now);
      return findings.length;
    });
    settled += some;
    if (some < SETTLED_AT_ONCE) return settled;
  }
}
