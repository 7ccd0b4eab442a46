import { type SessionUser } from "~/domain/accounts/session-user";
import { PortalError } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findVisibleCertificate } from "~db/repositories/certificates.server";
import { revocationOf } from "../catalogue/details.service.server";
import { whyNotRevoke } from "../certificates.policy";

/** What is shown of a certificate that is to be revoked, and of who asks. */
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

/** How a certificate stands with its revocation (REV-05, API-03); null when it or its CSR is missing or somebody else's. */
export async function findRevocationState(user: SessionUser, id: number) {
  const row = await findWithCsr(user, id);
  return (
    row && {
      certificateStatus: row.status,
      barrier: whyNotRevoke(row.status),
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
 * What the revoke page shows (REV-01, REV-05). Out: null when certificate or CSR are missing or somebody else's.
 * Throws a PortalError that says why the state forbids it.
 */
export async function findRevocationForm(user: SessionUser, id: number, now = new Date()) {
  const row = await findWithCsr(user, id);
  if (!row) return null;
  const barrier = whyNotRevoke(row.status);
  if (barrier || !row.startDate || !row.expiryDate)
    throw new PortalError(barrier ?? "There is no certificate to revoke.", { code: "certificate.revoke" });
  return {
    id: row.id,
    ...certificateOf(row, user),
    startDate: row.startDate,
    endDate: row.expiryDate,
    /** When and why it is to be revoked anyway, or null. */
    scheduled: scheduledOf(row),
    /** Default of the date and time inputs. */
    now: now.toISOString(),
  };
}

export type RevocationFormData = NonNullable<Awaited<ReturnType<typeof findRevocationForm>>>;
