import { createHash } from "node:crypto";
import * as asn1js from "asn1js";
import { serialHex } from "../certificate/encode.server";
import { type Issuer } from "../certificate/issuer.server";
import { bytesRead, derOf, malformed, membersOf, unsigned, wholeBytes } from "../der.server";
import { spkiDerOf } from "../keys.server";
import { OID } from "../oids.server";
import { parseSpki } from "../x509/public-key.server";

/** Hash algorithms with which an issuer can be identified (RFC 6960 §4.1.1), with their names in Node. */
const HASHES: Readonly<Record<string, string>> = {
  [OID.sha1]: "sha1",
  [OID.sha256]: "sha256",
  [OID.sha384]: "sha384",
  [OID.sha512]: "sha512",
};

/** The certificate that a client asks about. */
export interface CertId {
  /** The DER from the request, which the response repeats byte for byte. */
  der: Uint8Array;
  /** The hash algorithm and the hashes of the issuer's name and key. For a known issuer this equals one of `issuerReferences`. */
  issuer: string;
  /** Upper-case hex, as in the table `certificates`. */
  serial: string;
}

const reference = (algorithm: string, nameHash: Uint8Array, keyHash: Uint8Array): string =>
  [algorithm, ...[nameHash, keyHash].map((hash) => Buffer.from(hash).toString("hex"))].join(":");

/** Returns all references with which a CertID can identify this CA. */
export function issuerReferences({ subjectDer, publicKey }: Pick<Issuer, "subjectDer" | "publicKey">): string[] {
  const key = wholeBytes(parseSpki(spkiDerOf(publicKey)).subjectPublicKey);
  const digest = (hash: string, bytes: Uint8Array) => createHash(hash).update(bytes).digest();
  return Object.entries(HASHES).map(([oid, hash]) => reference(oid, digest(hash, subjectDer), digest(hash, key)));
}

/** Reads a CertID (RFC 6960 §4.1.1). Throws a CaError `malformed`. */
export function readCertId(element: asn1js.AsnType | undefined): CertId {
  const [algorithm, nameHash, keyHash, serial, ...rest] = membersOf(element);
  if (!element || rest.length > 0) throw malformed("not a CertID");
  return {
    der: bytesRead(element).slice(),
    issuer: reference(hashOid(algorithm), octets(nameHash), octets(keyHash)),
    serial: readSerial(serial),
  };
}

/** Returns the OID of a hash algorithm whose parameters are absent or NULL (RFC 5754 §2). */
function hashOid(algorithm: asn1js.AsnType | undefined): string {
  const [oid, parameters, ...rest] = membersOf(algorithm);
  const isPlain = parameters === undefined || parameters instanceof asn1js.Null;
  if (!(oid instanceof asn1js.ObjectIdentifier) || !isPlain || rest.length > 0) throw malformed("not a hash algorithm");
  return oid.valueBlock.toString();
}

function octets(element: asn1js.AsnType | undefined): Uint8Array {
  if (!(element instanceof asn1js.OctetString)) throw malformed("no octet string where one is expected");
  return element.valueBlock.valueHexView;
}

/** Reads a serial number in its shortest form (X.690 §8.3.2), so that each certificate and hash algorithm has exactly one CertID. */
function readSerial(element: asn1js.AsnType | undefined): string {
  const value = unsigned(element);
  const shortest = derOf(asn1js.Integer.fromBigInt(value));
  if (!element || Buffer.compare(shortest, bytesRead(element)) !== 0) throw malformed("a serial number");
  return serialHex(value);
}
