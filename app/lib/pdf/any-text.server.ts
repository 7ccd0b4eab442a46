import { LRUCache } from "lru-cache";
import { COLOURS, type FontName, type Pdf } from "./document.server";
import { setFont } from "./fallback-fonts.server";
import { scriptRuns } from "./script-runs.server";

/** The appearance of a text. Sizes are in points. */
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

/** Options that make fonts shape each run as a whole. Otherwise pdfkit shapes word by word and mixes up right-to-left words. */
const SHAPED = { features: [] as PDFKit.Mixins.OpenTypeFeatures[] };

const runsOf = (line: string, { font = "regular" }: TextStyle) => scriptRuns(line, font);

/** Returns the width of a line in points. */
export function widthOf(pdf: Pdf, line: string, style: TextStyle): number {
  return runsOf(line, style).reduce((width, { text, fontFile }) => {
    setFont(pdf, fontFile, style.size);
    return width + pdf.widthOfString(text, SHAPED);
  }, 0);
}

interface Measured {
  width: number;
  /** The fonts of the word, in order. */
  fontFiles: string[];
}

/** Cached widths of words, which repeat often. Shaping words is most of the work of a document. The cache takes a few megabytes at most. */
const measuredWords = new LRUCache<string, Measured>({ max: 20_000 });

/**
 * Returns the width in points of a word on its own. It sets the word's fonts even when the width is cached, because a document numbers its
 * fonts in the order of their use.
 */
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

/** Splits a text where a line may end: after spaces, and beside each character of scripts that are written without spaces. */
const words = (text: string) =>
  text.match(
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|\s+/gu,
  ) ?? [];

/**
 * An upper limit for how far kerning or the space of another font moves neighbouring words together or apart in a line, in ems for each
 * word.
 */
const MOST_MOVED = 0.2;

/**
 * Splits a text into lines that fit the width. A word that is wider than a line is broken. The widths of the single words say approximately
 * where a line ends, and only there is the whole line measured.
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
    else for (const { segment } of graphemes.segment(word)) add(segment, Infinity); // the forms of letters depend on their neighbours
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

/** Draws lines below each other, in any script. Returns their height in points. */
export function drawLines(pdf: Pdf, lines: readonly string[], box: TextBox, style: TextStyle): number {
  lines.forEach((line, index) => drawLine(pdf, line, { ...box, y: box.y + index * lineHeight(style) }, style));
  return lines.length * lineHeight(style);
}

/** Draws a text that is wrapped to the width of its box. Returns its height in points. */
export const drawText = (pdf: Pdf, text: string, box: TextBox, style: TextStyle): number =>
  drawLines(pdf, wrapText(pdf, text, box.width, style), box, style);
