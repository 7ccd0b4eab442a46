import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { addDays, DAY } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import {
  type CertificateAudit,
  countFindings,
  deleteOldAudits,
  findLatestAudit,
  insertAudit,
  listToAudit,
  updateAudit,
} from "~db/repositories/certificate-audits.server";
import { inTransaction } from "~db/transaction.server";
import { auditAuthorities } from "./authorities.server";
import { auditRows } from "./certificates.server";
import { auditStoredCrls, auditUnknownEntries, readPublishedCrls } from "./crls.server";
import { auditEnded, sortedByEnd } from "./ended.server";
import { externalAudit } from "./external-audit.server";
import { settleOthers, storeFound } from "./findings.server";

/** The number of certificates that are audited together and stored as one step. */
const PAGE = 100;

/** How long settled findings and runs are kept, in days. */
export const AUDIT_KEPT_DAYS = 365;

/** Returns the run that was interrupted within the last day, or begins a new one. */
async function beginOrResume(now: Date): Promise<CertificateAudit> {
  const latest = await findLatestAudit(getDb());
  const age = latest ? now.getTime() - Date.parse(latest.startedAt) : 0;
  const isInterrupted = latest !== null && latest.finishedAt === null && age >= 0 && age < DAY;
  return isInterrupted ? latest : insertAudit(getDb(), now);
}

/** Audits the certificates above the last one that the run has audited. Every page is stored with how far the run has come. */
async function auditCertificatesOf(audit: CertificateAudit, now: Date): Promise<number> {
  const authorities = new Map((await listAuthorities(getDb())).map((authority) => [authority.id, authority]));
  const crls = await readPublishedCrls();
  const unknown = await auditUnknownEntries(crls);
  await inTransaction((trx) => storeFound(trx, audit.id, unknown, now));
  const askLinters = await externalAudit(now);
  let { afterId, checked } = audit;
  for (;;) {
    const rows = await listToAudit(getDb(), afterId, PAGE);
    const { valid, ended } = sortedByEnd(rows, now);
    const problems = [
      ...(await auditRows(valid, authorities, crls, now)),
      ...(await auditEnded(ended, now)),
      ...(await askLinters(valid)),
    ];
    afterId = rows.at(-1)?.id ?? afterId;
    checked += valid.length;
    await inTransaction(async (trx) => {
      await storeFound(trx, audit.id, problems, now);
      await updateAudit(trx, audit.id, { afterId, checked });
    });
    if (rows.length < PAGE) return checked;
  }
}

/**
 * Audits everything that was issued: the certificates of CAs and OCSP responders, every CRL, and every certificate in force. What is wrong is
 * stored as findings; findings of earlier runs that are no longer seen are settled. Of certificates that have ended by their columns, only that is
 * compared. A run that was interrupted less than a day ago goes on
 * with the certificate after the last one that it stored. Changes nothing else. Returns the outcome in words.
 */
export async function auditEverything(now: Date): Promise<string> {
  const audit = await beginOrResume(now);
  const problems = [...(await auditAuthorities(now)), ...(await auditStoredCrls())];
  await inTransaction((trx) => storeFound(trx, audit.id, problems, now));
  const checked = await auditCertificatesOf(audit, now);
  const settled = await settleOthers(audit.id, now);
  await inTransaction(async (trx) => {
    await updateAudit(trx, audit.id, { finishedAt: now });
    await deleteOldAudits(trx, addDays(now, -AUDIT_KEPT_DAYS));
  });
  return `${checked} certificates audited, ${await countFindings(getDb(), true)} findings open, ${settled} settled`;
}
