/** Control, invisible and unassigned characters, lone surrogates, and the two separators of Unicode. */
const UNSEEN = /[\p{C}\u2028\u2029]/gu;

const codePoint = (character: string) =>
  `(U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`;

/**
 * Returns a value of plain data in which characters that cannot be seen are replaced by their code points, such as (U+202E), in all texts at
 * any depth. Line breaks stay.
 */
export function withVisibleTexts<Value>(value: Value): Value {
  if (typeof value === "string")
    return value.replace(UNSEEN, (character) => (character === "\n" ? character : codePoint(character))) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => withVisibleTexts(item)) as Value;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withVisibleTexts(inner)])) as Value;
}
