import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import {
  type AuditFinding,
  countFindings,
  findFinishedAudit,
  findLatestAudit,
  listFindings,
} from "~db/repositories/certificate-audits.server";
import { type FindingListParams } from "./list";
import { auditRuleOf } from "./rules";

const shown = ({ id, rule, subject, certificateId, cause, firstSeenAt, lastSeenAt, settledAt }: AuditFinding) => ({
  id,
  rule,
  subject,
  certificateId,
  cause,
  firstSeenAt,
  lastSeenAt,
  settledAt,
  ...auditRuleOf(rule),
});

export type ShownFinding = ReturnType<typeof shown>;

/** Returns when the audit last finished, and how far the present run has come. Each is null when there is none. */
export async function auditState() {
  const [latest, finished] = await Promise.all([findLatestAudit(getDb()), findFinishedAudit(getDb())]);
  return {
    last: finished && { at: finished.finishedAt, checked: finished.checked },
    running: latest && latest.finishedAt === null ? { since: latest.startedAt, checked: latest.checked } : null,
  };
}

/** Returns a page of the findings that are open, or settled within the last year, with what to do. */
export async function loadFindings(user: RightsHolder, params: FindingListParams) {
  const isOpen = params.state === null;
  const total = await countFindings(getDb(), isOpen);
  const pages = pagesOf(total, params.size);
  const page = Math.min(params.page, pages);
  const { direction } = params.sort;
  const rows = await listFindings(getDb(), isOpen, { direction, offset: (page - 1) * params.size, limit: params.size });
  return {
    rows: rows.map(shown),
    total,
    pages,
    params: { ...params, page },
    state: await auditState(),
    maySeeCertificates: may(user, "see-customers"),
  };
}

/** The most findings that the call returns. */
export const MOST_FINDINGS = 1000;

/** Returns the open findings, the oldest first, at most MOST_FINDINGS. */
export const listOpen = async (): Promise<ShownFinding[]> =>
  (await listFindings(getDb(), true, { direction: "asc", offset: 0, limit: MOST_FINDINGS })).map(shown);
