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

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Where a line may end: after spaces, and beside each character of the scripts that write without them. */
const words = (text: string) =>
  text.match(
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|\s+/gu,
  ) ?? [];

/** The text in lines that fit into the width; a word that does not fit into a line is broken. */
export function wrapText(pdf: Pdf, text: string, width: number, style: TextStyle): string[] {
  const fits = (line: string) => widthOf(pdf, line.trimEnd(), style) <= width;
  const lines = [""];
  const add = (piece: string) => {
    const line = lines.at(-1) ?? "";
    if (line === "" || fits(line + piece)) lines[lines.length - 1] = line + piece;
    else lines.push(piece);
  };
  for (const word of words(text.replace(/\s+/g, " ").trim()))
    if (fits(word)) add(word);
    else for (const { segment } of graphemes.segment(word)) add(segment);
  return lines.map((line) => line.trimEnd());
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
