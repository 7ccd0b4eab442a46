import { type Actor, recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { keyBlockedMail } from "~/domain/mail/templates/keys.server";
import { orderNumber } from "~/domain/orders/order-number";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { blockKey, isKeyBlocked, lockKey } from "~db/repositories/blocked-keys.server";
import { listKeyHolders } from "~db/repositories/key-holders.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { listKeyOwners } from "./key-owners.server";
import { tellStaff } from "./key-report.server";
import { isTaken } from "./key-use.policy";

/** Who submitted a key that has no order yet. */
interface Finder {
  userId: number;
  actor: Actor;
}

type Holder = Awaited<ReturnType<typeof listKeyHolders>>[number];

const BROKEN = "shares a prime factor with another key and is blocked: whoever has one can compute the other.";

async function record(trx: Trx, keyIdentity: string, holders: readonly Holder[], finder: Finder, now: Date) {
  for (const { id, userId, orderId } of holders) {
    const entry = { event: "certificate.key-shares-factor", message: `Its key ${BROKEN}` };
    await recordAudit(trx, { actor: systemActor("key check"), ...entry, userId, orderId, certificateId: id }, now);
  }
  if (holders.length > 0) return;
  const message = `A key ${BROKEN} It came with a CSR and has no order: ${keyIdentity}.`;
  await recordAudit(trx, { actor: finder.actor, event: "key.shares-factor", message, userId: finder.userId }, now);
}

/**
 * Notifies who gets the messages about each certificate or open order with the key (`recipientsFor`). Without any, notifies whoever
 * submitted the key.
 */
async function tellOwners(trx: Trx, keyIdentity: string, holders: readonly Holder[], finder: Finder, now: Date) {
  const owners = await listKeyOwners(trx, holders.filter(isTaken));
  if (owners.length === 0) owners.push({ account: await getUser(trx, finder.userId), certificates: [] });
  for (const { account, certificates } of owners) {
    const name = `${account.firstName} ${account.lastName}`;
    const mail = keyBlockedMail({ name, certificates, url: getEnv().publicUrl + paths.certificates });
    await queueOwnMail(trx, account.id, { dedupeKey: `key-blocked:${keyIdentity}:${account.id}`, mail }, now);
  }
}

async function getUser(trx: Trx, id: number): Promise<UserRow> {
  const user = await findUserById(trx, id);
  if (!user) throw new Error(`There is no account ${id}.`);
  return user;
}

const staffLine = ({ id, orderId, status, company, ownerEmail }: Holder): string =>
  `Certificate ${id} (${status}), order ${orderNumber(orderId)}, ${company}, ${ownerEmail}`;

/**
 * Blocks keys that share a prime, each once and for ever. Records an audit entry for every certificate and order with such a key, and
 * notifies their owners and staff by email. Staff revoke the certificates in force.
 */
export async function blockBrokenKeys(keyIdentities: readonly string[], finder: Finder, now: Date): Promise<void> {
  await inTransaction(async (trx) => {
    const lines: string[] = [];
    const all = [...new Set(keyIdentities)].sort(); // the locks are always taken in the same order
    for (const keyIdentity of all) await lockKey(trx, keyIdentity);
    for (const keyIdentity of all) {
      if (await isKeyBlocked(trx, keyIdentity)) continue;
      const holders = await listKeyHolders(trx, keyIdentity);
      await blockKey(trx, keyIdentity, "It shares a prime factor with another key.", now);
      await record(trx, keyIdentity, holders, finder, now);
      await tellOwners(trx, keyIdentity, holders, finder, now);
      lines.push(
        ...(holders.length > 0
          ? holders.map(staffLine)
          : [`A key of a CSR without an order, account ${finder.userId}`]),
      );
    }
    if (lines.length === 0) return;
    await tellStaff(trx, { subject: "RSA keys share a prime factor", text: SHARED, lines }, now);
  });
}

const SHARED =
  "The RSA keys below share a prime factor: whoever has one of them can compute the other. They are blocked. Reject open orders with them, revoke certificates in force, and ask the owners what made the keys.";
