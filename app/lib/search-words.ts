import { foldForSearch } from "./fold-text";

/**
 * Returns the words of a text, each once, folded (`foldForSearch`) for searches by the beginning of a word. A text without letters and
 * digits is one word.
 */
export function searchWords(text: string): string[] {
  const folded = foldForSearch(text).trim();
  if (folded === "") return [];
  return [...new Set(folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [folded])];
}
