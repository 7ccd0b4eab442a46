import { once } from "node:events";
import { readFileSync } from "node:fs";
import { systemActor } from "~/domain/audit/audit.service.server";
import { issueDueInvoices } from "~/domain/orders/invoices/issue-invoice.server";
import { closeDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";

// A process of the portal that issues many invoices. Its arguments are a file with the ids of the orders, and the position at which to
// begin.
const [file = "", start] = process.argv.slice(2);
const CALLERS = 8;

const ids = JSON.parse(readFileSync(file, "utf8")) as number[];
const first = Number(start);
const waiting = [...ids.slice(first), ...ids.slice(0, first)].values();

process.send?.({ issued: 0 });
await once(process, "message"); // all processes begin at the same time

/** Makes every seventh transaction fail after it has taken an invoice number. */
class Failure extends Error {}
let tries = 0;
let issued = 0;

async function issue(id: number): Promise<boolean> {
  const fails = (tries += 1) % 7 === 0;
  try {
    const invoice = await inTransaction(async (trx) => {
      const order = { orderId: id, actor: systemActor("test") };
      const made = (await issueDueInvoices(trx, [order], new Date("2026-11-22T12:00:00Z"))).get(id);
      if (made && fails) throw new Failure();
      return made;
    });
    return invoice !== undefined;
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
