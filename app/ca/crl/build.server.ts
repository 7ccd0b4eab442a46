import * as asn1js from "asn1js";
import { CertificateRevocationList, Extensions } from "pkijs";
import { type Issuer } from "../certificate/issuer.server";
import { derOf, membersOf } from "../der.server";
import { SEQUENCE, sequenceHeader, sequenceOf } from "../der-writing.server";
import { CaError } from "../errors.server";
import { type Signer } from "../signer.server";
import { rsaSignatureAlgorithm } from "../x509/algorithms.server";
import { authorityKeyIdentifier } from "../x509/extensions.server";
import { nameOf } from "../x509/name.server";
import { timeOf } from "../x509/time.server";
import { crlNumber, deltaCrlIndicator } from "./extensions.server";

export interface CrlRequest {
  issuer: Issuer;
  /** Holds the issuer's key. */
  signer: Signer;
  /** Rises with every list of this issuer, base or delta. */
  number: bigint | number;
  /** Number of the base list that this delta list adds to; left out for a base list. */
  baseNumber?: bigint | number;
  thisUpdate: Date;
  nextUpdate: Date;
  /**
   * `revokedEntryDer` of every entry; taken in one after the other and not kept. One item may hold many entries joined: a query that
   * streams pages spares itself a wait for each row.
   */
  entries: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/**
 * DER of a signed v2 CRL (RFC 5280 §5): authorityKeyIdentifier, cRLNumber and, for a delta list, the critical deltaCRLIndicator.
 * Throws CaError `invalid-argument` on an entry that is no SEQUENCE or times in the wrong order.
 */
export async function buildCrl(request: CrlRequest): Promise<Uint8Array> {
  const { signer, thisUpdate, nextUpdate } = request;
  if (nextUpdate <= thisUpdate) throw new CaError("invalid-argument", "A list must end after it begins.");
  const entries = await collect(request.entries);
  const head = headOf(request);
  const members = membersOf(membersOf(head.toSchema(true) as asn1js.Sequence)[0]).map(derOf);
  const tbs = sequenceOf(
    ...members.slice(0, -1),
    // An empty list has no revokedCertificates at all (RFC 5280 §5.1.2.6).
    ...(entries.length > 0 ? [sequenceHeader(entries.length), entries] : []),
    ...members.slice(-1),
  );
  const signature = new asn1js.BitString({ valueHex: await signer.sign(tbs) });
  return sequenceOf(tbs, derOf(head.signatureAlgorithm.toSchema()), derOf(signature));
}

/** The list without its entries, which would cost pkijs seconds and gigabytes: their bytes go in before its last member. */
function headOf({ issuer, signer, number, baseNumber, thisUpdate, nextUpdate }: CrlRequest): CertificateRevocationList {
  const extensions = [
    authorityKeyIdentifier(issuer.keyIdentifier),
    crlNumber(number),
    ...(baseNumber === undefined ? [] : [deltaCrlIndicator(baseNumber)]),
  ];
  const algorithm = rsaSignatureAlgorithm(signer.hash);
  return new CertificateRevocationList({
    version: 1,
    signature: algorithm,
    signatureAlgorithm: algorithm,
    issuer: nameOf(issuer.subjectDer),
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: timeOf(nextUpdate),
    crlExtensions: new Extensions({ extensions }),
  });
}

/** The entries' bytes one after the other, in a buffer that doubles: no object per entry stays alive. */
async function collect(entries: CrlRequest["entries"]): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafe(64 * 1024);
  let length = 0;
  const append = (entry: Uint8Array): void => {
    if (entry[0] !== SEQUENCE) throw new CaError("invalid-argument", "A list entry is not a SEQUENCE.");
    if (length + entry.length > buffer.length) {
      buffer = Buffer.concat([buffer.subarray(0, length)], Math.max(buffer.length * 2, length + entry.length));
    }
    buffer.set(entry, length);
    length += entry.length;
  };
  // Waiting for each entry of an ordinary iterable would cost a tick apiece.
  if (Symbol.iterator in entries) for (const entry of entries) append(entry);
  else for await (const entry of entries) append(entry);
  return buffer.subarray(0, length);
}
