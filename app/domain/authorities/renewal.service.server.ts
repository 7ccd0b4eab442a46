import { withTolerance } from "~/lib/clock";
import { formatDate } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import {
  type CrlSummary,
  deleteCrlFile,
  deleteOldCrls,
  findLatestCrlSummary,
  hasEntriesAbove,
  listCurrentDeltas,
  listStoredCrls,
} from "~db/repositories/crls.server";
import { type Authority, listAuthorities } from "./authorities.service.server";
import { BYTES_KEPT_MS, ENDED_CRLS_KEPT_MS, crlLife, ROOT_CRL_WARNING_MS } from "./crl-life";
import { publishDelta, publishCrls } from "./publishing.service.server";

/** Returns whether a CRL was dated ahead by a wrong clock. Nobody can use it yet. */
const isAhead = (list: CrlSummary, now: Date) => Date.parse(list.thisUpdate) > withTolerance(now).getTime();

/**
 * Returns whether the latest CRL is missing, dated ahead, old enough to be renewed, or without a revocation whose own publication failed.
 */
async function isDue(authority: Authority, isDelta: boolean, now: Date): Promise<boolean> {
  const { renewAfterMs } = crlLife(authority, isDelta);
  if (renewAfterMs === null) return false;
  const latest = await findLatestCrlSummary(getDb(), authority.id, isDelta);
  if (!latest || isAhead(latest, now) || now.getTime() - Date.parse(latest.thisUpdate) >= renewAfterMs) return true;
  return hasEntriesAbove(getDb(), authority.id, latest.number);
}

const hasEnded = ({ notAfter }: Authority, now: Date) => Date.parse(notAfter) <= now.getTime();

const issuingAuthorities = async (now: Date) =>
  (await listAuthorities(getDb())).filter((authority) => !authority.isRoot && !hasEnded(authority, now));

/**
 * Publishes the base and delta CRLs of every issuing CA whose base CRL is missing, dated ahead, a day old or incomplete. Returns the number
 * of CAs.
 */
export async function renewBaseCrls(now = new Date()): Promise<number> {
  let published = 0;
  for (const authority of await issuingAuthorities(now)) {
    if (!(await isDue(authority, false, now))) continue;
    await publishCrls(authority.name, now);
    published += 1;
  }
  return published;
}

/**
 * Publishes the delta CRL of every issuing CA whose delta CRL is missing, dated ahead, an hour old or incomplete. Returns the number of
 * CAs.
 */
export async function renewDeltaCrls(now = new Date()): Promise<number> {
  let published = 0;
  for (const authority of await issuingAuthorities(now)) {
    if (!(await isDue(authority, true, now))) continue;
    await publishDelta(authority.name, now);
    published += 1;
  }
  return published;
}

function rootCrlProblem(latest: CrlSummary | null, now: Date): string | null {
  if (!latest) return "is missing";
  if (isAhead(latest, now)) return `is valid only from ${formatDate(latest.thisUpdate)}`;
  const isLong = Date.parse(latest.nextUpdate) - now.getTime() > ROOT_CRL_WARNING_MS;
  return isLong ? null : `ends on ${formatDate(latest.nextUpdate)}`;
}

/** Returns a sentence for each root whose CRL is missing, dated ahead or about to end. Only the command line can publish these CRLs. */
export async function rootCrlWarnings(now = new Date()): Promise<string[]> {
  const warnings: string[] = [];
  for (const authority of await listAuthorities(getDb())) {
    if (!authority.isRoot || hasEnded(authority, now)) continue;
    const latest = await findLatestCrlSummary(getDb(), authority.id, false);
    const state = rootCrlProblem(latest, now);
    if (!state) continue;
    warnings.push(
      `The CRL of '${authority.name}' ${state}: run 'npm run portal -- ca publish --roots' or 'ca import-list'.`,
    );
  }
  return warnings;
}

const named = (...parts: readonly unknown[]) => parts.join(" ");

/**
 * Removes the bytes of CRLs that were replaced by a later CRL of the same day, because with 100,000 entries every revocation adds 5 MB. The
 * bytes of the last CRL of each day, of base CRLs to which a current delta CRL refers, and of all CRLs of the last hour are kept. The rows
 * are kept too: they show which CRL was published when, and which base CRL clients may still have. Returns the number of CRLs.
 */
export async function dropReplacedCrls(now = new Date()): Promise<number> {
  const bases = new Set(
    (await listCurrentDeltas(getDb(), now)).map(({ authorityId, baseNumber }) => named(authorityId, baseNumber)),
  );
  const crls = await listStoredCrls(getDb());
  const lastOfDay = new Map(
    crls.map(({ authorityId, isDelta, thisUpdate, id }) => [named(authorityId, isDelta, thisUpdate.slice(0, 10)), id]),
  );
  const kept = new Set(lastOfDay.values());
  const replaced = crls.filter(
    ({ id, isDelta, authorityId, number, thisUpdate }) =>
      !kept.has(id) &&
      !(!isDelta && bases.has(named(authorityId, number))) &&
      now.getTime() - Date.parse(thisUpdate) > BYTES_KEPT_MS,
  );
  for (const { id } of replaced) await deleteCrlFile(getDb(), id);
  return replaced.length;
}

/**
 * Removes CRLs that ended 30 days ago. The latest CRL of each kind and every base CRL to which a delta CRL refers are kept. Returns the
 * number of CRLs.
 */
export const pruneCrls = (now = new Date()): Promise<number> =>
  deleteOldCrls(getDb(), new Date(now.getTime() - ENDED_CRLS_KEPT_MS));
