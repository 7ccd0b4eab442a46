import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import { type JournalEntry } from "~/signer/journal-entry.server";
import { COMMAND_LINE } from "../../scripts/build.mjs";
import { TEST_PASSPHRASE } from "./template";

const running = new Set<ChildProcess>();

/** Starts a process of the signer and resolves when it listens. Rejects with what it printed when it ends before. */
export async function startSigner(
  env: Record<string, string>,
  program: readonly string[] = [COMMAND_LINE, "signer", "serve"],
): Promise<ChildProcess> {
  const child = spawn(process.execPath, program, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let printed = "";
  const listening = new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (text: Buffer) => (printed += text.toString()));
    child.stdout.on("data", (text: Buffer) => {
      printed += text.toString();
      if (printed.includes("The signer listens on")) resolve();
    });
    child.once("close", () => reject(new Error(printed.trim())));
  });
  child.once("close", () => running.delete(child));
  await listening;
  return child;
}

/** Ends a process of the signer with this signal. Returns its exit code, or the signal. */
export async function stopSigner(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM") {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
  }
  return child.exitCode ?? child.signalCode;
}

/** Ends all processes of the signer that run. */
export async function endSigners(): Promise<void> {
  for (const child of running) await stopSigner(child, "SIGKILL");
}

/** Ends the processes that the tests of the file left. Call it once at the top of the file. */
export const useSigners = (): void => afterAll(endSigners);

/** Posts to a socket of the signer as any program can that reaches it. Returns the status and what it answers. */
export const postToSigner = (
  socketPath: string,
  path: string,
  body = "",
): Promise<{ status?: number; answer: string }> =>
  new Promise((resolve, reject) => {
    const headers = { "content-length": Buffer.byteLength(body) };
    const sent = request({ socketPath, path, method: "POST", headers }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode, answer }), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });

/** Returns the folder and the variables of a signer below a folder. */
export function signerIn(folder: string, more: Record<string, string> = {}) {
  const directory = join(folder, "signer");
  const env = {
    SIGNER_DIR: directory,
    SIGNER_SOCKET: join(folder, "run", "socket"),
    CA_PASSPHRASE: TEST_PASSPHRASE,
    SIGNER_ALLOW_NAMES: "documentation,private-address",
    LOG_LEVEL: "silent",
    ...more,
  };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const journal = join(directory, "journal.jsonl");
  const allLines = (): JournalEntry[] =>
    readFileSync(journal, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as JournalEntry);
  /** The lines about what was signed. */
  const lines = () => allLines().filter((line) => "issuer" in line);
  return { directory, env, journal, allLines, lines };
}
