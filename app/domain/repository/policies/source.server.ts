import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Marked, type Token } from "marked";
import { type PolicyName } from "./catalogue";
import { policyFacts } from "./facts.server";
import { shownMarkdown } from "./text.policy";
import { policyValues } from "./values.server";

const PLACEHOLDER = /\{\{([\w.-]+)\}\}/g;

const markdown = new Marked();

/** Returns a text with the values of its placeholders. Throws when a placeholder has no value. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(PLACEHOLDER, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The policies name '{{${name}}}', which has no value.`);
    return value;
  });

/** Returns the name of the file of a policy below the portal's folder. */
export const policyFile = (name: PolicyName): string => `policies/${name}.md`;

/** Returns the Markdown of a policy from `policies/`, unchanged. */
export const readPolicySource = (name: PolicyName): string => readFileSync(resolve(policyFile(name)), "utf8");

/** Returns the Markdown of a policy without markers, and without the sentences that do not hold in this portal. */
function readShown(name: PolicyName): string {
  const facts = policyFacts();
  return shownMarkdown(readPolicySource(name), (fact) => facts[fact]?.() ?? false);
}

/**
 * Returns the block tokens of a policy with all values filled in. They are filled in after the Markdown has been parsed, so that the values
 * stay text whatever characters they contain.
 */
export function policyTokens(name: PolicyName): Token[] {
  const values = policyValues();
  const tokens = markdown.lexer(readShown(name));
  void markdown.walkTokens(tokens, (token) => {
    const fields = token as { text?: unknown; href?: unknown };
    if (typeof fields.text === "string") fields.text = filled(fields.text, values);
    if (typeof fields.href === "string") fields.href = filled(fields.href, values);
  });
  return tokens;
}

/**
 * Returns the fingerprint of the text of a policy as readers see it: the beginning of its SHA-256 in groups, such as
 * `4f2a 91c0 77de 01b3`. It changes with every word and figure, also when nobody has raised the version.
 */
export function policyFingerprint(name: PolicyName): string {
  const text = filled(readShown(name), policyValues());
  const digits = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return digits.replace(/(.{4})(?=.)/g, "$1 ");
}
