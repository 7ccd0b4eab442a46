/**
 * Returns a subject's name in the form in which it is compared (docs/decisions/0010): in lower case, without blanks around it, with a
 * single space for several blanks. Null gives "".
 */
export const foldName = (name: string | null | undefined): string =>
  (name ?? "").trim().replace(/\s+/gu, " ").normalize("NFC").toLowerCase();

/**
 * Letters and signs that Unicode does not decompose, by what people type instead, mostly as in CLDR's Latin-ASCII transform. Stored texts
 * depend on this table, so changing it requires a migration.
 */
const TYPED_AS = {
  ae: "æ",
  b: "ɓ",
  d: "đðɖɗ",
  e: "əǝɛ",
  f: "ƒ",
  g: "ǥɣ",
  h: "ħ",
  i: "ı",
  k: "ƙ",
  l: "ł",
  n: "ŋɲ",
  o: "øɔ",
  oe: "œ",
  q: "ĸ",
  ss: "ß",
  t: "ŧ",
  th: "þ",
  v: "ʋ",
  y: "ƴ",
  z: "ƶ",
  σ: "ς",
  "'": "‘’‚‛ʹʻʼ′",
  '"': "“”„‟″«»",
  "-": "‐‒–—―−",
};

const PLAIN = new Map(Object.entries(TYPED_AS).flatMap(([plain, letters]) => [...letters].map((one) => [one, plain])));

/**
 * Invisible characters, and marks that are not part of a letter: accents and vowel points. Marks of Indic scripts and of kana are kept,
 * because they make different letters.
 */
const ACCENTS = /\p{Cf}|(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

/**
 * Returns a text in the form in which it is searched and sorted: `Łódź` as `lodz`, `Straße` as `strasse`, `Müller` as `muller`. Other
 * scripts keep their letters (docs/decisions/0045). Folding a folded text changes nothing. Texts are folded here because the databases
 * differ: SQLite's lower() supports only ASCII.
 */
export const foldForSearch = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(/[^\p{ASCII}]/gu, (letter) => PLAIN.get(letter) ?? letter)
    .normalize("NFC");
