import { setImmediate as othersTurn } from "node:timers/promises";
import { takeApart, elementsOf } from "./parts.server";

/** After how many entries others get a turn. */
const ENTRIES_AT_ONCE = 5_000;

/** Returns the serial number at the beginning of an entry as upper-case hex without leading zero bytes. */
function serialOf(content: Uint8Array): string {
  const [serial] = elementsOf(content);
  const hex = Buffer.from(serial?.content ?? [])
    .toString("hex")
    .toUpperCase();
  return hex.replace(/^(00)+(?=..)/, "");
}

/** The bytes of the entries of a CRL by their serial number, upper-case hex. The bytes are views on the CRL. */
export type CrlEntryIndex = ReadonlyMap<string, Uint8Array>;

/** Indexes the entries of a CRL. Others get a turn in between, because a CRL can be long. Throws a CaError `malformed`. */
export async function indexCrlEntries(der: Uint8Array): Promise<CrlEntryIndex> {
  const index = new Map<string, Uint8Array>();
  let count = 0;
  for (const entry of elementsOf(takeApart(der).entries)) {
    index.set(serialOf(entry.content), entry.der);
    count += 1;
    if (count % ENTRIES_AT_ONCE === 0) await othersTurn();
  }
  return index;
}
