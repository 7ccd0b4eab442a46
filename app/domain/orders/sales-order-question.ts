import { PortalError } from "~/lib/errors";

/** The question that staff must answer before a change of a sales order is saved. */
export interface SalesOrderQuestion {
  title: string;
  /** The wording of the question. */
  question: string;
  /** What happens after a Yes, one sentence each. */
  consequences: readonly string[];
  confirmLabel: string;
  isDangerous?: boolean;
}

/** Thrown instead of saving a change that staff have not confirmed. Its message is the question. */
export class AsksFirst extends PortalError {
  constructor(readonly asks: SalesOrderQuestion) {
    super(asks.question, { code: "order.asks" });
  }
}
