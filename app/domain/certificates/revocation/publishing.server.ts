import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { deliverMail } from "~/domain/mail/delivery.service.server";
import { logError } from "~/lib/log.server";
import { getDb, type Trx } from "~db/connection.server";
import { type CertificateRow, listCertificatesOfKey } from "~db/repositories/certificates.server";
import { isOnStoredCrls } from "~db/repositories/crls.server";
import { setPublished } from "~db/repositories/revocation-publications.server";
import { revokedMailKey } from "./storage.server";

/** How long the answer waits for the mail server, in milliseconds. The queue goes on trying afterwards. */
const MAIL_WAIT_MS = 5000;

type Revoked = readonly { id: number; authorityId: number | null }[];

/**
 * Returns the certificates of this key that are revoked but not on the stored CRLs yet. A repeated revocation publishes them, because the
 * first one may still be at work.
 */
export async function listUnlisted(trx: Trx, keyIdentity: string): Promise<CertificateRow[]> {
  const missing: CertificateRow[] = [];
  for (const revoked of await listCertificatesOfKey(trx, keyIdentity, ["Revoked"]))
    if (!(await isOnStoredCrls(trx, revoked.id))) missing.push(revoked);
  return missing;
}

/** Stores when these revocations were published. A failure is logged only, because it changes nothing for those who rely on the CRLs. */
const storePublished = (revoked: Revoked): Promise<void> =>
  setPublished(
    getDb(),
    revoked.map(({ id }) => id),
    new Date(),
  ).catch((error: unknown) => logError(error, { code: "status" }));

/** Publishes the base and delta CRLs of every authority that issued one of these certificates. */
export async function publishCrlsOf(revoked: Revoked, now: Date): Promise<void> {
  if (revoked.length === 0) return;
  const authorities = await listAuthorities(getDb());
  for (const authorityId of new Set(revoked.map((row) => row.authorityId))) {
    const authority = authorities.find(({ id }) => id === authorityId);
    if (!authority) throw new Error(`There is no authority ${authorityId} to publish CRLs of.`);
    await publishCrls(authority.name, now);
    await storePublished(revoked.filter((row) => row.authorityId === authorityId));
  }
}

/**
 * Publishes the CRLs of a committed revocation. Returns null, or a sentence that says what went wrong. The portal's jobs then try again.
 */
export async function publishRevocation(revoked: Revoked, now: Date): Promise<string | null> {
  try {
    await publishCrlsOf(revoked, now);
    return null;
  } catch (error) {
    logError(error, { code: "OCA0F01E" });
    return "The certificate is revoked, but the revocation lists could not be published yet. This is tried again.";
  }
}

/**
 * Completes a committed revocation: publishes the CRLs and, at the same time, sends the confirmation for the first certificate. The queue
 * sends those for other certificates of its key, and other messages of the order: the answer does not wait for an invoice. Returns null, or
 * a sentence that says what went wrong. The portal's jobs try both again, so a problem never undoes the revocation.
 */
export async function announceRevocation(revoked: Revoked, now: Date): Promise<string | null> {
  const [first] = revoked;
  if (!first) return publishRevocation(revoked, now);
  const confirmation = { dedupeKey: revokedMailKey(first) };
  const [problem, isSent] = await Promise.all([
    publishRevocation(revoked, now),
    deliverMail(confirmation, { within: MAIL_WAIT_MS }),
  ]);
  if (isSent) return problem;
  const unsent = "The certificate is revoked, but the confirmation email could not be sent yet. This is tried again.";
  return problem ? `${problem} ${unsent}` : unsent;
}
