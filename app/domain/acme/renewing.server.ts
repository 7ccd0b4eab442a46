import { type Csr } from "~/ca/csr/read.server";
import { type SubjectFields } from "~/ca/x509/name.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { whyNotRenewed } from "~/domain/certificates/purchase/open-order.server";
import { withSubject } from "~/domain/certificates/request/given-subject.server";
import { findOriginal, type Original } from "~/domain/certificates/succession/original.server";
import { allowsRenewal } from "~/domain/certificates/succession/renewal.policy";
import { successorRefusals } from "~/domain/certificates/succession/successor-csr.server";
import { withSuccessors } from "~/domain/certificates/succession/successors.server";
import { getConfig } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type BoundAccount } from "~db/repositories/acme-accounts.server";
import { type AcmeOrderRow, listAcmeRenewable, listAcmeReplacing } from "~db/repositories/acme-orders.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { findNamedCertificate } from "./certificate-id.server";
import { namesOfAcmeOrder, readWhole, statusOfOrder } from "./order-status.server";
import { AcmeProblem } from "./problem";

/**
 * Returns the id of the certificate whose place that of an order takes: the one that the client has named, and otherwise the one that the
 * account has ordered for the same names with the same profile. Of several, the one that ends first. Returns null when there is none.
 */
export async function findReplaced(
  { accountId, names, profile, replaces }: AcmeOrderRow,
  now: Date,
): Promise<number | null> {
  if (replaces !== null) return replaces;
  const since = addDays(now, -getConfig().certificates.renewalsUntilDays);
  const all = await listAcmeRenewable(getDb(), { accountId, names, profile }, since);
  const found = all.find(({ expiryDate }) => expiryDate !== null && expiryDate > now.toISOString()) ?? all.at(-1);
  return found?.id ?? null;
}

/** What an order wants of the certificate that follows. */
interface WantedSuccessor {
  csr: Csr;
  /** The subject that takes the place of that of the CSR, or null. */
  subject: SubjectFields | null;
  years: number;
  usages: readonly string[];
}

/**
 * Returns a certificate as the original of a renewal like those of the pages, which adds its years to the end of the original. Returns null
 * when the pages would not renew it now, for example because renewals are not open yet, or with this CSR, for example because its key is of
 * another type. Then the certificate is a new one, valid from now, and still takes the place of the earlier one.
 */
export async function findAcmeOriginal(
  user: SessionUser,
  id: number,
  { csr, subject, years, usages }: WantedSuccessor,
  now: Date,
): Promise<Original | null> {
  const original = await findOriginal(getDb(), id, now);
  if (!original) return null;
  const { row, refusals, usage } = original;
  const isOpen = addDays(new Date(row.expiryDate), -getConfig().certificates.renewalsFromDays) <= now;
  if (!isOpen || (await whyNotRenewed(getDb(), user, row, now)) || refusals[String(years)]) return null;
  if (usage.length !== usages.length || usage.some((flag) => !usages.includes(flag))) return null;
  const broken = await successorRefusals(getDb(), subject ? withSubject(csr, subject) : csr, original);
  return broken.length > 0 ? null : original;
}

/** Returns whether an order has replaced this certificate, or still can: by ACME, or by a renewal on the pages. */
async function isReplaced(db: DbOrTrx, certificate: CertificateRow, now: Date): Promise<boolean> {
  const [candidate] = await withSuccessors([certificate], db);
  if (certificate.status === "Renewed" && candidate && !allowsRenewal(candidate, getConfig().certificates, now))
    return true;
  for (const row of await listAcmeReplacing(db, certificate.id, now))
    if (statusOfOrder(await readWhole(db, row), now) !== "invalid") return true;
  return false;
}

/**
 * Returns the id of the certificate that an order replaces, or null when the client names none. Throws an AcmeProblem `malformed` when there is no
 * such certificate, another account has ordered it, or it has none of the names (RFC 9773 §5).
 */
export async function readReplaces(
  account: BoundAccount,
  replaces: string | undefined,
  names: readonly string[],
): Promise<number | null> {
  if (replaces === undefined) return null;
  const certificate = await findNamedCertificate(replaces);
  if (!certificate) throw new AcmeProblem("malformed", "There is no certificate with the identifier of replaces.");
  if (certificate.accountId !== account.id)
    throw new AcmeProblem("malformed", "The certificate of replaces was not ordered by this account.");
  const former = certificate.names === null ? [] : namesOfAcmeOrder({ names: certificate.names });
  if (!former.some((name) => names.includes(name)))
    throw new AcmeProblem("malformed", "The certificate of replaces has none of the names of the order.");
  return certificate.id;
}

/** Throws an AcmeProblem `alreadyReplaced` when another order replaces a certificate that is locked (RFC 9773 §5). */
export async function requireNotReplaced(db: DbOrTrx, certificate: CertificateRow | null, now: Date): Promise<void> {
  if (certificate && (await isReplaced(db, certificate, now)))
    throw new AcmeProblem("alreadyReplaced", "Another order replaces this certificate already.");
}
