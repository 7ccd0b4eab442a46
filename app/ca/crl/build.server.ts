import * as asn1js from "asn1js";
import { CertificateRevocationList, Extensions } from "pkijs";
import { type Issuer } from "../certificate/issuer.server";
import { bytesOf, SEQUENCE, sequenceHeader } from "../der-writing.server";
import { derOf, membersOf } from "../der.server";
import { CaError } from "../errors.server";
import { type SignatureHash, type Signer } from "../signer.server";
import { rsaSignatureAlgorithm } from "../x509/algorithms.server";
import { authorityKeyIdentifier } from "../x509/extensions.server";
import { distinguishedName } from "../x509/name.server";
import { timeOf } from "../x509/time.server";
import { type CrlEntries } from "./entries.server";
import { crlNumber, deltaCrlIndicator } from "./extensions.server";

export interface CrlRequest {
  issuer: Issuer;
  /** Signs with the issuer's key. */
  signer: Signer;
  /** The CRL number. It must be higher than that of every earlier CRL of this issuer, base or delta. */
  number: bigint | number;
  /** The number of the base CRL to which this delta CRL refers. Omitted for a base CRL. */
  baseNumber?: bigint | number;
  thisUpdate: Date;
  nextUpdate: Date;
  /** The entries. The CRL is written into their buffer, around them. */
  entries: CrlEntries;
}

/**
 * Returns the DER of a signed v2 CRL (RFC 5280 §5). Its extensions are authorityKeyIdentifier, cRLNumber and, for a delta CRL, the critical
 * deltaCRLIndicator. The bytes of the entries are not copied, because the other parts and the signature are written around them. Throws a
 * CaError `invalid-argument` when the entries do not begin with a SEQUENCE, when the times are in the wrong order, or when the signature
 * does not have the size of the issuer's key.
 */
export async function buildCrl(request: CrlRequest): Promise<Buffer> {
  const { issuer, signer, thisUpdate, nextUpdate, entries } = request;
  if (nextUpdate <= thisUpdate) throw new CaError("invalid-argument", "A CRL must end after it begins.");
  if (entries.size > 0 && entries.bytesFrom(0)[0] !== SEQUENCE)
    throw new CaError("invalid-argument", "A CRL entry must be a SEQUENCE.");
  const { before: start, extensions, algorithm } = crlFrame({ ...request, hash: signer.hash }, entries.size);
  const tbsSize = bytesOf([start, extensions]) + entries.size;
  const size = (issuer.publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
  const unsigned = new asn1js.BitString({ valueHex: new Uint8Array(size) });
  const end = [algorithm, derOf(unsigned)];
  const header = sequenceHeader(tbsSize + bytesOf(end));
  const crl = entries.surround(Buffer.concat([header, start]), Buffer.concat([extensions, ...end]));
  const signature = await signer.sign(crl.subarray(header.length, header.length + tbsSize));
  if (signature.length !== size) throw new CaError("invalid-argument", "The signer holds another key.");
  crl.set(signature, crl.length - size);
  return crl;
}

/** What a CRL says besides its entries. */
export interface CrlHead extends Pick<CrlRequest, "issuer" | "number" | "baseNumber" | "thisUpdate" | "nextUpdate"> {
  hash: SignatureHash;
}

/**
 * Returns the bytes of a TBSCertList before and after its entries, and the AlgorithmIdentifier of its signature. Encoding the entries with
 * pkijs would take seconds and gigabytes, so the other parts are written around their bytes. It is the only encoding that this CA signs.
 *
 * @param size The number of bytes of the entries.
 */
export function crlFrame(crl: CrlHead, size: number): Record<"before" | "extensions" | "algorithm", Uint8Array> {
  const head = headOf(crl);
  const members = membersOf(membersOf(head.toSchema(true) as asn1js.Sequence)[0]).map(derOf);
  // A CRL without entries omits revokedCertificates (RFC 5280 §5.1.2.6).
  const before = [...members.slice(0, -1), ...(size > 0 ? [sequenceHeader(size)] : [])];
  const extensions = Buffer.concat(members.slice(-1));
  const header = sequenceHeader(bytesOf([...before, extensions]) + size);
  const algorithm = derOf(head.signatureAlgorithm.toSchema());
  return { before: Buffer.concat([header, ...before]), extensions, algorithm };
}

function headOf({ issuer, hash, number, baseNumber, thisUpdate, nextUpdate }: CrlHead): CertificateRevocationList {
  const extensions = [
    authorityKeyIdentifier(issuer.keyIdentifier),
    crlNumber(number),
    ...(baseNumber === undefined ? [] : [deltaCrlIndicator(baseNumber)]),
  ];
  const algorithm = rsaSignatureAlgorithm(hash);
  return new CertificateRevocationList({
    version: 1,
    signature: algorithm,
    signatureAlgorithm: algorithm,
    issuer: distinguishedName(issuer.subjectDer),
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: timeOf(nextUpdate),
    crlExtensions: new Extensions({ extensions }),
  });
}
