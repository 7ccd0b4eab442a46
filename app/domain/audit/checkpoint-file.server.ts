import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { getEnv } from "~/lib/env.server";
import { type Checkpoint } from "~db/repositories/audit-chain.server";

/**
 * Returns the path of the checkpoint file. It is outside the database, so that it reveals when both the end of the trail and its
 * checkpoints are removed from the database.
 */
export const checkpointFile = (): string => join(getEnv().dataDir, "audit", "checkpoints.jsonl");

const hexOctets = (length: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${length * 2}}$`))
    .transform((text) => Buffer.from(text, "hex"));

const line = z.object({
  sequence: z.number().int().positive(),
  at: z.string().datetime(),
  mac: hexOctets(32),
  keyId: z.string(),
  signature: hexOctets(64),
  firstSequence: z.number().int().positive().nullable().default(null),
  root: hexOctets(32).nullable().default(null),
});

/** Returns a checkpoint as a line of the file and the log states it. */
export const toLine = ({ sequence, at, mac, keyId, signature, firstSequence, root }: Checkpoint) => ({
  sequence,
  at,
  mac: mac.toString("hex"),
  keyId,
  signature: signature.toString("hex"),
  ...(root !== null && { firstSequence, root: root.toString("hex") }),
});

function readLine(text: string): Checkpoint | null {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Reads a file of checkpoints line by line. Returns for each line its number, starting at 1, and the checkpoint, or null when the line is
 * not a checkpoint. A missing file has no lines.
 */
export async function* readCheckpointFile(
  file: string,
): AsyncGenerator<{ number: number; checkpoint: Checkpoint | null }> {
  let number = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
      yield { number: (number += 1), checkpoint: readLine(text) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Opens the file for one piece of work. Creates the file and its folder when they are missing. */
async function withFile(work: (handle: FileHandle) => Promise<void>): Promise<void> {
  const file = checkpointFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, "a+", 0o600);
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}

/** Removes an incomplete last line that a full disk or a crash left behind. */
export const mendCheckpointFile = (): Promise<void> =>
  withFile(async (handle) => {
    const { size } = await handle.stat();
    const end = Buffer.alloc(Math.min(size, 4096));
    await handle.read(end, 0, end.length, size - end.length);
    const unfinished = end.length - (end.lastIndexOf("\n") + 1);
    if (unfinished > 0) await handle.truncate(size - unfinished);
  });

/** Adds a line. The line is on the disk when the promise resolves. */
export const appendToCheckpointFile = (checkpoint: Checkpoint): Promise<void> =>
  withFile(async (handle) => {
    await handle.appendFile(`${JSON.stringify(toLine(checkpoint))}\n`);
    await handle.sync();
  });
