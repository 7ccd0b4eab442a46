import { type Pdf, type PdfElement } from "./document.server";

/** An element of the structure, filled by `fill`; for elements that hold others. */
export function within(pdf: Pdf, parent: PdfElement, tag: string, fill: (element: PdfElement) => void): void {
  const element = pdf.struct(tag);
  parent.add(element);
  fill(element);
  element.end();
}

/** An element of the structure that is drawn at once, on one page; for elements that hold text. */
export function drawn(pdf: Pdf, parent: PdfElement, tag: string, draw: () => void): void {
  const options: object = tag === "TH" ? { scope: "Column" } : {}; // unknown to the types
  parent.add(pdf.struct(tag, options, draw));
}
