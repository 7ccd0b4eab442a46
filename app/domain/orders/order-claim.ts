import { type Trx } from "~db/connection.server";

/** What becomes at most one order: a draft, or the key under which a program sends one. */
export interface OrderClaim {
  /** Holds it until the transaction ends. Out: false when it became an order already; then nothing is to be stored. */
  hold: (trx: Trx) => Promise<boolean>;
  /** Notes the order that it became. */
  settle: (trx: Trx, orderId: number) => Promise<void>;
}

/** Of an order that is stored however often it is sent. */
export const unclaimed: OrderClaim = { hold: () => Promise.resolve(true), settle: () => Promise.resolve() };
