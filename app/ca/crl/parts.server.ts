import { SEQUENCE, sequenceOf } from "../der-writing.server";
import { malformed, readHeader } from "../der.server";

/** A CertificateList split at its revokedCertificates, which may be too many to parse. */
export interface CrlParts {
  /** The whole TBSCertList, as signed. */
  tbs: Uint8Array;
  /** DER of the same CertificateList without the entries. */
  head: Uint8Array;
  /** The concatenated entries. Empty when there are none. */
  entries: Uint8Array;
}

/** Views on the bytes of one element. They are not copied, and the content is not parsed. */
interface RawElement {
  tag: number;
  der: Uint8Array;
  content: Uint8Array;
}

/** Yields the elements that follow each other in the bytes. Throws a CaError `malformed`. */
export function* elementsOf(bytes: Uint8Array): Generator<RawElement, void> {
  for (let offset = 0; offset < bytes.length;) {
    const { tag, start, end } = readHeader(bytes, offset);
    if (end > bytes.length) throw malformed("the element ends early");
    yield { tag, der: bytes.subarray(offset, end), content: bytes.subarray(start, end) };
    offset = end;
  }
}

/** Splits the DER of a CRL (RFC 5280 §5.1). Throws a CaError `malformed`. */
export function takeApart(der: Uint8Array): CrlParts {
  const [list, ...behind] = elementsOf(der);
  const [tbs, ...signature] = elementsOf(list?.content ?? new Uint8Array());
  if (!tbs || signature.length !== 2 || behind.length > 0) throw malformed("not a CRL");
  const members = [...elementsOf(tbs.content)];
  // The entries come after the version, the algorithm, the issuer and two times.
  const entries = members.findIndex(({ tag }, index) => index > 4 && tag === SEQUENCE);
  const head = sequenceOf(...members.filter((_, index) => index !== entries).map((member) => member.der));
  return {
    tbs: tbs.der,
    head: sequenceOf(head, ...signature.map((member) => member.der)),
    entries: members[entries]?.content ?? new Uint8Array(),
  };
}
