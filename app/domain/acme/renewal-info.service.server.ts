import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { authorityLife, issuerOfNew } from "~/domain/authorities/life.policy";
import { addDays, DAY } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { findNamedCertificate } from "./certificate-id.server";
import { AcmeProblem } from "./problem";

/** When clients ask again, in seconds. */
export const RENEWAL_INFO_RETRY_S = 6 * 3600;

/** The usual window begins this many days before the end of a certificate, and lasts this long. A short-lived one has a part of its life. */
const BEFORE_END_DAYS = 30;
const WINDOW_DAYS = 7;
const PART_OF_LIFE = 3;

/** How long clients have to leave a CA that another one has replaced, in days. */
const ROLL_OVER_DAYS = 30;

/** A window of time in which clients should renew. */
export interface SuggestedWindow {
  start: Date;
  end: Date;
}

const lasting = (start: Date, days: number): SuggestedWindow => ({ start, end: addDays(start, days) });

/** Returns the usual window of a certificate. */
export function usualWindow(startDate: string, expiryDate: string): SuggestedWindow {
  const end = Date.parse(expiryDate);
  const before = Math.min(BEFORE_END_DAYS * DAY, (end - Date.parse(startDate)) / PART_OF_LIFE);
  return lasting(new Date(end - before), (WINDOW_DAYS * before) / (BEFORE_END_DAYS * DAY));
}

/**
 * Returns when clients should renew a certificate (RFC 9773 §4.2): a while before its end; in the weeks after another CA has taken over;
 * and at once when it is revoked, its key is blocked, or its CA issues nothing more.
 *
 * @param identifier The identifier of the certificate (RFC 9773 §4.1).
 * @throws AcmeProblem `malformed` (404) when this CA has issued no such certificate.
 */
export async function renewalWindow(identifier: string, now = new Date()): Promise<SuggestedWindow> {
  const certificate = await findNamedCertificate(identifier);
  const { startDate, expiryDate, status, keyIdentity } = certificate ?? {};
  if (!certificate || !startDate || !expiryDate)
    throw new AcmeProblem("malformed", "There is no certificate with this identifier.", { status: 404 });
  const atOnce = {
    start: new Date(startDate),
    end: new Date(Math.max(now.getTime() - DAY, Date.parse(startDate) + 1000)),
  };
  if (status === "Revoked" || status === "RequestRevoke" || (await isKeyBlocked(getDb(), keyIdentity ?? "")))
    return atOnce;
  const all = await listAuthorities(getDb());
  const authority = all.find(({ id }) => id === certificate.authorityId);
  if (!authority) throw new Error(`The issuer of certificate ${certificate.id} is not known.`);
  const life = authorityLife(authority, all, now);
  if (life === "revocations" || life === "ended") return atOnce;
  const usual = usualWindow(startDate, expiryDate);
  const since = life === "renewals" ? issuerOfNew(all, authority.hierarchy, now)?.issuesFrom : null;
  if (!since || new Date(since) > usual.start) return usual;
  return lasting(new Date(Math.max(Date.parse(since), Date.parse(startDate))), ROLL_OVER_DAYS);
}
