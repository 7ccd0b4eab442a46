import { SEQUENCE, sequenceOf } from "../der-writing.server";
import { malformed, readHeader } from "../der.server";

/** A CertificateList split at its revokedCertificates, which may be too many to parse. */
export interface CrlParts {
  /** The whole TBSCertList, as signed. */
  tbs: Uint8Array;
  /** DER of a CertificateList that lacks the entries and is otherwise the same. */
  head: Uint8Array;
  /** The entries one after the other; empty when there are none. */
  entries: Uint8Array;
}

/** Views of the bytes of one element: not copied, and nothing inside is looked at. */
interface RawElement {
  tag: number;
  der: Uint8Array;
  content: Uint8Array;
}

/** The elements that stand one after the other in the bytes. Throws CaError `malformed`. */
export function* elementsOf(bytes: Uint8Array): Generator<RawElement, void> {
  for (let offset = 0; offset < bytes.length;) {
    const { tag, start, end } = readHeader(bytes, offset);
    if (end > bytes.length) throw malformed("the element ends early");
    yield { tag, der: bytes.subarray(offset, end), content: bytes.subarray(start, end) };
    offset = end;
  }
}

/** Splits the DER of a CRL (RFC 5280 §5.1). Throws CaError `malformed`. */
export function takeApart(der: Uint8Array): CrlParts {
  const [list, ...behind] = elementsOf(der);
  const [tbs, ...signature] = elementsOf(list?.content ?? new Uint8Array());
  if (!tbs || signature.length !== 2 || behind.length > 0) throw malformed("not a list");
  const members = [...elementsOf(tbs.content)];
  // After version, algorithm, issuer and two times.
  const entries = members.findIndex(({ tag }, index) => index > 4 && tag === SEQUENCE);
  const head = sequenceOf(...members.filter((_, index) => index !== entries).map((member) => member.der));
  return {
    tbs: tbs.der,
    head: sequenceOf(head, ...signature.map((member) => member.der)),
    entries: members[entries]?.content ?? new Uint8Array(),
  };
}
