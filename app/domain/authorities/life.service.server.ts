import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { getConfig } from "~/lib/config.server";
import { formatDateTime } from "~/lib/dates";
import { type Trx } from "~db/connection.server";
import { changeLife } from "~db/repositories/authorities.server";
import { inTransaction } from "~db/transaction.server";
import { type Authority, listAuthorities } from "./authorities.service.server";
import { issuerOfNew, authorityLife } from "./life.policy";

/** Returns the issuing CA with this name, and all CAs. Throws an Error when there is none. */
export async function getIssuing(trx: Trx, typed: string): Promise<{ issuing: Authority; all: Authority[] }> {
  const all = await listAuthorities(trx);
  const issuing = all.find(({ name, isRoot }) => name === typed && !isRoot);
  if (issuing) return { issuing, all };
  const names = all.filter(({ isRoot }) => !isRoot).map(({ name }) => name);
  throw new Error(`There is no issuing CA '${typed}'. Issuing CAs: ${names.join(", ") || "none"}.`);
}

const instant = (moment: Date) => `${formatDateTime(moment.toISOString())} UTC`;

/**
 * Decides when an issuing CA takes over from the one before it: from then on it issues certificates for new orders of its hierarchy, and the
 * one before it only renews.
 *
 * @param at When it takes over. A moment that is past means now.
 * @returns The name of the CA that issues until then, or null when there is none.
 * @throws Error when there is no such CA, or it issues already, is revoked or has stopped, or ends before that moment.
 */
export const takeOver = (typed: string, at: Date, actor: Actor, now = new Date()): Promise<string | null> =>
  inTransaction(async (trx) => {
    const { issuing, all } = await getIssuing(trx, typed);
    const life = authorityLife(issuing, all, now);
    if (life !== "planned") throw new Error(`'${typed}' is not planned any more. It is: ${life}.`);
    const issuesFrom = at > now ? at : now;
    if (Date.parse(issuing.notAfter) <= issuesFrom.getTime())
      throw new Error(`'${typed}' ends on ${instant(new Date(issuing.notAfter))}, before that.`);
    const before = issuerOfNew(all, issuing.hierarchy, now)?.name ?? null;
    await changeLife(trx, issuing.id, { issuesFrom });
    const message = `The CA '${typed}' issues new certificates from ${instant(issuesFrom)}${before ? `, in place of '${before}'` : ""}.`;
    await recordAudit(trx, { actor, event: "authority.takes-over", message, reference: typed }, now);
    return before;
  });

/**
 * Returns the CA to which new orders go back when this one ceases to issue at a moment, or null when it does not issue for new orders then or
 * no other one of its hierarchy does. Throws an Error when there is no such CA.
 */
export const findHeir = (typed: string, at: Date): Promise<string | null> =>
  inTransaction(async (trx) => {
    const { issuing, all } = await getIssuing(trx, typed);
    if (issuerOfNew(all, issuing.hierarchy, at)?.id !== issuing.id) return null;
    const others = all.filter(({ id }) => id !== issuing.id);
    return issuerOfNew(others, issuing.hierarchy, at)?.name ?? null;
  });

/**
 * Ends the renewals of an issuing CA at a moment. From then on it issues nothing: its CRLs and OCSP answers go on, and certificates that it
 * has issued are renewed by the issuing CA of new orders.
 *
 * @param at When renewals end. A moment that is past means now.
 * @throws Error when there is no such CA, or no other one issues for its hierarchy at that moment.
 */
export const stopRenewals = (typed: string, at: Date, actor: Actor, now = new Date()): Promise<void> =>
  inTransaction(async (trx) => {
    const { issuing, all } = await getIssuing(trx, typed);
    const renewalsUntil = at > now ? at : now;
    const others = all.filter(({ id }) => id !== issuing.id);
    if (!issuerOfNew(others, getConfig().certificates.hierarchy, renewalsUntil))
      throw new Error(`No other CA issues for new orders at that time: let one take over before '${typed}' stops.`);
    await changeLife(trx, issuing.id, { renewalsUntil });
    const message = `The CA '${typed}' renews certificates until ${instant(renewalsUntil)}, and issues nothing from then on.`;
    await recordAudit(trx, { actor, event: "authority.renewals-end", message, reference: typed }, now);
  });
