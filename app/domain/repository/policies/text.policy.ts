/** A sentence of a policy as it is written, with the line on which it begins. */
export interface Sentence {
  line: number;
  /** The text with its placeholders, without the markers of its sources. */
  text: string;
  /** The names in its markers, and in the markers of the headings above it when it has none of its own. */
  sources: readonly string[];
  /** The facts without which the sentence is left out. */
  conditions: readonly string[];
}

interface Block {
  kind: "heading" | "table head" | "text";
  /** What stands before the sentences, such as the sign of a list item. */
  prefix: string;
  /** The white space and lines after the block. */
  end: string;
  sentences: readonly Sentence[];
}

/** Matches `[[csr.names, key.blocked]]` and `[[if keys.token]]`, with the space before it. */
const MARKER = /\s*\[\[(if )?([\w., -]*)\]\]/g;

/** The space after a full stop, question mark or exclamation mark. */
const BETWEEN_SENTENCES = /(?<=[.?!][)”’"]?)\s+/;

const HEADING = /^(#+) /;
const ITEM = /^\s*(?:[-*]|\d+\.)\s+/;
const isRow = (line: string) => line.startsWith("|");
const isRule = (line = "") => /^\|[\s|:-]+\|$/.test(line);

const namesIn = (text: string, isCondition: boolean): string[] =>
  [...text.matchAll(MARKER)]
    .filter(([, condition]) => (condition !== undefined) === isCondition)
    .flatMap(([, , names = ""]) => names.split(",").map((name) => name.trim()));

const withoutMarkers = (text: string) => text.replace(MARKER, "");

const linesIn = (text: string) => text.split("\n").length - 1;

/** Returns the sentences of a text that begins on this line. A row of a table and a heading are one sentence. */
function sentencesOf(text: string, first: number, inherited: readonly string[], isWhole: boolean): Sentence[] {
  let line = first;
  const pieces = isWhole ? [text] : text.split(new RegExp(`(${BETWEEN_SENTENCES.source})`));
  return pieces.flatMap((piece) => {
    const at = line;
    line += linesIn(piece);
    if (piece.trim() === "") return [];
    const conditions = namesIn(piece, true);
    const own = [...namesIn(piece, false), ...conditions];
    return [{ line: at, text: withoutMarkers(piece), sources: own.length > 0 ? own : inherited, conditions }];
  });
}

/** Returns the lines of the block that begins at `start`: one line, or a paragraph or list item with its further lines. */
function blockEnd(lines: readonly string[], start: number): number {
  const first = lines[start] ?? "";
  if (HEADING.test(first) || isRow(first)) return start + 1;
  let end = start + 1;
  const continues = (line = "") => line.trim() !== "" && !HEADING.test(line) && !isRow(line) && !ITEM.test(line);
  while (continues(lines[end])) end += 1;
  return end;
}

/** Reads the Markdown of a policy. The blocks together are the whole text. */
export function readBlocks(markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  /** The sources of the headings above, by depth. */
  let inherited: { depth: number; sources: readonly string[] }[] = [];
  for (let start = 0; start < lines.length;) {
    const end = blockEnd(lines, start);
    let after = end;
    while (after < lines.length && (lines[after]?.trim() === "" || isRule(lines[after]))) after += 1;
    const text = lines.slice(start, end).join("\n");
    const depth = HEADING.exec(text)?.[1]?.length;
    const prefix = ITEM.exec(text)?.[0] ?? "";
    const kind = depth ? "heading" : isRow(text) && isRule(lines[end]) ? "table head" : "text";
    const sources = inherited.at(-1)?.sources ?? [];
    const isWhole = depth !== undefined || isRow(text);
    const sentences = sentencesOf(text.slice(prefix.length), start + 1, depth ? [] : sources, isWhole);
    if (depth) {
      const own = sentences[0]?.sources ?? [];
      inherited = inherited.filter((heading) => heading.depth < depth);
      inherited.push({ depth, sources: own.length > 0 ? own : (inherited.at(-1)?.sources ?? []) });
    }
    const gap = lines.slice(end, after).map((line) => `\n${line}`);
    blocks.push({ kind, prefix, end: `${gap.join("")}${after < lines.length ? "\n" : ""}`, sentences });
    start = after;
  }
  return blocks;
}

/**
 * Returns the Markdown that readers get: without markers, and without the sentences whose conditions do not hold.
 *
 * @param holds Returns whether a fact holds.
 */
export function shownMarkdown(markdown: string, holds: (fact: string) => boolean): string {
  return readBlocks(markdown)
    .map(({ prefix, end, sentences }) => {
      const shown = sentences.filter(({ conditions }) => conditions.every(holds));
      const isEmpty = sentences.length > 0 && shown.length === 0;
      return isEmpty ? "" : `${prefix}${shown.map(({ text }) => text).join(" ")}${end}`;
    })
    .join("");
}
