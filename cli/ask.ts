import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Asks for a secret on the terminal without showing what is typed. Throws an Error when there is no terminal. */
export async function askSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error("There is no terminal to ask for the passphrase: use --passphrase-file FILE.");
  const nowhere = new Writable({ write: (_, __, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(`${question}: `); // now that the terminal shows nothing
  try {
    return await terminal.question("");
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

/** The option that takes the place of an answer on the terminal. */
export const YES = ["--yes", "do not ask; for scripts"] as const;

/**
 * Asks the operator to type a word before something that cannot be undone. Throws an Error when something else is typed, and when there is
 * no terminal.
 */
export async function askToType(word: string, question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Error(`${question} There is no terminal to ask: repeat the command with --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await terminal.question(`${question} Type ${word} to go on: `);
    if (typed.trim() !== word) throw new Error("Nothing was changed.");
  } finally {
    terminal.close();
  }
}
