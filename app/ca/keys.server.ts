import {
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  pbkdf2,
} from "node:crypto";
import { promisify } from "node:util";
import * as asn1js from "asn1js";
import { AlgorithmIdentifier, PBES2Params, PBKDF2Params, PKCS8ShroudedKeyBag as EncryptedPrivateKeyInfo } from "pkijs";
import { memoize } from "~/lib/memoize.server";
import { derOf, parseDer } from "./der.server";
import { CaError } from "./errors.server";
import { OID } from "./oids.server";
import { fromPem, toPem } from "./pem.server";

/** Returns `size` unpredictable bytes. In production this is `crypto.randomBytes`. */
export type RandomSource = (size: number) => Uint8Array;

const LABEL = "ENCRYPTED PRIVATE KEY";
/** Iterations of PBKDF2 for CA key files. */
export const ITERATIONS = 600_000;

/**
 * The iterations that this process uses. Only tests replace the value, because 600,000 iterations take a quarter of a second for each key.
 */
export const kdfRounds = memoize(() => ITERATIONS);

const derive = promisify(pbkdf2);
const generate = promisify(generateKeyPair);

/** Generates an RSA key pair with exponent 65537 outside the main thread. `bits` is the length of the modulus. */
export function generateRsaKey(bits: number): Promise<{ privateKey: KeyObject; publicKey: KeyObject }> {
  return generate("rsa", { modulusLength: bits, publicExponent: 65537 });
}

/** Returns the DER of the SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) of a public key, or of the public half of a private key. */
export function spkiDerOf(key: KeyObject): Uint8Array {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  return publicKey.export({ type: "spki", format: "der" });
}

/**
 * Returns the PEM of the private key as EncryptedPrivateKeyInfo (RFC 5958 §3): PBES2 with AES-256-CBC and PBKDF2-HMAC-SHA256 with 600 000
 * iterations (RFC 8018). It is built here because Node's own export always uses 2048 iterations.
 */
export async function encryptPrivateKey(key: KeyObject, passphrase: string, random: RandomSource): Promise<string> {
  if (passphrase === "") throw new CaError("invalid-argument", "A CA key needs a passphrase.");
  const salt = random(16);
  const iv = random(16);
  const cipher = createCipheriv("aes-256-cbc", await derive(passphrase, salt, kdfRounds(), 32, "sha256"), iv);
  const encrypted = Buffer.concat([cipher.update(key.export({ type: "pkcs8", format: "der" })), cipher.final()]);
  const info = new EncryptedPrivateKeyInfo({
    encryptionAlgorithm: encryptionAlgorithm(salt, iv),
    encryptedData: new asn1js.OctetString({ valueHex: encrypted }),
  });
  return toPem(LABEL, derOf(info.toSchema()));
}

/** Returns the AlgorithmIdentifier of PBES2 (RFC 8018 appendix A.4). */
function encryptionAlgorithm(salt: Uint8Array, iv: Uint8Array): AlgorithmIdentifier {
  const derivation = new PBKDF2Params({
    salt: new asn1js.OctetString({ valueHex: salt }),
    iterationCount: kdfRounds(),
    keyLength: 32,
    prf: algorithm(OID.hmacWithSha256, new asn1js.Null()),
  });
  const scheme = new PBES2Params({
    keyDerivationFunc: algorithm(OID.pbkdf2, derivation.toSchema()),
    encryptionScheme: algorithm(OID.aes256Cbc, new asn1js.OctetString({ valueHex: iv })),
  });
  return algorithm(OID.pbes2, scheme.toSchema());
}

const algorithm = (algorithmId: string, algorithmParams: asn1js.BaseBlock): AlgorithmIdentifier =>
  new AlgorithmIdentifier({ algorithmId, algorithmParams });

/**
 * Decrypts the private key of an encrypted PKCS #8 PEM (any PBES2 that OpenSSL reads). Blocks the main thread for the duration of the key
 * derivation. Throws a CaError `not-an-encrypted-key` for other texts and `wrong-passphrase` when the passphrase is wrong.
 */
export function decryptPrivateKey(pem: string, passphrase: string): KeyObject {
  expectEncrypted(pem);
  try {
    return createPrivateKey({ key: pem, format: "pem", passphrase });
  } catch {
    throw new CaError("wrong-passphrase", "The passphrase does not open this CA key.");
  }
}

function expectEncrypted(pem: string): void {
  try {
    const info = new EncryptedPrivateKeyInfo({ schema: parseDer(fromPem(LABEL, pem)) });
    if (info.encryptionAlgorithm.algorithmId === OID.pbes2) return;
  } catch {
    // the error below does not repeat any of the text
  }
  throw new CaError("not-an-encrypted-key", `The file is not an encrypted CA key (a PEM block ${LABEL} with PBES2).`);
}
