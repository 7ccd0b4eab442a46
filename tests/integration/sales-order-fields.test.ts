import { describe, expect, test } from "vitest";
import { DAY_TO_COME, DAY_TOO_EARLY, NO_AMOUNT } from "~/domain/orders/sales-order-fields";
import { addDays, formatDate } from "~/lib/dates";
import { paths } from "~/lib/paths";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import { atOneMoment } from "../support/clock";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { saleOf, useSalesOrders } from "../support/sales-orders";
import { setVariable } from "../support/variables";
import { errorsOf } from "../support/visitor";

usePortal();
const { order, save, changed, people, refusedFor } = useSalesOrders();

describe("[SAL-03] the fields of a sales order", () => {
  test.each([
    ["0", 0],
    ["-5", 0],
    ["-0.50", 0],
    ["-999999999.99", 0],
    ["7", 700],
    ["7.5", 750],
    ["007.05", 705],
    ["999999999.99", 99_999_999_999],
    [" 12.30 ", 1230],
  ])("[SAL-03] [GEN-05] accept the total '%s' as %i cents", async (typed, cents) => {
    const saved = await changed({ invoiceTotal: typed, paymentTotal: typed });
    expect([saved.invoiceCents, saved.paymentCents]).toEqual([cents, cents]);
  });

  test.each([
    "1,5",
    "1e9",
    "12a",
    "1.234",
    "123456789.999",
    "870,00",
    "1.2.3",
    ".5",
    "5.",
    "--5",
    "+5",
    "€5",
    "１２",
    "1 000",
    "∞",
    "0x10",
  ])("[SAL-03] [GEN-05] refuse the total '%s', even when the browser accepted it", async (typed) => {
    expect(await refusedFor({ invoiceTotal: typed, paymentTotal: typed })).toEqual({
      invoiceTotal: NO_AMOUNT,
      paymentTotal: NO_AMOUNT,
    });
  });

  test.each(["1000000000", "999999999.991", "99999999999999999999", "-1000000000", "1e+300"])(
    "[SAL-03] [GEN-05] refuse the total '%s' with the limit",
    async (typed) => {
      expect(await refusedFor({ paymentTotal: typed })).toEqual({
        paymentTotal: "An amount is at most 999999999.99 euro.",
      });
    },
  );

  test.each([
    ["2026-11-02", "2026-11-02T00:00:00.000Z"],
    ["02/11/2026", "2026-11-02T00:00:00.000Z"],
    ["29/02/2024", "2024-02-29T00:00:00.000Z"],
    ["2000-01-01", "2000-01-01T00:00:00.000Z"],
    ["", null],
    ["0001-01-01", null],
    ["01/01/0001", null],
    ["31/12/0001", null],
  ])("[SAL-03] store the date '%s' as a day in UTC: %s", async (typed, stored) => {
    const saved = await changed({ invoiceDate: typed, paymentDate: typed, remarks: "x" });
    expect([saved.invoiceDate, saved.paymentDate]).toEqual([stored, stored]);
  });

  const notTheForm = "Enter the date as DD/MM/YYYY, for example 23/11/2026.";
  test.each([
    ["31/02/2026", "31/02/2026 is not a day of the calendar."],
    ["2026-02-30", "2026-02-30 is not a day of the calendar."],
    ["29/02/2026", "29/02/2026 is not a day of the calendar."],
    ["1999-12-31", DAY_TOO_EARLY],
    ["0002-01-01", DAY_TOO_EARLY],
    ["yesterday", notTheForm],
    ["2026-11-2", notTheForm],
    ["11/2026", notTheForm],
  ])("[SAL-03] refuse the date '%s': %s", async (typed, message) => {
    expect(await refusedFor({ invoiceDate: typed, paymentDate: typed })).toEqual({
      invoiceDate: message,
      paymentDate: message,
    });
  });

  test("[SAL-03] accept today and refuse tomorrow and the year 9999", async () => {
    await atOneMoment(async (now) => {
      const [today, tomorrow] = [now, addDays(now, 1)].map((day) => formatDate(day.toISOString()));
      await changed({ invoiceDate: today ?? "", remarks: "x" });
      for (const invoiceDate of [tomorrow ?? "", "9999-12-31"])
        expect(await refusedFor({ invoiceDate })).toEqual({ invoiceDate: DAY_TO_COME });
    });
  });

  test("[SAL-03] refuse a day before that of the order, unless it is stored already", async () => {
    const createdAt = new Date("2026-11-02T23:59:59Z");
    const id = await order({ createdAt });
    for (const [name, label] of [
      ["invoiceDate", "Invoice date"],
      ["paymentDate", "Payment date"],
    ] as const) {
      const { status, errors } = await errorsOf(await save(id, { [name]: "2026-11-01", remarks: "kept" }));
      const message = `${label}: the date cannot be before the order date, 02/11/2026.`;
      expect({ status, errors }).toEqual({ status: 422, errors: { [name]: message } });
    }
    expect((await saleOf(id)).remarks).toBeNull();
    const sameDay = { invoiceDate: "2026-11-02", paymentDate: "2026-11-02" };
    expect((await save(id, sameDay)).status).toBe(303);

    const day = new Date("2026-10-01T00:00:00Z");
    const imported = await order({ createdAt, invoiceDate: day, paymentDate: day });
    expect((await save(imported, { remarks: "Old" })).status).toBe(303);
    expect((await errorsOf(await save(imported, { paymentDate: "2026-10-02" }))).errors).toHaveProperty("paymentDate");
  });

  const NO_SERVICE = "Not checked: no VAT service is configured for it";
  const UNANSWERED = "Not checked: the VAT service did not answer";
  test.each([
    [{ vatNumber: "DE1", vatNumberChecked: true, countryId: 276 }, "DE1 Confirmed by the VAT service", "ok", null],
    [{ vatNumber: "DE1", vatNumberChecked: false, countryId: 276 }, `DE1 ${UNANSWERED}`, "warn", NO_SERVICE],
    [{ vatNumber: "DE1", vatNumberChecked: null, countryId: 276 }, "DE1 Not checked yet", "warn", NO_SERVICE],
    [{ vatNumber: "GB1", vatNumberChecked: false, countryId: 826 }, `GB1 ${NO_SERVICE}`, "warn", null],
    [{ vatNumber: "US1", vatNumberChecked: null, countryId: 840 }, "US1 No check due in this country", "mute", null],
    [{ vatNumber: null }, "–", undefined, null],
  ])(
    "[SAL-03] [PUR-09] show whether the VAT number was checked, and why not, with and without VIES: %j",
    async (given, shown, tone, withoutService) => {
      const path = paths.salesOrder(await order(given));
      const detail = 'dt:contains("VAT number") + dd';
      const read = async () => textsOf((await openPage(orderPage, people.admin.visitor, path)).html, detail);
      expect(await read()).toEqual([withoutService === null ? shown : `${given.vatNumber} ${withoutService}`]);
      setVariable("VAT_SERVICE_URL", "http://127.0.0.1:9");
      try {
        const { html } = await openPage(orderPage, people.admin.visitor, path);
        expect(textsOf(html, detail)).toEqual([shown]);
        expect(select(html, `${detail} .tag`).attr("class")).toBe(tone && `tag ${tone}`);
      } finally {
        setVariable("VAT_SERVICE_URL", "");
      }
    },
  );

  test("[SAL-03] accept texts at their limits and refuse one more character", async () => {
    const fields = { remarks: "ü".repeat(500), promotionCode: "p".repeat(70), invoiceNumber: "ж".repeat(70) };
    expect(await changed(fields)).toMatchObject(fields);
    for (const [name, text] of Object.entries(fields))
      expect(await refusedFor({ [name]: `${text}x` })).toEqual({ [name]: "Entered value is not valid." });
    const { html } = await openPage(orderPage, people.admin.visitor, paths.salesOrder(await order()));
    // the message is fixed by the specification and names no limit, so the page does
    for (const limit of [500, 70]) expect(pageText(html)).toContain(`At most ${limit} characters`);
  });

  test("[SAL-03] remove markup and keep signs of any script", async () => {
    const remarks = "<b>ok</b> 🚀 שלום";
    expect(await changed({ remarks, promotionCode: " A<script>1</script> " })).toMatchObject({ remarks: "ok 🚀 שלום" });
  });

  test.each([
    ["", "This field is required."],
    ["Unpaid", "The value is not part of the collection."],
    ["paid", "The value is not part of the collection."],
  ])("[SAL-03] refuse the status '%s'", async (status, message) => {
    expect(await refusedFor({ status })).toEqual({ status: message });
  });
});
