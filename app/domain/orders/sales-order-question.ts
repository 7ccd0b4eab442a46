import { PortalError } from "~/lib/errors";

/** What staff are asked before a change of a sales order is saved. */
export interface SalesOrderQuestion {
  title: string;
  /** The exact words of the question. */
  question: string;
  /** What happens with a Yes, one sentence each. */
  consequences: readonly string[];
  confirmLabel: string;
  isDangerous?: boolean;
}

/** Thrown in place of saving a change that staff have not confirmed. Its message is the question. */
export class AsksFirst extends PortalError {
  constructor(readonly asks: SalesOrderQuestion) {
    super(asks.question, { code: "order.asks" });
  }
}
