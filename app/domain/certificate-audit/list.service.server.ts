import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { daysSince } from "~/lib/dates";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import {
  type AuditFinding,
  countFindings,
  findFinishedAudit,
  findLatestAudit,
  listFindings,
  listOpenFindings,
} from "~db/repositories/certificate-audits.server";
import { listCertificatesById } from "~db/repositories/certificates.server";
import { type FindingListParams } from "./list";
import { auditRuleOf, certificateSubject } from "./rules";

/** Returns a finding for people. `age` is the number of whole days since it was first seen. */
const shown = (
  { id, rule, subject, certificateId, cause, firstSeenAt, lastSeenAt, settledAt }: AuditFinding,
  now: Date,
) => ({
  id,
  rule,
  subject,
  certificateId,
  cause,
  firstSeenAt,
  lastSeenAt,
  settledAt,
  age: daysSince(firstSeenAt, now),
  ...auditRuleOf(rule),
});

export type ShownFinding = ReturnType<typeof shown>;

/** Returns whose the certificates of these findings are, by the id of the certificate: common name and organisation. */
async function namesOfCertificates(findings: readonly AuditFinding[]): Promise<Map<number, string>> {
  const ids = findings.flatMap(({ certificateId }) => certificateId ?? []);
  const rows = ids.length === 0 ? [] : await listCertificatesById(getDb(), [...new Set(ids)]);
  return new Map(rows.map(({ id, commonName, organisation }) => [id, `${commonName}, ${organisation}`]));
}

/** Returns the open findings about a certificate for staff who may see them, and none for others. */
export async function openFindingsOf(user: RightsHolder, certificateId: number, now: Date): Promise<ShownFinding[]> {
  if (!may(user, "see-audit-findings")) return [];
  return (await listOpenFindings(getDb(), [certificateSubject(certificateId)])).map((row) => shown(row, now));
}

/** Returns when the audit last finished, and how far the present run has come. Each is null when there is none. */
export async function auditState() {
  const [latest, finished] = await Promise.all([findLatestAudit(getDb()), findFinishedAudit(getDb())]);
  return {
    last: finished && { at: finished.finishedAt, checked: finished.checked },
    running: latest && latest.finishedAt === null ? { since: latest.startedAt, checked: latest.checked } : null,
  };
}

/** Returns a page of the findings that are open, or settled within the last year, with what to do. */
export async function loadFindings(user: RightsHolder, params: FindingListParams, now = new Date()) {
  const isOpen = params.state === null;
  const total = await countFindings(getDb(), isOpen);
  const pages = pagesOf(total, params.size);
  const page = Math.min(params.page, pages);
  const { direction } = params.sort;
  const rows = await listFindings(getDb(), isOpen, { direction, offset: (page - 1) * params.size, limit: params.size });
  const maySeeCertificates = may(user, "see-customers");
  const names = maySeeCertificates ? await namesOfCertificates(rows) : new Map<number, string>();
  return {
    rows: rows.map((row) => ({ ...shown(row, now), certificate: names.get(row.certificateId ?? 0) ?? null })),
    total,
    pages,
    params: { ...params, page },
    state: await auditState(),
    maySeeCertificates,
    maySeeJobs: may(user, "see-jobs"),
  };
}

/** The most findings that the call returns. */
export const MOST_FINDINGS = 1000;

/** Returns the open findings, the oldest first, at most MOST_FINDINGS. */
export const listOpen = async (now = new Date()): Promise<ShownFinding[]> =>
  (await listFindings(getDb(), true, { direction: "asc", offset: 0, limit: MOST_FINDINGS })).map((row) =>
    shown(row, now),
  );
