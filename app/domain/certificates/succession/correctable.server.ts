import { type SessionUser } from "~/domain/accounts/session-user";
import { requireMember } from "~/domain/companies/membership.server";
import { mayFor } from "~/domain/companies/roles.policy";
import { notFound, PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { listSuccessors } from "~db/repositories/renewals.server";
import { type Barrier } from "../certificates.policy";
import { findVisibleCertificate } from "../visible.server";
import { type CorrectableCertificate, leftFor, whyNotCorrectCertificate } from "./correction.policy";
import { type Preceding, readPreceding } from "./original.server";
import { isReissue } from "./reissue.policy";

/** The code of the refusals of corrections. */
export const CORRECTION_CODE = "certificate.correct";

/** The code of the error that says why a certificate cannot be corrected now. */
export const NOT_CORRECTABLE = "certificate.not-correctable";

/** Returns a certificate with those that it replaces or corrects, back to the first one. */
async function lineOf(db: DbOrTrx, row: CertificateRow): Promise<CertificateRow[]> {
  const line = [row];
  for (let last = row; isReissue(last);) {
    const previous = await findCertificate(db, last.previousCertificateId);
    if (!previous) break;
    line.push(previous);
    last = previous;
  }
  return line;
}

/** Returns a certificate with what decides whether and how often it can be corrected. */
async function readCorrectable(db: DbOrTrx, row: CertificateRow): Promise<CorrectableCertificate> {
  const line = await lineOf(db, row);
  const followers = await listSuccessors(
    db,
    line.map(({ id }) => id),
  );
  return { ...row, firstIssuedAt: line.at(-1)?.issuedAt ?? null, followers };
}

/** Returns why a certificate cannot be corrected now, whoever asks, or null. */
export const whyNotCorrected = async (db: DbOrTrx, row: CertificateRow, now: Date): Promise<Barrier> =>
  whyNotCorrectCertificate(await readCorrectable(db, row), now);

/** Returns until when and how often a certificate can still be corrected. */
export const correctionsLeft = async (db: DbOrTrx, row: CertificateRow) => leftFor(await readCorrectable(db, row));

/** Returns whether this user can correct the certificate now. */
export const mayCorrectCertificate = async (user: SessionUser, row: CertificateRow, now: Date): Promise<boolean> =>
  mayFor(user, row, "place-orders") && row.der !== null && (await whyNotCorrected(getDb(), row, now)) === null;

/**
 * Returns the certificate that this user corrects. Throws a PortalError (404) when there is no such certificate or it belongs to somebody
 * else, and one (403) when the role of the user does not allow orders.
 */
export async function getCertificateToCorrect(id: number, user: SessionUser): Promise<Preceding> {
  const row = await findVisibleCertificate(getDb(), id, user);
  if (!row) throw notFound();
  await requireMember(getDb(), user, row, "place-orders");
  const preceding = row.companyId === user.companyId ? readPreceding(row) : null;
  if (preceding) return preceding;
  throw new PortalError(row.companyId === user.companyId ? NO_CERTIFICATE : NOT_OWNER, { code: NOT_CORRECTABLE });
}

const NO_CERTIFICATE = "There is no certificate to correct. While an order is pending, cancel it and order again.";
const NOT_OWNER = "Only its owner can correct a certificate.";

/** Throws a PortalError that says why a certificate cannot be corrected now. */
export async function requireCorrectable(db: DbOrTrx, row: CertificateRow, now: Date): Promise<void> {
  const barrier = await whyNotCorrected(db, row, now);
  if (barrier !== null) throw new PortalError(barrier, { code: NOT_CORRECTABLE });
}
