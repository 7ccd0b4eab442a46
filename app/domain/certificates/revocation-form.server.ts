import { type SessionUser } from "~/domain/accounts/session-user";
import { PortalError } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { getDb } from "~db/connection.server";
import { findVisibleCertificate } from "~db/repositories/certificates.server";
import { whyNotRevoke } from "./certificates.policy";

/**
 * What the revoke page shows (B §3, certificate revoke form). Out: null when certificate or CSR are missing or somebody else's.
 * Throws a PortalError that says why the state forbids it.
 */
export async function findRevocationForm(user: SessionUser, id: number, now = new Date()) {
  const row = await findVisibleCertificate(getDb(), id, user);
  if (!row || row.csr.length === 0) return null;
  const barrier = whyNotRevoke(row.status);
  if (barrier || !row.startDate || !row.expiryDate)
    throw new PortalError(barrier ?? "There is no certificate to revoke.", { code: "certificate.revoke" });
  return {
    id: row.id,
    email: row.email,
    commonName: row.commonName,
    serialNumber: colonHex(row.serialNumber ?? ""),
    startDate: row.startDate,
    endDate: row.expiryDate,
    emailAddress: user.email,
    telephoneNumber: user.telephoneNumber,
    /** When it is to be revoked anyway, or null. */
    scheduledFor: row.status === "RequestRevoke" ? row.revocationDate : null,
    /** Default of the date and time inputs. */
    now: now.toISOString(),
  };
}

export type RevocationFormData = NonNullable<Awaited<ReturnType<typeof findRevocationForm>>>;
