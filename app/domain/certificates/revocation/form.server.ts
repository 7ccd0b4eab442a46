import { type SessionUser } from "~/domain/accounts/session-user";
import { PortalError } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { revocationOf } from "../catalogue/details.service.server";
import { whyNotRevoke } from "../certificates.policy";
import { findVisibleCertificate } from "../visible.server";
import { whyMayNotRevoke } from "./revoker.policy";

/** Returns what pages show of a certificate to revoke, and the contact details of the user who asks. */
const certificateOf = (row: CertificateRow, user: SessionUser) => ({
  email: row.email,
  commonName: row.commonName,
  serialNumber: colonHex(row.serialNumber ?? ""),
  startDate: row.startDate,
  endDate: row.expiryDate,
  emailAddress: user.email,
  telephoneNumber: user.telephoneNumber,
});

const findWithCsr = async (user: SessionUser, id: number): Promise<CertificateRow | null> => {
  const row = await findVisibleCertificate(getDb(), id, user);
  return row && row.csr.length > 0 ? row : null;
};

/**
 * Returns the revocation state of a certificate (REV-05, API-03). Returns null when the certificate or its CSR is missing, or when it
 * belongs to somebody else.
 */
export async function findRevocationState(user: SessionUser, id: number) {
  const row = await findWithCsr(user, id);
  return (
    row && {
      certificateStatus: row.status,
      barrier: whyMayNotRevoke(user, row) ?? whyNotRevoke(row.status),
      certificate: certificateOf(row, user),
      revocation: revocationOf(row),
    }
  );
}

function scheduledOf({ status, revocationDate, revocationReason, revocationDescription }: CertificateRow) {
  if (status !== "RequestRevoke" || !revocationDate) return null;
  return { date: revocationDate, reason: revocationReason, description: revocationDescription };
}

/**
 * Returns what the revoke page shows (REV-01, REV-05). Returns null when the certificate or its CSR is missing, or when it belongs to
 * somebody else. Throws a PortalError with the reason when the status does not allow a revocation.
 */
export async function findRevocationForm(user: SessionUser, id: number, now = new Date()) {
  const row = await findWithCsr(user, id);
  if (!row) return null;
  const barrier = whyMayNotRevoke(user, row) ?? whyNotRevoke(row.status);
  if (barrier || !row.startDate || !row.expiryDate)
    throw new PortalError(barrier ?? "There is no certificate to revoke.", { code: "certificate.revoke" });
  return {
    id: row.id,
    ...certificateOf(row, user),
    startDate: row.startDate,
    endDate: row.expiryDate,
    /** When and why the certificate is already scheduled to be revoked, or null. */
    scheduled: scheduledOf(row),
    /** The preset of the date and time inputs. */
    now: now.toISOString(),
  };
}

export type RevocationFormData = NonNullable<Awaited<ReturnType<typeof findRevocationForm>>>;
