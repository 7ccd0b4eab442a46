import { LRUCache } from "lru-cache";
import { COLOURS, type FontName, type Pdf } from "./document.server";
import { setFont } from "./fallback-fonts.server";
import { scriptRuns } from "./script-runs.server";

/** How a text looks; sizes in points. */
export interface TextStyle {
  font?: FontName;
  size: number;
  colour?: string;
  align?: "left" | "right";
}

export interface TextBox {
  x: number;
  y: number;
  width: number;
}

const LEADING = 1.32;

export const lineHeight = ({ size }: TextStyle): number => size * LEADING;

/** Fonts in one line shape their runs as a whole: without this pdfkit shapes word by word and mixes up right-to-left words. */
const SHAPED = { features: [] as PDFKit.Mixins.OpenTypeFeatures[] };

const runsOf = (line: string, { font = "regular" }: TextStyle) => scriptRuns(line, font);

/** Points that a line takes. */
export function widthOf(pdf: Pdf, line: string, style: TextStyle): number {
  return runsOf(line, style).reduce((width, { text, fontFile }) => {
    setFont(pdf, fontFile, style.size);
    return width + pdf.widthOfString(text, SHAPED);
  }, 0);
}

interface Measured {
  width: number;
  /** Of the fonts that write it, in their order. */
  fontFiles: string[];
}

/** Measured words, which come again and again: shaping them is most of the work of a document. Some megabytes at most. */
const measuredWords = new LRUCache<string, Measured>({ max: 20_000 });

/** Points that a word takes by itself. A document numbers its fonts in the order of their use, so a known word uses them, too. */
function widthOfWord(pdf: Pdf, word: string, style: TextStyle): number {
  const key = `${style.font ?? "regular"} ${style.size} ${word}`;
  const known = measuredWords.get(key);
  for (const file of known?.fontFiles ?? []) setFont(pdf, file, style.size);
  if (known) return known.width;
  const fontFiles = runsOf(word, style).map(({ fontFile }) => fontFile);
  const width = widthOf(pdf, word, style);
  measuredWords.set(key, { width, fontFiles });
  return width;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Where a line may end: after spaces, and beside each character of the scripts that write without them. */
const words = (text: string) =>
  text.match(
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|\s+/gu,
  ) ?? [];

/** More than neighbouring words are moved together or apart in a line, by kerning or by another font's space; in ems for each word. */
const MOST_MOVED = 0.2;

/**
 * The text in lines that fit into the width; a word that does not fit into a line is broken. The words' own widths say how far a line goes;
 * only where it ends is it shaped as a whole.
 */
export function wrapText(pdf: Pdf, text: string, width: number, style: TextStyle): string[] {
  const measured = (piece: string) => widthOfWord(pdf, piece, style);
  const fits = (line: string) => widthOf(pdf, line.trimEnd(), style) <= width;
  const lines: string[] = [];
  let line = "";
  let reached = 0;
  let doubt = 0;
  const goesOn = (piece: string) => {
    const over = reached + measured(piece.trimEnd()) - width;
    return line === "" || (Math.abs(over) > doubt ? over < 0 : fits(line + piece));
  };
  const add = (piece: string, mostMoved: number) => {
    doubt += mostMoved;
    if (!goesOn(piece)) {
      lines.push(line);
      [line, reached, doubt] = ["", 0, mostMoved];
    }
    line += piece;
    reached += measured(piece);
  };
  for (const word of words(text.replace(/\s+/g, " ").trim()))
    if (measured(word.trimEnd()) <= width) add(word, MOST_MOVED * style.size);
    else for (const { segment } of graphemes.segment(word)) add(segment, Infinity); // letters can have other forms side by side
  return [...lines, line].map((one) => one.trimEnd());
}

function drawLine(pdf: Pdf, line: string, { x, y, width }: TextBox, style: TextStyle): void {
  let left = style.align === "right" ? x + width - widthOf(pdf, line, style) : x;
  for (const { text, fontFile } of runsOf(line, style)) {
    setFont(pdf, fontFile, style.size);
    pdf.fillColor(style.colour ?? COLOURS.text);
    pdf.text(text, left, y + style.size, { ...SHAPED, lineBreak: false, baseline: "alphabetic" });
    left += pdf.widthOfString(text, SHAPED);
  }
}

/** Draws lines one below the other, whatever script they are in. Out: the height that they take. */
export function drawLines(pdf: Pdf, lines: readonly string[], box: TextBox, style: TextStyle): number {
  lines.forEach((line, index) => drawLine(pdf, line, { ...box, y: box.y + index * lineHeight(style) }, style));
  return lines.length * lineHeight(style);
}

/** Draws a text that is wrapped to the width of its box. Out: the height that it takes. */
export const drawText = (pdf: Pdf, text: string, box: TextBox, style: TextStyle): number =>
  drawLines(pdf, wrapText(pdf, text, box.width, style), box, style);
