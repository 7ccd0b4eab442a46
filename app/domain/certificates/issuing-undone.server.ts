import { verify } from "node:crypto";
import { checkIssuedCertificate } from "~/ca/certificate/check.server";
import { type CertificateDescription } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { type CertificateProfile } from "~/ca/certificate/profile.server";
import { CaError } from "~/ca/errors.server";
import { type Signer } from "~/ca/signer.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { type CertificateRow, clearTbs } from "~db/repositories/certificates.server";
import { inTransaction } from "~db/transaction.server";

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

/**
 * Takes back what is recorded to be signed: the order is pending again, and another approval makes another certificate with another
 * serial number. Throws a PortalError that says why. Out: false when somebody else stored the certificate or undid it before.
 */
export async function undoIssuing(row: CertificateRow, reason: string, actor: Actor, now: Date): Promise<false> {
  const { id, serialNumber, userId, orderId } = row;
  if (!serialNumber) throw new Error(`Certificate ${id} has no serial number.`);
  const isUndone = await inTransaction(async (trx) => {
    if (!(await clearTbs(trx, id, serialNumber, now))) return false;
    const event = "certificate.issuing-undone";
    const message = `The issuing with serial number ${serialNumber} was undone, the order is pending again: ${reason}`;
    const entry = { actor, event, message, userId, orderId, certificateId: id, reference: serialNumber };
    await recordAudit(trx, entry, now);
    return true;
  });
  if (!isUndone) return false;
  throw new PortalError(`The certificate has not been issued and the order is pending again. ${reason}`, {
    code: "certificate.issuing-undone",
  });
}
