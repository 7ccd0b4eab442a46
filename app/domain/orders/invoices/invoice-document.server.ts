import { formatDate } from "~/lib/dates";
import { drawText, type TextStyle } from "~/lib/pdf/any-text.server";
import { artifact, COLOURS, newPdf, onEveryPage, type Pdf, type PdfElement, pdfBytes } from "~/lib/pdf/document.server";
import { drawn } from "~/lib/pdf/tagged.server";
import { eInvoiceXml } from "./e-invoice.server";
import { embedFacturX } from "./factur-x.server";
import { type InvoiceContent, KIND_LABELS, ordersText } from "./invoice-content";
import { BODY, FIRST_TOP, LABEL, LEFT, RIGHT, rule, SMALL, STRONG, toRight, WIDTH } from "./invoice-layout.server";
import { drawInvoiceLines } from "./invoice-lines.server";
import { drawTotals } from "./invoice-totals.server";

const HALF = 230;
const FACTS = { x: RIGHT - HALF, label: 96 };

/** Draws paragraphs below each other. Returns the y coordinate at which they end, in points. */
function drawBlock(
  pdf: Pdf,
  root: PdfElement,
  texts: readonly (readonly [text: string, style: TextStyle])[],
  { x, y, width }: { x: number; y: number; width: number },
): number {
  let below = y;
  for (const [text, style] of texts)
    drawn(pdf, root, "P", () => {
      below += drawText(pdf, text, { x, y: below, width }, style);
    });
  return below;
}

function drawLetterhead(pdf: Pdf, root: PdfElement, { kind, number, seller }: InvoiceContent): number {
  const brand: TextStyle = { size: 13, font: "bold", colour: COLOURS.brand };
  const address = seller.address.map((line) => [line, SMALL] as const);
  const texts = [
    [seller.name, brand],
    ...address,
    [`VAT number ${seller.vatNumber}`, SMALL],
    [seller.email, SMALL],
  ] as const;
  const left = drawBlock(pdf, root, texts, { x: LEFT, y: FIRST_TOP, width: 270 });
  const box = { x: RIGHT - 200, y: FIRST_TOP - 6, width: 200 };
  let right = box.y;
  drawn(pdf, root, "H1", () => {
    right += drawText(pdf, KIND_LABELS[kind], box, toRight({ size: 22, font: "bold" }));
  });
  drawn(pdf, root, "P", () => {
    right += drawText(pdf, number, { ...box, y: right }, toRight({ ...STRONG, size: 12 }));
  });
  return Math.max(left, right) + 22;
}

/**
 * Returns the date lines. An invoice has one line when its date and its tax point are the same day, otherwise two. A credit note has its
 * date only. The lines of a monthly invoice have a tax point each.
 */
function datesOf({ kind, issuedAt, taxPoint, orders }: InvoiceContent): [label: string, day: string][] {
  const issued = formatDate(issuedAt);
  if (kind === "credit-note") return [["Date", issued]];
  if (orders)
    return [
      ["Invoice date", issued],
      ["Tax points", "as the lines say"],
    ];
  if (taxPoint === undefined || taxPoint === issuedAt.slice(0, 10)) return [["Date and tax point", issued]];
  return [
    ["Invoice date", issued],
    ["Tax point", formatDate(taxPoint)],
  ];
}

/** Returns what names the order, or how many there are. The lines of a monthly invoice name them. */
function orderFacts({ orderNumber, orderDate, orders }: InvoiceContent): [label: string, text: string][] {
  if (!orders)
    return [
      ["Sales order", orderNumber],
      ["Order date", formatDate(orderDate)],
    ];
  const days = orders.map(({ suppliedOn }) => suppliedOn).toSorted();
  const span = [...new Set([days.at(0), days.at(-1)])].map(formatDate).join(" to ");
  return [
    ["Sales orders", `${orders.length}, as the lines say`],
    ["Supplied", span],
  ];
}

function factsOf(content: InvoiceContent) {
  const { kind, number, credits, purchaseOrderNumber } = content;
  return [
    [kind === "invoice" ? "Invoice number" : "Credit note number", number],
    ...datesOf(content),
    ...(credits ? [["Credits invoice", credits.number] as const] : []),
    ...orderFacts(content),
    ["Your purchase order", purchaseOrderNumber],
  ] as const;
}

function drawParties(pdf: Pdf, root: PdfElement, content: InvoiceContent, top: number): number {
  const { company, name, address, vatNumber } = content.buyer;
  const lines = [name, ...address].filter((line) => line && line !== company).map((line) => [line, BODY] as const);
  const vat = vatNumber === null ? [] : [[`VAT number ${vatNumber}`, BODY] as const];
  const title = content.kind === "invoice" ? "Invoice to" : "Credit to";
  const buyer = [[title, LABEL], [company, STRONG], ...lines, ...vat] as const;
  const left = drawBlock(pdf, root, buyer, { x: LEFT, y: top, width: HALF });
  let right = top;
  for (const [label, value] of factsOf(content))
    drawn(pdf, root, "P", () => {
      drawText(pdf, label, { x: FACTS.x, y: right + 1.5, width: FACTS.label }, SMALL);
      const box = { x: FACTS.x + FACTS.label, y: right, width: HALF - FACTS.label };
      right += drawText(pdf, value, box, BODY) + 2;
    });
  return Math.max(left, right) + 24;
}

function drawFrame(pdf: Pdf, { kind, number, seller }: InvoiceContent): void {
  const footer = [seller.name, ...seller.registration].join(" · ");
  onEveryPage(pdf, (page, pages) => {
    artifact(pdf, "Top", () => {
      pdf.rect(0, 0, pdf.page.width, 4).fill(COLOURS.brand);
      if (page > 1) drawText(pdf, `${KIND_LABELS[kind]} ${number}`, { x: LEFT, y: 44, width: WIDTH }, STRONG);
    });
    rule(pdf, 786);
    artifact(pdf, "Bottom", () => {
      drawText(pdf, footer, { x: LEFT, y: 792, width: WIDTH - 80 }, { ...SMALL, size: 8 });
      const box = { x: RIGHT - 80, y: 792, width: 80 };
      drawText(pdf, `Page ${page} of ${pages}`, box, toRight({ ...SMALL, size: 8 }));
    });
  });
}

/**
 * Returns the PDF of an invoice or credit note: A4, tagged, PDF/A-3, with embedded fonts and names in any script, and with the invoice as XML
 * for accounting programs where its content says enough. It depends only on the content, not on the time, random numbers or the configuration.
 */
export function invoicePdf(content: InvoiceContent): Promise<Buffer> {
  const { kind, number, issuedAt, seller, data } = content;
  const date = new Date(issuedAt);
  const subject = `Sales ${ordersText(content)}`;
  const pdf = newPdf({ title: `${KIND_LABELS[kind]} ${number}`, author: seller.name, subject, date, isArchival: true });
  pdf.addPage();
  const root = pdf.struct("Document");
  pdf.addStructure(root);
  const afterHead = drawLetterhead(pdf, root, content);
  const afterParties = drawParties(pdf, root, content, afterHead);
  const afterLines = drawInvoiceLines(pdf, root, content.lines, afterParties);
  drawTotals(pdf, root, content, afterLines);
  root.end();
  drawFrame(pdf, content);
  if (data) embedFacturX(pdf, eInvoiceXml(content, data), date);
  return pdfBytes(pdf);
}
