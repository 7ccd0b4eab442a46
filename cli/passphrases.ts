import { type KeyKind } from "~/domain/authorities/passphrases.server";
import { askSecret } from "./ask";
import { say } from "./output";

/** The option that names a file with the passphrase of the roots, or with shares of it. */
export const PASSPHRASE_FILE = [
  "--passphrase-file <file>",
  "the passphrase of the keys in its first line, or a share of it in each line; otherwise the variable, or the terminal",
] as const;

/** Reads a passphrase, or the shares of one, from the lines of a file. */
async function readPassphraseFile(file: string): Promise<string> {
  const { gatherShares, isShare } = await import("~/domain/authorities/passphrase-shares.server");
  const { readLines } = await import("~/domain/backup/locks.server");
  const lines = await readLines(file);
  if (!isShare(lines[0] ?? "")) return lines[0] ?? "";
  const { passphrase, missing } = await gatherShares(lines);
  if (passphrase === null) throw new Error(`${file} has too few shares. Missing: ${missing}.`);
  return passphrase;
}

/** Asks for a passphrase, or for shares of it one after the other. */
async function askPassphrase(question: string): Promise<string> {
  const { gatherShares, isShare } = await import("~/domain/authorities/passphrase-shares.server");
  const first = await askSecret(question);
  if (!isShare(first)) return first;
  for (const lines = [first]; ;) {
    const { passphrase, missing } = await gatherShares(lines);
    if (passphrase !== null) return passphrase;
    lines.push(await askSecret(missing === 1 ? "The last share" : `Next share (${missing} to come)`));
  }
}

const NAMES: Record<KeyKind, string> = {
  root: "the roots",
  issuing: "the issuing CAs",
  responder: "the OCSP responders",
};

/**
 * Makes the passphrase of a kind of keys known to this process: from the file, the variable, or the terminal. Without any of them, the work
 * that opens such a key fails with a sentence that names the variable.
 */
export async function givePassphrase(kind: KeyKind, file: string | undefined): Promise<void> {
  const { findPassphrase, takePassphrase } = await import("~/domain/authorities/passphrases.server");
  if (file !== undefined) return takePassphrase(kind, await readPassphraseFile(file));
  if (findPassphrase(kind) !== undefined || !process.stdin.isTTY) return;
  takePassphrase(kind, await askPassphrase(`Passphrase of the keys of ${NAMES[kind]}, or a share of it`));
}

/** Returns a new passphrase from a file, or from the terminal, where it is typed twice unless shares of it are. */
export async function newPassphrase(kind: KeyKind, file: string | undefined): Promise<string> {
  if (file !== undefined) return readPassphraseFile(file);
  const typed = await askPassphrase(`New passphrase of the keys of ${NAMES[kind]}, or a share of it`);
  if (typed !== (await askPassphrase("Again"))) throw new Error("The two passphrases differ.");
  return typed;
}

/** Clears the screen and what can be scrolled back to, and moves to the top. */
const CLEAR_SCREEN = "\u001B[2J\u001B[3J\u001B[H";

/**
 * Makes a random passphrase and shows shares of it. On a terminal it waits after each share and removes it from the screen, so that each
 * holder sees only their own. As many as are needed must then be typed, which proves that they were written down.
 */
export async function newShares(shares: number, needed: number): Promise<string> {
  const { randomBytes } = await import("node:crypto");
  const { splitPassphrase } = await import("~/domain/authorities/passphrase-shares.server");
  const passphrase = randomBytes(32).toString("base64url");
  const lines = await splitPassphrase(passphrase, shares, needed);
  for (const [index, line] of lines.entries()) {
    say(`Share ${index + 1} of ${shares}. Any ${needed} of them open the keys:`);
    say(line);
    if (!process.stdin.isTTY) continue;
    await askSecret("Write it down, then press Enter");
    process.stdout.write(CLEAR_SCREEN);
  }
  if (process.stdin.isTTY && (await askPassphrase("Type one of the shares that were written down")) !== passphrase)
    throw new Error("These are not the shares that were shown. Nothing was changed.");
  return passphrase;
}
