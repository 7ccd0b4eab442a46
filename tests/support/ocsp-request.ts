import { createHash } from "node:crypto";
import { context, element, integer, nullValue, objectIdentifier, octetString, sequence } from "./der";

const HASHES = { sha1: "1.3.14.3.2.26", sha256: "2.16.840.1.101.3.4.2.1" } as const;
export const NONCE = "1.3.6.1.5.5.7.48.1.2";
export const SERVICE_LOCATOR = "1.3.6.1.5.5.7.48.1.7";

export interface CertIdOptions {
  digest?: keyof typeof HASHES;
  /** Replaces the AlgorithmIdentifier of `digest`. */
  algorithm?: Uint8Array;
  /** The hashed values: DER of the issuer's name, and its subjectPublicKey. */
  name?: Uint8Array;
  key?: Uint8Array;
  /** An encoded INTEGER. */
  serial?: Uint8Array;
}

/** Returns a CertID (RFC 6960 §4.1.1). It is of an unknown CA unless name and key are given. */
export function certId({ digest = "sha1", algorithm, name, key, serial = integer(5) }: CertIdOptions = {}): Uint8Array {
  const hash = (bytes: Uint8Array = Buffer.from("unknown")) => octetString(createHash(digest).update(bytes).digest());
  return sequence(algorithm ?? sequence(objectIdentifier(HASHES[digest]), nullValue()), hash(name), hash(key), serial);
}

export const extension = (oid: string, value: Uint8Array, critical = false): Uint8Array =>
  sequence(objectIdentifier(oid), ...(critical ? [Uint8Array.of(1, 1, 0xff)] : []), octetString(value));

/** Returns a nonce with this number of octets. */
export const nonce = (length: number): Uint8Array => extension(NONCE, octetString(Buffer.alloc(length, 0xa5)));

/** Returns an unsigned OCSPRequest with these Requests. */
export const ocspRequest = (requests: readonly Uint8Array[], ...extensions: Uint8Array[]): Uint8Array =>
  sequence(sequence(sequence(...requests), ...(extensions.length > 0 ? [context(2, sequence(...extensions))] : [])));

/** Returns malformed requests, each with its name. */
export function malformedRequests(): [name: string, der: Uint8Array][] {
  const one = sequence(certId());
  const critical = extension(SERVICE_LOCATOR, sequence(), true);
  return [
    ["nothing", new Uint8Array()],
    ["an empty sequence", sequence()],
    ["no requests", ocspRequest([])],
    ["a nonce of no octets", ocspRequest([one], nonce(0))],
    ["a nonce of 129 octets", ocspRequest([one], nonce(129))],
    ["a nonce that is no octet string", ocspRequest([one], extension(NONCE, sequence()))],
    ["two nonces", ocspRequest([one], nonce(5), nonce(6))],
    ["an unknown critical extension", ocspRequest([one], critical)],
    ["such an extension of one certificate", ocspRequest([sequence(certId(), context(0, sequence(critical)))])],
    ["version 2", sequence(sequence(context(0, integer(1)), sequence(one)))],
    ["a negative serial number", ocspRequest([sequence(certId({ serial: integer(-1) }))])],
    ["a serial number with a needless zero", ocspRequest([sequence(certId({ serial: Uint8Array.of(2, 2, 0, 5) }))])],
    ["an empty serial number", ocspRequest([sequence(certId({ serial: Uint8Array.of(2, 0) }))])],
    [
      "parameters of a hash",
      ocspRequest([sequence(certId({ algorithm: sequence(objectIdentifier("1.2"), sequence()) }))]),
    ],
    ["a member too many", sequence(sequence(sequence(one)), nullValue())],
    ["a member too many inside", sequence(sequence(sequence(one), nullValue()))],
    ["bytes behind it", Buffer.concat([ocspRequest([one]), Uint8Array.of(0)])],
    ["an indefinite length", Uint8Array.of(0x30, 0x80, 0x30, 0, 0, 0)],
    ["a length beyond its end", element(0x30, Uint8Array.of(0x30, 0x84, 0x7f, 0xff, 0xff, 0xff))],
    ["a thousand certificates", ocspRequest(Array.from({ length: 1000 }, () => one))],
  ];
}
