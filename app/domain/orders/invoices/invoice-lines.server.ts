import { formatEuro } from "~/lib/money";
import { drawLines, drawText, lineHeight, type TextStyle, wrapText } from "~/lib/pdf/any-text.server";
import { type Pdf, type PdfElement } from "~/lib/pdf/document.server";
import { drawn, within } from "~/lib/pdf/tagged.server";
import { type InvoiceLine } from "./invoice-content";
import { BODY, BOTTOM, LABEL, LEFT, NEXT_TOP, rule, shade, SMALL, toRight, WIDTH } from "./invoice-layout.server";

const PADDING = 6;
const COLUMNS = [
  { label: "Description", x: LEFT + PADDING, width: 254, style: BODY },
  { label: "Quantity", x: LEFT + 266, width: 47, style: toRight(BODY) },
  { label: "Unit price", x: LEFT + 319, width: 76, style: toRight(BODY) },
  { label: "Net amount", x: LEFT + 401, width: WIDTH - 401 - PADDING, style: toRight(BODY) },
] as const;

const HEAD_HEIGHT = 20;

function drawHead(pdf: Pdf, table: PdfElement, y: number): number {
  shade(pdf, y, HEAD_HEIGHT);
  within(pdf, table, "TR", (row) => {
    for (const { label, x, width, style } of COLUMNS)
      drawn(pdf, row, "TH", () => {
        drawText(pdf, label, { x, y: y + 4, width }, { ...LABEL, ...(style.align && { align: style.align }) });
      });
  });
  return y + HEAD_HEIGHT;
}

interface Row {
  lines: string[];
  details: string[];
  height: number;
}

function layOut(pdf: Pdf, { description, detail }: InvoiceLine): Row {
  const { width } = COLUMNS[0];
  const lines = wrapText(pdf, description, width, BODY);
  const details = detail === "" ? [] : wrapText(pdf, detail, width, SMALL);
  const height = 2 * PADDING + lines.length * lineHeight(BODY) + details.length * lineHeight(SMALL);
  return { lines, details, height };
}

function drawRow(pdf: Pdf, table: PdfElement, line: InvoiceLine, { lines, details, height }: Row, top: number): void {
  const y = top + PADDING;
  const [first, ...others] = COLUMNS;
  const values = [String(line.quantity), formatEuro(line.unitCents), formatEuro(line.netCents)];
  within(pdf, table, "TR", (row) => {
    drawn(pdf, row, "TD", () => {
      const taken = drawLines(pdf, lines, { ...first, y }, BODY);
      drawLines(pdf, details, { ...first, y: y + taken }, SMALL);
    });
    others.forEach(({ x, width, style }: { x: number; width: number; style: TextStyle }, index) => {
      drawn(pdf, row, "TD", () => {
        drawText(pdf, values[index] ?? "", { x, y, width }, style);
      });
    });
  });
  rule(pdf, top + height);
}

/**
 * Draws the invoice lines as a table, over as many pages as needed. Each page repeats the column heads. Returns the y coordinate at which
 * the table ends, in points.
 */
export function drawInvoiceLines(pdf: Pdf, root: PdfElement, lines: readonly InvoiceLine[], top: number): number {
  let y = top;
  within(pdf, root, "Table", (table) => {
    y = drawHead(pdf, table, y);
    for (const line of lines) {
      const row = layOut(pdf, line);
      if (y + row.height > BOTTOM) {
        pdf.addPage();
        y = drawHead(pdf, table, NEXT_TOP);
      }
      drawRow(pdf, table, line, row, y);
      y += row.height;
    }
  });
  return y;
}
