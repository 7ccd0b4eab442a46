import { constants, createPublicKey, verify } from "node:crypto";
import * as asn1js from "asn1js";
import { AlgorithmIdentifier, RSASSAPSSParams } from "pkijs";
import { malformed, membersOf, pairOf } from "../der.server";
import { OID } from "../oids.server";
import { readSignatureAlgorithm } from "../x509/algorithms.server";

/** The self-signature of a CSR, ready to be verified. */
export interface CsrSignature {
  /** The name of the algorithm, for example `sha256WithRSAEncryption`. */
  algorithm: string;
  keyType: "rsa" | "ec" | "other";
  /** Null when the algorithm has no hash or its parameters are not supported. */
  hash: string | null;
  /** Length of the salt in octets for RSASSA-PSS, otherwise null. */
  saltLength: number | null;
  /** DER of the CertificationRequestInfo. */
  tbs: Uint8Array;
  value: Uint8Array;
}

const HASHES: Partial<Record<string, string>> = {
  [OID.sha256]: "sha256",
  [OID.sha384]: "sha384",
  [OID.sha512]: "sha512",
};

/** Reads the signatureAlgorithm of a CSR (RFC 2986 §4.2). Throws on invalid parameters. */
export function readCsrSignature(tbs: Uint8Array, identifier: AlgorithmIdentifier, value: Uint8Array): CsrSignature {
  const { name, keyType, hash } = readSignatureAlgorithm(identifier);
  if (identifier.algorithmId !== OID.rsassaPss) requireNoParameters(identifier);
  const plain = { algorithm: name, keyType, hash, saltLength: null, tbs, value };
  return identifier.algorithmId === OID.rsassaPss ? { ...plain, ...readPssParameters(identifier) } : plain;
}

/** Throws unless the parameters are absent or the NULL of RSA (RFC 4055 §5, RFC 5758 §3.2). */
function requireNoParameters({ algorithmParams }: AlgorithmIdentifier): void {
  if (algorithmParams !== undefined && !(algorithmParams instanceof asn1js.Null))
    throw malformed("an algorithm with parameters");
}

/**
 * Reads RSASSA-PSS-params (RFC 4055 §3.1). SHA-1, which is the default, and a mask hash that differs from the message hash are not
 * supported.
 */
function readPssParameters({ algorithmParams: schema }: AlgorithmIdentifier): {
  hash: string | null;
  saltLength: number;
} {
  if (!schema) throw malformed("RSASSA-PSS without parameters");
  membersOf(schema as asn1js.AsnType).forEach(requireOneValue);
  const { hashAlgorithm, maskGenAlgorithm, saltLength, trailerField } = new RSASSAPSSParams({ schema });
  const maskHash = new AlgorithmIdentifier({ schema: maskGenAlgorithm.algorithmParams });
  if (saltLength < 0) throw malformed("a negative length");
  [hashAlgorithm, maskHash].forEach(requireNoParameters);
  const isUsual =
    maskGenAlgorithm.algorithmId === OID.mgf1 &&
    hashAlgorithm.algorithmId === maskHash.algorithmId &&
    trailerField === 1;
  return { hash: isUsual ? (HASHES[hashAlgorithm.algorithmId] ?? null) : null, saltLength };
}

/**
 * Throws unless a parameter has one value and, if that value is an algorithm, nothing follows the algorithm's own parameters. pkijs ignores
 * both.
 */
function requireOneValue(parameter: asn1js.AsnType): void {
  if (!(parameter instanceof asn1js.Constructed)) return;
  const [value, ...others] = parameter.valueBlock.value;
  if (others.length > 0) throw malformed("a parameter of two values");
  const inner = value instanceof asn1js.Sequence ? pairOf(value)[1] : undefined;
  if (inner instanceof asn1js.Sequence) pairOf(inner);
}

/** Returns whether a key has signed these bytes. For a CSR and its own key this proves possession (RFC 2986 §3). */
export function verifyCsrSignature(
  { tbs, value, hash, keyType, saltLength }: Omit<CsrSignature, "algorithm">,
  spkiDer: Uint8Array,
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(spkiDer), format: "der", type: "spki" });
    if (hash === null || key.asymmetricKeyType !== keyType) return false;
    const pss = saltLength === null ? {} : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
    return verify(hash, tbs, { key, ...pss }, value);
  } catch {
    return false;
  }
}
