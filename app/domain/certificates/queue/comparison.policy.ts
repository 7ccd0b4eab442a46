/**
 * A text of the comparison, cut where marks begin and end: the pieces with an even index agree, those with an odd one differ. Empty when there
 * is no text.
 */
export type ComparedText = string[];

/** What a row comes to. `look` is a finding that is no difference but worth a look. */
export type RowFinding = "same" | "differs" | "look" | "alone";

export interface ComparedRow {
  label: string;
  finding: RowFinding;
  /** The finding in words. */
  result: string;
  /** The texts in the order of the columns. */
  cells: ComparedText[];
}

export interface PartyComparison {
  columns: string[];
  /** The rows that differ come first. */
  rows: ComparedRow[];
  /** How many rows differ, and whether the user contact has the details of the company, in words. */
  summary: string;
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Returns the word as it is compared: case, composition and punctuation at its end do not count. */
const folded = (word: string): string =>
  word
    .normalize("NFC")
    .toLowerCase()
    .replace(/[.,;]+$/, "");

const isEqual = (one: string, other: string): boolean =>
  wordsOf(one).map(folded).join(" ") === wordsOf(other).map(folded).join(" ");

/** Returns which words are part of the longest common subsequence of words of both texts. */
function commonWords(words: readonly string[], others: readonly string[]): boolean[] {
  const [own, other] = [words.map(folded), others.map(folded)];
  const lengths = Array.from({ length: own.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = own.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1)
      (lengths[row] ?? [])[column] =
        own[row] === other[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const isCommon = words.map(() => false);
  for (let row = 0, column = 0; row < own.length && column < other.length;)
    if (own[row] === other[column]) {
      isCommon[row] = true;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  return isCommon;
}

/** Returns the text with marks at the words for which `isCommon` is false. A mark neither begins nor ends with a space. */
function marked(words: readonly string[], isCommon: readonly boolean[]): ComparedText {
  const pieces: string[] = [];
  let [piece, isOpen] = ["", false];
  for (const [index, word] of words.entries()) {
    const isMarked = isCommon[index] === false;
    const space = index === 0 ? "" : " ";
    if (isMarked === isOpen) piece += space + word;
    else {
      pieces.push(isMarked ? piece + space : piece);
      piece = isMarked ? word : space + word;
      isOpen = isMarked;
    }
  }
  return [...pieces, piece];
}

const unmarked = (text: string): ComparedText => (text === "" ? [] : [text]);

/**
 * Returns the texts with marks at the words in which they differ from `base`, and `base` with marks at the words that another text lacks.
 * Empty texts are not compared.
 */
export function markDifferences(texts: readonly string[], base: string): ComparedText[] {
  const baseWords = wordsOf(base);
  const others = texts.filter((text) => text !== "" && !isEqual(text, base)).map((text) => wordsOf(text));
  const inAll = baseWords.map((_, index) => others.every((words) => commonWords(baseWords, words)[index]));
  return texts.map((text) => {
    if (text === "") return [];
    if (isEqual(text, base)) return marked(wordsOf(text), inAll);
    return marked(wordsOf(text), commonWords(wordsOf(text), baseWords));
  });
}

/** One of those who are compared. Values that are not known are "". */
export type Compared = Record<(typeof ROWS)[number][0], string> & { title: string };

const ROWS = [
  ["organisation", "Organisation"],
  ["department", "Department"],
  ["street", "Street"],
  ["postalCode", "Postal code"],
  ["town", "Town"],
  ["state", "State"],
  ["country", "Country"],
  ["person", "Person"],
  ["email", "Email"],
  ["telephone", "Telephone"],
  ["oftpId", "OFTP ID"],
] as const;

type Field = (typeof ROWS)[number][0];

const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();
const digitsOf = (telephone: string): string => telephone.replace(/\D/g, "").replace(/^00/, "");
const nameIn = (person: string): string => person.split(",", 1)[0] ?? "";

type Said = Pick<ComparedRow, "finding" | "result">;

/** Rows in which the contact is expected to differ from those who ordered: what staff look at instead. */
const ABOUT_CONTACT: Partial<Record<Field, (contact: string, others: readonly string[]) => Said>> = {
  person: (contact, others) =>
    others.some((other) => isEqual(nameIn(other), nameIn(contact)))
      ? { finding: "look", result: "Same person" }
      : { finding: "same", result: "Other person" },
  email: (contact, others) => {
    if (others.some((other) => isEqual(other, contact))) return { finding: "look", result: "Same address" };
    return others.every((other) => domainOf(other) === domainOf(contact))
      ? { finding: "same", result: "Same domain" }
      : { finding: "look", result: "Other domain" };
  },
  telephone: (contact, others) =>
    others.some((other) => digitsOf(other) === digitsOf(contact))
      ? { finding: "look", result: "Same number" }
      : { finding: "same", result: "Other number" },
};

interface Parties {
  csr: Compared;
  company: Compared;
  /** The person who ordered, with the details of the order. */
  user: Compared;
  contact: Compared;
}

/** Returns whether the details of the order say the same as the company's record, wherever both say something. */
const isAsRecorded = ({ company, user }: Parties): boolean =>
  ROWS.every(([field]) => company[field] === "" || user[field] === "" || isEqual(company[field], user[field]));

/** Returns the company's record, completed with what only the order says. */
const joined = ({ company, user }: Parties): Compared => ({
  ...company,
  ...Object.fromEntries(ROWS.map(([field]) => [field, company[field] || user[field]])),
});

function rowOf([field, label]: (typeof ROWS)[number], sides: readonly Compared[]): ComparedRow | null {
  const texts = sides.map((side) => side[field]);
  const given = texts.filter((text) => text !== "");
  if (given.length === 0) return null;
  const row = { label, cells: texts.map(unmarked) };
  if (given.length === 1)
    return { ...row, finding: "alone", result: `Only in ${sides[texts.findIndex((text) => text !== "")]?.title}` };
  const about = ABOUT_CONTACT[field];
  const compared = about ? texts.slice(1, -1).filter((text) => text !== "") : given;
  const base = texts[1] || given[0] || "";
  if (compared.some((text) => !isEqual(text, base))) {
    const marks = markDifferences(about ? texts.slice(1, -1) : texts, base);
    const cells = about ? [row.cells[0] ?? [], ...marks, row.cells.at(-1) ?? []] : marks;
    return { label, finding: "differs", result: "Differs", cells };
  }
  const contact = texts.at(-1) ?? "";
  if (about && contact !== "" && compared.length > 0) return { ...row, ...about(contact, compared) };
  return { ...row, finding: "same", result: "Same" };
}

const RANK: Readonly<Record<RowFinding, number>> = { differs: 0, look: 1, same: 2, alone: 2 };

const differencesText = (count: number): string =>
  count === 0 ? "no row differs" : count === 1 ? "1 row differs" : `${count} rows differ`;

/**
 * Compares the CSR, the company's record, the user contact and the authentication contact of an order, word by word. The user contact has a
 * column of its own only when it differs from the company's record. Upper and lower case do not count.
 */
export function compareParties(parties: Parties): PartyComparison {
  const isJoined = isAsRecorded(parties);
  const company = isJoined ? [joined(parties)] : [parties.company, parties.user];
  const sides = [parties.csr, ...company, parties.contact];
  const rows = ROWS.map((row) => rowOf(row, sides)).filter((row) => row !== null);
  return {
    columns: sides.map(({ title }) => title),
    rows: rows.toSorted((one, other) => RANK[one.finding] - RANK[other.finding]),
    summary: [
      differencesText(rows.filter(({ finding }) => finding === "differs").length),
      ...(isJoined ? ["the user contact has the same details as the company, so no column of its own"] : []),
    ].join("; "),
  };
}
