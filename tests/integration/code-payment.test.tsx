import { beforeAll, describe, expect, test } from "vitest";
import { CODES_REGISTERED, NOTE_REQUIRED } from "~/domain/orders/sales-order-fields";
import { paths } from "~/lib/paths";
import * as codesPage from "~/routes/home.codes/route";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import { getDb } from "~db/connection.server";
import { takeAvailableCode } from "~db/repositories/available-codes.server";
import { inTransaction } from "~db/transaction.server";
import { mailsOf } from "../support/certificates";
import { createCodeOrder } from "../support/codes";
import { createAdmin, createUser } from "../support/factories";
import { textOf } from "../support/outbox";
import { textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { auditOfSale, saleOf as sale, saveSale } from "../support/sales-orders";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

let anna: Awaited<ReturnType<typeof createUser>>;
let staff: Visitor;

beforeAll(async () => {
  anna = await createUser();
  staff = await signedInAs(await createAdmin());
});

const PAID = { status: "Paid", paymentDate: "2026-11-05" };
const createdAt = new Date("2026-11-01T10:00:00Z");

const save = (id: number, fields: Record<string, string>) => saveSale(staff, id, fields);

const availableOf = (orderId: number) =>
  getDb()
    .selectFrom("availableCodes")
    .select(["userId", "codeType", "quantity"])
    .where("orderId", "=", orderId)
    .execute();

const lastAudit = async (orderId: number) => (await auditOfSale(orderId)).at(-1)?.message;

describe("[CPO-04] payment of an order of codes", () => {
  test("[CPO-04] makes the codes available once, is audited, and is reported to the owner", async () => {
    const id = await createCodeOrder(anna, "Basic", 5, { createdAt });
    const answer = await save(id, PAID);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, paths.salesOrder(id)]);
    expect(await availableOf(id)).toEqual([{ userId: anna.id, codeType: "Basic", quantity: 5 }]);
    expect(await lastAudit(id)).toBe(
      "Status: Open → Paid. Payment total: – → €1,500.00. Payment date: – → 05/11/2026. 5 × OSCAR Code Basic available.",
    );
    const [mail, ...rest] = await mailsOf(id);
    expect(rest).toEqual([]);
    expect(mail?.recipient).toBe(anna.email);
    expect(await textOf(mail)).toContain(`http://portal.test${paths.codes}`);

    await save(id, PAID);
    await save(id, { ...PAID, invoiceNumber: "2026-7", invoiceDate: "2026-11-01", remarks: "Late" });
    expect(await availableOf(id)).toEqual([{ userId: anna.id, codeType: "Basic", quantity: 5 }]);
    expect(await mailsOf(id)).toHaveLength(1);
  });

  test("[MAI-01] [SAL-03] an order that is cancelled is reported to the owner once", async () => {
    const id = await createCodeOrder(anna, "Basic", 5, { createdAt });
    await save(id, { status: "Cancelled" });
    await save(id, { status: "Cancelled" });
    const [mail, ...rest] = await mailsOf(id);
    expect(rest).toEqual([]);
    expect(mail?.recipient).toBe(anna.email);
    expect(await textOf(mail)).toContain("No codes become available.");
    expect(await availableOf(id)).toEqual([]);
  });

  test("[CPO-04] recorded twice at the same time makes the codes available once", async () => {
    const id = await createCodeOrder(anna, "Full", 2, { createdAt });
    await Promise.all([save(id, PAID), save(id, { ...PAID, remarks: "the other one" })]);
    expect(await availableOf(id)).toEqual([{ userId: anna.id, codeType: "Full", quantity: 2 }]);
    expect(await mailsOf(id)).toHaveLength(1);
  });

  test("[CPO-04] is needed: an invoice alone makes no code available", async () => {
    const id = await createCodeOrder(anna, "Full", 2, { createdAt });
    await save(id, { invoiceNumber: "2026-8", invoiceTotal: "600", invoiceDate: "2026-11-01" });
    expect((await sale(id)).status).toBe("Invoiced");
    expect(await availableOf(id)).toEqual([]);
    expect(await mailsOf(id)).toEqual([]);
  });

  test("[CPO-04] of yearly maintenance makes no codes available", async () => {
    const id = await createCodeOrder(anna, "Full", 2, { createdAt, isMaintenance: true });
    await save(id, PAID);
    expect((await sale(id)).status).toBe("Paid");
    expect(await availableOf(id)).toEqual([]);
  });

  test("[CPO-04] when taken back needs a note and withdraws the codes; paid again, the owner is told again", async () => {
    const id = await createCodeOrder(anna, "Full", 2, { createdAt });
    await save(id, PAID);
    expect((await errorsOf(await save(id, { status: "Open" }))).errors).toEqual({ remarks: NOTE_REQUIRED });
    expect(await availableOf(id)).toHaveLength(1);
    await save(id, { status: "Open", remarks: "The bank took it back" });
    expect((await sale(id)).status).toBe("Open");
    expect(await availableOf(id)).toEqual([]);
    expect(await lastAudit(id)).toContain("Remarks: – → The bank took it back. Payment total: €600.00 → –.");
    await save(id, PAID);
    expect(await availableOf(id)).toHaveLength(1);
    expect((await mailsOf(id)).map(({ dedupeKey }) => dedupeKey.split(":")[0])).toEqual([
      "codes-available",
      "payment-withdrawn",
      "codes-available",
    ]);
  });

  /** Returns what the owner of an order reads about it, in messages and on the page of codes. */
  const told = async (id: number) => {
    const { html } = await openPage(codesPage, await signedInAs(anna), paths.codes);
    const mail = (await mailsOf(id)).at(-1);
    return { mail: await textOf(mail), page: textsOf(html, `tr:contains("SO-${id}") .sub`) };
  };

  test.each([
    ["Open", "has been taken back", "is not recorded any more: the order is not paid."],
    ["Cancelled", "has been cancelled", "will be paid back."],
  ])(
    "[MAI-01] [CPO-04] from Paid to %s: the mail tells the owner about codes, money and reason",
    async (status, subject, money) => {
      const id = await createCodeOrder(anna, "Full", 2, { createdAt, remarks: "Internal" });
      await save(id, PAID);
      await save(id, { status, remarks: "The bank took it back" });
      const { mail, page } = await told(id);
      const note = [
        "2 × OSCAR Code Full: these codes cannot be registered any more.",
        `The payment of €600.00 of 05/11/2026 ${money}`,
        "Reason: The bank took it back",
      ];
      for (const text of [subject, ...note]) expect(mail).toContain(text);
      expect(page).toEqual([note.join(" ")]);
    },
  );

  test("[CPO-04] does not mail earlier remarks, and a new payment clears the note", async () => {
    const id = await createCodeOrder(anna, "Full", 2, { createdAt, remarks: "Internal" });
    await save(id, { status: "Cancelled" });
    expect((await told(id)).mail).not.toContain("Internal");
    const other = await createCodeOrder(anna, "Full", 2, { createdAt });
    await save(other, PAID);
    await save(other, { status: "Open", remarks: "The bank took it back" });
    await save(other, PAID);
    expect((await told(other)).page).toEqual([]);
  });

  test("[CPO-04] stays once a code of the order is registered", async () => {
    const owner = await createUser();
    const id = await createCodeOrder(owner, "Full", 2, { createdAt });
    await save(id, PAID);
    expect(await inTransaction((trx) => takeAvailableCode(trx, owner.companyId, "Full"))).toBe(id);
    const { status, errors } = await errorsOf(await save(id, { status: "Open", remarks: "The bank took it back" }));
    expect({ status, errors }).toEqual({ status: 422, errors: { status: CODES_REGISTERED } });
    expect((await sale(id)).status).toBe("Paid");
    expect(await availableOf(id)).toEqual([{ userId: owner.id, codeType: "Full", quantity: 1 }]);
  });

  test("[CPO-04] and a registration at the same time: one of registering and taking back succeeds", async () => {
    const owner = await createUser();
    const id = await createCodeOrder(owner, "Full", 1, { createdAt });
    await save(id, PAID);
    const [taken] = await Promise.all([
      inTransaction((trx) => takeAvailableCode(trx, owner.companyId, "Full")),
      save(id, { status: "Open", remarks: "The bank took it back" }),
    ]);
    expect((await sale(id)).status).toBe(taken === null ? "Open" : "Paid");
    const left = taken === null ? [] : [{ userId: owner.id, codeType: "Full", quantity: 0 }];
    expect(await availableOf(id)).toEqual(left);
  });

  test("[CPO-04] the page shows the order; without one it redirects", async () => {
    const id = await createCodeOrder(anna, "OFTP", 4, { createdAt, purchaseOrderNumber: "PO <9>" });
    const { order } = await jsonOf<{ order: object }>(await run(orderPage.loader, staff.get(paths.salesOrder(id))));
    expect(order).toMatchObject({
      orderNumber: `SO-${id}`,
      userName: anna.email,
      purchaseOrderNumber: "PO <9>",
      type: "OFTP Code",
      numberOfCodes: 4,
      totalCents: 120_000,
    });
    for (const query of ["", "?order=0", "?order=x", "?order=2147483647", "?order=99999999999"]) {
      const answer = await run(orderPage.loader, staff.get(`/home/sale-orders/details${query}`));
      expect([answer.status, answer.headers.get("Location")]).toEqual([302, paths.salesOrders]);
    }
  });
});
