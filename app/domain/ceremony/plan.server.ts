import { readFile } from "node:fs/promises";
import { LineCounter, parseDocument } from "yaml";
import { type ZodIssue } from "zod";
import { sha256Hex } from "~/ca/thumbprint.server";
import { ConfigError } from "~/lib/config-error";
import { explainFileError } from "~/lib/file-problem.server";
import { type Plan, planSchema } from "./plan-schema.server";
import { explainValue } from "./plan-values.server";

/** A plan whose values have the right form. The files that it names are not read yet. */
export interface ReadPlan {
  /** The path as it was typed. */
  file: string;
  /** The whole text. */
  text: string;
  /** The SHA-256 of the file in lower-case hex. */
  sha256: string;
  plan: Plan;
}

/** Returns the place of a value in the plan, such as `steps[1].certificate.years`. */
export const planPlace = (path: readonly (string | number)[]): string =>
  path.map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${part}`)).join("");

function sentencesOf(issue: ZodIssue): string[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${planPlace([...issue.path, key])} is not known here`);
  return [`${planPlace(issue.path) || "The plan"} ${issue.message}`];
}

/** Returns the value of the YAML. Throws a ConfigError with every syntax error and its line. */
function parseYaml(file: string, text: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  const problems = [...document.errors, ...document.warnings].map(
    ({ message, pos }) => `${file}: line ${lineCounter.linePos(pos[0]).line}: ${message}`,
  );
  if (problems.length > 0) throw new ConfigError(problems);
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new ConfigError([`${file}: must not use aliases (*name): write each value where it belongs`]);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Returns a sentence for each step whose name is taken, or that refers to a step that does not come before it. */
function orderProblems(value: unknown): string[] {
  const steps = isRecord(value) && Array.isArray(value.steps) ? value.steps : [];
  const kinds = new Map<string, unknown>();
  return steps.flatMap((step: unknown, index) => {
    if (!isRecord(step)) return [];
    const problems: string[] = [];
    for (const key of ["issuer", "existing"] as const) {
      const before = step[key];
      if (typeof before !== "string") continue;
      const kind = kinds.get(before);
      if (kind === undefined) problems.push(`steps[${index}].${key} names '${before}', which is no earlier step`);
      else if (kind === "crl" || kind === "ocsp-responder")
        problems.push(`steps[${index}].${key} names '${before}', which is not the certificate of a CA`);
    }
    if (typeof step.name === "string") {
      if (kinds.has(step.name)) problems.push(`steps[${index}].name is '${step.name}', as that of an earlier step`);
      kinds.set(step.name, step.kind);
    }
    return problems;
  });
}

/**
 * Reads a plan.
 *
 * @param file The path of the YAML file.
 * @throws FileProblem when the file cannot be read.
 * @throws ConfigError with a line for each wrong value: the file, the place in it, and the rule.
 */
export async function readPlan(file: string): Promise<ReadPlan> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw explainFileError(error, file);
  });
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw new ConfigError([`${file}: must be text in UTF-8`]);
  const value = parseYaml(file, text);
  const parsed = planSchema.safeParse(value, { errorMap: explainValue });
  const wrong = parsed.success ? [] : parsed.error.issues.flatMap(sentencesOf);
  const problems = [...wrong, ...orderProblems(value)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.map((problem) => `${file}: ${problem}`));
  return { file, text, sha256: sha256Hex(bytes), plan: parsed.data };
}
