import { join } from "node:path";
import { runTool } from "../support/tool";
import { type Check, derOf, type Material, verdictOf } from "./material";

const SAYS = { revoked: /^revoked: KEY_COMPROMISE\n/, good: /^valid\n/ };

/** Compiles the validator into the directory. Call it before the checks. */
export async function compileValidator(directory: string): Promise<void> {
  const { code, text } = await runTool("javac", ["-d", directory, join(import.meta.dirname, "Revocation.java")]);
  if (code !== 0) throw new Error(text);
}

async function validate(mode: "crl" | "ocsp", leaf: string, material: Material, lists: string[] = []) {
  const { directory, root, issuing } = material;
  const { text } = await runTool("java", [
    "-cp",
    directory,
    "Revocation",
    mode,
    root,
    issuing,
    leaf,
    ...lists.map(derOf),
  ]);
  return verdictOf(text, SAYS);
}

/** There is no check with a delta CRL: Java ignores them, even those that freshestCRL names. */
export const javaChecks: Check[] = [
  { name: "Java by the lists it fetches", asks: "/repository/", verdict: (leaf, m) => validate("crl", leaf, m) },
  { name: "Java by OCSP", asks: "/ocsp", verdict: (leaf, m) => validate("ocsp", leaf, m) },
  { name: "Java by base lists", verdict: (leaf, m) => validate("crl", leaf, m, [m.rootList, m.base]) },
];
