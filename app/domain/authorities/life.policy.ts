import { addYears, formatDate, formatDateTime } from "~/lib/dates";
import { type Authority } from "~db/repositories/authorities.server";
import { type HierarchyName } from "~db/tables";

/**
 * What a CA does at a time. A planned CA has its certificate and publishes its CRLs, so that partners can install it before it issues. An
 * active one issues; the issuing CA before it only renews what it has issued, as long as it covers the renewals. One that only revokes goes
 * on with its CRLs and OCSP answers. An ended one has expired.
 */
export type Life = "planned" | "active" | "renewals" | "revocations" | "ended";

/** What is known of a CA's life. */
export type Living = Pick<
  Authority,
  "id" | "hierarchy" | "isRoot" | "notAfter" | "issuesFrom" | "renewalsUntil" | "revokedAt"
>;

/**
 * From when the first issuing CA of a hierarchy issues. A clock that is behind must not keep it from issuing, because there is no other one.
 */
export const ALWAYS = new Date(0);

const isPast = (moment: string | null, now: Date): boolean => moment !== null && Date.parse(moment) <= now.getTime();

/** Returns whether an issuing CA has begun to issue, and neither its end nor an operator has stopped it. */
const isIssuing = ({ isRoot, issuesFrom, renewalsUntil, revokedAt, notAfter }: Living, now: Date): boolean =>
  !isRoot && isPast(issuesFrom, now) && !isPast(renewalsUntil, now) && revokedAt === null && !isPast(notAfter, now);

/**
 * Returns the issuing CA of a hierarchy from which new orders get their certificates: of those that issue, the one that took over last. When
 * it is revoked, the one before it issues again. Returns null when there is none.
 */
export function issuerOfNew<Ca extends Living>(all: readonly Ca[], hierarchy: HierarchyName, now: Date): Ca | null {
  const begun = (authority: Ca) => Date.parse(authority.issuesFrom ?? "");
  const issuing = all.filter((authority) => authority.hierarchy === hierarchy && isIssuing(authority, now));
  return issuing.sort((one, other) => begun(other) - begun(one) || other.id - one.id)[0] ?? null;
}

/** Returns the time now and the later times at which a CA begins or ceases to issue, in order. */
function momentsOf(all: readonly Living[], now: Date): Date[] {
  const planned = all.flatMap(({ issuesFrom, renewalsUntil }) => [issuesFrom, renewalsUntil]);
  const later = planned.flatMap((moment) => (moment === null || isPast(moment, now) ? [] : [new Date(moment)]));
  return [now, ...later.sort((one, other) => one.getTime() - other.getTime())];
}

/**
 * Returns the first issuing CA of a hierarchy that will be too short for a certificate of a new order, and from when, if CAs begin and cease
 * to issue as planned. Returns null when none issues now.
 *
 * @param years How long the certificate is to be valid.
 */
export function firstTooShort<Ca extends Living>(
  all: readonly Ca[],
  hierarchy: HierarchyName,
  years: number,
  now: Date,
): { issuer: Ca; from: Date } | null {
  let last: { issuer: Ca; from: Date } | null = null;
  for (const moment of momentsOf(all, now)) {
    if (last && last.from <= moment) break;
    const issuer = issuerOfNew(all, hierarchy, moment);
    if (!issuer) break;
    last = { issuer, from: addYears(new Date(issuer.notAfter), -years) };
  }
  return last;
}

/** Returns what a CA does now. `all` has the other CAs of its hierarchy. */
export function authorityLife(authority: Living, all: readonly Living[], now: Date): Life {
  if (isPast(authority.notAfter, now)) return "ended";
  if (authority.revokedAt !== null) return "revocations";
  if (authority.isRoot) return "active";
  if (isPast(authority.renewalsUntil, now)) return "revocations";
  if (!isPast(authority.issuesFrom, now)) return "planned";
  return issuerOfNew(all, authority.hierarchy, now)?.id === authority.id ? "active" : "renewals";
}

/** Returns whether a CA may issue a renewal or a replacement of a certificate of its own that ends at `end`. */
export const mayRenewUntil = (authority: Living, end: Date, now: Date): boolean =>
  isIssuing(authority, now) && Date.parse(authority.notAfter) >= end.getTime();

/**
 * Returns the CA that issues the successor of a certificate: that of the certificate, while it renews and covers the successor's end (REN-04),
 * otherwise the one that issues new certificates of the hierarchy. Returns null when none does.
 *
 * @param authorityId The CA of the certificate that is followed, or null when there is none.
 * @param end When the successor is to end.
 */
export function issuerOfSuccessor<Ca extends Living>(
  all: readonly Ca[],
  { authorityId, hierarchy, end }: { authorityId: number | null; hierarchy: HierarchyName; end: Date },
  now: Date,
): Ca | null {
  const own = all.find(({ id }) => id === authorityId);
  return own && mayRenewUntil(own, end, now) ? own : issuerOfNew(all, hierarchy, now);
}

const LIFE_TEXTS: Readonly<Record<Life, string>> = {
  planned: "Planned: it does not issue certificates yet",
  active: "Active: it issues certificates",
  renewals: "Renewals only: it renews and replaces certificates that it has issued",
  revocations: "Revocations only: it issues no certificates",
  ended: "Ended",
};

const ofRoot = (life: Life) => (life === "active" ? "Active: it signs issuing CAs" : LIFE_TEXTS[life]);

/** Returns what a CA does now, in words for everybody. */
export function lifeText(authority: Living, all: readonly Living[], now: Date): string {
  const life = authorityLife(authority, all, now);
  if (life === "planned" && authority.issuesFrom)
    return `Planned: it issues certificates from ${formatDateTime(authority.issuesFrom)} UTC`;
  if (life === "revocations" && authority.revokedAt) return `Revoked on ${formatDate(authority.revokedAt)}`;
  return authority.isRoot ? ofRoot(life) : LIFE_TEXTS[life];
}
