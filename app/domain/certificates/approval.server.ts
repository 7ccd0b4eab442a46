import { PortalError } from "~/lib/errors";
import { type DbOrTrx } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { findUserById } from "~db/repositories/users.server";
import { missingForApproval } from "./checks.policy";

/** Whether an open order can be approved. Throws a PortalError that names everything that is missing. */
export async function demandApprovable(db: DbOrTrx, row: CertificateRow): Promise<void> {
  const owner = await findUserById(db, row.userId);
  const missing = missingForApproval({ ...row, emailVerifiedAt: owner?.emailVerifiedAt ?? null });
  if (missing.length > 0) throw new PortalError(missing.join(" "), { code: "certificate.checks-missing" });
  if (await isKeyBlocked(db, row.publicKeySha256))
    throw new PortalError("The public key of this order is blocked because it was compromised.", {
      code: "certificate.key-blocked",
    });
}
