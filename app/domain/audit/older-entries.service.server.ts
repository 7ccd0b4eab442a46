import { inTransaction } from "~db/transaction.server";
import { sealSome } from "./append.server";

/** Seals the entries from before the chain, a thousand in each transaction. After an interruption, it continues where it stopped. */
export async function sealOlderEntries(): Promise<void> {
  while (await inTransaction(sealSome));
}
