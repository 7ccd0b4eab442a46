import { stripHtml } from "string-strip-html";
import { beginsTag } from "./markup";

/**
 * Characters that have no meaning in a text, or that can hide in names: control characters (PostgreSQL refuses NUL), the zero-width space,
 * and signs that override or isolate the direction of writing. The joiners U+200C and U+200D are allowed, because scripts and emoji need
 * them.
 */
const CONTROL = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f";
const HIDING = "\\u200b\\u202a-\\u202e\\u2066-\\u2069";

const CONTROLS = new RegExp(`[${CONTROL}]`, "g");
const HIDDEN = new RegExp(`[${CONTROL}${HIDING}]`, "g");
const LINE_OR_HIDDEN = new RegExp(`[\\t\\n\\r${CONTROL}${HIDING}]`);

export const withoutControls = (text: string): string => text.replace(CONTROLS, "");

export const withoutHidden = (text: string): string => text.replace(HIDDEN, "");

/** Returns whether a text for a single line has line breaks or invisible characters. */
export const hidesCharacters = (text: string): boolean => LINE_OR_HIDDEN.test(text);

const TAG = /<[^>]*>/g;

/** Stand for a `<` and a `>` that are ordinary signs. Control characters are removed from texts before. */
const LESS = "\u0001";
const GREATER = "\u0002";

/** Nobody types tags that are nested more deeply than this. */
const MAX_PASSES = 8;

/** Returns the text with every `<` that begins no complete tag or comment replaced by LESS. */
function withoutOrdinaryLess(text: string): string {
  const last = text.lastIndexOf(">");
  return text.replace(/</g, (sign, at: number) => (at < last && beginsTag(text.slice(at + 1)) ? sign : LESS));
}

/** Returns whether a text has a complete tag or comment. `A < B`, `a<b` and `Anna <anna@example.com>` have none. */
export const hasMarkup = (text: string): boolean => withoutOrdinaryLess(text).includes("<");

function stripOnce(text: string): string {
  const escaped = withoutOrdinaryLess(text).replace(
    />[\s>]*>/g,
    (signs) => `>${signs.slice(1).replaceAll(">", GREATER)}`,
  );
  const stripped = stripHtml(escaped, { skipHtmlDecoding: true }).result;
  const rest = stripped === escaped ? escaped.replace(TAG, "") : stripped;
  return rest.replaceAll(LESS, "<").replaceAll(GREATER, ">");
}

/**
 * Removes complete tags and comments, and the contents of scripts and styles. Any other `<` stays. The result has no markup, even if
 * removing one tag creates another one: `<<b>script>`.
 */
export function stripMarkup(text: string): string {
  let plain = text;
  for (let pass = 0; hasMarkup(plain); pass += 1)
    plain = pass < MAX_PASSES ? stripOnce(plain) : plain.replaceAll("<", "");
  return plain;
}
