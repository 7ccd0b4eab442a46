import { foldText } from "./fold-text";

/**
 * The words of a text as searches by the beginning of a word compare them: folded, without accents and signs that do not show, so that `Muller` finds `Müller`.
 * A text without a letter or a digit is one word. In: names as well as what was typed. Out: each word once.
 */
export function searchWords(text: string): string[] {
  const plain = foldText(text)
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .trim();
  if (plain === "") return [];
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? [plain])];
}
