import { readFile } from "node:fs/promises";
import { Decrypter, Encrypter } from "age-encryption";
import { findPassphrase, KEY_KINDS, PASSPHRASE_VARIABLES } from "~/domain/authorities/passphrases.server";
import { explainFileError } from "~/lib/file-problem.server";

/** For whom an archive is encrypted: age recipients, or a passphrase as the last resort. */
export type ArchiveLock = { recipients: readonly string[] } | { passphrase: string };

/** What opens an archive: age identities, or its passphrase. */
export type ArchiveOpening = { identities: readonly string[] } | { passphrase: string };

const PASSPHRASE_LENGTH = 12;

/** Returns the text of a file that an operator has named. Throws a FileProblem when it cannot be read. */
const readText = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: unknown) => {
    throw explainFileError(error, file);
  });

/** Reads a file with one key in each line. Empty lines and comments (`#`) are left out. */
export async function readKeyLines(file: string): Promise<string[]> {
  const keys = (await readLines(file)).filter((line) => !line.startsWith("#"));
  if (keys.length === 0) throw new Error(`${file} contains no key.`);
  if (keys[0]?.startsWith("age-encryption.org/"))
    throw new Error(
      `${file} is itself encrypted: decrypt it into a pipe, 'age -d ${file} | … --identity /dev/stdin', or into memory.`,
    );
  return keys;
}

/** Reads the lines of a file, without those that are empty. */
export const readLines = async (file: string): Promise<string[]> =>
  (await readText(file))
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Reads a passphrase from the first line of a file. */
export const readPassphrase = async (file: string): Promise<string> => (await readLines(file))[0] ?? "";

/** Throws an Error when a passphrase is too short, or opens keys of CAs or responders too. */
export function requireGoodPassphrase(passphrase: string): void {
  if (passphrase.length < PASSPHRASE_LENGTH)
    throw new Error(`The passphrase of a backup must have ${PASSPHRASE_LENGTH} characters or more.`);
  const opened = KEY_KINDS.find((kind) => findPassphrase(kind) === passphrase);
  if (opened)
    throw new Error(
      `The passphrase of a backup must not be ${PASSPHRASE_VARIABLES[opened]}: one secret would open all that is in it.`,
    );
}

/** Returns what encrypts an archive. Throws an Error that names a recipient that age does not know. */
export function encrypterFor(lock: ArchiveLock): Encrypter {
  const encrypter = new Encrypter();
  if ("passphrase" in lock) {
    encrypter.setPassphrase(lock.passphrase);
    return encrypter;
  }
  for (const recipient of lock.recipients) {
    if (recipient.startsWith("AGE-SECRET-KEY-"))
      throw new Error("A recipient begins with 'age1'. This is a secret identity: it belongs where backups are read.");
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new Error(`'${recipient}' is not an age recipient, as 'age-keygen' prints it after 'Public key:'.`);
    }
  }
  return encrypter;
}

/** Returns what decrypts an archive. Throws an Error for an identity that age does not know, without repeating it. */
export function decrypterFor(opening: ArchiveOpening): Decrypter {
  const decrypter = new Decrypter();
  if ("passphrase" in opening) {
    decrypter.addPassphrase(opening.passphrase);
    return decrypter;
  }
  for (const identity of opening.identities) {
    try {
      decrypter.addIdentity(identity);
    } catch {
      throw new Error("A line of the identities is not an age identity, which begins with 'AGE-SECRET-KEY-'.");
    }
  }
  return decrypter;
}

/** Returns for whom an archive is encrypted, in words. */
export const lockInWords = (lock: ArchiveLock): string =>
  "passphrase" in lock
    ? "encrypted with a passphrase"
    : `encrypted for ${lock.recipients.map((recipient) => `${recipient.slice(0, 14)}…`).join(" and ")}`;
