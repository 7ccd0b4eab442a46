import { type Trx } from "~db/connection.server";

/** Something that becomes at most one order: a draft, or the key under which a program sends an order. */
export interface OrderClaim {
  /** Locks the claim until the transaction ends. Resolves to false when it has become an order already; then nothing may be stored. */
  hold: (trx: Trx) => Promise<boolean>;
  /** Records the order that the claim has become. */
  settle: (trx: Trx, orderId: number) => Promise<void>;
}

/** The claim of an order that is stored each time it is sent. */
export const unclaimed: OrderClaim = { hold: () => Promise.resolve(true), settle: () => Promise.resolve() };
