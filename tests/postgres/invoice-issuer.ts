import { once } from "node:events";
import { readFileSync } from "node:fs";
import { systemActor } from "~/domain/audit/audit.service.server";
import { issueDueInvoice } from "~/domain/orders/invoices/issue-invoice.server";
import { closeDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";

// One process of the portal that issues many invoices: a file with the orders' ids, where to begin.
const [file = "", start] = process.argv.slice(2);
const CALLERS = 8;

const ids = JSON.parse(readFileSync(file, "utf8")) as number[];
const first = Number(start);
const waiting = [...ids.slice(first), ...ids.slice(0, first)].values();

process.send?.({ issued: 0 });
await once(process, "message"); // all begin together

/** Every seventh transaction fails after its number was taken. */
class Failure extends Error {}
let tries = 0;
let issued = 0;

async function issue(id: number): Promise<boolean> {
  const fails = (tries += 1) % 7 === 0;
  try {
    const invoice = await inTransaction(async (trx) => {
      const made = await issueDueInvoice(trx, id, systemActor("test"), new Date("2026-11-22T12:00:00Z"));
      if (made && fails) throw new Failure();
      return made;
    });
    return invoice !== null;
  } catch (error) {
    if (error instanceof Failure) return issue(id);
    throw error;
  }
}

await Promise.all(
  Array.from({ length: CALLERS }, async () => {
    for (const id of waiting) if (await issue(id)) process.send?.({ issued: (issued += 1) });
  }),
);
await closeDb();
process.disconnect?.();
