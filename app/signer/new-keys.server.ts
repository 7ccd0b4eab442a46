import { createPublicKey, type KeyObject } from "node:crypto";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { elementsOf } from "~/ca/crl/parts.server";
import { CaError } from "~/ca/errors.server";
import { encryptedText, keyFingerprint } from "~/ca/key-text.server";
import { decryptPrivateKey, generateRsaKey, spkiDerOf } from "~/ca/keys.server";
import { Token } from "~/ca/pkcs11/token.server";
import { type SignatureHash, softwareSigner } from "~/ca/signer.server";
import { caSignatureHash } from "~/ca/x509/algorithms.server";
import { syncDirectory, writeFileAtomically } from "~/lib/atomic-file.server";
import { type Env, requireSecret } from "~/lib/env.server";
import {
  isWaitingKeyName,
  signerCertificateFile,
  signerKeyFile,
  signerKeyFolder,
  waitingKeyName,
} from "~/lib/signer-files.server";
import { type NewKeyRequest } from "./protocol";
import { Refusal, requireRule } from "./refusal.server";

/** How many keys may wait for their certificates. The portal could fill the disk or the token with them otherwise. */
const MOST_WAITING = 5;

const SEQUENCE = 0x30;
const CONTEXT_0 = 0xa0;
/** Version 1, which is 0 (RFC 2986 §4.1). */
const V1 = Buffer.from([2, 1, 0]);

const SHA256_HEX = /^[0-9a-f]{64}$/;

const waitingLabel = (name: string) => `${name}.waiting`;

/** Throws a Refusal unless the bytes are a CertificationRequestInfo (RFC 2986 §4.1) for this key, without attributes. */
function requireRequestFor(information: Uint8Array, publicKey: KeyObject): void {
  const [whole, ...behind] = elementsOf(information);
  const [version, subject, key, attributes, ...more] = whole?.tag === SEQUENCE ? [...elementsOf(whole.content)] : [];
  const isRequest =
    behind.length === 0 &&
    more.length === 0 &&
    version !== undefined &&
    V1.equals(version.der) &&
    subject?.tag === SEQUENCE &&
    attributes?.tag === CONTEXT_0 &&
    attributes.content.length === 0;
  requireRule(isRequest, "A key that waits for its certificate signs nothing but the request for it.");
  requireRule(
    key !== undefined && Buffer.compare(key.der, spkiDerOf(publicKey)) === 0,
    "The request is for another key.",
  );
}

/** The keys of future CAs, which wait in the signer until their certificates arrive: encrypted files, or keys of the token. */
export class NewKeys {
  private readonly token: Token | null;
  private readonly folder: string;
  /** The last key that is being made. They are made one after the other, because that takes seconds of a processor. */
  private making: Promise<unknown> = Promise.resolve();

  constructor(private readonly env: Env) {
    this.token = env.pkcs11 ? new Token(env.pkcs11) : null;
    this.folder = signerKeyFolder(env.signer.directory);
  }

  private tokenFor(name: string): Token | null {
    const names: readonly string[] = this.env.pkcs11?.authorities ?? [];
    return names.includes(name) ? this.token : null;
  }

  private get passphrase(): string {
    return requireSecret(this.env.caPassphrase, "CA_PASSPHRASE");
  }

  private waitingFile(name: string, fingerprint: string): string {
    return join(this.folder, waitingKeyName(name, fingerprint));
  }

  private async waitingFiles(name = ""): Promise<string[]> {
    const files = await readdir(this.folder).catch(() => []);
    return files.filter((file) => isWaitingKeyName(file, name));
  }

  /**
   * Makes an RSA key that waits for the certificate of a CA with this name. Returns its SubjectPublicKeyInfo.
   *
   * @throws Refusal `refused` when too many keys wait.
   */
  make(name: string, { bits }: NewKeyRequest): Promise<Uint8Array> {
    const turn = this.making.then(() => this.makeNow(name, bits));
    this.making = turn.catch(() => undefined);
    return turn;
  }

  private async makeNow(name: string, bits: number): Promise<Uint8Array> {
    const token = this.tokenFor(name);
    const waiting = token
      ? (await token.listPublicKeys(waitingLabel(name))).length
      : (await this.waitingFiles()).length;
    requireRule(
      waiting < MOST_WAITING,
      `${MOST_WAITING} keys wait for their certificates at the signer. Install one, or remove those that are not needed.`,
    );
    if (token) return spkiDerOf(await token.generateKey(waitingLabel(name), bits));
    const { privateKey, publicKey } = await generateRsaKey(bits);
    const text = await encryptedText(name, privateKey, this.passphrase);
    await writeFileAtomically(this.waitingFile(name, keyFingerprint(publicKey)), text);
    return spkiDerOf(publicKey);
  }

  /** Returns the public key of a waiting key, and what signs with it. Throws a Refusal `not-found`. */
  private async open(name: string, fingerprint: string, hash: SignatureHash) {
    const token = this.tokenFor(name);
    if (!SHA256_HEX.test(fingerprint)) throw new Refusal("malformed", "'key' must be a SHA-256 in lower-case hex.");
    if (token) {
      const keys = await token.listPublicKeys(waitingLabel(name));
      const publicKey = keys.find((key) => keyFingerprint(key) === fingerprint);
      if (publicKey) return { publicKey, signer: token.signer(waitingLabel(name), publicKey, hash) };
    } else {
      const text = await readFile(this.waitingFile(name, fingerprint), "utf8").catch(() => null);
      const key = text === null ? null : decryptPrivateKey(text, this.passphrase);
      const publicKey = key && createPublicKey(key);
      if (publicKey && keyFingerprint(publicKey) === fingerprint)
        return { publicKey, signer: softwareSigner(key, hash) };
    }
    throw new Refusal("not-found", `No key '${name}' with the SHA-256 ${fingerprint} waits at the signer.`);
  }

  /** Signs the request for the certificate of a waiting key. Throws a Refusal for anything else. */
  async signRequest(
    name: string,
    { key, hash }: { key: string; hash: SignatureHash },
    information: Uint8Array,
  ): Promise<Uint8Array> {
    const { publicKey, signer } = await this.open(name, key, hash);
    try {
      requireRequestFor(information, publicKey);
    } catch (error) {
      throw error instanceof CaError ? new Refusal("malformed", "This is no request for a certificate.") : error;
    }
    return signer.sign(information);
  }

  /** Returns whether the key of this certificate is in its final place, as after an interrupted `install`. */
  private async isInPlace(name: string, publicKey: KeyObject): Promise<boolean> {
    const token = this.tokenFor(name);
    if (token) return (await token.listPublicKeys(name)).some((key) => key.equals(publicKey));
    const text = await readFile(signerKeyFile(this.env.signer.directory, name), "utf8").catch(() => null);
    return text !== null && createPublicKey(decryptPrivateKey(text, this.passphrase)).equals(publicKey);
  }

  private async putInPlace(name: string, publicKey: KeyObject): Promise<void> {
    const token = this.tokenFor(name);
    if (token) return token.relabelKey(waitingLabel(name), name, publicKey);
    const file = this.waitingFile(name, keyFingerprint(publicKey));
    await rename(file, signerKeyFile(this.env.signer.directory, name));
    await syncDirectory(this.folder);
  }

  private async removeOthers(name: string): Promise<void> {
    await this.tokenFor(name)?.removeKeys(waitingLabel(name));
    for (const file of await this.waitingFiles(name)) await rm(join(this.folder, file));
  }

  /**
   * Makes the waiting key of this certificate the key of a CA, writes the certificate, and removes the other keys that waited under the name.
   * Can be repeated after an interruption.
   *
   * @throws Refusal `not-found` when the key does not wait here, `malformed` for bytes that are no certificate, and `refused` for one that is
   *   not that of a CA.
   */
  async install(name: string, certificateDer: Uint8Array): Promise<void> {
    const publicKey = this.publicKeyOf(certificateDer);
    if (!(await this.isInPlace(name, publicKey))) {
      await this.open(name, keyFingerprint(publicKey), "sha256");
      await this.putInPlace(name, publicKey);
    }
    await writeFileAtomically(signerCertificateFile(this.env.signer.directory, name), certificateDer);
    await this.removeOthers(name);
  }

  private publicKeyOf(certificateDer: Uint8Array): KeyObject {
    try {
      const { isCa, keyUsage } = describeCertificate(certificateDer);
      requireRule(isCa && keyUsage.includes("keyCertSign"), "The certificate is not that of a CA.");
      caSignatureHash(parseCertificate(certificateDer).signatureAlgorithm); // or the signer could not start again
      return readIssuer(certificateDer).publicKey;
    } catch (error) {
      throw error instanceof CaError ? new Refusal("malformed", `This is no certificate. ${error.message}`) : error;
    }
  }
}
