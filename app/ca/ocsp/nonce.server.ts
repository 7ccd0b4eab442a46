import { objectIdentifier } from "../der-writing.server";
import { OID } from "../oids.server";

const NONCE = objectIdentifier(OID.ocspNonce);
const OCTET_STRING = 4;
/** The longest nonce whose extension has lengths of one byte. Clients send 16 or 32 octets (RFC 9654 §2.1). */
const LONGEST = 100;

/**
 * Returns where the nonce extension begins in a request that ends with its value, and where the value begins. Requests of common clients
 * have this form. Returns null for any other request. The request is not checked.
 */
export function findNonceAtEnd(der: Buffer): { extension: number; value: number } | null {
  const oid = der.lastIndexOf(NONCE);
  const value = oid + NONCE.length + 4;
  const length = der.length - value;
  if (oid < 2 || length < 1 || length > LONGEST) return null;
  const [outer, outerLength, inner, innerLength] = der.subarray(value - 4, value);
  const isWhole =
    outer === OCTET_STRING && outerLength === length + 2 && inner === OCTET_STRING && innerLength === length;
  return isWhole ? { extension: oid - 2, value } : null;
}
