import { describe, expect, test } from "vitest";
import { makeMissingFiles } from "~/domain/orders/invoices/invoice-file.service.server";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { createCode } from "../support/codes";
import { COUNTRY, invoicesOf } from "../support/invoices";
import { pdfText } from "../support/pdf";
import { usePortal } from "../support/portal";
import { issue, useInvoicing } from "./invoicing";

usePortal();
const { people, order, download } = useInvoicing();

describe("the content of an invoice", () => {
  const textOf = async (orderId: number) => {
    const [invoice] = await invoicesOf(orderId);
    return pdfText(new Uint8Array(await (await download(invoice?.id ?? 0)).arrayBuffer()));
  };

  test("[SAL-05] for Great Britain has VAT and the amounts in sterling, with the rate's date and source", async () => {
    const id = await order({ purchaseOrderNumber: "PO-4711" });
    await issue(id);
    const text = await textOf(id);
    const [invoice] = await invoicesOf(id);
    for (const said of [
      invoice?.number ?? "",
      "Example Association Limited",
      "VAT number GB123456789",
      "Example Parts Ltd",
      "Anna Müller",
      "Coventry CV1 1AA",
      "PO-4711",
      `SO-${id}`,
      "OSCAR Code Basic",
      "€300.00",
      "VAT (20%)",
      "€1,080.00",
      "£783.00",
      "£156.60",
      "£939.60",
      "at £0.87 for €1 (example rate, 01/11/2026)",
      "Page 1 of 1",
    ])
      expect(text).toContain(said);
    expect(text).not.toMatch(/undefined|null|NaN/);
  });

  test("[SAL-05] for an earlier payment has that as the tax point, and the sterling rate of its month", async () => {
    const october = { sterlingPerEuro: 0.9, date: "2026-10-01", source: "rate of October" };
    const september = { sterlingPerEuro: 0.8, date: "2026-09-01", source: "rate of September" };
    const earlier = [september, october];
    const paid = await order({ status: "Paid", paymentDate: new Date("2026-10-31T00:00:00Z") });
    const paidNow = await order({ status: "Paid", paymentDate: new Date("2026-11-03T00:00:00Z") });
    const before = getConfig();
    if (before.exchangeRate) getConfig.replace({ ...before, exchangeRate: { ...before.exchangeRate, earlier } });
    for (const id of [paid, paidNow]) await issue(id, new Date("2026-11-03T10:00:00Z"));
    getConfig.replace(before);
    const text = await textOf(paid);
    for (const said of [
      "Invoice date 03/11/2026",
      "Tax point 31/10/2026",
      "at £0.9 for €1 (rate of October, 01/10/2026)",
    ])
      expect(text).toContain(said);
    expect((await invoicesOf(paid))[0]?.content.sterling).toEqual({
      ...october,
      netPence: 81_000,
      vatPence: 16_200,
      totalPence: 97_200,
    });
    const same = await textOf(paidNow);
    for (const said of ["Date and tax point 03/11/2026", "at £0.87 for €1 (example rate, 01/11/2026)"])
      expect(same).toContain(said);
  });

  test.each([
    ["Germany", COUNTRY.DE, "Reverse charge: the customer accounts for the VAT."],
    ["the United States", COUNTRY.US, "Outside the scope of UK VAT."],
  ])("[SAL-05] for %s has no VAT with the reason, and no sterling", async (_, countryId, note) => {
    const id = await order({ countryId, vatRate: 0, vatCents: 0, totalCents: 90_000, vatNumber: "DE123456789" });
    await issue(id);
    const text = await textOf(id);
    for (const said of [note, "VAT (0%) €0.00", "€900.00", "VAT number DE123456789"]) expect(text).toContain(said);
    expect(text).not.toContain("£");
  });

  test("[SAL-05] has the buyer's postal code before the city where that is the custom", async () => {
    const id = await order({ countryId: COUNTRY.DE, invoiceAddress: { city: "Zwickau", postalCode: "08056" } });
    await issue(id);
    expect(await textOf(id)).toContain("08056 Zwickau");
  });

  test("[SAL-05] [SAL-04] for yearly maintenance lists each code", async () => {
    const codes = [await createCode(people.customer), await createCode(people.customer)];
    const id = await order({ isMaintenance: true, codeType: null, numberOfCodes: null });
    await getDb()
      .insertInto("maintenanceOrders")
      .values({ year: 2031, companyId: people.customer.companyId, orderId: id })
      .execute();
    const charges = [
      { subcodes: '["01","02"]', costCents: 60_000, discountNumMonths: 0 },
      { subcodes: "[]", costCents: 30_000, discountNumMonths: 1 },
    ];
    for (const [index, charge] of charges.entries()) {
      const { id: codeId, code } = codes[index] ?? { id: 0, code: "" };
      await getDb()
        .insertInto("orderLines")
        .values({ orderId: id, codeId, code: `${code}00`, codeType: "Full", ...charge })
        .execute();
    }
    await issue(id);
    expect((await invoicesOf(id))[0]?.content.lines).toEqual([
      {
        description: `Yearly maintenance 2031 of OSCAR Code Full ${codes[0]?.code}00`,
        detail: "with 2 sub-codes: 01, 02",
        quantity: 1,
        unitCents: 60_000,
        netCents: 60_000,
      },
      {
        description: `Yearly maintenance 2031 of OSCAR Code Full ${codes[1]?.code}00`,
        detail: "1 month not charged",
        quantity: 1,
        unitCents: 30_000,
        netCents: 30_000,
      },
    ]);
  });

  test("[SAL-05] is a snapshot that later changes of account, order or code do not affect", async () => {
    const id = await order();
    await issue(id);
    const before = await textOf(id);
    await getDb()
      .updateTable("orders")
      .set({ company: "Renamed Ltd", purchaseOrderNumber: "X" })
      .where("id", "=", id)
      .execute();
    expect(await textOf(id)).toBe(before);
  });

  test.each(["update", "delete"])(
    "[SAL-05] is protected by the database, which refuses to %s an invoice or its PDF",
    async (change) => {
      const id = await order();
      await issue(id);
      await makeMissingFiles();
      const [invoice] = await invoicesOf(id);
      const invoiceId = invoice?.id ?? 0;
      const attempts =
        change === "update"
          ? [
              getDb().updateTable("invoices").set({ totalCents: 1 }).where("orderId", "=", id),
              getDb().updateTable("invoiceFiles").set({ sha256: "" }).where("invoiceId", "=", invoiceId),
            ]
          : [
              getDb().deleteFrom("invoices").where("orderId", "=", id),
              getDb().deleteFrom("invoiceFiles").where("invoiceId", "=", invoiceId),
            ];
      for (const attempt of attempts) await expect(attempt.execute()).rejects.toThrow(/are never changed/);
    },
  );

  test("[SAL-05] is not served when its PDF differs from the stored one", async () => {
    const id = await order();
    await issue(id);
    const [invoice] = await invoicesOf(id);
    const forged = {
      invoiceId: invoice?.id ?? 0,
      pdf: Buffer.from("%PDF forged"),
      sha256: "0".repeat(64),
      storedAt: new Date(),
    };
    await getDb().insertInto("invoiceFiles").values(forged).execute();
    await expect(download(invoice?.id ?? 0)).rejects.toThrow(/is not the one that was stored/);
  });
});
