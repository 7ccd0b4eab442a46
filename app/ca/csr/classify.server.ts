import { readHeader, readObjectIdentifier, type DerElement } from "../asn1/read.server";
import { OID } from "../asn1/oids.server";
import { TAG } from "../asn1/tags.server";

const PBE_PREFIXES = ["1.2.840.113549.1.5.", "1.2.840.113549.1.12.1."];
const OPENSSH_MAGIC = "openssh-key-v1\0";

/** The first members of an element, as far as the bytes go: the end may be missing and the rest may be nonsense. */
function firstMembers(bytes: Uint8Array, count: number): DerElement[] {
  const found: DerElement[] = [];
  try {
    let offset = readHeader(bytes, 0).start;
    while (found.length < count && offset < bytes.length) {
      const { tag, start, end } = readHeader(bytes, offset);
      found.push({ tag, der: bytes.subarray(offset, end), content: bytes.subarray(start, end) });
      offset = end;
    }
  } catch {
    // what was read before the nonsense is the answer
  }
  return found;
}

function objectIdentifierIn(element: DerElement | undefined): string | null {
  try {
    return readObjectIdentifier(firstMembers(element?.der ?? new Uint8Array(), 1)[0]);
  } catch {
    return null;
  }
}

/**
 * Whether DER bytes, whole or cut off, are a private key: PKCS #1 and DSA (INTEGER 0, INTEGER …), SEC 1 (INTEGER 1, OCTET STRING),
 * PKCS #8 (INTEGER 0 or 1, AlgorithmIdentifier), EncryptedPrivateKeyInfo, PKCS #12 (INTEGER 3, data), or OpenSSH's format.
 */
export function looksLikePrivateKey(bytes: Uint8Array): boolean {
  if (Buffer.from(bytes.subarray(0, OPENSSH_MAGIC.length)).toString("latin1") === OPENSSH_MAGIC) return true;
  if (bytes[0] !== TAG.sequence) return false;
  const [first, second] = firstMembers(bytes, 2);
  if (first?.tag === TAG.integer) {
    const version = first.content.length === 1 ? first.content[0] : undefined;
    if (version === 3) return objectIdentifierIn(second) === OID.pkcs7Data;
    if (version !== 0 && version !== 1) return false;
    if (second?.tag === TAG.integer) return version === 0;
    if (second?.tag === TAG.octetString) return version === 1;
    return objectIdentifierIn(second) !== null;
  }
  const algorithm = objectIdentifierIn(first);
  return second?.tag === TAG.octetString && PBE_PREFIXES.some((prefix) => algorithm?.startsWith(prefix));
}

/** Whether DER bytes have the outline of an X.509 certificate: version [0], or (v1) six members with a serial first. */
export function looksLikeCertificate(bytes: Uint8Array): boolean {
  const [toBeSigned] = firstMembers(bytes, 1);
  const parts = firstMembers(toBeSigned?.der ?? new Uint8Array(), 6);
  if (parts[0]?.tag === 0xa0) return true;
  return parts.length === 6 && parts[0]?.tag === TAG.integer && parts.slice(1).every(({ tag }) => tag === TAG.sequence);
}
