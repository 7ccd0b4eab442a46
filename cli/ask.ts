import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { memoize } from "~/lib/memoize.server";

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

/** The reader of an input that is not a terminal. There is only one, because it reads ahead. */
const reader = memoize(() => {
  const lines = createInterface({ input: process.stdin });
  return { lines, iterator: lines[Symbol.asyncIterator]() };
});

/** Stops reading the input, so that the process can end while somebody could still type. Call it after the last `askLine`. */
export const endAsking = (): void => reader.peek()?.lines.close();

/**
 * Asks a question and returns the line that is typed, or null at the end of the input. The answers can also come from a file or another
 * program.
 */
export async function askLine(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) {
    process.stdout.write(`${question}: `);
    const line = await reader().iterator.next();
    process.stdout.write("\n");
    return line.done ? null : line.value;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<null>((resolve) => terminal.once("close", () => resolve(null)));
  try {
    return await Promise.race([terminal.question(`${question}: `), ended]);
  } finally {
    terminal.close();
  }
}

/** The option that takes the place of an answer on the terminal. */
export const YES = ["--yes", "do not ask; for scripts"] as const;

/**
 * Asks the operator to type a word before something that cannot be undone. Throws an Error when something else is typed, and when there is
 * no terminal.
 */
export async function askToType(word: string, question: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Error(
      `Nothing was changed, because there is no terminal to ask: repeat the command with --yes. ${question}`,
    );
  const typed = await askLine(`${question} Type ${word} to go on`);
  if (typed?.trim() !== word) throw new Error("Nothing was changed.");
}
