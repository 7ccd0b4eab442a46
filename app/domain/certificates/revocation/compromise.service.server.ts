import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { type Authority } from "~/domain/authorities/authorities.service.server";
import { issuerOfNew } from "~/domain/authorities/life.policy";
import { getIssuing } from "~/domain/authorities/life.service.server";
import { recipientsFor } from "~/domain/companies/recipient.server";
import { queueToAccounts } from "~/domain/mail/queue.service.server";
import { issuerRevokedMail } from "~/domain/mail/templates/certificates.server";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { setRevoked } from "~db/repositories/authorities.server";
import { listInUse } from "~db/repositories/issuer-certificates.server";
import { type AuthorityName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";

/** How many messages are queued in one transaction. */
const BATCH = 200;

/** A valid certificate of the CA, and who gets the message about it. */
export interface Hit {
  id: number;
  company: string;
  commonName: string;
  serialNumber: string;
  /** An ISO timestamp. */
  expiryDate: string;
  /** The address of the message, or null when the account cannot log in. */
  to: string | null;
}

/** What the compromise of an issuing CA's key means. */
export interface Compromise {
  name: AuthorityName;
  caption: string;
  /** When it was recorded, as an ISO timestamp, or null before. */
  revokedAt: string | null;
  /** The name of the CA from which replacements come, or null when there is none. */
  replacement: string | null;
}

function compromiseOf(issuing: Authority, all: readonly Authority[], now: Date): Compromise {
  const { name, caption, revokedAt } = issuing;
  const others = all.filter(({ id }) => id !== issuing.id);
  const replacement = issuerOfNew(others, getConfig().certificates.hierarchy, now)?.name ?? null;
  return { name, caption, revokedAt, replacement };
}

type InUse = Awaited<ReturnType<typeof listInUse>>;

async function hitsOf(trx: Trx, rows: InUse) {
  const recipientOf = await recipientsFor(trx, rows);
  return rows.map((row) => ({ row, account: recipientOf(row) }));
}

/** Calls `work` with the valid certificates of a CA, a few at a time and each time in a transaction of its own. */
async function eachInUse(authorityId: number, now: Date, work: (trx: Trx, rows: InUse) => Promise<void>) {
  for (let after = 0, isLast = false; !isLast;)
    await inTransaction(async (trx) => {
      const rows = await listInUse(trx, authorityId, after, BATCH, now);
      await work(trx, rows);
      after = rows.at(-1)?.id ?? after;
      isLast = rows.length < BATCH;
    });
}

/**
 * Returns what recording the compromise of an issuing CA would do, and changes nothing.
 *
 * @param onHit Called for each valid certificate of the CA.
 * @throws Error when there is no such CA.
 */
export async function rehearseCompromise(
  typed: string,
  onHit: (hit: Hit) => void,
  now = new Date(),
): Promise<Compromise> {
  const { issuing, all } = await inTransaction((trx) => getIssuing(trx, typed));
  await eachInUse(issuing.id, now, async (trx, rows) => {
    for (const { row, account } of await hitsOf(trx, rows))
      onHit({
        id: row.id,
        company: row.company,
        commonName: row.commonName,
        serialNumber: row.serialNumber ?? "",
        expiryDate: row.expiryDate ?? "",
        to: account.isDisabled ? null : account.email,
      });
  });
  return compromiseOf(issuing, all, now);
}

/**
 * Records that the key of an issuing CA is compromised: it issues nothing more, from this moment on, its customers can renew whenever their
 * certificates end, and each gets a message. What is being issued is undone. Can be repeated after an interruption: messages are queued once.
 *
 * @returns What it means, and how many certificates are hit.
 * @throws Error when there is no such CA.
 */
export async function recordCompromise(
  typed: string,
  actor: Actor,
  now = new Date(),
): Promise<Compromise & { hits: number }> {
  const { issuing, all } = await inTransaction(async (trx) => {
    const found = await getIssuing(trx, typed);
    if (await setRevoked(trx, found.issuing.id, now)) {
      const message = `The key of the CA '${typed}' is compromised: it issues nothing more, and its customers are informed.`;
      await recordAudit(trx, { actor, event: "authority.compromised", message, reference: typed }, now);
    }
    return found;
  });
  let hits = 0;
  await eachInUse(issuing.id, now, async (trx, rows) => {
    const found = (await hitsOf(trx, rows)).filter(({ account }) => !account.isDisabled);
    await queueToAccounts(
      trx,
      found.map(({ row, account }) => ({
        account,
        dedupeKey: `issuer-revoked:${row.id}` as const,
        orderId: row.orderId,
        mail: issuerRevokedMail({
          name: `${account.firstName} ${account.lastName}`,
          commonName: row.commonName,
          serialNumber: row.serialNumber ?? "",
          expiryDate: row.expiryDate ?? "",
          issuer: issuing.caption,
          url: getEnv().publicUrl + paths.certificateDetails(row.id),
        }),
      })),
      now,
    );
    hits += rows.length;
  });
  return { ...compromiseOf(issuing, all, now), hits };
}
