import { stripHtml } from "string-strip-html";

/**
 * What no text means and what hides in names: control characters (PostgreSQL refuses NUL), the zero-width space, and the signs
 * that override or isolate a direction of writing. The joiners U+200C and U+200D stay: scripts and emoji are written with them.
 */
const CONTROL = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f";
const HIDING = "\\u200b\\u202a-\\u202e\\u2066-\\u2069";

const CONTROLS = new RegExp(`[${CONTROL}]`, "g");
const HIDDEN = new RegExp(`[${CONTROL}${HIDING}]`, "g");
const LINE_OR_HIDDEN = new RegExp(`[\\t\\n\\r${CONTROL}${HIDING}]`);

export const withoutControls = (text: string): string => text.replace(CONTROLS, "");

export const withoutHidden = (text: string): string => text.replace(HIDDEN, "");

/** Whether a text that belongs into one line has characters that do not show. */
export const hidesCharacters = (text: string): boolean => LINE_OR_HIDDEN.test(text);

/** Where a tag or a comment begins, if a `>` follows at all. */
const OPENING = /<[a-z/!]/i;
const TAG = /<[a-z/!][^>]*>/gi;

/** Stand for a `<` and a `>` that are signs like any other; texts are rid of control characters before. */
const LESS = "\u0001";
const GREATER = "\u0002";

/** Tags inside of tags beyond this depth are nobody's typing. */
const MAX_PASSES = 8;

/** Whether a text has a complete tag or comment: `A < B`, `a<b` and `Müller <GmbH` have none. */
export const hasMarkup = (text: string): boolean => text.slice(0, text.lastIndexOf(">") + 1).search(OPENING) >= 0;

function stripOnce(text: string): string {
  const last = text.lastIndexOf(">");
  const shielded = text
    .replace(/<(?![a-z/!])/gi, LESS)
    .replace(/</g, (sign, at: number) => (at < last ? sign : LESS))
    .replace(/>[\s>]*>/g, (signs) => `>${signs.slice(1).replaceAll(">", GREATER)}`);
  const stripped = stripHtml(shielded, { skipHtmlDecoding: true }).result;
  const rest = stripped === shielded ? shielded.replace(TAG, "") : stripped;
  return rest.replaceAll(LESS, "<").replaceAll(GREATER, ">");
}

/**
 * Takes complete tags and comments out of a text, and what stands in a script or a style; any other `<` stays as it is typed.
 * What is left has no markup, also where taking a tag out makes the next one: `<<b>script>`.
 */
export function stripMarkup(text: string): string {
  let plain = text;
  for (let pass = 0; hasMarkup(plain); pass += 1)
    plain = pass < MAX_PASSES ? stripOnce(plain) : plain.replaceAll("<", "");
  return plain;
}
