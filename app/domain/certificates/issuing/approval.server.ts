import { listFingerprints } from "~/ca/csr/key-fingerprints.server";
import { type Csr, readCsr } from "~/ca/csr/read.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { KEY_OF_ANOTHER } from "~/domain/keys/key-rules.server";
import { isCertifiedForAnother, isOfOtherSubject } from "~/domain/keys/key-use.policy";
import { PortalError } from "~/lib/errors";
import { type DbOrTrx } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { listKeyHolders } from "~db/repositories/key-holders.server";
import { findListOfKey } from "~db/repositories/listed-keys.server";
import { findUserById } from "~db/repositories/users.server";
import { missingForApproval } from "../queue/checks.policy";
import { requireFourEyes } from "../queue/four-eyes.server";
import { csrRefusals } from "../request/csr-import.service.server";
import { whyNotIssued } from "../succession/successor-issuing.server";

/**
 * Throws a PortalError that names everything that keeps this user from approving an open order. A transaction that decides about the order
 * must lock the key and the order first.
 */
export async function requireApprovable(
  db: DbOrTrx,
  row: CertificateRow,
  csr: Csr,
  user: Pick<SessionUser, "id" | "actor">,
  now = new Date(),
): Promise<void> {
  await requireTask(db, user.actor, "approve-orders");
  await requireFourEyes(db, "approve", row, user);
  const owner = await findUserById(db, row.userId);
  const missing = missingForApproval({ ...row, emailVerifiedAt: owner?.emailVerifiedAt ?? null });
  if (missing.length > 0) throw new PortalError(missing.join(" "), { code: "certificate.checks-missing" });
  const barrier = await whyNotIssued(db, row, now);
  if (barrier) throw new PortalError(barrier, { code: "certificate.renewal" });
  const holders = await listKeyHolders(db, row.keyIdentity);
  if (holders.some((holder) => isCertifiedForAnother(holder, row.companyId))) throw csrRefused([KEY_OF_ANOTHER]);
  if (await isKeyBlocked(db, row.keyIdentity))
    throw new PortalError("The public key of this order is blocked because it was compromised.", {
      code: "certificate.key-blocked",
    });
  const list = await findListOfKey(db, listFingerprints(csr));
  if (list !== null)
    throw new PortalError(
      `The public key of this order is on the list '${list}' of known bad keys: reject the order.`,
      {
        code: "certificate.key-listed",
      },
    );
  if (holders.some((holder) => isOfOtherSubject(holder, row)))
    throw new PortalError(
      "The public key of this order belongs to a certificate or an order of another subject: reject one of the orders.",
      { code: "certificate.key-in-use" },
    );
}

/** Returns the CSR of an order. Throws a PortalError when the current rules no longer allow reading it. */
export function csrOf(row: CertificateRow): Csr {
  const read = readCsr(row.csr);
  if (!read.ok) throw csrRefused([read.message]);
  return read.csr;
}

/**
 * Applies the current rules to the CSR of an open order. They are the rules of the import, but they, the lists or other orders may have
 * changed since. A successor keeps its OFTP ID. Throws a PortalError that names every broken rule. Runs outside transactions.
 */
export async function requireAcceptableCsr(
  csr: Csr,
  row: Pick<CertificateRow, "userId" | "companyId" | "previousCertificateId" | "ssid">,
  { actor }: Pick<SessionUser, "actor">,
): Promise<void> {
  const refusals = await csrRefusals(csr, { ...row, actor }, row.previousCertificateId === null ? null : row.ssid);
  if (refusals.length > 0) throw csrRefused(refusals.map(({ message }) => message));
}

export const csrRefused = (messages: readonly string[]) =>
  new PortalError(`The CSR of this order is not accepted any more: reject the order. ${messages.join(" ")}`, {
    code: "certificate.csr-refused",
  });
