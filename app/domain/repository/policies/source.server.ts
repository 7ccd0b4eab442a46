import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Marked, type Token } from "marked";
import { type PolicyName } from "./catalogue";

const PLACEHOLDER = /\{\{([\w.-]+)\}\}/g;

const markdown = new Marked();

/**
 * Replaces the placeholders after the Markdown has been parsed, so that the values stay text whatever characters they contain. Throws when
 * a placeholder has no value.
 */
function fillIn(tokens: Token[], values: Record<string, string>): Token[] {
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The policies name '{{${name}}}', which has no value.`);
      return value;
    });
  void markdown.walkTokens(tokens, (token) => {
    const fields = token as { text?: unknown; href?: unknown };
    if (typeof fields.text === "string") fields.text = fill(fields.text);
    if (typeof fields.href === "string") fields.href = fill(fields.href);
  });
  return tokens;
}

/** Returns the Markdown of a policy from `policies/`, unchanged. */
export const readPolicySource = (name: PolicyName): string => readFileSync(resolve(`policies/${name}.md`), "utf8");

/** Returns the block tokens of a policy with all values filled in. */
export const policyTokens = (name: PolicyName, values: Record<string, string>): Token[] =>
  fillIn(markdown.lexer(readPolicySource(name)), values);
