/** A name of a subject as it is compared (docs/decisions/0010): folded, without blanks around it, a run of blanks as one. Null is "". */
export const foldName = (name: string | null | undefined): string =>
  (name ?? "").trim().replace(/\s+/gu, " ").normalize("NFC").toLowerCase();

/**
 * Letters and signs that Unicode does not decompose, each behind what people type for it, mostly as in CLDR's transform Latin-ASCII.
 * Stored texts depend on this list: a change of it needs a migration.
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

/** Characters that do not show, and marks that belong to no letter: accents and vowel points. Marks of Indic scripts and of kana make other letters. */
const ACCENTS = /\p{Cf}|(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

/**
 * Returns a text as searches and orders compare it: `Łódź` as `lodz`, `Straße` as `strasse`, `Müller` as `muller`. Other scripts keep
 * their letters (docs/decisions/0045). Folding a folded text changes nothing. Texts are folded here because the databases differ: SQLite's
 * lower() knows only ASCII.
 */
export const foldForSearch = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(/[^\p{ASCII}]/gu, (letter) => PLAIN.get(letter) ?? letter)
    .normalize("NFC");
