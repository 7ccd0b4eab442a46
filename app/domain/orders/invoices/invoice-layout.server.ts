import { type TextStyle } from "~/lib/pdf/any-text.server";
import { COLOURS, type Pdf } from "~/lib/pdf/document.server";

/** The invoice's page, in points: the text's left edge and width, and where rows stop. */
export const LEFT = 56;
export const WIDTH = 483;
export const RIGHT = LEFT + WIDTH;
export const FIRST_TOP = 48;
/** Of the pages after the first one, below their header. */
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

/** A filled box behind what is drawn next. */
export function shade(pdf: Pdf, y: number, height: number): void {
  pdf.markContent("Artifact", { type: "Layout" });
  pdf.rect(LEFT, y, WIDTH, height).fill("#edf2f4");
  pdf.endMarkedContent();
}
