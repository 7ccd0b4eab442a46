import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { childProgram } from "../support/child-programs";
import { createUser } from "../support/factories";
import { countedTo, createInvoiceableOrder, numbersGiven } from "../support/invoices";
import { usePortal } from "../support/portal";
import { sized } from "../support/volume";

const portal = usePortal();
const ORDERS = sized(150, 500);
let file = "";

beforeAll(async () => {
  file = join(portal.dataDir, "orders.json");
  const owner = await createUser();
  const ids: number[] = [];
  for (let made = 0; made < ORDERS; made += 1) ids.push(await createInvoiceableOrder(owner));
  writeFileSync(file, JSON.stringify(ids));
}, 300_000);

/**
 * Starts a process that issues the invoice of every order, beginning with that at `start`. `ended` is the signal that ended it, or its exit
 * code.
 */
function issuer(start: number) {
  const child: ChildProcess = fork(childProgram("postgres/invoice-issuer"), [file, String(start)], {
    execArgv: [],
    env: { ...process.env, ...portal.env },
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.on("exit", (code, signal) => resolve(signal ?? code)),
  );
  return { child, ready: once(child, "message"), ended };
}

test(
  "[SAL-05] three processes issue all invoices with failures and one is killed: the numbers begin at 1, without gaps and duplicates",
  { timeout: 300_000 },
  async () => {
    const issuers = [issuer(0), issuer(0), issuer(ORDERS / 2)] as const;
    const [one, two, killed] = issuers;
    await Promise.all(issuers.map(({ ready }) => ready));
    for (const { child } of issuers) child.send("go");
    killed.child.on(
      "message",
      ({ issued }: { issued: number }) => issued === Math.round(ORDERS * 0.08) && killed.child.kill("SIGKILL"),
    );
    expect(await Promise.all([one.ended, two.ended, killed.ended])).toEqual([0, 0, "SIGKILL"]);

    expect(await numbersGiven("invoice", 2026)).toEqual(countedTo(ORDERS));
    const invoices = await getDb().selectFrom("invoices").select(["id", "orderId"]).execute();
    expect(new Set(invoices.map(({ orderId }) => orderId)).size).toBe(ORDERS);
    const orders = await getDb().selectFrom("orders").select(["status", "invoiceNumber"]).execute();
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(["Invoiced"]));
    expect(orders.map(({ invoiceNumber }) => invoiceNumber).sort()).toEqual(
      countedTo(ORDERS).map((number) => `INV-2026-${String(number).padStart(5, "0")}`),
    );
    const audits = await getDb()
      .selectFrom("auditEntries")
      .select("orderId")
      .where("event", "=", "invoice.issued")
      .execute();
    expect(audits).toHaveLength(ORDERS);
    expect(new Set(audits.map(({ orderId }) => orderId)).size).toBe(ORDERS);
  },
);
