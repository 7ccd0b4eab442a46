import { type Token, type Tokens } from "marked";
import { drawLines, lineHeight } from "./any-text.server";
import { COLOURS, MARGIN, type Pdf, type PdfElement } from "./document.server";
import { drawRuns, type Place, plainText, runsOf } from "./inline.server";

/** A heading, as the table of contents and the bookmarks list it. */
export interface PdfHeading {
  title: string;
  /** 2 for a chapter, 3 for a section. */
  depth: number;
  destination: string;
}

const SIZES: Record<number, number> = { 2: 16, 3: 12, 4: 10.5 };
export const BODY_SIZE = 10.5;
const INDENT = 16;

export const textPlace = (pdf: Pdf): Place => ({
  x: MARGIN.left,
  width: pdf.page.width - MARGIN.left - MARGIN.right,
});

/** Returns the height that is left on the page, in points. */
const roomBelow = (pdf: Pdf) => pdf.page.height - MARGIN.bottom - pdf.y;

/** Returns the headings of parsed Markdown, in order. */
export const headingsOf = (tokens: readonly Token[]): PdfHeading[] =>
  tokens
    .filter((token): token is Tokens.Heading => token.type === "heading")
    .map(({ depth, tokens: inline }, index) => ({
      title: plainText(inline),
      depth,
      destination: `heading-${index + 1}`,
    }));

/**
 * Draws a heading on the same page as the text that follows it. Adds its bookmark below the bookmark of the parent heading to `bookmarks`.
 * Returns the page number, counted from 1.
 */
function drawHeading(
  pdf: Pdf,
  root: PdfElement,
  { title, depth, destination }: PdfHeading,
  bookmarks: PDFKit.PDFOutline[],
): number {
  const { x, width } = textPlace(pdf);
  if (roomBelow(pdf) < 90) pdf.addPage();
  else pdf.y += depth === 2 ? 14 : 7;
  bookmarks.length = depth - 1;
  const bookmark = bookmarks[depth - 2]?.addItem(title);
  if (bookmark) bookmarks.push(bookmark);
  root.add(
    pdf.struct(`H${depth}`, {}, () => {
      pdf
        .font("bold")
        .fontSize(SIZES[depth] ?? BODY_SIZE)
        .fillColor(depth === 2 ? COLOURS.brand : COLOURS.text);
      pdf.text(title, x, pdf.y, { width, destination });
    }),
  );
  pdf.fontSize(BODY_SIZE).y += 4;
  const { start, count } = pdf.bufferedPageRange();
  return start + count;
}

/**
 * Draws parsed Markdown into the document as tagged elements, one below the other. `headings` must be the headings of `tokens`. Returns
 * their page numbers by destination.
 */
export function drawMarkdown(
  pdf: Pdf,
  root: PdfElement,
  tokens: readonly Token[],
  headings: readonly PdfHeading[],
): Map<string, number> {
  const pages = new Map<string, number>();
  const bookmarks: PDFKit.PDFOutline[] = [pdf.outline];
  for (const token of tokens) {
    const heading = token.type === "heading" ? headings[pages.size] : undefined;
    if (heading) {
      pages.set(heading.destination, drawHeading(pdf, root, heading, bookmarks));
    } else drawBlocks(pdf, root, [token], textPlace(pdf));
  }
  return pages;
}

function drawBlocks(pdf: Pdf, parent: PdfElement, tokens: readonly Token[], place: Place): void {
  for (const token of tokens) {
    if (token.type === "list") drawList(pdf, parent, token as Tokens.List, place);
    else if (token.type === "table") drawTable(pdf, parent, token as Tokens.Table, place);
    else if (token.type === "paragraph" || token.type === "text") {
      drawRuns(pdf, parent, "P", runsOf((token as Tokens.Paragraph).tokens), place);
      pdf.y += 5;
    } else if (token.type === "code") drawCode(pdf, parent, (token as Tokens.Code).text, place);
    else if (token.type !== "space") throw new Error(`Markdown of the type '${token.type}' cannot be drawn.`);
  }
}

function drawList(pdf: Pdf, parent: PdfElement, { items, ordered, start }: Tokens.List, { x, width }: Place): void {
  const list = pdf.struct("L");
  parent.add(list);
  items.forEach((item, index) => {
    if (roomBelow(pdf) < 2 * BODY_SIZE) pdf.addPage();
    const entry = pdf.struct("LI");
    list.add(entry);
    const top = pdf.y;
    entry.add(
      pdf.struct("Lbl", {}, () => {
        pdf.font("regular").fillColor(COLOURS.muted);
        pdf.text(ordered ? `${(start || 1) + index}.` : "•", x, top, { lineBreak: false });
      }),
    );
    pdf.y = top;
    const body = pdf.struct("LBody");
    entry.add(body);
    drawBlocks(pdf, body, item.tokens, { x: x + INDENT, width: width - INDENT });
    body.end();
    entry.end();
  });
  list.end();
  pdf.y += 3;
}

const CODE = { size: 8.5, colour: COLOURS.text };
/** The most characters of a line of code. 85 wide letters fill the width of a page. */
const CODE_LINE = 85;

/** Draws text line by line as it is. A line that is too long goes on below. */
function drawCode(pdf: Pdf, parent: PdfElement, text: string, { x, width }: Place): void {
  const lines = text.split("\n").flatMap((line) => line.match(new RegExp(`.{1,${CODE_LINE}}`, "gu")) ?? [""]);
  const element = pdf.struct("Code");
  parent.add(element);
  for (const line of lines) {
    if (roomBelow(pdf) < lineHeight(CODE)) pdf.addPage();
    const top = pdf.y;
    element.add(() => void drawLines(pdf, [line], { x, y: top, width }, CODE));
    pdf.y = top + lineHeight(CODE);
  }
  element.end();
  pdf.x = x;
  pdf.font("regular").fontSize(BODY_SIZE).y += 8;
}

function drawTable(pdf: Pdf, parent: PdfElement, { header, rows }: Tokens.Table, { x, width }: Place): void {
  pdf.fontSize(BODY_SIZE - 1).font("regular");
  const head = header.map(({ tokens }) => ({
    text: plainText(tokens),
    type: "TH" as const,
    scope: "Column" as const,
    font: { src: "semibold" },
    backgroundColor: "#edf2f4",
  }));
  pdf.x = x;
  const data = [head, ...rows.map((row) => row.map(({ tokens }) => ({ text: plainText(tokens) })))];
  const style = { border: 0.5, borderColor: COLOURS.line, padding: 4, textColor: COLOURS.text };
  const tagged = { structParent: parent }; // the types lack this option
  pdf.table({ ...tagged, maxWidth: width, defaultStyle: style, data });
  pdf.fontSize(BODY_SIZE).font("regular");
  pdf.x = x;
  pdf.y += 10;
}
