import { constants, createPublicKey, verify } from "node:crypto";
import * as asn1js from "asn1js";
import { AlgorithmIdentifier, RSASSAPSSParams } from "pkijs";
import { malformed, membersOf, pairOf } from "../der.server";
import { OID } from "../oids.server";
import { readSignatureAlgorithm } from "../x509/algorithms.server";

/** The self-signature of a CSR, ready to be checked. */
export interface CsrSignature {
  /** Readable, e.g. `sha256WithRSAEncryption`. */
  algorithm: string;
  keyType: "rsa" | "ec" | "other";
  /** Null when the algorithm has none or its parameters are not understood. */
  hash: string | null;
  /** Octets of the salt for RSASSA-PSS, else null. */
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

/** What the signatureAlgorithm of a CSR says (RFC 2986 §4.2). Throws on parameters of RSASSA-PSS that are none. */
export function readCsrSignature(tbs: Uint8Array, identifier: AlgorithmIdentifier, value: Uint8Array): CsrSignature {
  const { name, keyType, hash } = readSignatureAlgorithm(identifier);
  if (identifier.algorithmId !== OID.rsassaPss) demandNoParameters(identifier);
  const plain = { algorithm: name, keyType, hash, saltLength: null, tbs, value };
  return identifier.algorithmId === OID.rsassaPss ? { ...plain, ...readPssParameters(identifier) } : plain;
}

/** Absent, or the NULL of RSA (RFC 4055 §5, RFC 5758 §3.2). */
function demandNoParameters({ algorithmParams }: AlgorithmIdentifier): void {
  if (algorithmParams !== undefined && !(algorithmParams instanceof asn1js.Null))
    throw malformed("an algorithm with parameters");
}

/** RSASSA-PSS-params (RFC 4055 §3.1). SHA-1, their default, and a mask hash that differs from the message hash are not supported. */
function readPssParameters({ algorithmParams: schema }: AlgorithmIdentifier): {
  hash: string | null;
  saltLength: number;
} {
  if (!schema) throw malformed("RSASSA-PSS without parameters");
  membersOf(schema as asn1js.AsnType).forEach(demandOneValue);
  const { hashAlgorithm, maskGenAlgorithm, saltLength, trailerField } = new RSASSAPSSParams({ schema });
  const maskHash = new AlgorithmIdentifier({ schema: maskGenAlgorithm.algorithmParams });
  if (saltLength < 0) throw malformed("a negative length");
  [hashAlgorithm, maskHash].forEach(demandNoParameters);
  const isUsual =
    maskGenAlgorithm.algorithmId === OID.mgf1 &&
    hashAlgorithm.algorithmId === maskHash.algorithmId &&
    trailerField === 1;
  return { hash: isUsual ? (HASHES[hashAlgorithm.algorithmId] ?? null) : null, saltLength };
}

/** A parameter is one value, and one that is an algorithm has nothing behind its own parameters: pkijs passes over both. */
function demandOneValue(parameter: asn1js.AsnType): void {
  if (!(parameter instanceof asn1js.Constructed)) return;
  const [value, ...others] = parameter.valueBlock.value;
  if (others.length > 0) throw malformed("a parameter of two values");
  const inner = value instanceof asn1js.Sequence ? pairOf(value)[1] : undefined;
  if (inner instanceof asn1js.Sequence) pairOf(inner);
}

/** Whether the CSR was signed with the key that it asks a certificate for (RFC 2986 §3, proof of possession). */
export function verifyCsrSignature(
  { tbs, value, hash, keyType, saltLength }: CsrSignature,
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
