import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "~/lib/atomic-file.server";

const time = z.string().datetime();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const stepProgress = z
  .object({
    /** The serial number of a certificate as upper-case hex, stored before anything is signed. */
    serial: z
      .string()
      .regex(/^[0-9A-F]{2,40}$/)
      .optional(),
    /** The public key of a new root, as base64 of its SubjectPublicKeyInfo. */
    publicKey: z.string().optional(),
    startedAt: time,
    /** Present when the step is done. */
    finished: z.object({ at: time, sha256 }).strict().optional(),
  })
  .strict();

const run = z.object({ startedAt: time, portal: z.string(), node: z.string(), openssl: z.string() }).strict();

const progress = z
  .object({
    format: z.literal("marque-ceremony-1"),
    planSha256: sha256,
    /** Each start of the command, with the versions of the programs. */
    runs: z.array(run),
    steps: z.record(stepProgress),
    finishedAt: time.optional(),
  })
  .strict();

/** How far a ceremony has come. It is stored in the output folder. */
export type Progress = z.infer<typeof progress>;
export type StepProgress = z.infer<typeof stepProgress>;

const fileIn = (output: string) => join(output, "progress.json");

const AGAIN = "Go on with the plan that the folder belongs to, or begin again with another output folder.";

function parse(file: string, text: string): Progress {
  try {
    return progress.parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} is damaged. Put its copy back, or begin again with another output folder.`);
  }
}

const orNull = (error: NodeJS.ErrnoException) => {
  if (error.code === "ENOENT") return null;
  throw error;
};

/**
 * Reads how far the ceremony of a plan has come.
 *
 * @param output The output folder.
 * @param planSha256 The SHA-256 of the plan.
 * @returns Null when it has not begun.
 * @throws Error when the folder belongs to another plan, to an earlier text of this plan, or to something else.
 */
export async function readProgress(output: string, planSha256: string): Promise<Progress | null> {
  const text = await readFile(fileIn(output), "utf8").catch(orNull);
  if (text === null) {
    const others = (await readdir(output).catch(orNull)) ?? [];
    if (others.length > 0)
      throw new Error(
        `The output folder ${output} is not empty, but has no progress.json. Name a new folder in the plan.`,
      );
    return null;
  }
  const found = parse(fileIn(output), text);
  if (found.planSha256 !== planSha256)
    throw new Error(
      `The output folder ${output} was begun with the plan ${found.planSha256}, but this plan is ${planSha256}: it was changed since, or is another one. ${AGAIN}`,
    );
  return found;
}

/** Stores how far the ceremony has come. It is on the disk when the function returns. */
export const writeProgress = (output: string, value: Progress): Promise<void> =>
  writeFileAtomically(fileIn(output), `${JSON.stringify(value, null, 2)}\n`);
