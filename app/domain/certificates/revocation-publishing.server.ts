import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { publishLists } from "~/domain/authorities/publishing.service.server";
import { deliverMail } from "~/domain/mail/delivery.service.server";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";

/** Longest wait for the mail server before the answer; the queue goes on trying afterwards. */
const MAIL_WAIT_MS = 5000;

/** Publishes base and delta list of the authority with this id. */
export async function publishListsOf(authorityId: number | null, now: Date): Promise<void> {
  const authority = (await listAuthorities(getDb())).find(({ id }) => id === authorityId);
  if (!authority) throw new Error(`There is no authority ${authorityId} to publish lists of.`);
  await publishLists(authority.name, now);
}

/**
 * What follows a revocation that is committed: both lists, then the confirmation. Out: what went wrong, in words, or null.
 * Both are tried again by the portal's jobs, so a problem never undoes the revocation.
 */
export async function announceRevocation(
  { authorityId, orderId }: { authorityId: number | null; orderId: number },
  now: Date,
): Promise<string | null> {
  const problems: string[] = [];
  try {
    await publishListsOf(authorityId, now);
  } catch (error) {
    logError(error, { code: "OCA0F01E" });
    problems.push(
      "The certificate is revoked, but the revocation lists could not be published yet. This is tried again.",
    );
  }
  const isDelivered = await deliverMail({ orderId }, { within: MAIL_WAIT_MS });
  if (!isDelivered)
    problems.push(
      "The certificate is revoked, but the confirmation e-mail could not be sent yet. This is tried again.",
    );
  return problems.length > 0 ? problems.join(" ") : null;
}
