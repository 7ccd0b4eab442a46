import { randomBytes } from "node:crypto";
import { type Actor } from "~/domain/audit/audit.service.server";
import { tryToConsume } from "~/domain/limits/tries.server";
import { queueToStranger } from "~/domain/mail/queue.service.server";
import { partnerCertificateMail } from "~/domain/mail/templates/partners.server";
import { getEnv } from "~/lib/env.server";
import { colonHex } from "~/lib/hex";
import { serverPaths } from "~/lib/server-paths.server";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { listPartners, storePublication, storeSentLink } from "~db/repositories/certificate-partners.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { findCompany } from "~db/repositories/companies.server";
import { hashOf } from "~db/repositories/tokens.server";
import { partnerWords } from "./partner-view.server";
import { recordPartners } from "./partners.service.server";
import { type ReachedPartner, reachPartners } from "./reach.server";

/** Returns the partners to whom a certificate is sent now: those without a message who can be reached and want messages. */
export const listWaiting = async (db: DbOrTrx, certificateId: number): Promise<ReachedPartner[]> =>
  (await reachPartners(db, await listPartners(db, certificateId))).filter(
    ({ partner, address, isStopped }) => partner.sentAt === null && address !== null && !isStopped,
  );

/** Consumes the tries of the company and of each address. Returns the ids of the partners with tries, and the others in words. */
export async function withinLimits(companyId: number, partners: readonly ReachedPartner[]) {
  const limited: string[] = [];
  const allowed = new Set<number>();
  for (const { partner, address } of partners) {
    const isRefused =
      (await tryToConsume("partner-mail-company", companyId)) !== null ||
      (await tryToConsume("partner-mail-address", address ?? "")) !== null;
    if (isRefused) limited.push(partnerWords(partner));
    else allowed.add(partner.id);
  }
  return { allowed, limited };
}

/** Who publishes a certificate, with how the message names the person. */
export interface PartnerSender {
  id: number;
  actor: Actor;
  words: string;
}

/** Returns how messages to partners name the person who publishes a certificate. */
export const senderWords = ({ firstName, lastName, email }: { firstName: string; lastName: string; email: string }) =>
  `${firstName} ${lastName} (${email})`;

/** Returns what the messages to the partners say about a certificate. */
export async function aboutCertificate(
  trx: Trx,
  row: CertificateRow,
  { by, cutOverOn }: { by: string; cutOverOn: string },
) {
  return {
    company: (await findCompany(trx, row.companyId))?.name ?? row.organisation,
    by,
    commonName: row.commonName,
    serialNumber: colonHex(row.serialNumber ?? ""),
    sha256: colonHex(row.thumbprintSha256 ?? ""),
    startDate: row.startDate ?? "",
    expiryDate: row.expiryDate ?? "",
    cutOverOn,
    isRenewal: row.previousCertificateId !== null,
    isReminder: false,
  };
}

type Reached = ReachedPartner & { address: string };

/**
 * Queues a message to a partner, with a new link to the page about the certificate.
 * @param store Stores the hash of the link.
 */
export async function queueToPartner(
  trx: Trx,
  { partner, address }: Reached,
  about: Omit<Parameters<typeof partnerCertificateMail>[0], "url">,
  store: (linkHash: string) => Promise<void>,
  now: Date,
): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  await store(hashOf(token));
  const mail = partnerCertificateMail({ ...about, url: getEnv().publicUrl + serverPaths.newCertificate(token) });
  await queueToStranger(
    trx,
    { dedupeKey: `partner-certificate:${partner.id}:${hashOf(token)}`, to: address, mail },
    now,
  );
}

/** Returns whether a partner can be reached, and is one of these. */
export const isReached = (one: ReachedPartner, allowed: ReadonlySet<number>): one is Reached =>
  one.address !== null && allowed.has(one.partner.id);

/**
 * Sends a locked certificate to those of its partners who have no message yet and are allowed to get one, with an audit entry. Returns them in
 * words.
 */
export async function sendToWaiting(
  trx: Trx,
  row: CertificateRow,
  { allowed, sender, cutOverOn }: { allowed: ReadonlySet<number>; sender: PartnerSender; cutOverOn: string },
  now: Date,
): Promise<string[]> {
  const about = await aboutCertificate(trx, row, { by: sender.words, cutOverOn });
  const told: string[] = [];
  for (const one of await listWaiting(trx, row.id)) {
    if (!isReached(one, allowed)) continue;
    await queueToPartner(trx, one, about, (linkHash) => storeSentLink(trx, one.partner.id, linkHash, now), now);
    told.push(partnerWords(one.partner));
  }
  const publication = { publishedBy: sender.id, publishedAt: now, cutOverOn: cutOverOn || null };
  await storePublication(trx, { certificateId: row.id, ...publication });
  const message = `Published the certificate for ${row.commonName} to ${told.length} partners: ${told.join(", ")}.`;
  await recordPartners(trx, row, { actor: sender.actor, event: "certificate.published", message }, now);
  return told;
}
