import { type Pdf, type PdfElement } from "./document.server";

/** Adds a structure element that contains the elements that `fill` adds. */
export function within(pdf: Pdf, parent: PdfElement, tag: string, fill: (element: PdfElement) => void): void {
  const element = pdf.struct(tag);
  parent.add(element);
  fill(element);
  element.end();
}

/** Adds a structure element with text that is drawn at once, on one page. */
export function drawn(pdf: Pdf, parent: PdfElement, tag: string, draw: () => void): void {
  const options: object = tag === "TH" ? { scope: "Column" } : {}; // missing in the types
  parent.add(pdf.struct(tag, options, draw));
}
