import { foldForSearch } from "./fold-text";

/**
 * Returns the words of a text, each once, as searches by the beginning of a word compare them (`foldForSearch`). A text without a letter or
 * a digit is one word.
 */
export function searchWords(text: string): string[] {
  const folded = foldForSearch(text).trim();
  if (folded === "") return [];
  return [...new Set(folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [folded])];
}
