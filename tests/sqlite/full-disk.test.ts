import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { lastReadiness } from "~/domain/jobs/readiness.service.server";
import { getInvoiceFile, makeMissingFiles } from "~/domain/orders/invoices/invoice-file.service.server";
import { issueInvoice } from "~/domain/orders/invoices/invoices.service.server";
import { SEND_LATER } from "~/http/responses.server";
import * as register from "~/routes/_public.register/route";
import * as readyz from "~/routes/readyz";
import { getConnection, getDb } from "~db/connection.server";
import { findOrder } from "~db/repositories/orders.server";
import { createUser } from "../support/factories";
import { countedTo, createInvoiceableOrder, invoicesOf, numbersGiven } from "../support/invoices";
import { usePortal } from "../support/portal";
import { filledRegistration } from "../support/registration";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, errorsOf, run } from "../support/visitor";

const portal = usePortal();

const YEAR = new Date().getUTCFullYear();
const actor = systemActor("test");

const pragma = (source: string) => {
  const { driver } = getConnection();
  if (!("pragma" in driver)) throw new Error("This is about SQLite.");
  return driver.pragma(source, { simple: true }) as number;
};

/** Lets the database grow by at most this many pages. After that SQLite fails as on a full disk (SQLITE_FULL). */
const leavePages = (pages: number) => pragma(`max_page_count = ${pragma("page_count") + pages}`);
const makeRoom = () => pragma("max_page_count = 1000000");

/** Uses up the pages that are free inside the file. */
async function fillUp(): Promise<void> {
  const filling = async (size: number) => {
    for (let row = 0; row < 1000; row += 1)
      await getDb()
        .insertInto("settings")
        .values({
          name: `filling-${size}-${row}-${performance.now()}`,
          userId: 0,
          value: "x".repeat(size),
          updatedAt: new Date(),
        })
        .execute();
  };
  for (const size of [20_000, 1000, 10]) await expect(filling(size)).rejects.toThrow(/full/);
}

afterEach(makeRoom);

test("[SAL-05] when the disk is full, no invoice is issued and the next one gets the number", async () => {
  const owner = await createUser();
  const [first, second] = [await createInvoiceableOrder(owner), await createInvoiceableOrder(owner)];
  leavePages(0);
  await fillUp();
  await expect(issueInvoice(first, actor)).rejects.toThrow(/full/);
  expect(await invoicesOf(first)).toEqual([]);
  expect(await findOrder(getDb(), first)).toMatchObject({ status: "Open", invoiceNumber: null });
  makeRoom();
  await issueInvoice(second, actor);
  await issueInvoice(first, actor);
  expect(await numbersGiven("invoice", YEAR)).toEqual(countedTo(2));
  expect((await invoicesOf(first))[0]?.number).toBe(`INV-${YEAR}-00002`);
});

test("[SAL-05] when the disk is full for the PDF, the invoice is issued and its PDF is created later", async () => {
  const id = await createInvoiceableOrder(await createUser());
  leavePages(6); // enough for the rows, but not for the PDF
  const number = await issueInvoice(id, actor);
  const [invoice] = await invoicesOf(id);
  expect(invoice?.number).toBe(number);
  const stored = () =>
    getDb()
      .selectFrom("invoiceFiles")
      .select("sha256")
      .where("invoiceId", "=", invoice?.id ?? 0)
      .execute();
  expect(await stored()).toEqual([]);
  await expect(getInvoiceFile(invoice?.id ?? 0)).rejects.toThrow(/full/);
  makeRoom();
  expect(await makeMissingFiles()).toBe(1);
  const [file] = await stored();
  expect(file?.sha256).toMatch(/^[\da-f]{64}$/);
  const { bytes, fileName } = await getInvoiceFile(invoice?.id ?? 0);
  expect(fileName).toBe(`${number}.pdf`);
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  expect(await makeMissingFiles()).toBe(0);
});

test("[GEN-02] [REG-05] when the disk is full, the form returns with the typed values and says when to try again", async () => {
  leavePages(0);
  await fillUp();
  const typed = filledRegistration({ __rvfInternalFormId: "register" });
  const answer = await run(register.action, await (await anonymous()).post("/register", typed));
  const { status, errors, values } = await errorsOf(answer);
  expect([status, answer.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(errors.form).toBe(SEND_LATER);
  expect(values).toMatchObject({ email: typed.email });
});

test("[GEN-02] /readyz writes a test file into the data folder", async () => {
  const ask = async () => {
    lastReadiness.clear();
    const answer = await run(readyz.loader, new Request(`${TEST_ORIGIN}/readyz`));
    return [answer.status, await answer.text()];
  };
  expect(await ask()).toEqual([200, "ok\n"]);
  const obstacle = join(portal.dataDir, `.readyz-${process.pid}`);
  mkdirSync(obstacle);
  expect(await ask()).toEqual([503, "nothing can be written to the data folder\n"]);
  rmdirSync(obstacle);
  expect(await ask()).toEqual([200, "ok\n"]);
});
