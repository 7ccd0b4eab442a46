import { createPublicKey, type KeyObject } from "node:crypto";
import { link, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { CaError } from "~/ca/errors.server";
import { encryptedText, keyFingerprint, fingerprintNoted } from "~/ca/key-text.server";
import { decryptPrivateKey, generateRsaKey } from "~/ca/keys.server";
import { Token } from "~/ca/pkcs11/token.server";
import { type SignatureHash, type Signer, softwareSigner } from "~/ca/signer.server";
import { keyFolder } from "~/domain/authorities/key-files.server";
import {
  PASSPHRASE_VARIABLES,
  passphraseOf,
  requireNewPassphrase,
  SHORTEST_PASSPHRASE,
} from "~/domain/authorities/passphrases.server";
import { syncDirectory, writeFileAtomically } from "~/lib/atomic-file.server";
import { getEnv } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { type StepOf } from "./plan-schema.server";

/** The kinds of keys that sign in a ceremony. Each has a passphrase of its own. */
export type SigningKind = "root" | "issuing";

/** Asks for the passphrase of a kind of keys, unless it is known. `isNew` means that it will encrypt a new key. */
export type AskPassphrase = (kind: SigningKind, isNew: boolean) => Promise<void>;

/** The token of the PKCS11_ variables, or null when they are not set. */
const token = memoize(() => {
  const { pkcs11 } = getEnv();
  return pkcs11 ? new Token(pkcs11) : null;
});

function requireToken(): Token {
  const found = token();
  if (!found) throw new Error("The plan makes a key on a token: set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN.");
  return found;
}

const finalFile = (name: string) => join(keyFolder(), `${name}.key.pem`);

/** How a key is called until its certificate is written: it belongs to one plan. */
const waitingName = (name: string, planSha256: string) => `${name}.${planSha256.slice(0, 16)}`;
const waitingFile = (name: string, planSha256: string) =>
  join(keyFolder(), `${waitingName(name, planSha256)}.ceremony.pem`);

const readText = (file: string) =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });

function open(file: string, pem: string, kind: SigningKind): KeyObject {
  try {
    return decryptPrivateKey(pem, passphraseOf(kind));
  } catch (error) {
    if (!(error instanceof CaError && error.code === "wrong-passphrase")) throw error;
    throw new CaError("wrong-passphrase", `${PASSPHRASE_VARIABLES[kind]}, or what was typed, does not open ${file}.`);
  }
}

/** Writes a new key as the portal's key files are, so that the portal's commands can open it. */
async function writeKey(name: string, file: string, key: KeyObject): Promise<void> {
  await writeFileAtomically(file, await encryptedText(name, key, passphraseOf("root")), { exclusive: true });
}

const TAKEN = "Choose another name for the step, or move the key away when nobody needs it any more.";

async function makeInFile(name: string, bits: number, planSha256: string, ask: AskPassphrase): Promise<KeyObject> {
  const file = waitingFile(name, planSha256);
  const waiting = await readText(file);
  if (waiting !== null) {
    await ask("root", false);
    return createPublicKey(open(file, waiting, "root"));
  }
  if ((await readText(finalFile(name))) !== null)
    throw new Error(`There is a key ${finalFile(name)} already. ${TAKEN}`);
  await ask("root", true);
  if (passphraseOf("root").length < SHORTEST_PASSPHRASE)
    throw new Error(
      `The passphrase of a new key must have ${SHORTEST_PASSPHRASE} characters or more. No key was made.`,
    );
  const { privateKey, publicKey } = await generateRsaKey(bits);
  await writeKey(name, file, privateKey);
  return publicKey;
}

async function makeOnToken(name: string, bits: number, planSha256: string): Promise<KeyObject> {
  const device = requireToken();
  const label = waitingName(name, planSha256);
  const [waiting] = await device.listPublicKeys(label);
  if (waiting) return waiting;
  if ((await device.listPublicKeys(name)).length > 0)
    throw new Error(`There is a key '${name}' on the token '${device.label}' already. ${TAKEN}`);
  return device.generateKey(label, bits);
}

/**
 * Makes the key of a new root. It waits under a name that belongs to the plan until `settleRootKey`. A repetition finds it, so there is never
 * a second key.
 *
 * @param planSha256 The SHA-256 of the plan.
 * @returns The public half.
 * @throws Error when there is a key of this name that the plan did not make.
 */
export const makeRootKey = (
  { name, key: { store, bits } }: StepOf<"root">,
  planSha256: string,
  ask: AskPassphrase,
): Promise<KeyObject> =>
  store === "file" ? makeInFile(name, bits, planSha256, ask) : makeOnToken(name, bits, planSha256);

/** Gives the key of a root its final name, after its certificate was written. Can be repeated. */
export async function settleRootKey(
  { name, key }: StepOf<"root">,
  planSha256: string,
  publicKey: KeyObject,
): Promise<void> {
  if (key.store === "token") {
    const label = waitingName(name, planSha256);
    if ((await requireToken().listPublicKeys(label)).length > 0)
      await requireToken().relabelKey(label, name, publicKey);
    return;
  }
  const [waiting, final] = [waitingFile(name, planSha256), finalFile(name)];
  const found = await readText(final);
  if (found === null) await link(waiting, final);
  else if (fingerprintNoted(found) !== keyFingerprint(publicKey))
    throw new Error(`There is another key ${final} now. The key of this ceremony is ${waiting}: keep both.`);
  await rm(waiting, { force: true });
  await syncDirectory(keyFolder());
}

/** Returns the text of the key file with this public half, or null. Files from elsewhere do not say whose key they hold. */
async function findFile(publicKey: KeyObject): Promise<{ file: string; text: string; isSure: boolean }[]> {
  const wanted = keyFingerprint(publicKey);
  const names = (await readdir(keyFolder()).catch(() => [])).filter((name) => name.endsWith(".pem")).toSorted();
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(keyFolder(), name);
      return { file, text: (await readText(file)) ?? "" };
    }),
  );
  const sure = files.filter(({ text }) => fingerprintNoted(text) === wanted);
  if (sure.length > 0) return sure.map((one) => ({ ...one, isSure: true }));
  const unnamed = files.filter(({ text }) => fingerprintNoted(text) === null && text.includes("ENCRYPTED PRIVATE KEY"));
  return unnamed.map((one) => ({ ...one, isSure: false }));
}

async function openFile(publicKey: KeyObject, kind: SigningKind, ask: AskPassphrase): Promise<KeyObject | null> {
  const candidates = await findFile(publicKey);
  if (candidates.length > 0) await ask(kind, false);
  for (const { file, text, isSure } of candidates) {
    try {
      const key = open(file, text, kind);
      if (createPublicKey(key).equals(publicKey)) return key;
      if (isSure) throw new Error(`${file} says that it holds the key of the certificate, but holds another one.`);
    } catch (error) {
      if (isSure) throw error;
    }
  }
  return null;
}

/**
 * Opens the key with this public half: a key file in DATA_DIR/ca, or a key on the token of the PKCS11_ variables.
 *
 * @param name What the plan calls the CA, for errors.
 * @returns A signer. Nothing else keeps the key.
 * @throws Error when there is no such key, a ConfigError without a passphrase, or a CaError `wrong-passphrase`, `wrong-pin` or `token`.
 */
export async function openKey(
  name: string,
  publicKey: KeyObject,
  { hash, kind }: { hash: SignatureHash; kind: SigningKind },
  ask: AskPassphrase,
): Promise<Signer> {
  const key = await openFile(publicKey, kind, ask);
  if (key) return softwareSigner(key, hash);
  const device = token();
  const label = device && (await device.findLabel(publicKey));
  if (device && label !== null) return device.signer(label, publicKey, hash);
  const places = device ? `${keyFolder()} and the token '${device.label}' do` : `${keyFolder()} does`;
  throw new Error(
    `The key of '${name}' is missing: ${places} not hold the key with the public key SHA-256 ${keyFingerprint(publicKey)}. Bring it, then run the command again.`,
  );
}

/** Opens a key file with the present passphrase of the roots, or with the next one after an interrupted change. */
function openWithEither(file: string, text: string, next: string): { key: KeyObject; isChanged: boolean } {
  try {
    return { key: open(file, text, "root"), isChanged: false };
  } catch (error) {
    try {
      return { key: decryptPrivateKey(text, next), isChanged: true };
    } catch {
      throw error;
    }
  }
}

/** Returns the key file of a root, opened. Throws an Error when none in DATA_DIR/ca has this public half. */
async function openRootFile(publicKey: KeyObject, next: string) {
  for (const { file, text, isSure } of await findFile(publicKey)) {
    try {
      const opened = openWithEither(file, text, next);
      if (createPublicKey(opened.key).equals(publicKey)) return { file, ...opened };
    } catch (error) {
      if (isSure) throw error;
    }
  }
  throw new Error(
    `${keyFolder()} has no key file with the public key SHA-256 ${keyFingerprint(publicKey)} that the passphrase opens.`,
  );
}

/**
 * Encrypts the key files of roots with another passphrase, on a machine without a database. All files are opened before the first one is
 * written. After an interruption, the same change can be made again.
 *
 * @param publicKeys The public halves of the keys, from the certificates of the roots.
 * @param next The new passphrase.
 * @returns The paths of the files that this call has changed.
 * @throws Error when there is no such file, or the new passphrase is too short or in use, and a CaError `wrong-passphrase`.
 */
export async function changeRootPassphrase(publicKeys: readonly KeyObject[], next: string): Promise<string[]> {
  requireNewPassphrase(next);
  const opened = [];
  for (const publicKey of publicKeys) opened.push(await openRootFile(publicKey, next));
  const changed = opened.filter(({ isChanged }) => !isChanged);
  for (const { file, key } of changed)
    await writeFileAtomically(file, await encryptedText(basename(file, ".key.pem"), key, next));
  return changed.map(({ file }) => file);
}
