import { constants, createPublicKey, verify } from "node:crypto";
import { type DerElement, members, readObjectIdentifier, readUnsigned } from "../asn1/read.server";
import { OID } from "../asn1/oids.server";
import { contextConstructedTag } from "../asn1/tags.server";
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

const hashOf = (identifier: DerElement | undefined): string | null =>
  HASHES[readObjectIdentifier(members(identifier)[0])] ?? null;

/** What the signatureAlgorithm of a CSR says (RFC 2986 §4.2). Throws CaError `malformed`. */
export function readCsrSignature(tbs: Uint8Array, identifier: DerElement, value: Uint8Array): CsrSignature {
  const { name, oid, keyType, hash } = readSignatureAlgorithm(identifier);
  const plain = { algorithm: name, keyType, hash, saltLength: null, tbs, value };
  return oid === OID.rsassaPss ? { ...plain, ...readPssParameters(identifier) } : plain;
}

/** RSASSA-PSS-params (RFC 4055 §3.1). The defaults are SHA-1; a mask hash that differs from the message hash is not supported. */
function readPssParameters(identifier: DerElement): { hash: string | null; saltLength: number } {
  const parameters = members(members(identifier)[1]);
  const explicit = (number: number): DerElement | undefined => {
    const found = parameters.find(({ tag }) => tag === contextConstructedTag(number));
    return found && members(found, contextConstructedTag(number))[0];
  };
  const salt = explicit(2);
  const hash = explicit(0) ? hashOf(explicit(0)) : "sha1";
  const maskHash = explicit(1) ? hashOf(members(explicit(1))[1]) : "sha1";
  return { hash: hash === maskHash ? hash : null, saltLength: salt ? Number(readUnsigned(salt)) : 20 };
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
