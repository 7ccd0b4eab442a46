import { inTransaction } from "~db/transaction.server";
import { sealSome } from "./append.server";

/** Seals the entries from before the chain, a thousand in a transaction; interrupted it goes on where it was. */
export async function sealOlderEntries(): Promise<void> {
  while (await inTransaction(sealSome));
}
