import { verify } from "node:crypto";
import { checkIssuedCertificate } from "~/ca/certificate/check.server";
import { type CertificateDescription } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { type CertificateProfile } from "~/ca/certificate/profile.server";
import { CaError } from "~/ca/errors.server";
import { type Signer } from "~/ca/signer.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateRow, clearTbs, findCertificate } from "~db/repositories/certificates.server";
import { inTransaction } from "~db/transaction.server";
import { isIssuing, isOpenOrder, notOpen } from "../queue/order-decision.policy";

/** What was signed, and with what. */
export interface Signed {
  der: Uint8Array;
  tbs: Buffer;
  signature: Uint8Array;
  hash: Signer["hash"];
}

/**
 * The last look at what was signed. Out: what the certificate says, when that is what was intended, else why the recorded to-be-signed
 * part must never become a certificate. Throws when the fault is in the signature: then the same bytes are signed again later.
 */
export function judgeSigned(
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
 * Takes back what is recorded to be signed: the order is pending again, and another approval makes another certificate with another
 * serial number. Throws a PortalError that says why. Out: false when somebody else stored the certificate or undid it before.
 */
export async function undoIssuing(row: CertificateRow, reason: string, actor: Actor, now: Date): Promise<false> {
  if (!(await takeBack(row, reason, actor, now))) return false;
  throw new PortalError(`The certificate has not been issued and the order is pending again. ${reason}`, {
    code: "certificate.issuing-undone",
  });
}

const BY_HAND = "An administrator ended it, because its certificate could not be signed.";

/** Whether an order is being issued: only that can be ended by hand. Throws not found, or a PortalError that says why not. */
export async function demandIssuing(id: number): Promise<CertificateRow> {
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  if (isIssuing(row)) return row;
  throw isOpenOrder(row)
    ? new PortalError("The order is pending: its certificate is not being issued.", { code: "certificate.not-issuing" })
    : notOpen(row);
}

/**
 * Ends by hand an issuing that does not come to its end, e.g. since the CA's key is lost: the order is pending again. A signature that
 * comes later is thrown away, because it is stored only with the serial number that is recorded. Errors as above.
 */
export async function endIssuing(id: number, actor: Actor, now = new Date()): Promise<void> {
  if (!(await takeBack(await demandIssuing(id), BY_HAND, actor, now))) await demandIssuing(id);
}
