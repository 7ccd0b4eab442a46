import { PortalError } from "~/lib/errors";
import { type DbOrTrx } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { type CertificateRow, isKeyInUse } from "~db/repositories/certificates.server";
import { findUserById } from "~db/repositories/users.server";
import { missingForApproval } from "./checks.policy";
import { whyNotIssued } from "./successor-issuing.server";

/**
 * Whether an open order can be approved. Throws a PortalError that names everything that is missing. In a transaction that decides,
 * the key and the order are locked before.
 */
export async function demandApprovable(db: DbOrTrx, row: CertificateRow, now = new Date()): Promise<void> {
  const owner = await findUserById(db, row.userId);
  const missing = missingForApproval({ ...row, emailVerifiedAt: owner?.emailVerifiedAt ?? null });
  if (missing.length > 0) throw new PortalError(missing.join(" "), { code: "certificate.checks-missing" });
  const barrier = await whyNotIssued(db, row, now);
  if (barrier) throw new PortalError(barrier, { code: "certificate.renewal" });
  if (await isKeyBlocked(db, row.keyIdentity))
    throw new PortalError("The public key of this order is blocked because it was compromised.", {
      code: "certificate.key-blocked",
    });
  if (await isKeyInUse(db, row.keyIdentity, row))
    throw new PortalError(
      "The public key of this order belongs to a certificate or an order of another subject: reject one of the orders.",
      { code: "certificate.key-in-use" },
    );
}
