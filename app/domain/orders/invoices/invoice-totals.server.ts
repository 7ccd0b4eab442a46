import { formatEuro, formatSterling } from "~/lib/money";
import { drawLines, drawText, lineHeight, type TextStyle, wrapText } from "~/lib/pdf/any-text.server";
import { type Pdf, type PdfElement } from "~/lib/pdf/document.server";
import { drawn, within } from "~/lib/pdf/tagged.server";
import { type InvoiceContent, paymentLines, prepaidOf } from "./invoice-content";
import { BODY, BOTTOM, LEFT, NEXT_TOP, RIGHT, rule, SMALL, STRONG, toRight, WIDTH } from "./invoice-layout.server";
import { notesOf } from "./invoice-notes.server";

const percent = (rate: number) => `${Number((rate * 100).toFixed(2))}%`;

interface Amount {
  label: string;
  euro: string;
  sterling: string | null;
  style: TextStyle;
}

const TOTAL: TextStyle = { ...STRONG, size: 12 };

function amountsOf(content: InvoiceContent): Amount[] {
  const { netCents, vatCents, totalCents, vatRate, sterling, kind } = content;
  const pounds = (pence: number | undefined) => (pence === undefined ? null : formatSterling(pence));
  return [
    { label: "Net amount", euro: formatEuro(netCents), sterling: pounds(sterling?.netPence), style: BODY },
    {
      label: `VAT (${percent(vatRate)})`,
      euro: formatEuro(vatCents),
      sterling: pounds(sterling?.vatPence),
      style: BODY,
    },
    {
      label: kind === "invoice" ? (prepaidOf(content) > 0 ? "Total" : "Total to pay") : "Total credited",
      euro: formatEuro(totalCents),
      sterling: pounds(sterling?.totalPence),
      style: TOTAL,
    },
    ...paymentLines(content).map(([label, cents], index) => ({
      label,
      euro: formatEuro(cents),
      sterling: null,
      style: index === 0 ? BODY : TOTAL,
    })),
  ];
}

const LABEL_X = LEFT + 200;
const AMOUNT = { width: 90 };

function drawAmount(pdf: Pdf, table: PdfElement, { label, euro, sterling, style }: Amount, y: number): number {
  within(pdf, table, "TR", (row) => {
    drawn(pdf, row, "TD", () => {
      drawText(pdf, label, { x: LABEL_X, y, width: 100 }, style);
    });
    if (sterling !== null)
      drawn(pdf, row, "TD", () => {
        drawText(pdf, sterling, { ...AMOUNT, x: RIGHT - 6 - 2 * AMOUNT.width, y }, toRight(style));
      });
    drawn(pdf, row, "TD", () => {
      drawText(pdf, euro, { ...AMOUNT, x: RIGHT - 6 - AMOUNT.width, y }, toRight(style));
    });
  });
  return y + lineHeight(style) + 3;
}

const ROOM = 132;

/** Draws the amounts and the notes below the lines, on a new page where they do not fit. */
export function drawTotals(pdf: Pdf, root: PdfElement, content: InvoiceContent, top: number): void {
  let y = top + 14;
  if (y + ROOM > BOTTOM) {
    pdf.addPage();
    y = NEXT_TOP;
  }
  within(pdf, root, "Table", (table) => {
    for (const amount of amountsOf(content)) {
      if (amount.style.size > BODY.size) rule(pdf, y, { left: LABEL_X, width: 1 });
      y = drawAmount(pdf, table, amount, amount.style.size > BODY.size ? y + 5 : y);
    }
  });
  y += 14;
  for (const note of notesOf(content)) {
    const style = note === content.vatNote ? STRONG : { ...SMALL, size: 9.5 };
    const lines = wrapText(pdf, note, WIDTH, style);
    if (y + lines.length * lineHeight(style) > BOTTOM) {
      pdf.addPage();
      y = NEXT_TOP;
    }
    drawn(pdf, root, "P", () => {
      y += drawLines(pdf, lines, { x: LEFT, y, width: WIDTH }, style) + 3;
    });
  }
}
