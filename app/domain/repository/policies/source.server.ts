import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Marked, type Token } from "marked";
import { type PolicyName } from "./catalogue";

const PLACEHOLDER = /\{\{([\w.-]+)\}\}/g;

const markdown = new Marked();

/** Puts the values in after the Markdown was read: whatever characters they hold, they stay text. Throws on an unknown name. */
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

/** The Markdown of a policy as it is in `policies/`. */
export const readPolicySource = (name: PolicyName): string => readFileSync(resolve(`policies/${name}.md`), "utf8");

/** The block tokens of a policy with all values filled in. */
export const policyTokens = (name: PolicyName, values: Record<string, string>): Token[] =>
  fillIn(markdown.lexer(readPolicySource(name)), values);
