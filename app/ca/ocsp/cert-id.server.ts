import { createHash } from "node:crypto";
import * as asn1js from "asn1js";
import { serialHex } from "../certificate/encode.server";
import { type Issuer } from "../certificate/issuer.server";
import { bytesRead, derOf, malformed, membersOf, unsigned, wholeBytes } from "../der.server";
import { spkiDerOf } from "../keys.server";
import { OID } from "../oids.server";
import { parseSpki } from "../x509/public-key.server";

/** Hash algorithms by which an issuer can be named (RFC 6960 §4.1.1), by their names in Node. */
const HASHES: Readonly<Record<string, string>> = {
  [OID.sha1]: "sha1",
  [OID.sha256]: "sha256",
  [OID.sha384]: "sha384",
  [OID.sha512]: "sha512",
};

/** Which certificate is asked for. */
export interface CertId {
  /** As it was asked, to be repeated in the answer byte for byte. */
  der: Uint8Array;
  /** Hash algorithm, hashes of the issuer's name and key: equal to one of `issuerReferences` for a known issuer. */
  issuer: string;
  /** Upper-case hex, as `certificates` has it. */
  serial: string;
}

const reference = (algorithm: string, nameHash: Uint8Array, keyHash: Uint8Array): string =>
  [algorithm, ...[nameHash, keyHash].map((hash) => Buffer.from(hash).toString("hex"))].join(":");

/** All the ways in which a CertID can name this CA. */
export function issuerReferences({ subjectDer, publicKey }: Pick<Issuer, "subjectDer" | "publicKey">): string[] {
  const key = wholeBytes(parseSpki(spkiDerOf(publicKey)).subjectPublicKey);
  const digest = (hash: string, bytes: Uint8Array) => createHash(hash).update(bytes).digest();
  return Object.entries(HASHES).map(([oid, hash]) => reference(oid, digest(hash, subjectDer), digest(hash, key)));
}

/** Reads a CertID (RFC 6960 §4.1.1). Throws CaError `malformed`. */
export function readCertId(element: asn1js.AsnType | undefined): CertId {
  const [algorithm, nameHash, keyHash, serial, ...rest] = membersOf(element);
  if (!element || rest.length > 0) throw malformed("not a CertID");
  return {
    der: bytesRead(element).slice(),
    issuer: reference(hashOid(algorithm), octets(nameHash), octets(keyHash)),
    serial: readSerial(serial),
  };
}

/** The parameters are left out or NULL (RFC 5754 §2). */
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

/** In its shortest form (X.690 §8.3.2), so that there is one CertID of each certificate and hash algorithm. */
function readSerial(element: asn1js.AsnType | undefined): string {
  const value = unsigned(element);
  const shortest = derOf(asn1js.Integer.fromBigInt(value));
  if (!element || Buffer.compare(shortest, bytesRead(element)) !== 0) throw malformed("a serial number");
  return serialHex(value);
}
