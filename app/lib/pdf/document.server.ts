import { createRequire } from "node:module";
import { type Font, openSync } from "fontkit";
import { LRUCache } from "lru-cache";
import PDFDocument from "pdfkit";

export type Pdf = PDFKit.PDFDocument;
export type PdfElement = PDFKit.PDFStructureElement;

/** The site's typeface (docs/decisions/0015) as complete files. pdfkit embeds only the glyphs that are used. */
export const FONTS = { regular: "Regular", italic: "It", semibold: "Semibold", bold: "Bold" } as const;
export type FontName = keyof typeof FONTS;

const packages = createRequire(import.meta.url);
const files = new Map<string, string>();

/**
 * Returns the path of a file in a package. The paths are cached, because Node reads several files to find one and a document asks for its
 * fonts at each run of text.
 */
export function packageFile(name: string): string {
  const known = files.get(name) ?? packages.resolve(name);
  files.set(name, known);
  return known;
}

export const fontFile = (name: FontName) => packageFile(`source-sans/TTF/SourceSans3-${FONTS[name]}.ttf`);

type Shaped = ReturnType<Font["layout"]>;

/** The number of shaped texts that are kept for each font. They take about a kilobyte each. */
const SHAPED_TEXTS = 4000;

/** Returns a copy of a shaped text, because pdfkit scales the positions of the one that it gets. */
const copyOf = (shaped: Shaped): Shaped =>
  Object.assign(Object.create(Object.getPrototypeOf(shaped) as object) as Shaped, shaped, {
    positions: shaped.positions.map((position) => ({ ...position })),
  });

/**
 * Makes a font keep the texts that it has shaped. Shaping is most of the work of a document, and documents of one kind repeat most of their
 * texts.
 */
function keepShaped(font: Font): void {
  const shape = font.layout.bind(font);
  const kept = new LRUCache<string, Shaped>({ max: SHAPED_TEXTS });
  font.layout = (text, ...options) => {
    const key = JSON.stringify([text, ...options]);
    const known = kept.get(key) ?? shape(text, ...options);
    kept.set(key, known);
    return copyOf(known);
  };
}

const fonts = new Map<string, Font>();

/** Returns the font in a file, which is read once in a process. Throws when the file contains several fonts. */
export function openFont(file: string): Font {
  const known = fonts.get(file);
  if (known) return known;
  const font = openSync(file);
  if (!("hasGlyphForCodePoint" in font)) throw new Error(`${file} holds several fonts.`);
  keepShaped(font);
  fonts.set(file, font);
  return font;
}

/** Registers a font of the document under a name. */
export function registerFont(pdf: Pdf, name: string, file: string): void {
  pdf.registerFont(name, openFont(file) as unknown as string); // pdfkit also accepts an open font, which its types do not say
}

export const MARGIN = { top: 84, bottom: 72, left: 72, right: 72 };
export const COLOURS = { text: "#1b2730", muted: "#4d5d68", brand: "#0b5563", line: "#b9c4ca" };

export interface PdfFacts {
  title: string;
  author: string;
  subject?: string;
  /** The date of the document's content. The same content always gives the same bytes, whenever the document is made. */
  date: Date;
  /** Whether the document is a PDF/A-3, which programs can read for as long as invoices must be kept. */
  isArchival?: boolean;
}

/** Replaces characters of XML, because pdfkit writes these texts into XML without escaping. */
const plainXml = (text: string) => text.replace(/&/g, "and").replace(/[<>]/g, "");

/**
 * Returns an A4 document without pages, in English, with tags for screen readers, its title in the title bar and the fonts registered by
 * name. Its bytes depend on neither the clock nor random values.
 */
export function newPdf({ title, author, subject, date, isArchival = false }: PdfFacts): Pdf {
  const pdf = new PDFDocument({
    size: "A4",
    margins: MARGIN,
    pdfVersion: "1.7",
    ...(isArchival && { subset: "PDF/A-3b" }),
    lang: "en-GB",
    tagged: true,
    displayTitle: true,
    autoFirstPage: false,
    bufferPages: true,
    font: null as unknown as string, // a default font would be opened again at each use under its other name
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

/** Draws headers and footers of a page. Screen readers skip them. */
export function artifact(pdf: Pdf, attached: "Top" | "Bottom", draw: () => void): void {
  pdf.markContent("Artifact", { type: "Pagination", attached: [attached] });
  draw();
  pdf.endMarkedContent();
}

/** Draws on every existing page. `draw` receives the page number, counted from 1, and the number of pages. */
export function onEveryPage(pdf: Pdf, draw: (page: number, pages: number) => void): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index);
    draw(index + 1, count);
  }
}

/** Ends the document and returns its bytes. */
export function pdfBytes(pdf: Pdf): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
    pdf.on("end", () => resolve(Buffer.concat(chunks)));
    pdf.on("error", reject);
    pdf.end();
  });
}
