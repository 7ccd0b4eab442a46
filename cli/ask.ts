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

/** Asks a question on the terminal. Returns whether the answer is 'yes'. Throws an Error when there is no terminal. */
export async function askYes(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error("There is no terminal to ask on: use --yes.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`${question} Type 'yes': `)).trim().toLowerCase() === "yes";
  } finally {
    terminal.close();
  }
}
