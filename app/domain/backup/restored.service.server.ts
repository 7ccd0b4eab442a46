import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { type Trx } from "~db/connection.server";
import { skipCrlNumbers } from "~db/repositories/crls.server";
import { type EndedAccess, endAllAccess } from "~db/repositories/ended-access.server";

/**
 * How many CRL numbers are skipped. CRLs that were published after the copy was made have used some of them, and no number may be used
 * twice (RFC 5280 §5.2.3). Hourly CRLs use fewer in a hundred years.
 */
const COUNT = 1_000_000;

/**
 * Does what a database needs that is an older copy, before it is served: ends all sessions, links and tokens, because some of them were
 * used or ended after the copy, and skips CRL numbers. `what` begins the entry of the audit trail. Returns what was ended, in words.
 */
export async function settleRestored(trx: Trx, actor: Actor, what: string, now = new Date()): Promise<string> {
  const ended = inWords(await endAllAccess(trx, now));
  await skipCrlNumbers(trx, COUNT);
  await recordAudit(trx, { actor, event: "portal.restored", message: `${what} ${ended}` }, now);
  return ended;
}

const inWords = ({ sessions, links, invitations, tokens }: EndedAccess) =>
  `Ended: ${sessions} sessions, ${links} links, ${invitations} invitations, ${tokens} access tokens.`;
