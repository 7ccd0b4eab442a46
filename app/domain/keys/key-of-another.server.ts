import { recordAudit } from "~/domain/audit/audit.service.server";
import { secondsUntilTry, tryToConsume, tooManyTries } from "~/domain/limits/tries.server";
import { getDb } from "~db/connection.server";
import { listKeyHolders } from "~db/repositories/key-holders.server";
import { inTransaction } from "~db/transaction.server";
import { accountOf, type Requester } from "./key-rules.server";

const LIMIT = "key-account";

/**
 * Returns why this account may not try any more keys at present, and the seconds until it may. Returns null when it may. The reason does
 * not depend on the next key.
 */
export async function whyNoMoreKeys(requester: Requester): Promise<{ message: string; retryAfter: number } | null> {
  const retryAfter = await secondsUntilTry(LIMIT, accountOf(requester));
  return retryAfter === null ? null : { message: tooManyTries(LIMIT, retryAfter), retryAfter };
}

/** Counts a try with the key of another account. Records it for staff with the certificate or order that has the key. */
export async function recordKeyOfAnother(keyIdentity: string, requester: Requester, now = new Date()): Promise<void> {
  await tryToConsume(LIMIT, accountOf(requester));
  const holders = (await listKeyHolders(getDb(), keyIdentity)).filter(
    ({ companyId }) => companyId !== requester.companyId,
  );
  const holder = holders.find(({ isCertified }) => isCertified) ?? holders[0];
  if (!holder) return;
  const { id, orderId } = holder;
  const whose = `${holder.isCertified ? "certificate" : "order of certificate"} ${id} of another account`;
  const entry = {
    actor: requester.actor,
    event: "key.of-another-account",
    message: `Account ${requester.userId} sent a CSR with the public key of ${whose}: refused.`,
    userId: requester.userId,
    orderId,
    certificateId: id,
  };
  await inTransaction((trx) => recordAudit(trx, entry, now));
}
