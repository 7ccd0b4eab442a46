import { parseCertificate } from "~/ca/certificate/parse.server";
import { SOUND_HASHES } from "~/ca/csr/check.server";
import { verifyCsrSignature } from "~/ca/csr/signature.server";
import { fromBase64, pemBlocks } from "~/ca/pem.server";
import { keyIdentityOf, type ReadPublicKey, readPublicKey } from "~/ca/x509/public-key.server";
import { PortalError } from "~/lib/errors";
import { readCsrInput, unreadableRule } from "../../request/csr-import.service.server";
import { type SentCsr } from "../../request/sent-csr.server";
import { challengeEnd } from "./challenge.server";

/** A key whose private half somebody has proved to hold. */
export interface ProvedKey {
  /** The result of `keyIdentityOf`, by which keys are blocked and looked up. */
  keyIdentity: string;
  /** The proof in one line, for whoever wants to verify it again. */
  evidence: string;
}

/** The proof by a signature over the challenge: as base64, with the public key or a certificate of it as PEM. */
export interface SignedChallenge {
  challenge: string;
  signature: string;
  publicKey: string;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

const refused = (field: string, message: string) => new PortalError(message, { code: "key-proof", field });

function requireChallenge(challenge: string, field: string, now: Date): void {
  const end = challengeEnd(challenge);
  if (!end)
    throw refused(field, "This is not a challenge of this portal. Copy the one that this page shows, unchanged.");
  if (end <= now)
    throw refused(field, "This challenge has ended. Make the proof again with the one that this page shows.");
}

/**
 * Reads a CSR that has a challenge as its common name and is signed with its own key (RFC 2986 §3).
 *
 * @throws PortalError for the field of the CSR when it cannot be read, has another common name, or its signature is wrong.
 */
export function proofByCsr({ input: { read, kind }, field }: SentCsr, now: Date): ProvedKey {
  if (!read.ok || kind === "private-key") throw refused(field, unreadableRule({ read, kind }).message);
  const { csr } = read;
  requireChallenge(csr.subject.commonName?.trim() ?? "", field, now);
  const isSound = SOUND_HASHES.some((hash) => hash === csr.signature.hash);
  if (!isSound || !verifyCsrSignature(csr.signature, csr.spkiDer))
    throw refused(field, "The CSR is not signed with its own key by SHA-256, SHA-384 or SHA-512.");
  return { keyIdentity: csr.keyIdentity, evidence: `the CSR ${base64(csr.der)}` };
}

/** Returns whether a text holds a private key or a part of one. Such a text is never shown again. */
export const holdsPrivateKey = (text: string): boolean => readCsrInput(text).kind === "private-key";

/** Throws a PortalError for the field when a text holds a private key. */
function refusePrivateKey(field: "signature" | "publicKey", text: string): void {
  if (!holdsPrivateKey(text)) return;
  const instead = field === "signature" ? "the signature" : "the public key or the certificate";
  const message = `This holds a private key or a part of one. Never send a private key to anyone: it was not stored. Send ${instead}.`;
  throw refused(field, message);
}

/** Reads a public key from PEM: of a key or of a certificate. Throws a PortalError for `publicKey`. */
function readKey(pem: string): ReadPublicKey {
  const [block] = pemBlocks(pem);
  const der = fromBase64(block?.body ?? "");
  try {
    if (der && block?.label === "CERTIFICATE") return parseCertificate(der).key;
    if (der && block?.label === "PUBLIC KEY") return readPublicKey(der);
  } catch {
    // As for any other text: it cannot be read.
  }
  throw refused(
    "publicKey",
    "Paste the certificate, or the public key as 'openssl pkey -pubout' writes it. It starts with -----BEGIN.",
  );
}

/** `echo` and editors add the end of a line. */
const LINE_ENDS = ["", "\n", "\r\n"];

/**
 * Verifies a signature over a challenge by SHA-256: RSASSA-PKCS1-v1_5 for RSA keys (RFC 8017 §8.2), ECDSA in DER for keys on a curve.
 *
 * @throws PortalError for the field `challenge`, `signature` or `publicKey` that is wrong.
 */
export function proofBySignature({ challenge, signature, publicKey }: SignedChallenge, now: Date): ProvedKey {
  refusePrivateKey("signature", signature);
  refusePrivateKey("publicKey", publicKey);
  const text = challenge.trim();
  requireChallenge(text, "challenge", now);
  const value = fromBase64(signature);
  if (!value) throw refused("signature", "Paste the signature as base64: letters, digits, +, / and =.");
  const key = readKey(publicKey);
  const keyType = key.publicKey.algorithm === "EC" ? "ec" : "rsa";
  const isSigned = LINE_ENDS.some((end) =>
    verifyCsrSignature({ keyType, hash: "sha256", saltLength: null, tbs: Buffer.from(text + end), value }, key.spkiDer),
  );
  if (!isSigned)
    throw refused(
      "signature",
      "The signature does not fit the challenge and the public key. Sign exactly the text of the challenge, with SHA-256, and with the padding PKCS #1 v1.5 for an RSA key.",
    );
  const evidence = `the signature ${base64(value)} over '${text}' by the public key ${base64(key.spkiDer)}`;
  return { keyIdentity: keyIdentityOf(key), evidence };
}
