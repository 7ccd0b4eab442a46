import { verify } from "node:crypto";
import { checkIssuedCertificate } from "~/ca/certificate/check.server";
import { type CertificateDescription } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { type CertificateProfile } from "~/ca/certificate/profile.server";
import { CaError } from "~/ca/errors.server";
import { type Signer } from "~/ca/signer.server";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateRow, clearTbs, findCertificate } from "~db/repositories/certificates.server";
import { inTransaction } from "~db/transaction.server";
import { isIssuing, isOpenOrder, notOpen } from "../queue/order-decision.policy";

/** A signed certificate, with the bytes and the hash that were signed. */
export interface Signed {
  der: Uint8Array;
  tbs: Buffer;
  signature: Uint8Array;
  hash: Signer["hash"];
}

/**
 * Verifies a signed certificate. Returns its description when it has the intended profile, otherwise the reason why the recorded TBS
 * certificate must never become a certificate. Throws when the signature is wrong; the same bytes are then signed again later.
 */
export function verifySigned(
  { der, tbs, signature, hash }: Signed,
  issuerCertificate: Buffer,
  profile: CertificateProfile,
): { description: CertificateDescription } | { refusal: string } {
  const issuer = readIssuer(issuerCertificate);
  try {
    return { description: checkIssuedCertificate(der, issuer, { tbs, profile }) };
  } catch (error) {
    if (!(error instanceof CaError) || !verify(hash, tbs, issuer.publicKey, signature)) throw error;
    return { refusal: error.message };
  }
}

async function takeBack(row: CertificateRow, reason: string, actor: Actor, now: Date): Promise<boolean> {
  const { id, serialNumber, userId, orderId } = row;
  if (!serialNumber) throw new Error(`Certificate ${id} has no serial number.`);
  return inTransaction(async (trx) => {
    if (!(await clearTbs(trx, id, serialNumber, now))) return false;
    const event = "certificate.issuing-undone";
    const message = `The issuing with serial number ${serialNumber} was undone, the order is pending again: ${reason}`;
    const entry = { actor, event, message, userId, orderId, certificateId: id, reference: serialNumber };
    await recordAudit(trx, entry, now);
    return true;
  });
}

/**
 * Removes the recorded TBS certificate. The order is pending again, and another approval makes another certificate with another serial
 * number. Throws a PortalError with the reason when this call undid the issuing. Returns false when somebody else stored the certificate or
 * undid the issuing first.
 */
export async function undoIssuing(row: CertificateRow, reason: string, actor: Actor, now: Date): Promise<false> {
  if (!(await takeBack(row, reason, actor, now))) return false;
  throw new PortalError(`The certificate has not been issued and the order is pending again. ${reason}`, {
    code: "certificate.issuing-undone",
  });
}

const BY_HAND = "An administrator ended it, because its certificate could not be signed.";

/**
 * Returns the certificate of an order that is being issued; only such an issuing can be ended by hand. Throws a PortalError (404) when
 * there is no such certificate, or a PortalError that says why it cannot be ended.
 */
export async function requireIssuing(id: number): Promise<CertificateRow> {
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  if (isIssuing(row)) return row;
  throw isOpenOrder(row)
    ? new PortalError("The order is pending: its certificate is not being issued.", { code: "certificate.not-issuing" })
    : notOpen(row);
}

/**
 * Ends by hand an issuing that does not complete, for example because the CA's key is lost. The order is pending again. A signature that
 * arrives later is discarded, because it is stored only with the recorded serial number. Throws what `requireIssuing` throws.
 */
export async function endIssuing(id: number, actor: Actor, now = new Date()): Promise<void> {
  await requireTask(getDb(), actor, "approve-orders");
  if (!(await takeBack(await requireIssuing(id), BY_HAND, actor, now))) await requireIssuing(id);
}
