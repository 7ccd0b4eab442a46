import * as asn1js from "asn1js";
import { Extensions, RevokedCertificate } from "pkijs";
import { derOf } from "../der.server";
import { CaError } from "../errors.server";
import { timeOf } from "../x509/time.server";
import { invalidityDate, reasonCode } from "./extensions.server";

export interface RevokedEntry {
  /** Hex, like `PreparedCertificate.serial`. */
  serial: string;
  revocationDate: Date;
  /** CRLReason. For 0 (unspecified) the extension is omitted (RFC 5280 §5.3.1). */
  reason: number;
  /** When the key became suspect, if that was earlier (RFC 5280 §5.3.2). */
  invalidityDate?: Date | null;
}

const REASONS = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10];

/**
 * Returns the DER of one member of revokedCertificates (RFC 5280 §5.1.2.6). It is stored with the certificate and copied into CRLs
 * unchanged. Throws a CaError `invalid-argument` on a serial number that is not hex or a reason that does not exist.
 */
export function revokedEntryDer(entry: RevokedEntry): Uint8Array {
  if (!/^[\dA-Fa-f]+$/.test(entry.serial)) throw new CaError("invalid-argument", "A serial number is hex.");
  if (!REASONS.includes(entry.reason)) throw new CaError("invalid-argument", "There is no such revocation reason.");
  const extensions = [
    ...(entry.reason === 0 ? [] : [reasonCode(entry.reason)]),
    ...(entry.invalidityDate ? [invalidityDate(entry.invalidityDate)] : []),
  ];
  const revoked = new RevokedCertificate({
    userCertificate: asn1js.Integer.fromBigInt(BigInt(`0x${entry.serial}`)),
    revocationDate: timeOf(entry.revocationDate),
    ...(extensions.length > 0 && { crlEntryExtensions: new Extensions({ extensions }) }),
  });
  return derOf(revoked.toSchema());
}
