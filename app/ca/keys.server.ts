import {
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  pbkdf2,
} from "node:crypto";
import { promisify } from "node:util";
import { members, readObjectIdentifier, readElement } from "./asn1/read.server";
import { integer, nullValue, objectIdentifier, octetString, sequence } from "./asn1/write.server";
import { OID } from "./asn1/oids.server";
import { CaError } from "./errors.server";
import { fromPem, toPem } from "./pem.server";

/** Gives `size` unpredictable bytes; `crypto.randomBytes` in production. */
export type RandomSource = (size: number) => Uint8Array;

const LABEL = "ENCRYPTED PRIVATE KEY";
const ITERATIONS = 600_000;

const derive = promisify(pbkdf2);
const generate = promisify(generateKeyPair);

/** A new RSA key pair with exponent 65537; `bits` is the modulus length. Runs off the main thread. */
export function generateRsaKey(bits: number): Promise<{ privateKey: KeyObject; publicKey: KeyObject }> {
  return generate("rsa", { modulusLength: bits, publicExponent: 65537 });
}

/** DER of the SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) of a public key, or of a private key's public half. */
export function spkiDerOf(key: KeyObject): Uint8Array {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  return publicKey.export({ type: "spki", format: "der" });
}

/**
 * PEM of the private key as EncryptedPrivateKeyInfo (RFC 5958 §3): PBES2 with AES-256-CBC and PBKDF2-HMAC-SHA256,
 * 600 000 iterations (RFC 8018). Built here because Node's own export stops at 2048 iterations.
 */
export async function encryptPrivateKey(key: KeyObject, passphrase: string, random: RandomSource): Promise<string> {
  if (passphrase === "") throw new CaError("invalid-argument", "A CA key needs a passphrase.");
  const salt = random(16);
  const iv = random(16);
  const cipher = createCipheriv("aes-256-cbc", await derive(passphrase, salt, ITERATIONS, 32, "sha256"), iv);
  const encrypted = Buffer.concat([cipher.update(key.export({ type: "pkcs8", format: "der" })), cipher.final()]);
  const prf = sequence(objectIdentifier(OID.hmacWithSha256), nullValue());
  const kdf = sequence(
    objectIdentifier(OID.pbkdf2),
    sequence(octetString(salt), integer(ITERATIONS), integer(32), prf),
  );
  const scheme = sequence(objectIdentifier(OID.aes256Cbc), octetString(iv));
  const algorithm = sequence(objectIdentifier(OID.pbes2), sequence(kdf, scheme));
  return toPem(LABEL, sequence(algorithm, octetString(encrypted)));
}

/**
 * The private key of an encrypted PKCS #8 PEM (any PBES2 that OpenSSL reads). Takes as long as its iterations, on this thread.
 * Throws CaError `not-an-encrypted-key` for other texts and `wrong-passphrase` when the passphrase does not open it.
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
    const [algorithm] = members(readElement(fromPem(LABEL, pem)));
    if (readObjectIdentifier(members(algorithm)[0]) === OID.pbes2) return;
  } catch {
    // said below, without a word of the text
  }
  throw new CaError("not-an-encrypted-key", `The file is not an encrypted CA key (a PEM block ${LABEL} with PBES2).`);
}
