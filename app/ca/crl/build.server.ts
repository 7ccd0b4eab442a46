import { TAG } from "../asn1/tags.server";
import { bitString, context, header, integer, sequence, time } from "../asn1/write.server";
import { type Issuer } from "../certificate/issuer.server";
import { CaError } from "../errors.server";
import { type Signer } from "../signer.server";
import { rsaSignatureAlgorithm } from "../x509/algorithms.server";
import { authorityKeyIdentifier, crlNumber, deltaCrlIndicator } from "../x509/extensions.server";

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
  const { issuer, signer, number, baseNumber, thisUpdate, nextUpdate } = request;
  if (nextUpdate <= thisUpdate) throw new CaError("invalid-argument", "A list must end after it begins.");
  const algorithm = rsaSignatureAlgorithm(signer.hash);
  const entries = await collect(request.entries);
  const extensions = sequence(
    authorityKeyIdentifier(issuer.keyIdentifier),
    crlNumber(number),
    ...(baseNumber === undefined ? [] : [deltaCrlIndicator(baseNumber)]),
  );
  const tbs = sequence(
    integer(1),
    algorithm,
    issuer.subjectDer,
    time(thisUpdate),
    time(nextUpdate),
    // An empty list has no revokedCertificates at all (RFC 5280 §5.1.2.6).
    ...(entries.length > 0 ? [header(TAG.sequence, entries.length), entries] : []),
    context(0, extensions),
  );
  return sequence(tbs, algorithm, bitString(await signer.sign(tbs)));
}

/** The entries' bytes one after the other, in a buffer that doubles: no object per entry stays alive. */
async function collect(entries: CrlRequest["entries"]): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafe(64 * 1024);
  let length = 0;
  const append = (entry: Uint8Array): void => {
    if (entry[0] !== TAG.sequence) throw new CaError("invalid-argument", "A list entry is not a SEQUENCE.");
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
