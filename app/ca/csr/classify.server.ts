import * as asn1js from "asn1js";
import { parseDer, readHeader } from "../der.server";
import { OID } from "../oids.server";

const PBE_PREFIXES = ["1.2.840.113549.1.5.", "1.2.840.113549.1.12.1."];
const OPENSSH_MAGIC = "openssh-key-v1\0";

/** Identifier octets (X.690 §8.1.2) of the elements by which a structure is recognised. */
export const SEQUENCE_TAG = 0x30;
const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const EXPLICIT_0 = 0xa0;

/** An element whose end may be missing. */
interface Outline {
  tag: number;
  der: Uint8Array;
  content: Uint8Array;
}

/** Returns the first members of an element as far as they can be read. The end may be missing, and the rest may be invalid. */
function firstMembers(bytes: Uint8Array, count: number): Outline[] {
  const found: Outline[] = [];
  try {
    let offset = readHeader(bytes, 0).start;
    while (found.length < count && offset < bytes.length) {
      const { tag, start, end } = readHeader(bytes, offset);
      found.push({ tag, der: bytes.subarray(offset, end), content: bytes.subarray(start, end) });
      offset = end;
    }
  } catch {
    // return what was read before the invalid bytes
  }
  return found;
}

function objectIdentifierIn(element: Outline | undefined): string | null {
  const [first] = firstMembers(element?.der ?? new Uint8Array(), 1);
  try {
    const identifier = parseDer(first?.der ?? new Uint8Array());
    return identifier instanceof asn1js.ObjectIdentifier ? identifier.getValue() : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether DER bytes, complete or cut off, are a private key: PKCS #1 and DSA (INTEGER 0, INTEGER …), SEC 1 (INTEGER 1, OCTET
 * STRING), PKCS #8 (INTEGER 0 or 1, AlgorithmIdentifier), EncryptedPrivateKeyInfo, PKCS #12 (INTEGER 3, data), or OpenSSH's format.
 */
export function looksLikePrivateKey(bytes: Uint8Array): boolean {
  if (Buffer.from(bytes.subarray(0, OPENSSH_MAGIC.length)).toString("latin1") === OPENSSH_MAGIC) return true;
  if (bytes[0] !== SEQUENCE_TAG) return false;
  const [first, second] = firstMembers(bytes, 2);
  if (first?.tag === INTEGER) {
    const version = first.content.length === 1 ? first.content[0] : undefined;
    if (version === 3) return objectIdentifierIn(second) === OID.data;
    if (version !== 0 && version !== 1) return false;
    if (second?.tag === INTEGER) return version === 0;
    if (second?.tag === OCTET_STRING) return version === 1;
    return objectIdentifierIn(second) !== null;
  }
  const algorithm = objectIdentifierIn(first);
  return second?.tag === OCTET_STRING && PBE_PREFIXES.some((prefix) => algorithm?.startsWith(prefix));
}

/** Returns whether DER bytes have the structure of an X.509 certificate: a version [0], or (v1) six members with a serial number first. */
export function looksLikeCertificate(bytes: Uint8Array): boolean {
  const [toBeSigned] = firstMembers(bytes, 1);
  const parts = firstMembers(toBeSigned?.der ?? new Uint8Array(), 6);
  if (parts[0]?.tag === EXPLICIT_0) return true;
  return parts.length === 6 && parts[0]?.tag === INTEGER && parts.slice(1).every(({ tag }) => tag === SEQUENCE_TAG);
}
