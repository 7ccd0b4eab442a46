import anyAscii from "any-ascii";
import { describe, expect, test } from "vitest";
import { foldForSearch, foldName } from "~/lib/fold-text";
import { searchWords } from "~/lib/search-words";

const LAST = 0x1ffff;

/** Yields every character up to LAST, except surrogates. These planes contain the alphabets and symbols. */
function* everyCharacter(): Generator<string> {
  for (let code = 1; code <= LAST; code += 1) if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
}

describe("[CER-02] folding text for searches", () => {
  test.each([
    ["Łódź", "lodz"],
    ["lódz", "lodz"],
    ["STRASSE Straße STRAẞE", "strasse strasse strasse"],
    ["Malmö", "malmo"],
    ["Müller Mu\u0308ller", "muller muller"],
    ["Mueller", "mueller"],
    ["Đoković ÐORÐ Þór Ærø Œuvre", "dokovic dord thor aero oeuvre"],
    ["İstanbul Iğdır Ħamrun Sápmi Ŋ Ŧ Gəncə Việt", "istanbul igdir hamrun sapmi n t gence viet"],
    ["O’Brien – „Œ“", `o'brien - "oe"`],
    ["Ｆｕｌｌ ﬁx ５", "full fix 5"],
    ["co\u00adop\u200b\u2066x\u2069", "coopx"],
  ])("folds %s to %s", (text, folded) => {
    expect(foldForSearch(text)).toBe(folded);
  });

  test.each([
    ["ΟΔΟΣ Ελλάδα", "οδος ελλαδα"],
    ["ПРИМЕР Ёлка", "пример елка"],
    ["東京株式会社", "東京株式会社"],
    ["ｶﾞｽ", "ガス"],
    ["हिन्दी", "हिन्दी"],
    ["서울", "서울".normalize("NFD")],
    ["שָׁלוֹם", "שלום"],
    ["أَحْمَد", "احمد"],
  ])("finds %s in its own script by %s", (text, typed) => {
    expect(foldForSearch(text)).toBe(foldForSearch(typed));
    expect(searchWords(text)).toEqual(searchWords(typed));
  });

  test.each([
    ["가", "각"],
    ["カス", "ガス"],
    ["हन", "हिन"],
    ["пример", "primer"],
  ])("keeps %s and %s apart", (one, other) => {
    expect(foldForSearch(one)).not.toBe(foldForSearch(other));
  });

  test("turns letters of European and Vietnamese alphabets into those of a plain keyboard", () => {
    const letters = [...everyCharacter()].filter((letter) => /^[À-ÖØ-öø-ſḀ-ẙẞẠ-ỹ]$/u.test(letter));
    const unlike = letters.filter((letter) => foldForSearch(letter) !== anyAscii(letter).toLowerCase());
    expect(unlike).toEqual(["Ŀ", "ŀ", "Ŋ", "ŋ"]); // l·, n
  });

  test("does not change folded text, so that stored texts can be folded again", () => {
    for (const character of everyCharacter()) {
      const text = `-${character}- a${character}b α${character}`;
      const folded = foldForSearch(text);
      const isSame = foldForSearch(folded) === folded && foldForSearch(text.normalize("NFC").toLowerCase()) === folded;
      if (!isSame) throw new Error(`${character} is folded to another text the second time`);
    }
  });

  test("splits words at anything that is not a letter, a digit or a mark", () => {
    expect(searchWords("Łódź & Straße, O’Brien हिन्दी Łódź")).toEqual(["lodz", "strasse", "o", "brien", "हिन्दी"]);
    expect(searchWords(" … ")).toEqual(["..."]);
    expect(searchWords("\u200b")).toEqual([]);
  });
});

test.each([
  ["Łódź", "Lodz"],
  ["Straße", "Strasse"],
  ["Müller", "Muller"],
  ["O’Brien", "O'Brien"],
])("[REN-03] keeps the subject name %s different from %s", (one, other) => {
  expect(foldName(one)).not.toBe(foldName(other));
  expect(foldName(` ${one.normalize("NFD")}  AG `)).toBe(foldName(`${one} ag`));
});
