import { listVerifications } from "~/domain/audit/checkpoint.service.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { firstTooShort } from "~/domain/authorities/life.policy";
import { findSignerState } from "~/domain/authorities/signer-notice.server";
import { whyUnusable } from "~/domain/authorities/signers.server";
import { LONGEST_VALIDITY_YEARS } from "~/domain/certificates/purchase/fields";
import { listResponderEnds } from "~/domain/ocsp/responders.service.server";
import { getConfig } from "~/lib/config.server";
import { log } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { findHead, findLastCheckpoint } from "~db/repositories/audit-chain.server";
import { countFindings } from "~db/repositories/certificate-audits.server";
import { findLatestCrlSummary } from "~db/repositories/crls.server";
import { countCertificatesByStatus } from "~db/repositories/figures.server";
import { listJobs } from "~db/repositories/jobs.server";
import { countRefusedMails, findMailFigures } from "~db/repositories/mail-figures.server";
import { findDeliveryFigures } from "~db/repositories/webhook-deliveries.server";
import { listDisks } from "./disks.server";
import { findTlsCertificate } from "./tls-certificate.server";

/** Returns whether a CA has not ended. Nobody needs the CRLs and the key of an ended one. */
const isLiving =
  (now: Date) =>
  ({ notAfter }: Authority): boolean =>
    Date.parse(notAfter) > now.getTime();

/** Returns the end of the latest CRL of each kind that each authority publishes. The end is null when there is no CRL. */
async function listCrlEnds(now: Date) {
  const authorities = (await listAuthorities(getDb())).filter(isLiving(now));
  const kinds = authorities.flatMap((authority) =>
    [false, ...(authority.isRoot ? [] : [true])].map((isDelta) => ({ authority, isDelta })),
  );
  return Promise.all(
    kinds.map(async ({ authority: { id, name, isRoot }, isDelta }) => {
      const latest = await findLatestCrlSummary(getDb(), id, isDelta);
      const [kind, level] = [isDelta ? "delta" : "base", isRoot ? "root" : "issuing"];
      return { authority: name, level, kind, nextUpdate: latest?.nextUpdate ?? null };
    }),
  );
}

/** Returns whether the key of each issuing CA can be opened now. */
async function listKeys(now: Date) {
  const living = (await listAuthorities(getDb())).filter(isLiving(now));
  const issuing = living.filter(({ isRoot }) => !isRoot);
  return Promise.all(
    issuing.map(async ({ name }) => {
      const problem = await whyUnusable(name);
      if (problem !== null) log().warn({ authority: name, reason: problem }, "a CA key does not answer");
      return { name, isUsable: problem === null };
    }),
  );
}

/** Returns the issuing CA that the next one must replace, and the end of the time for it, or null when none issues for new orders. */
async function nextReplacement(now: Date) {
  const { hierarchy } = getConfig().certificates;
  const next = firstTooShort(await listAuthorities(getDb()), hierarchy, LONGEST_VALIDITY_YEARS, now);
  return next && { authority: next.issuer.name, until: next.from.toISOString() };
}

/** Returns whether the signer answers and which part of its daily ceiling is used, or null when the portal uses no signer. */
async function readSigner() {
  const state = await findSignerState();
  if (state === null) return null;
  if (typeof state !== "string") return { isUp: true, ceilingUsed: state.ceiling.used / state.ceiling.perDay };
  log().warn({ reason: state }, "the signer does not answer");
  return { isUp: false, ceilingUsed: null };
}

/** Returns when the latest checkpoint was signed, and the number of entries after it. */
async function auditState() {
  const [head, checkpoint] = await Promise.all([findHead(getDb()), findLastCheckpoint(getDb())]);
  return { at: checkpoint?.at ?? null, unsigned: Math.max((head?.sequence ?? 0) - (checkpoint?.sequence ?? 0), 0) };
}

/** How far back refused messages are counted, in milliseconds. */
const REFUSALS_MS = 60 * 60_000;

/** Returns what must be right for the portal to work: the figures at which the rules of alerts look. */
export async function readHealth(now: Date) {
  const [refused, jobs, lists, responders, replacement, keys, signer, verifications, disks, tls, unsound] =
    await Promise.all([
      countRefusedMails(getDb(), new Date(now.getTime() - REFUSALS_MS)),
      listJobs(getDb()),
      listCrlEnds(now),
      listResponderEnds(now),
      nextReplacement(now),
      listKeys(now),
      readSigner(),
      listVerifications(),
      listDisks(),
      findTlsCertificate(),
      countFindings(getDb(), true),
    ]);
  return { refused, jobs, lists, responders, replacement, keys, signer, verifications, disks, tls, unsound };
}

export type Health = Awaited<ReturnType<typeof readHealth>>;

/** Returns everything that the metrics say of the portal. It contains no personal data. */
export async function readFigures(now: Date) {
  const [certificates, mail, webhooks, audit, health] = await Promise.all([
    countCertificatesByStatus(getDb()),
    findMailFigures(getDb()),
    findDeliveryFigures(getDb()),
    auditState(),
    readHealth(now),
  ]);
  return { certificates, mail, webhooks, audit, health };
}

export type Figures = Awaited<ReturnType<typeof readFigures>>;
