import { createPublicKey, type KeyObject } from "node:crypto";
import { access, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { CaError } from "~/ca/errors.server";
import { encryptedText, keyFingerprint } from "~/ca/key-text.server";
import { decryptPrivateKey } from "~/ca/keys.server";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { keyFolderIn } from "~/lib/data-files.server";
import { type Env, getEnv } from "~/lib/env.server";
import { isWaitingKeyName, signerKeyFile, waitingKeyName } from "~/lib/signer-files.server";
import { type AuthorityName } from "~db/tables";
import { ROOT_NAMES } from "./catalogue";
import { keyKindOf, PASSPHRASE_VARIABLES, passphraseOf } from "./passphrases.server";

/** Returns the folder of the key files. */
export const keyFolder = (): string => keyFolderIn(getEnv().dataDir);

/** Returns the path of the encrypted key of an authority. */
export const keyFile = (name: AuthorityName): string => join(keyFolder(), `${name}.key.pem`);

/**
 * Returns the path where a new key waits until its authority is stored. A key file at its final path without an authority therefore never
 * comes from this portal.
 */
const waitingFile = (name: AuthorityName, fingerprint: string) => join(keyFolder(), waitingKeyName(name, fingerprint));

/** Returns whether a file with this name in the folder of the key files has a key of a root. */
export const isKeyOfRoot = (file: string): boolean =>
  file.endsWith(".pem") && ROOT_NAMES.some((name) => file.startsWith(`${name}.`));

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

export async function readKeyFile(name: AuthorityName): Promise<string | null> {
  return (await exists(keyFile(name))) ? readFile(keyFile(name), "utf8") : null;
}

/**
 * Returns what to do when the key of an authority is missing, as the end of a sentence. It may be where a signer had it that the portal
 * started itself (SIGNER_CHILD).
 */
export async function missingKeyHint(name: AuthorityName): Promise<string> {
  const { signerWay, signer } = getEnv();
  const atSigner = signerKeyFile(signer.directory, name);
  if (signerWay || !(await exists(atSigner))) return "put it back from its safe copy.";
  return `set SIGNER_CHILD=yes, or stop the portal and move the key back from ${atSigner}.`;
}

/** Encrypts a new key with the passphrase of its kind and writes it to its waiting file. */
export const writeWaitingKey = async (name: AuthorityName, key: KeyObject): Promise<void> =>
  writeFileAtomically(
    waitingFile(name, keyFingerprint(key)),
    await encryptedText(name, key, passphraseOf(keyKindOf(name))),
  );

/** Opens the key in the text of a key file. Throws a CaError `wrong-passphrase` that names the file and the variable. */
export function openKeyText(name: AuthorityName, text: string, passphrase = passphraseOf(keyKindOf(name))): KeyObject {
  try {
    return decryptPrivateKey(text, passphrase);
  } catch (error) {
    if (!(error instanceof CaError && error.code === "wrong-passphrase")) throw error;
    throw new CaError("wrong-passphrase", `${PASSPHRASE_VARIABLES[keyKindOf(name)]} does not open ${keyFile(name)}.`);
  }
}

/** Throws an Error when the key in the file of an authority is not the one of the authority's certificate, which has this public key. */
export function requireOwnKey(name: AuthorityName, key: KeyObject, publicKey: KeyObject): void {
  if (!createPublicKey(key).equals(publicKey))
    throw new Error(`The CA key ${keyFile(name)} does not belong to the stored certificate of '${name}'.`);
}

/** Replaces a key file by one that another passphrase opens. */
export const rewriteKey = async (name: AuthorityName, key: KeyObject, passphrase: string): Promise<void> =>
  writeFileAtomically(keyFile(name), await encryptedText(name, key, passphrase));

/**
 * Returns a sentence for each key of a root that the machine of the portal has, as a file or on its token. A portal for real use has none:
 * whoever controls it could make other CAs.
 */
export async function rootKeysHere({ dataDir, pkcs11 }: Pick<Env, "dataDir" | "pkcs11">): Promise<string[]> {
  const directory = keyFolderIn(dataDir);
  const files = (await readdir(directory).catch(() => [])).filter(isKeyOfRoot).sort();
  const onToken = ROOT_NAMES.filter((name) => pkcs11?.authorities.includes(name));
  const why =
    "the keys of the roots must be elsewhere when PUBLIC_URL is https: on the machine of 'npm run portal -- ca ceremony' " +
    "(docs/ceremony.md, and 'Keys of the roots' in docs/operations.md)";
  return [
    ...files.map((file) => `${join(directory, file)} is a key of a root: ${why}`),
    ...onToken.map((name) => `PKCS11_AUTHORITIES names '${name}': ${why}`),
  ];
}

/**
 * Returns a sentence for each key file of an issuing CA that the machine of the portal has although a signer is to have the keys. Only the
 * signer may be able to sign.
 */
async function issuingKeysHere({
  dataDir,
  needsCaPassphrase,
}: Pick<Env, "dataDir" | "needsCaPassphrase">): Promise<string[]> {
  const directory = keyFolderIn(dataDir);
  const isOfIssuing = (file: string) => file.endsWith(".pem") && !isKeyOfRoot(file);
  const files = needsCaPassphrase ? [] : (await readdir(directory).catch(() => [])).filter(isOfIssuing).sort();
  return files.map(
    (file) =>
      `${join(directory, file)} is a key of an issuing CA: run 'npm run portal -- signer adopt', which moves it to the signer ('The signer' in docs/operations.md)`,
  );
}

/** Returns a sentence for each key that must not be on the machine of a portal for real use. */
export const keysForElsewhere = async (
  env: Pick<Env, "dataDir" | "pkcs11" | "needsCaPassphrase">,
): Promise<string[]> => [...(await rootKeysHere(env)), ...(await issuingKeysHere(env))];

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

/** Returns the paths of the keys that wait for their authorities, of one name or of all. */
export async function listWaitingKeys(name = ""): Promise<string[]> {
  const files = await readdir(keyFolder()).catch(() => []);
  return files.filter((file) => isWaitingKeyName(file, name)).map((file) => join(keyFolder(), file));
}

/** Removes the waiting keys of attempts that led to no authority. */
export async function removeWaitingKeys(name: AuthorityName): Promise<void> {
  await Promise.all((await listWaitingKeys(name)).map((file) => rm(file, { force: true })));
}
