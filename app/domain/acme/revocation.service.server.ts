import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { keyIdentityOf, readPublicKey } from "~/ca/x509/public-key.server";
import { whyNotRevoke } from "~/domain/certificates/certificates.policy";
import { reportKey } from "~/domain/certificates/revocation/key-proof/key-proof.service.server";
import { isReason, KEY_COMPROMISED, UNSPECIFIED } from "~/domain/certificates/revocation/reasons";
import { revokeCertificate } from "~/domain/certificates/revocation/revocation.service.server";
import { type Client } from "~/domain/security-events/client";
import { isPortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type BoundAccount } from "~db/repositories/acme-accounts.server";
import { findAcmeCertificateBySerial } from "~db/repositories/acme-orders.server";
import { acmeAccountName, userOfAccount } from "./acting.server";
import { type AcmeJwk, fromBase64url, readObject } from "./jws.server";
import { AcmeProblem } from "./problem";

const revokeSchema = z.object({ certificate: z.string(), reason: z.number().int().optional() }).passthrough();

/** Who asks for a revocation: an account, or whoever has the private key of the certificate. */
export type Revoker = { account: BoundAccount } | { key: AcmeJwk; evidence: string };

/** Returns the certificate that a request names. Throws an AcmeProblem when it is none of this CA, or was revoked. */
async function requireCertificate(given: string) {
  const der = fromBase64url(given, "The certificate");
  let serialNumber: string;
  try {
    ({ serialNumber } = describeCertificate(der));
  } catch (cause) {
    throw new AcmeProblem("malformed", "The certificate cannot be read: send its DER as base64url.", { cause });
  }
  const found = await findAcmeCertificateBySerial(getDb(), serialNumber);
  if (!found?.der?.equals(der)) throw new AcmeProblem("unauthorized", "This certificate was not issued here.");
  if (found.status === "Revoked") throw new AcmeProblem("alreadyRevoked", "The certificate was revoked already.");
  const barrier = whyNotRevoke(found.status);
  if (barrier) throw new AcmeProblem("malformed", barrier);
  return { ...found, der };
}

/** Returns the identity of a public key, by which certificates and blocked keys are found. */
const identityOf = ({ jwk }: AcmeJwk): string =>
  keyIdentityOf(
    readPublicKey(createPublicKey({ key: { ...jwk }, format: "jwk" }).export({ type: "spki", format: "der" })),
  );

/**
 * Revokes a certificate (RFC 8555 §7.6). An account revokes what it has ordered, for any reason that the portal knows. Whoever signs with
 * the key of the certificate has the private key, so that it is revoked as compromised and its key blocked, whatever reason is given.
 *
 * @param payload The payload of the request.
 * @throws AcmeProblem `alreadyRevoked`, `badRevocationReason`, `malformed` or `unauthorized`.
 */
export async function revokeNamed(payload: string, revoker: Revoker, client: Client, now = new Date()): Promise<void> {
  const { certificate: given, reason = UNSPECIFIED } = readObject(payload, revokeSchema, "The request");
  if (!isReason(reason))
    throw new AcmeProblem(
      "badRevocationReason",
      "The reason must be 0 (unspecified), 1 (key compromised), 3 (affiliation changed) or 4 (superseded).",
    );
  const certificate = await requireCertificate(given);
  if ("key" in revoker) {
    const { key, evidence } = revoker;
    const keyIdentity = keyIdentityOf(parseCertificate(certificate.der).key);
    if (identityOf(key) !== keyIdentity)
      throw new AcmeProblem(
        "unauthorized",
        "The request is signed neither by the account that ordered the certificate nor with its key.",
      );
    await reportKey({ keyIdentity, evidence }, client, now);
    return;
  }
  const { account } = revoker;
  if (certificate.accountId !== account.id)
    throw new AcmeProblem("unauthorized", "This account has not ordered the certificate.");
  const user = await userOfAccount(account, client);
  const description = `Revoked by ${acmeAccountName(account)}.`;
  const order = { certificateId: certificate.id, user, reason, description, date: now };
  try {
    await revokeCertificate(order, now);
  } catch (error) {
    if (!isPortalError(error) || error.field !== "revocationReason") throw error;
    throw new AcmeProblem("badRevocationReason", `${error.message} Use the reason ${KEY_COMPROMISED}.`, {
      cause: error,
    });
  }
}
