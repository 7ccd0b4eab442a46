import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { type Issuer, readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { CaError } from "~/ca/errors.server";
import { decryptPrivateKey, spkiDerOf } from "~/ca/keys.server";
import { Token } from "~/ca/pkcs11/token.server";
import { type SignatureHash, type Signer, softwareSigner } from "~/ca/signer.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { caSignatureHash } from "~/ca/x509/algorithms.server";
import { type Env, requireSecret } from "~/lib/env.server";
import { signerCertificateFile, signerCertificateFolder, signerKeyFile } from "~/lib/signer-files.server";

/** A CA for which the signer signs. */
export interface SigningIssuer {
  name: string;
  subject: string;
  issuer: Issuer;
  /** The hash of the signatures of this CA: that of its own certificate, as both CAs of a hierarchy use the same. */
  hash: SignatureHash;
  /** SHA-256 of the certificate and of its public key, lower-case hex. */
  certificateSha256: string;
  publicKeySha256: string;
  /** Opens the key if it is not open, and signs. */
  sign: Signer["sign"];
  /** Returns why the key cannot be used now, as a sentence, or null. */
  whyUnusable: () => Promise<string | null>;
}

/** The text that a key on a token signs to prove that it works. It is neither a certificate nor a CRL. */
const PROOF = Buffer.from("This signature shows that the key of a certificate authority answers.\n");

type OpenKey = Pick<SigningIssuer, "sign" | "whyUnusable">;

/** Opens a key file. Throws an Error or a CaError that names the file when it cannot be opened or belongs to another certificate. */
async function openFile(file: string, passphrase: string, publicKey: KeyObject, hash: SignatureHash): Promise<OpenKey> {
  const read = async () => {
    const key = decryptPrivateKey(await readFile(file, "utf8"), passphrase);
    if (createPublicKey(key).equals(publicKey)) return key;
    throw new Error(`The key ${file} does not belong to the certificate of its CA.`);
  };
  const signer = await read().then(
    (key) => softwareSigner(key, hash),
    (error: unknown) => {
      if (!(error instanceof CaError && error.code === "wrong-passphrase")) throw error;
      throw new CaError("wrong-passphrase", `CA_PASSPHRASE does not open ${file}.`);
    },
  );
  const whyUnusable = () =>
    Promise.resolve(existsSync(file) ? null : `The key ${file} is missing: put it back from its safe copy.`);
  return { sign: (tbs) => signer.sign(tbs), whyUnusable };
}

function onToken(token: Token, name: string, publicKey: KeyObject, hash: SignatureHash): OpenKey {
  const signer = token.signer(name, publicKey, hash);
  const whyUnusable = async () => {
    try {
      if (verify(hash, PROOF, publicKey, await signer.sign(PROOF))) return null;
      return `The token '${token.label}' signs wrongly with the key '${name}'.`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  return { sign: (tbs) => signer.sign(tbs), whyUnusable };
}

/** Returns the names of the CAs whose certificates are in the folder of the signer, in order. */
export async function listIssuerNames(directory: string): Promise<string[]> {
  const folder = signerCertificateFolder(directory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(folder)).filter((file) => file.endsWith(".cer")).map((file) => file.slice(0, -4));
  return names.sort();
}

/**
 * Opens the key of a CA whose certificate is in the folder of the signer. A key that PKCS11_AUTHORITIES names is on the token, and need not
 * answer yet; another one is a file, which must open.
 *
 * @throws Error or CaError with a sentence that names the file, or a ConfigError without CA_PASSPHRASE.
 */
export async function openIssuer({ signer, pkcs11, caPassphrase }: Env, name: string): Promise<SigningIssuer> {
  const { directory } = signer;
  const der = await readFile(signerCertificateFile(directory, name));
  const issuer = readIssuer(der);
  const { publicKey } = issuer;
  const hash = caSignatureHash(parseCertificate(der).signatureAlgorithm);
  const onTokenNames: readonly string[] = pkcs11?.authorities ?? [];
  const key =
    pkcs11 && onTokenNames.includes(name)
      ? onToken(new Token(pkcs11), name, publicKey, hash)
      : await openFile(signerKeyFile(directory, name), requireSecret(caPassphrase, "CA_PASSPHRASE"), publicKey, hash);
  return {
    name,
    subject: describeCertificate(der).subjectName,
    issuer,
    hash,
    certificateSha256: sha256Hex(der),
    publicKeySha256: sha256Hex(spkiDerOf(publicKey)),
    ...key,
  };
}

/** Opens the keys of all CAs whose certificates are in the folder of the signer. Throws what `openIssuer` throws. */
export async function openIssuers(env: Env): Promise<Map<string, SigningIssuer>> {
  const issuers = new Map<string, SigningIssuer>();
  for (const name of await listIssuerNames(env.signer.directory)) issuers.set(name, await openIssuer(env, name));
  return issuers;
}
