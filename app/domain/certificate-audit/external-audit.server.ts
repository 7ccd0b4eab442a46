import { getConfig } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import {
  type AuditFinding,
  findFinishedAudit,
  listOpenFindings,
  type RowToAudit,
} from "~db/repositories/certificate-audits.server";
import { askLinter, LINTER_NAMES, type LinterAnswer, type LinterName } from "./external-linters.server";
import { IGNORED_LINTS } from "./ignored-lints";
import { type FoundProblem } from "./rules";

/** How many days the first audit looks back. The next audit after a failure looks back as long from the day of the failure. */
const LOOKED_BACK_DAYS = 7;

const programOf = (name: LinterName) => `the program ${name}`;
const subjectOf = ({ id }: RowToAudit) => `certificate ${id}`;

/** Returns the names of the lints whose findings do not count, with the program before each. */
const ignoredLints = (): ReadonlySet<string> =>
  new Set([...Object.keys(IGNORED_LINTS), ...getConfig().lints.ignore.map(({ lint }) => lint)]);

/** Returns the findings that count as one sentence, or null when there is none. The details stay out, because they can name people. */
function causeOf({ findings }: Extract<LinterAnswer, { state: "answered" }>): string | null {
  const ignored = ignoredLints();
  const counted = findings.filter(({ source }) => !ignored.has(source));
  const texts = new Set(counted.map(({ lint, severity }) => `${lint} (${severity})`));
  return texts.size === 0 ? null : `It finds: ${[...texts].join(", ")}.`;
}

/** A linter as one run of the audit asks it. */
interface AskedLinter {
  name: LinterName;
  /** Certificates that were issued before this are not asked about, unless they have an open finding. */
  since: Date;
  /** Why the program failed before, while it has given no answer since. */
  failure: string | null;
  /** Set when the program is absent or has failed: it is not asked again in this run. */
  stopped: Exclude<LinterAnswer["state"], "answered"> | null;
}

/** Asks a linter about a certificate. Returns what it finds, or that it failed; `known` is the open finding about the certificate. */
async function askAbout(
  linter: AskedLinter,
  row: RowToAudit,
  known: AuditFinding | undefined,
): Promise<FoundProblem[]> {
  const { name } = linter;
  const problem = { rule: name, subject: subjectOf(row), certificateId: row.id };
  // While the program gives no answer, what it has found before stays open.
  const stays = known ? [{ ...problem, cause: known.cause }] : [];
  if (linter.stopped !== null || !row.der) return stays;
  const answer = await askLinter(name, row.der, getConfig().lints.programs[name]);
  if (answer.state === "answered") {
    const cause = causeOf(answer);
    return cause === null ? [] : [{ ...problem, cause }];
  }
  linter.stopped = answer.state;
  const why = answer.state === "failed" ? answer.why : linter.failure;
  return why === null
    ? stays
    : [...stays, { rule: "linter", subject: programOf(name), certificateId: null, cause: why }];
}

/**
 * Returns a function that asks the installed linters of others about those of some certificates that were issued since the last audit, and
 * about those with an open finding of theirs. Each certificate takes a process of each linter, so older certificates are not asked about
 * again.
 */
export async function externalAudit(now: Date): Promise<(rows: readonly RowToAudit[]) => Promise<FoundProblem[]>> {
  const last = await findFinishedAudit(getDb());
  const lastAt = last ? new Date(last.startedAt) : addDays(now, -LOOKED_BACK_DAYS);
  const failures = await listOpenFindings(getDb(), LINTER_NAMES.map(programOf));
  const linters = LINTER_NAMES.map((name): AskedLinter => {
    const failed = failures.find(({ subject }) => subject === programOf(name));
    const since = failed ? addDays(new Date(failed.firstSeenAt), -LOOKED_BACK_DAYS) : lastAt;
    return { name, since, failure: failed?.cause ?? null, stopped: null };
  });
  const isNew = ({ issuedAt }: RowToAudit, { since }: AskedLinter) => Date.parse(issuedAt ?? "") >= since.getTime();
  return async (rows) => {
    if (rows.length === 0) return [];
    const open = await listOpenFindings(getDb(), rows.map(subjectOf));
    const problems: FoundProblem[] = [];
    for (const row of rows)
      for (const linter of linters) {
        const known = open.find(({ rule, subject }) => rule === linter.name && subject === subjectOf(row));
        if (known || isNew(row, linter)) problems.push(...(await askAbout(linter, row, known)));
      }
    return problems;
  };
}
