// This module is loaded on a click. It creates keys and CSRs in the browser and sends them nowhere.
import * as asn1js from "asn1js";
import { type BrowserRequest } from "~/domain/certificates/request/preparation/preparation.service.server";

export interface MadeKey {
  /** PEM of the CSR (PKCS #10). */
  csr: string;
  /** PEM of the encrypted private key (PKCS #8). */
  key: string;
}

const OID = {
  sha256WithRSAEncryption: "1.2.840.113549.1.1.11",
  pbes2: "1.2.840.113549.1.5.13",
  pbkdf2: "1.2.840.113549.1.5.12",
  hmacWithSha256: "1.2.840.113549.2.9",
  aes256Cbc: "2.16.840.1.101.3.4.1.42",
};
/** PBKDF2 iterations, as OWASP recommends for HMAC-SHA-256. */
const ITERATIONS = 600_000;
const SIGNATURE = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

type Bytes = Uint8Array<ArrayBuffer>;

const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

function toPem(label: string, der: ArrayBuffer): string {
  const base64 = btoa(Array.from(new Uint8Array(der), (byte) => String.fromCharCode(byte)).join(""));
  return `-----BEGIN ${label}-----\n${base64.replace(/.{64}(?=.)/g, "$&\n")}\n-----END ${label}-----\n`;
}

const element = (der: BufferSource) => asn1js.fromBER(der).result;
const sequence = (...value: asn1js.BaseBlock[]) => new asn1js.Sequence({ value });
const octets = (bytes: BufferSource) => new asn1js.OctetString({ valueHex: bytes });
const algorithm = (oid: string, parameters: asn1js.BaseBlock = new asn1js.Null()) =>
  sequence(new asn1js.ObjectIdentifier({ value: oid }), parameters);

/** Returns the PEM of a CertificationRequest (RFC 2986 §4), signed with the key that it contains. */
export async function signCsr(
  { privateKey, publicKey }: CryptoKeyPair,
  { subject, attributes }: Pick<BrowserRequest, "subject" | "attributes">,
) {
  const info = sequence(
    new asn1js.Integer({ value: 0 }),
    element(fromBase64(subject)),
    element(await crypto.subtle.exportKey("spki", publicKey)),
    element(fromBase64(attributes)),
  );
  const signature = await crypto.subtle.sign(SIGNATURE.name, privateKey, info.toBER());
  const request = sequence(info, algorithm(OID.sha256WithRSAEncryption), new asn1js.BitString({ valueHex: signature }));
  return toPem("CERTIFICATE REQUEST", request.toBER());
}

/** Derives the encryption key from the passphrase: PBKDF2-HMAC-SHA-256 (RFC 8018 §5.2). */
async function deriveKey(passphrase: string, salt: Bytes) {
  const secret = new TextEncoder().encode(passphrase);
  const base = await crypto.subtle.importKey("raw", secret, "PBKDF2", false, ["deriveKey"]);
  const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ITERATIONS };
  return crypto.subtle.deriveKey(derivation, base, { name: "AES-CBC", length: 256 }, false, ["encrypt"]);
}

/** Returns the PEM of an EncryptedPrivateKeyInfo (RFC 5958 §3), encrypted by PBES2 with AES-256-CBC (RFC 8018 §6.2). */
async function encryptKey(privateKey: CryptoKey, passphrase: string) {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const plain = await crypto.subtle.exportKey("pkcs8", privateKey);
  const encrypted = await crypto.subtle.encrypt({ name: "AES-CBC", iv }, await deriveKey(passphrase, salt), plain);
  const derivation = sequence(
    octets(salt),
    new asn1js.Integer({ value: ITERATIONS }),
    new asn1js.Integer({ value: 32 }),
    algorithm(OID.hmacWithSha256),
  );
  const scheme = sequence(algorithm(OID.pbkdf2, derivation), algorithm(OID.aes256Cbc, octets(iv)));
  return toPem("ENCRYPTED PRIVATE KEY", sequence(algorithm(OID.pbes2, scheme), octets(encrypted)).toBER());
}

/** Creates a key and a CSR for it from the prepared details. The passphrase encrypts the key. Nothing leaves the browser. */
export async function makeKeyAndCsr(request: BrowserRequest, passphrase: string): Promise<MadeKey> {
  const pair = await crypto.subtle.generateKey(
    { ...SIGNATURE, modulusLength: request.keySize, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  );
  const [csr, key] = await Promise.all([signCsr(pair, request), encryptKey(pair.privateKey, passphrase)]);
  return { csr, key };
}
