interface Props {
  text: string;
  words: readonly string[];
}

/** Returns a text that matches itself in a regular expression. With the flag `u`, other signs must not be escaped. */
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** A text in which the words of the search are marked, as far as they are spelt as they were typed. */
export function Marked({ text, words }: Props) {
  const known = words.filter(Boolean).map(literal);
  if (known.length === 0) return text;
  const parts = text.split(new RegExp(`(${known.join("|")})`, "giu"));
  // Every second part is a word.
  return parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}
