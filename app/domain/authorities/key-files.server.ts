import { type KeyObject, randomBytes } from "node:crypto";
import { access, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { encryptPrivateKey, spkiDerOf } from "~/ca/keys.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { getEnv, requireSecret } from "~/lib/env.server";
import { type AuthorityName } from "~db/tables";

const directory = () => join(getEnv().dataDir, "ca");
const PUBLIC_KEY_LINE = /^Public key SHA-256: ([0-9a-f]{64})$/m;

/** Returns the path of the encrypted key of an authority. */
export const keyFile = (name: AuthorityName): string => join(directory(), `${name}.key.pem`);

/**
 * Returns the path where a new key waits until its authority is stored. A key file at its final path without an authority therefore never
 * comes from this portal.
 */
const waitingFile = (name: AuthorityName, fingerprint: string) =>
  join(directory(), `${name}.${fingerprint.slice(0, 16)}.waiting.pem`);

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/** Returns the SHA-256 of a public key, or of the public half of a private key. */
export const keyFingerprint = (key: KeyObject): string => sha256Hex(spkiDerOf(key));

/** Returns the passphrase of the CA keys. Throws a ConfigError when it is not set. */
export const caPassphrase = (): string => requireSecret(getEnv().caPassphrase, "CA_PASSPHRASE");

export async function readKeyFile(name: AuthorityName): Promise<string | null> {
  return (await exists(keyFile(name))) ? readFile(keyFile(name), "utf8") : null;
}

/**
 * Returns the fingerprint that the portal's key files have above the PEM block (explanatory text, RFC 7468 §2). Returns null for files from
 * elsewhere.
 */
export const fingerprintNoted = (pem: string): string | null => PUBLIC_KEY_LINE.exec(pem)?.[1] ?? null;

/** Encrypts a new key with the passphrase and writes it to its waiting file. */
export async function writeWaitingKey(name: AuthorityName, key: KeyObject): Promise<void> {
  const fingerprint = keyFingerprint(key);
  const pem = await encryptPrivateKey(key, caPassphrase(), randomBytes);
  const text = `CA key '${name}', encrypted. Keep a copy in a safe place.\nPublic key SHA-256: ${fingerprint}\n${pem}`;
  await writeFileAtomically(waitingFile(name, fingerprint), text);
}

/** Moves the waiting key of a stored authority to its final path. Returns false when there is no such key. */
export async function adoptWaitingKey(name: AuthorityName, fingerprint: string): Promise<boolean> {
  try {
    await rename(waitingFile(name, fingerprint), keyFile(name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return exists(keyFile(name)); // another process was faster
  }
}

/** Removes the waiting keys of attempts that led to no authority. */
export async function removeWaitingKeys(name: AuthorityName): Promise<void> {
  const files = await readdir(directory()).catch(() => []);
  const waiting = files.filter((file) => file.startsWith(`${name}.`) && file.endsWith(".waiting.pem"));
  await Promise.all(waiting.map((file) => rm(join(directory(), file), { force: true })));
}
