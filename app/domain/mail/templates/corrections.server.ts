import { composeMail, type ComposedMail } from "../compose.server";

export interface OrderCorrectedData {
  name: string;
  orderNumber: string;
  /** The number of the correction, such as "COR-2026-0001". */
  number: string;
  changes: readonly { label: string; from: string; to: string }[];
  /** What happened, in sentences. */
  effects: readonly string[];
  /** What the customer has to do, in a sentence. */
  next: string;
  url: string;
}

/** Confirms the correction of an order to the customer. */
export const orderCorrectedMail = ({
  name,
  orderNumber,
  number,
  changes,
  effects,
  next,
  url,
}: OrderCorrectedData): ComposedMail =>
  composeMail({
    subject: `Order ${orderNumber}: correction ${number}`,
    greeting: name,
    paragraphs: [`Correction ${number} of order ${orderNumber} was made. ${effects.join(" ")}`],
    facts: [
      ["Correction number", number],
      ["Sales order number", orderNumber],
      ...changes.map(({ label, from, to }) => [label, `${from || "–"} → ${to || "–"}`] as const),
    ],
    next: `${next} If you did not expect this, please contact us.`,
    action: { label: "View the order", url },
  });
