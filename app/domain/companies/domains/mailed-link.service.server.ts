import { randomBytes } from "node:crypto";
import { type SessionUser } from "~/domain/accounts/session-user";
import { consumeTry } from "~/domain/limits/tries.server";
import { queueToStranger } from "~/domain/mail/queue.service.server";
import { domainChallengeMail } from "~/domain/mail/templates/domains.server";
import { type Client } from "~/domain/security-events/client";
import { noteDeadLink } from "~/domain/security-events/dead-link.server";
import { accountPaths } from "~/lib/account-paths";
import { getEnv } from "~/lib/env.server";
import { networkOf } from "~/lib/networks.server";
import { getDb } from "~db/connection.server";
import { findMailedDomain, lockOpenDomain, updateDomain } from "~db/repositories/company-domains.server";
import { findContactStop } from "~db/repositories/held-mails.server";
import { hashOf } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { CHALLENGE_DAYS, mailAddressesOf } from "./challenge";
import { confirmDomain, recordDomain } from "./confirming.server";
import { requireDomain, requireOpenChallenge, requireOwnHand } from "./domains.service.server";
import { domainRefusal } from "./refusal.server";

const UNCONFIRMED =
  "Please confirm your own email address first. Until then, we do not write to addresses that you name.";

/**
 * Sends a link that confirms a domain or mailbox. It replaces an earlier one. Throws a PortalError (403) when the user may not manage the
 * company, (404) when the company has no such domain, for the field `address` when that is none of its addresses, and (429) after too many
 * messages.
 */
export async function sendDomainMail(
  user: SessionUser,
  { id, address }: { id: number; address: string },
  now = new Date(),
): Promise<void> {
  requireOwnHand(user);
  if (!user.emailVerified) throw domainRefusal(UNCONFIRMED);
  const asked = await inTransaction((trx) => requireDomain(trx, user, id));
  if (!mailAddressesOf(asked.name).includes(address))
    throw domainRefusal(`Choose one of these: ${mailAddressesOf(asked.name).join(", ")}.`, "address");
  requireOpenChallenge(asked, now);
  await consumeTry("domain-mail-company", user.companyId);
  await consumeTry("domain-mail-address", address);
  await inTransaction(async (trx) => {
    const row = await requireDomain(trx, user, id);
    requireOpenChallenge(row, now);
    if (await findContactStop(trx, address)) throw domainRefusal("This address wants no messages from us.", "address");
    const token = randomBytes(32).toString("base64url");
    await updateDomain(trx, id, { mailedTo: address, mailTokenHash: hashOf(token) });
    const mail = domainChallengeMail({
      company: user.company,
      domain: row.name,
      by: `${user.firstName} ${user.lastName} (${user.email})`,
      validFor: `${CHALLENGE_DAYS} days`,
      url: getEnv().publicUrl + accountPaths.confirmDomain(token),
    });
    await queueToStranger(trx, { dedupeKey: `domain-challenge:${id}:${hashOf(token)}`, to: address, mail }, now);
    const message = `Sent a link to ${address} that confirms ${row.name} for ${user.company}.`;
    await recordDomain(trx, row, { actor: user.actor, event: "company.domain-mailed", message }, now);
  });
}

/** What the link in a message confirms. */
export interface DomainLink {
  company: string;
  domain: string;
}

/** Returns what a link confirms, or null when it was used, replaced or has ended. Throws a PortalError (429) after too many links. */
export async function openDomainLink(token: string, client: Client, now = new Date()): Promise<DomainLink | null> {
  await consumeTry("authorise-address", networkOf(client.address));
  const row = await findMailedDomain(getDb(), hashOf(token), now);
  if (row) return { company: row.company, domain: row.name };
  noteDeadLink(client, "to confirm a domain");
  return null;
}

/** Confirms the domain or mailbox of a link. Returns what was confirmed, or null when the link cannot be used any more. */
export async function confirmByLink(token: string, client: Client, now = new Date()): Promise<DomainLink | null> {
  await consumeTry("authorise-address", networkOf(client.address));
  return inTransaction(async (trx) => {
    const found = await findMailedDomain(trx, hashOf(token), now);
    const row = found && (await lockOpenDomain(trx, found));
    if (!row || row.mailTokenHash !== hashOf(token)) return null;
    const actor = { id: null, name: row.mailedTo ?? "", client };
    await confirmDomain(trx, row, { method: "mail", actor }, now);
    return { company: found.company, domain: row.name };
  });
}
