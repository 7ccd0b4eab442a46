import { setImmediate } from "node:timers/promises";
import * as asn1js from "asn1js";
import { type Issuer } from "../certificate/issuer.server";
import { SEQUENCE, sequenceOf } from "../der-writing.server";
import { derOf, malformed } from "../der.server";
import { type SignatureHash } from "../signer.server";
import { crlFrame } from "./build.server";
import { describeCrl } from "./describe.server";
import { elementsOf } from "./parts.server";

/** What a TBSCertList says, before anybody has signed it. */
export interface TbsCrl {
  number: bigint;
  /** Null for a base CRL. */
  baseNumber: bigint | null;
  thisUpdate: Date;
  nextUpdate: Date;
  /** The joined entries, as a view. */
  entries: Uint8Array;
}

/**
 * Reads a TBSCertList (RFC 5280 §5.1.2) and requires that it is encoded as this CA encodes its CRLs, with nothing before, between or after
 * the parts. `countEntries` checks the entries.
 *
 * @throws CaError `malformed` when the bytes are anything else, or name another issuer or signature algorithm.
 */
export function readTbsCrl(tbs: Uint8Array, issuer: Issuer, hash: SignatureHash): TbsCrl {
  const [list, ...behind] = elementsOf(tbs);
  if (list?.tag !== SEQUENCE || behind.length > 0) throw malformed("not a TBS CRL");
  const members = [...elementsOf(list.content)];
  // The entries come after the version, the algorithm, the issuer and two times.
  const index = members.findIndex(({ tag }, at) => at > 4 && tag === SEQUENCE);
  const entries = members[index]?.content ?? new Uint8Array();
  const [, algorithm] = members;
  if (!algorithm) throw malformed("not a TBS CRL");
  const head = sequenceOf(...members.filter((_, at) => at !== index).map(({ der }) => der));
  const unsigned = derOf(new asn1js.BitString({ valueHex: new Uint8Array(1) }));
  const { number, baseNumber, thisUpdate, nextUpdate } = describeCrl(sequenceOf(head, algorithm.der, unsigned));
  const said = { issuer, hash, number, baseNumber: baseNumber ?? undefined, thisUpdate, nextUpdate };
  const { before, extensions } = crlFrame(said, entries.length);
  const after = before.length + entries.length;
  const isSame = (bytes: Uint8Array, expected: Uint8Array) => Buffer.compare(bytes, expected) === 0;
  if (!isSame(tbs.subarray(0, before.length), before) || !isSame(tbs.subarray(after), extensions))
    throw malformed("the CRL differs from one of this CA");
  return { number, baseNumber, thisUpdate, nextUpdate, entries };
}

const INTEGER = 0x02;
/** The lengths of the two types of times, by their identifier octets. */
const TIMES: Partial<Record<number, number>> = { 0x17: 13, 0x18: 15 };
const LONGEST_SERIAL = 20;
/** How many entries are checked before other work gets its turn. */
const AT_ONCE = 20_000;

/**
 * Checks that the bytes are joined entries of a CRL: each with a serial number, a time and perhaps extensions. Lets other work proceed from
 * time to time, because there may be a million. It reads lengths of one byte only, because an entry is shorter than 128 bytes.
 *
 * @returns How many entries there are.
 * @throws CaError `malformed`.
 */
export async function countEntries(entries: Uint8Array): Promise<number> {
  let count = 0;
  for (let offset = 0; offset < entries.length;) {
    offset = endOfEntry(entries, offset);
    count += 1;
    if (count % AT_ONCE === 0) await setImmediate();
  }
  return count;
}

function endOfEntry(bytes: Uint8Array, offset: number): number {
  const end = endOfElement(bytes, offset, bytes.length);
  const time = endOfElement(bytes, offset + 2, end);
  const serialBytes = time - offset - 4;
  const rest = endOfElement(bytes, time, end);
  const isEntry =
    bytes[offset] === SEQUENCE &&
    bytes[offset + 2] === INTEGER &&
    serialBytes >= 1 &&
    serialBytes <= LONGEST_SERIAL &&
    rest - time - 2 === TIMES[bytes[time] ?? 0] &&
    (rest === end || (bytes[rest] === SEQUENCE && endOfElement(bytes, rest, end) === end));
  if (!isEntry) throw malformed("not an entry of a CRL");
  return end;
}

/** Returns where the element at `offset` ends. Throws when that is after `limit`, or its length has more than one byte. */
function endOfElement(bytes: Uint8Array, offset: number, limit: number): number {
  const length = bytes[offset + 1] ?? 0x80;
  const end = offset + 2 + length;
  if (length >= 0x80 || end > limit) throw malformed("not an entry of a CRL");
  return end;
}
