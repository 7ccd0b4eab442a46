import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { getDb } from "~db/connection.server";
import { findHead, findLastCheckpoint } from "~db/repositories/audit-chain.server";
import { findLatestCrlSummary } from "~db/repositories/crls.server";
import { countCertificatesByStatus } from "~db/repositories/figures.server";
import { listJobs } from "~db/repositories/jobs.server";
import { findMailFigures } from "~db/repositories/mail-figures.server";

/** Returns the end of the latest CRL of each kind for each authority. */
async function listCrlEnds() {
  const authorities = await listAuthorities(getDb());
  const kinds = authorities.flatMap((authority) => [false, true].map((isDelta) => ({ authority, isDelta })));
  const lists = await Promise.all(
    kinds.map(async ({ authority: { id, name }, isDelta }) => {
      const latest = await findLatestCrlSummary(getDb(), id, isDelta);
      return latest && { authority: name, kind: isDelta ? "delta" : "base", nextUpdate: latest.nextUpdate };
    }),
  );
  return lists.filter((list) => list !== null);
}

/** Returns when the latest checkpoint was signed, and the number of entries after it. */
async function auditState() {
  const [head, checkpoint] = await Promise.all([findHead(getDb()), findLastCheckpoint(getDb())]);
  return { at: checkpoint?.at ?? null, unsigned: Math.max((head?.sequence ?? 0) - (checkpoint?.sequence ?? 0), 0) };
}

/** Returns what the database says about the health of the portal. It contains no personal data. */
export async function readFigures() {
  const [certificates, mail, jobs, lists, audit] = await Promise.all([
    countCertificatesByStatus(getDb()),
    findMailFigures(getDb()),
    listJobs(getDb()),
    listCrlEnds(),
    auditState(),
  ]);
  return { certificates, mail, jobs, lists, audit };
}

export type Figures = Awaited<ReturnType<typeof readFigures>>;
