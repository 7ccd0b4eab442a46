import { type Token } from "marked";
import {
  artifact,
  COLOURS,
  MARGIN,
  newPdf,
  onEveryPage,
  type Pdf,
  type PdfElement,
  type PdfFacts,
  pdfBytes,
} from "./document.server";
import { BODY_SIZE, drawMarkdown, headingsOf, type PdfHeading, textPlace } from "./markdown.server";

export interface WrittenDocument extends PdfFacts {
  /** The large heading of the first page. */
  heading: string;
  /** Names and values below the heading on the first page. */
  facts: readonly (readonly [string, string])[];
  /** The texts at the top left and top right of every page. */
  header: readonly [string, string];
  /** Block Markdown with headings from the second level on. */
  tokens: readonly Token[];
}

function drawTitle(pdf: Pdf, root: PdfElement, { heading, facts }: WrittenDocument): void {
  const { width } = textPlace(pdf);
  root.add(
    pdf.struct("H1", {}, () => {
      pdf.font("bold").fontSize(26).fillColor(COLOURS.brand).text(heading, MARGIN.left, MARGIN.top, { width });
    }),
  );
  pdf.fontSize(BODY_SIZE).y += 8;
  for (const [name, value] of facts) {
    root.add(
      pdf.struct("P", {}, () => {
        pdf.fillColor(COLOURS.text).font("semibold").text(`${name}: `, MARGIN.left, pdf.y, { width, continued: true });
        pdf.font("regular").text(value);
      }),
    );
  }
  pdf.y += 16;
}

/** A line of the contents whose page number is added later. */
interface Entry extends PdfHeading {
  link: PdfElement;
  page: number;
  top: number;
}

/** Deeper headings appear only in the bookmarks. */
const CONTENTS_DEPTH = 3;

function drawEntry(pdf: Pdf, contents: PdfElement, heading: PdfHeading): Entry {
  const { title, depth } = heading;
  pdf.font(depth === 2 ? "semibold" : "regular");
  if (pdf.y + pdf.currentLineHeight(true) > pdf.page.height - MARGIN.bottom) pdf.addPage();
  pdf.fillColor(COLOURS.text);
  const { start, count } = pdf.bufferedPageRange();
  const link = pdf.struct("Link");
  const item = pdf.struct("TOCI");
  item.add(link);
  contents.add(item);
  const top = pdf.y;
  link.add(() => {
    pdf.text(`${title} `, MARGIN.left + (depth - 2) * 14, top, { lineBreak: false });
  });
  pdf.x = MARGIN.left;
  pdf.y = top + pdf.currentLineHeight(true) + 2;
  return { ...heading, link, page: start + count, top };
}

function drawContents(pdf: Pdf, root: PdfElement, headings: readonly PdfHeading[]): Entry[] {
  root.add(
    pdf.struct("H2", {}, () => {
      pdf.font("bold").fontSize(16).fillColor(COLOURS.brand).text("Contents", MARGIN.left, pdf.y);
    }),
  );
  pdf.fontSize(BODY_SIZE).y += 4;
  const contents = pdf.struct("TOC");
  root.add(contents);
  return headings.filter(({ depth }) => depth <= CONTENTS_DEPTH).map((heading) => drawEntry(pdf, contents, heading));
}

/** Completes a line of the contents with the page number and a link to the page. */
function drawPageNumber(pdf: Pdf, { title, depth, destination, link, page, top }: Entry, number: number): void {
  pdf.switchToPage(page - 1);
  pdf
    .font(depth === 2 ? "semibold" : "regular")
    .fontSize(BODY_SIZE)
    .fillColor(COLOURS.text);
  const { x, width } = textPlace(pdf);
  link.add(() => {
    pdf.text(String(number), x + width - pdf.widthOfString(String(number)), top, { lineBreak: false });
  });
  const options = { structParent: link, Contents: new String(`${title}, page ${number}`) };
  pdf.goTo(x, top, width, pdf.currentLineHeight(true), destination, options as object);
}

function drawFrame(pdf: Pdf, [left, right]: readonly [string, string]): void {
  onEveryPage(pdf, (page, pages) => {
    const { width } = textPlace(pdf);
    const edge = MARGIN.left + width;
    artifact(pdf, "Top", () => {
      pdf.font("regular").fontSize(9).fillColor(COLOURS.muted);
      pdf.text(left, MARGIN.left, 44, { lineBreak: false });
      pdf.text(right, edge - pdf.widthOfString(right), 44, { lineBreak: false });
      pdf.moveTo(MARGIN.left, 62).lineTo(edge, 62).lineWidth(0.5).stroke(COLOURS.line);
    });
    artifact(pdf, "Bottom", () => {
      const number = `Page ${page} of ${pages}`;
      pdf.text(number, edge - pdf.widthOfString(number), pdf.page.height - 48, { lineBreak: false });
    });
  });
}

/** Returns a PDF with title, contents, bookmarks, headers and page numbers. */
export function writtenPdf(document: WrittenDocument): Promise<Buffer> {
  const pdf = newPdf(document);
  pdf.addPage();
  const root = pdf.struct("Document");
  pdf.addStructure(root);
  drawTitle(pdf, root, document);
  const headings = headingsOf(document.tokens);
  const contents = drawContents(pdf, root, headings);
  pdf.addPage();
  const pages = drawMarkdown(pdf, root, document.tokens, headings);
  for (const entry of contents) drawPageNumber(pdf, entry, pages.get(entry.destination) ?? 0);
  root.end();
  drawFrame(pdf, document.header);
  return pdfBytes(pdf);
}
