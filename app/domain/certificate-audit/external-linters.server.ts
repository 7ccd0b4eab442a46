import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { type LintFinding, type LintSeverity } from "~/ca/lint/lint.server";
import { toPem } from "~/ca/pem.server";

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

/** The severities of both programs that are findings. What they only inform about is none. */
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
/** The longest part of a program's error output that is shown. */
const MOST_SHOWN = 200;

/** Returns the last line of a program's error output, shortened. */
const lastLine = (output: string): string => (output.trim().split("\n").at(-1) ?? "").slice(0, MOST_SHOWN);

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
  const child = spawn(path ?? command, args, { env: { PATH, NODE_ENV }, timeout: limitMs, killSignal: "SIGKILL" });
  const ended = new Promise<NodeJS.ErrnoException | NodeJS.Signals | number | null>((resolve) => {
    child.on("error", resolve);
    child.on("close", (code, signal) => resolve(signal ?? code));
  });
  child.stdin.on("error", () => {}); // a program that does not read its input says why in its answer
  child.stdin.end(toPem("CERTIFICATE", der));
  const [end, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (end instanceof Error)
    return end.code === "ENOENT" && path === undefined
      ? { state: "absent" }
      : { state: "failed", why: `It cannot be started: ${end.message}.` };
  if (end === "SIGKILL")
    return { state: "failed", why: `It was ended because it took longer than ${limitMs / 1000} s.` };
  try {
    // Both programs end with another code than 0 when they find something.
    return { state: "answered", findings: read(JSON.parse(output)) };
  } catch {
    const said = lastLine(errors);
    return { state: "failed", why: `It ended with ${end} and without an answer.${said ? ` It says: ${said}` : ""}` };
  }
}
