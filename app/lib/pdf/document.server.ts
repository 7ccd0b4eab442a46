import { createRequire } from "node:module";
import { type Font, openSync } from "fontkit";
import PDFDocument from "pdfkit";

export type Pdf = PDFKit.PDFDocument;
export type PdfElement = PDFKit.PDFStructureElement;

/** The site's typeface (docs/decisions/0015), whole files: pdfkit embeds the glyphs that are used. */
export const FONTS = { regular: "Regular", italic: "It", semibold: "Semibold", bold: "Bold" } as const;
export type FontName = keyof typeof FONTS;

const packages = createRequire(import.meta.url);
const files = new Map<string, string>();

/** Path of a package's file. Node's own look-up reads several files, and a document asks for its fonts at each run of text. */
export function packageFile(name: string): string {
  const known = files.get(name) ?? packages.resolve(name);
  files.set(name, known);
  return known;
}

export const fontFile = (name: FontName) => packageFile(`source-sans/TTF/SourceSans3-${FONTS[name]}.ttf`);

const fonts = new Map<string, Font>();

/** The font of a file, which is read once in a process. Throws when the file holds several fonts. */
export function openFont(file: string): Font {
  const known = fonts.get(file);
  if (known) return known;
  const font = openSync(file);
  if (!("hasGlyphForCodePoint" in font)) throw new Error(`${file} holds several fonts.`);
  fonts.set(file, font);
  return font;
}

/** Gives a font of the document a name. */
export function registerFont(pdf: Pdf, name: string, file: string): void {
  pdf.registerFont(name, openFont(file) as unknown as string); // pdfkit takes an open font too, its types do not say so
}

export const MARGIN = { top: 84, bottom: 72, left: 72, right: 72 };
export const COLOURS = { text: "#1b2730", muted: "#4d5d68", brand: "#0b5563", line: "#b9c4ca" };

export interface PdfFacts {
  title: string;
  author: string;
  subject?: string;
  /** The date of the document's content: the same content gives the same bytes, whenever it is made. */
  date: Date;
}

/** pdfkit writes these texts into XML as they are. */
const plainXml = (text: string) => text.replace(/&/g, "and").replace(/[<>]/g, "");

/**
 * An A4 document with tags for screen readers, in English, its title in the window's bar, the fonts by their names, without a page
 * yet. Nothing in it depends on the clock or on chance.
 */
export function newPdf({ title, author, subject, date }: PdfFacts): Pdf {
  const pdf = new PDFDocument({
    size: "A4",
    margins: MARGIN,
    pdfVersion: "1.7",
    lang: "en-GB",
    tagged: true,
    displayTitle: true,
    autoFirstPage: false,
    bufferPages: true,
    font: openFont(fontFile("regular")) as unknown as string,
    info: {
      Title: plainXml(title),
      Author: plainXml(author),
      ...(subject && { Subject: plainXml(subject) }),
      CreationDate: date,
      ModDate: date,
    },
  });
  for (const name of Object.keys(FONTS) as FontName[]) registerFont(pdf, name, fontFile(name));
  return pdf;
}

/** Draws what belongs to the page and not to the text: screen readers pass over it. */
export function artifact(pdf: Pdf, attached: "Top" | "Bottom", draw: () => void): void {
  pdf.markContent("Artifact", { type: "Pagination", attached: [attached] });
  draw();
  pdf.endMarkedContent();
}

/** Draws on every page that there is, by its number from 1 on and the number of pages. */
export function onEveryPage(pdf: Pdf, draw: (page: number, pages: number) => void): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index);
    draw(index + 1, count);
  }
}

/** Ends the document. Out: its bytes. */
export function pdfBytes(pdf: Pdf): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
    pdf.on("end", () => resolve(Buffer.concat(chunks)));
    pdf.on("error", reject);
    pdf.end();
  });
}
