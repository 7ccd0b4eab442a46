import { type TextStyle } from "~/lib/pdf/any-text.server";
import { COLOURS, type Pdf } from "~/lib/pdf/document.server";

/** The layout of the invoice's pages in points. LEFT, WIDTH and RIGHT are those of the text; FIRST_TOP is where the first page starts. */
export const LEFT = 56;
export const WIDTH = 483;
export const RIGHT = LEFT + WIDTH;
export const FIRST_TOP = 48;
/** Where the text of the following pages starts, below their header. BOTTOM is where rows end. */
export const NEXT_TOP = 84;
export const BOTTOM = 762;

export const BODY: TextStyle = { size: 10 };
export const SMALL: TextStyle = { size: 8.5, colour: COLOURS.muted };
export const LABEL: TextStyle = { size: 8.5, colour: COLOURS.muted, font: "semibold" };
export const STRONG: TextStyle = { size: 10, font: "semibold" };

export const toRight = (style: TextStyle): TextStyle => ({ ...style, align: "right" });

export function rule(pdf: Pdf, y: number, { left = LEFT, width = 0.5 } = {}): void {
  pdf.markContent("Artifact", { type: "Layout" });
  pdf.moveTo(left, y).lineTo(RIGHT, y).lineWidth(width).stroke(COLOURS.line);
  pdf.endMarkedContent();
}

/** Draws a filled box. What is drawn next is on top of it. */
export function shade(pdf: Pdf, y: number, height: number): void {
  pdf.markContent("Artifact", { type: "Layout" });
  pdf.rect(LEFT, y, WIDTH, height).fill("#edf2f4");
  pdf.endMarkedContent();
}
