import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type Readable } from "node:stream";
import { z } from "zod";
import { type LintFinding, type LintSeverity } from "~/ca/lint/lint.server";
import { toPem } from "~/ca/pem.server";
import { log } from "~/lib/log.server";

/** The names of the linters of others that the portal can ask. */
export const LINTER_NAMES = ["zlint", "pkilint"] as const;
export type LinterName = (typeof LINTER_NAMES)[number];

interface ExternalLinter {
  /** The command that is looked for on PATH. */
  command: string;
  args: readonly string[];
  /** Returns the errors and warnings of an answer. Throws when it has another form. */
  read: (answer: unknown) => LintFinding[];
}

const zlintAnswer = z.record(z.object({ result: z.string(), details: z.string().optional() }));

const pkilintAnswer = z.object({
  results: z.array(
    z.object({
      finding_descriptions: z.array(
        z.object({ severity: z.string(), code: z.string(), message: z.string().nullable() }),
      ),
    }),
  ),
});

/** The severities of both programs that are findings. Informational results are ignored. */
const SEVERITIES: Readonly<Record<string, LintSeverity>> = {
  warn: "warning",
  warning: "warning",
  error: "error",
  fatal: "error",
};

function findingOf(source: LinterName, severity: string, lint: string, details?: string | null): LintFinding[] {
  const known = SEVERITIES[severity.toLowerCase()];
  return known
    ? [{ lint, source: `${source} ${lint}`, severity: known, text: details || "No details are given." }]
    : [];
}

/** The linters, with what they are asked for. All of them read a certificate as PEM and answer with JSON. */
const LINTERS: Readonly<Record<LinterName, ExternalLinter>> = {
  zlint: {
    command: "zlint",
    // Without the rules of the CA/Browser Forum and of the root programs of browsers, which this CA does not belong to.
    args: ["-format", "pem", "-includeSources", "RFC3279,RFC5280,RFC5480,RFC5891,Community"],
    read: (answer) =>
      Object.entries(zlintAnswer.parse(answer)).flatMap(([lint, { result, details }]) =>
        findingOf("zlint", result, lint, details),
      ),
  },
  pkilint: {
    command: "lint_pkix_cert",
    args: ["lint", "--format", "JSON", "--severity", "WARNING", "--document-format", "PEM", "-"],
    read: (answer) =>
      pkilintAnswer
        .parse(answer)
        .results.flatMap(({ finding_descriptions: descriptions }) =>
          descriptions.flatMap(({ severity, code, message }) => findingOf("pkilint", severity, code, message)),
        ),
  },
};

/** What a linter says about a certificate. */
export type LinterAnswer =
  | { state: "answered"; findings: LintFinding[] }
  /** The program is not installed. */
  | { state: "absent" }
  /** `why` is a sentence. */
  | { state: "failed"; why: string };

/** How long a linter may take for one certificate, in milliseconds. */
const LINTER_LIMIT_MS = 30_000;
/** The longest answer that is read, in bytes. */
const LONGEST_ANSWER = 4 * 2 ** 20;
/** How much of a program's error output is logged, in bytes. It can name people, so it is no part of a finding. */
const LONGEST_ERRORS = 2_000;

/** Collects what a program writes, up to `limit` bytes. Returns a function for what was collected. */
function collect(stream: Readable, limit: number): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    if (size < limit) chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).subarray(0, limit).toString("utf8");
}

/** Ends a program and the processes that it has started, and no longer reads what they write. */
function endGroup({ pid, stdout, stderr }: ChildProcessWithoutNullStreams): void {
  try {
    if (pid) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // all of them have ended
  }
  stdout.destroy();
  stderr.destroy();
}

/**
 * Asks a linter about a certificate. The program gets no variable of the portal but PATH and NODE_ENV, because others are secret.
 *
 * @param der The certificate.
 * @param path The path of the program. By default its command is looked for on PATH.
 * @param limitMs After how many milliseconds the program is ended.
 */
export async function askLinter(
  name: LinterName,
  der: Uint8Array,
  path?: string,
  limitMs = LINTER_LIMIT_MS,
): Promise<LinterAnswer> {
  const { command, args, read } = LINTERS[name];
  const { PATH, NODE_ENV } = process.env;
  // A group of its own, so that the processes which the program has started end with it.
  const child = spawn(path ?? command, args, { env: { PATH, NODE_ENV }, detached: true });
  const [output, errors] = [collect(child.stdout, LONGEST_ANSWER), collect(child.stderr, LONGEST_ERRORS)];
  const tooLong = setTimeout(() => endGroup(child), limitMs);
  const ended = new Promise<NodeJS.ErrnoException | NodeJS.Signals | number | null>((resolve) => {
    child.on("error", resolve);
    child.on("close", (code, signal) => resolve(signal ?? code));
  });
  child.stdin.on("error", () => {}); // a program that does not read its input says why in its answer
  child.stdin.end(toPem("CERTIFICATE", der));
  const end = await ended;
  clearTimeout(tooLong);
  if (end instanceof Error)
    return end.code === "ENOENT" && path === undefined
      ? { state: "absent" }
      : { state: "failed", why: `It cannot be started: ${end.message}.` };
  if (end === "SIGKILL")
    return { state: "failed", why: `It was ended because it took longer than ${limitMs / 1000} s.` };
  try {
    // Both programs end with another code than 0 when they find something.
    return { state: "answered", findings: read(JSON.parse(output())) };
  } catch {
    log().warn({ linter: name, end, errors: errors() }, "a linter gave no answer");
    return {
      state: "failed",
      why: `It ended with ${end} and without an answer. The log of the portal has what it says.`,
    };
  }
}
