import { load } from "cheerio";
import { beforeAll, describe, expect, test } from "vitest";
import {
  DAY_TO_COME,
  DAY_TOO_EARLY,
  NO_AMOUNT,
  NOTE_REQUIRED,
  ORDER_CANCELLED,
  SALES_ORDER_FORM,
} from "~/domain/orders/sales-order-fields";
import { getSession } from "~/http/session.server";
import { addDays, formatDate } from "~/lib/dates";
import { paths } from "~/lib/paths";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import { atOneMoment } from "../support/clock";
import { toastOf } from "../support/code-details";
import { createCodeOrder } from "../support/codes";
import { createAdmin, createUser } from "../support/factories";
import { labelsOf, pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { auditOfSale, saleFields, saleOf, saveSale } from "../support/sales-orders";
import { setVariable } from "../support/variables";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

let anna: Awaited<ReturnType<typeof createUser>>;
let staff: Visitor;

beforeAll(async () => {
  anna = await createUser();
  staff = await signedInAs(await createAdmin());
});

type Given = Parameters<typeof createCodeOrder>[3];
/** Long ago, so that every date of an invoice is later. */
const LONG_AGO = new Date("2000-01-01T10:00:00Z");
const order = (given: Given = {}) => createCodeOrder(anna, "Basic", 2, { createdAt: LONG_AGO, ...given });
const save = (id: number, fields: Record<string, string>) => saveSale(staff, id, fields);
const changed = async (fields: Record<string, string>, given: Given = {}) => {
  const id = await order(given);
  expect((await save(id, fields)).status).toBe(303);
  return saleOf(id);
};
const refusedFor = async (fields: Record<string, string>) => {
  const id = await order();
  const before = await saleOf(id);
  const { status, errors } = await errorsOf(await save(id, fields));
  expect(status).toBe(422);
  expect(await saleOf(id)).toEqual(before);
  return errors;
};

let number = 0;
const invoice = () => ({ invoiceNumber: `R-${++number}`, invoiceTotal: "600.00", invoiceDate: "2026-11-02" });
const PAID = { status: "Paid", paymentDate: "2026-11-05" };

describe("[SAL-03] the status of a saved sales order", () => {
  test("[SAL-03] is Paid when chosen; an empty form records today's payment of the total", async () => {
    await atOneMoment(async (now) => {
      expect(await changed({ status: "Paid" })).toMatchObject({
        status: "Paid",
        paymentCents: 60_000,
        paymentDate: `${now.toISOString().slice(0, 10)}T00:00:00.000Z`,
      });
    });
    const part = { ...invoice(), ...PAID, paymentTotal: "12.5" };
    expect(await changed(part)).toMatchObject({ status: "Paid", paymentCents: 1250 });
  });

  test.each(["Open", "Invoiced", "Cancelled"])(
    "[SAL-03] is Invoiced with number, total and date, although %s is chosen",
    async (status) => {
      expect(await changed({ status, ...invoice() })).toMatchObject({ status: "Invoiced", invoiceCents: 60_000 });
    },
  );

  test("[SAL-03] that differs from the chosen one is reported with what has to be removed", async () => {
    const id = await order();
    await save(id, invoice());
    const visitor = await signedInAs(await createAdmin());
    visitor.follow(await saveSale(visitor, id, { status: "Cancelled" }));
    expect((await getSession(visitor.get("/"))).get("toast")).toEqual({
      kind: "warn",
      text: "The sales order has been saved. Its status is Invoiced. It has an invoice number, total and date: remove them to choose another status than Invoiced or Paid.",
    });
  });

  test.each([
    { invoiceNumber: "" },
    { invoiceNumber: "   " },
    { invoiceTotal: "" },
    { invoiceTotal: "0" },
    { invoiceTotal: "-600" },
    { invoiceDate: "" },
    { invoiceDate: "0001-01-01" },
  ])("[SAL-03] is otherwise the chosen one: %j", async (missing) => {
    for (const status of ["Open", "Invoiced"])
      expect((await changed({ status, ...invoice(), ...missing })).status).toBe(status);
  });

  test("[SAL-03] is Invoiced for one cent", async () => {
    expect((await changed({ ...invoice(), invoiceTotal: "0.01" })).status).toBe("Invoiced");
  });

  test("[SAL-03] that leaves Paid needs a new note and clears the payment", async () => {
    const id = await order({ remarks: "Called the customer" });
    await save(id, { ...invoice(), ...PAID });
    for (const remarks of ["Called the customer", "", "  "]) {
      const { errors } = await errorsOf(await save(id, { status: "Open", remarks }));
      expect(errors).toEqual({ remarks: NOTE_REQUIRED });
    }
    expect((await saleOf(id)).status).toBe("Paid");
    const taken = await saleFields(id, { status: "Open", remarks: "The bank took it back", confirmed: "yes" });
    const send = async () => run(orderPage.action, await staff.post(paths.salesOrder(id), taken));
    expect((await send()).status).toBe(303);
    expect(await saleOf(id)).toMatchObject({ status: "Invoiced", paymentCents: null, paymentDate: null });
    expect((await send()).status).toBe(303);
    expect(await auditOfSale(id)).toHaveLength(2);
  });

  /** Sends the form of an order's page. Returns the HTML that a browser without scripts gets. */
  const asked = async (id: number, fields: Record<string, string>) =>
    (await openPage(orderPage, staff, paths.salesOrder(id), { fields: await saleFields(id, fields) })).html;
  const CANCEL_QUESTION = "Are you sure you wish to cancel this order? This process cannot be reversed.";

  test("[SAL-03] [GEN-04] is set to Cancelled for an open order only after a question", async () => {
    const id = await order();
    const before = await saleOf(id);
    const html = await asked(id, { status: "Cancelled", promotionCode: "X1" });
    expect(pageText(html)).toContain(CANCEL_QUESTION);
    expect(textsOf(html, ".narrow li")).toEqual([
      "The customer is notified by email: No codes become available. There is nothing to pay.",
    ]);
    expect([valueOf(html, "confirmed"), valueOf(html, "status"), valueOf(html, "promotionCode")]).toEqual([
      "yes",
      "Cancelled",
      "X1",
    ]);
    expect(await saleOf(id)).toEqual(before);
    expect(await auditOfSale(id)).toEqual([]);
  });

  test("[SAL-03] [CPO-04] is set to Cancelled for a paid order after a question that says what happens to codes and money", async () => {
    const id = await order();
    await save(id, PAID);
    const html = await asked(id, { status: "Cancelled", remarks: "Ordered twice" });
    expect(pageText(html)).toContain(CANCEL_QUESTION);
    expect(textsOf(html, ".narrow li")).toEqual([
      "The customer is notified by email: 2 × OSCAR Code Basic: these codes cannot be registered any more. The payment of €600.00 of 05/11/2026 will be paid back. Reason: Ordered twice",
    ]);
    expect((await saleOf(id)).status).toBe("Paid");
    expect(await auditOfSale(id)).toHaveLength(1);
  });

  test.each([
    [{ ...PAID, paymentTotal: "1.00" }, ["Payment total: €1.00 is not the order total of €600.00."]],
    [{ ...PAID, paymentTotal: "-5" }, ["Payment total: €0.00 is not the order total of €600.00."]],
    [{ paymentTotal: "599.99" }, ["Payment total: €599.99 is not the order total of €600.00."]],
    [{ invoiceTotal: "6000" }, ["Invoice total: €6,000.00 is not the order total of €600.00."]],
    [
      { ...PAID, invoiceTotal: "0", paymentTotal: "1" },
      [
        "Invoice total: €0.00 is not the order total of €600.00.",
        "Payment total: €1.00 is not the order total of €600.00.",
      ],
    ],
  ])(
    "[SAL-03] [GEN-04] is saved with an amount that differs from the total only after a question: %j",
    async (fields, told) => {
      const id = await order();
      const before = await saleOf(id);
      const html = await asked(id, fields);
      expect(textsOf(html, ".narrow li")).toEqual(told);
      expect(await saleOf(id)).toEqual(before);
      expect((await save(id, fields)).status).toBe(303);
      // The page does not ask again about the amount that was confirmed.
      const again = await saleFields(id, { remarks: "Called the customer" });
      expect((await run(orderPage.action, await staff.post(paths.salesOrder(id), again))).status).toBe(303);
    },
  );

  test("[SAL-03] is saved without a question for a payment of the total, and with one when an order with a part payment becomes Paid", async () => {
    const id = await order();
    const send = async (fields: Record<string, string>) =>
      run(orderPage.action, await staff.post(paths.salesOrder(id), await saleFields(id, fields)));
    expect((await send({ ...PAID, paymentTotal: "600" })).status).toBe(303);
    const part = await order();
    await save(part, { paymentTotal: "300" });
    expect(textsOf(await asked(part, PAID), ".narrow li")).toEqual([
      "Payment total: €300.00 is not the order total of €600.00.",
    ]);
  });

  test("[SAL-03] is final when Cancelled, and the page shows no form any more", async () => {
    const id = await order({ remarks: "Ordered twice" });
    const before = await saleFields(id);
    expect((await save(id, { status: "Cancelled" })).status).toBe(303);
    const later: Record<string, string>[] = [PAID, { status: "Open" }, { remarks: "again" }];
    for (const fields of later) {
      const { errors } = await errorsOf(await save(id, fields));
      expect(errors).toEqual({ form: ORDER_CANCELLED });
    }
    const { errors } = await errorsOf(await run(orderPage.action, await staff.post(paths.salesOrder(id), before)));
    expect(errors).toEqual({ form: ORDER_CANCELLED });
    const { html } = await openPage(orderPage, staff, paths.salesOrder(id));
    expect(pageText(html)).toContain(ORDER_CANCELLED);
    expect(pageText(html)).toContain("Ordered twice");
    expect(select(html, '[name="status"]')).toHaveLength(0);
  });
});

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
      const read = async () => textsOf((await openPage(orderPage, staff, path)).html, detail);
      expect(await read()).toEqual([withoutService === null ? shown : `${given.vatNumber} ${withoutService}`]);
      setVariable("VAT_SERVICE_URL", "http://127.0.0.1:9");
      try {
        const { html } = await openPage(orderPage, staff, path);
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
    const { html } = await openPage(orderPage, staff, paths.salesOrder(await order()));
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

const storedNow = (stored: string) =>
  `This was changed meanwhile. Stored now: '${stored}'. The field has what you typed.`;

describe("[SAL-03] saving a sales order", () => {
  test("[SAL-03] tells the second of two administrators with one version and stores nothing of theirs", async () => {
    const id = await order();
    const other = await signedInAs(await createAdmin());
    const seen = await saleFields(id);
    const send = async (who: Visitor, fields: Record<string, string>) =>
      run(orderPage.action, await who.post(paths.salesOrder(id), { ...seen, ...fields }));
    const answers = await Promise.all([send(staff, { remarks: "mine" }), send(other, { remarks: "theirs" })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const loser = answers.find(({ status }) => status === 409);
    const [stored, typed] = answers[0].status === 303 ? ["mine", "theirs"] : ["theirs", "mine"];
    const { errors, values } = await errorsOf(loser ?? Response.error());
    expect(errors).toEqual({
      form: "Nothing has been saved. Fields that you changed were changed meanwhile, by somebody else or in another window. Decide about each of them, then press Update again.",
      remarks: storedNow(stored ?? ""),
    });
    expect(values).toMatchObject({ remarks: typed });
    expect((await saleOf(id)).remarks).toBe(stored);
    expect(await auditOfSale(id)).toHaveLength(1);
  });

  test("[SAL-03] keeps the typed values after a conflict, and its Update replaces the stored ones unless they changed once more", async () => {
    const id = await order();
    const stale = await saleFields(id, { remarks: "Second" });
    const again = async () => {
      const fields = { ...stale, __rvfInternalFormId: "sales-order" };
      const { html } = await openPage(orderPage, staff, paths.salesOrder(id), { fields });
      expect(pageText(html)).toContain("This was changed meanwhile. Stored now:");
      expect(valueOf(html, "remarks")).toBe("Second");
      return { ...stale, seen: valueOf(html, "seen") ?? "", opened: valueOf(html, "opened") ?? "" };
    };
    const send = async (fields: Record<string, string>) =>
      run(orderPage.action, await staff.post(paths.salesOrder(id), fields));
    await save(id, { remarks: "First" });
    const knowing = await again();
    await save(id, { remarks: "Third" });
    const { status, errors } = await errorsOf(await send(knowing));
    expect([status, errors.remarks]).toEqual([409, storedNow("Third")]);
    expect((await send(await again())).status).toBe(303);
    expect((await saleOf(id)).remarks).toBe("Second");
  });

  test("[SAL-03] keeps a payment that somebody else recorded in the meantime together with the form's own change", async () => {
    const id = await order();
    const stale = await saleFields(id, { remarks: "Mine" });
    await save(id, PAID);
    const paid = await saleOf(id);
    const response = await run(orderPage.action, await staff.post(paths.salesOrder(id), stale));
    expect(response.status).toBe(303);
    const { status, paymentCents, paymentDate } = paid;
    expect(await saleOf(id)).toMatchObject({ status, paymentCents, paymentDate, remarks: "Mine" });
    expect(status).toBe("Paid");
    expect((await toastOf(response))?.text).toBe(
      "The sales order has been saved. Its status is Paid. Changed meanwhile, and kept as it is stored: Status, Payment total, Payment date.",
    );
  });

  test("[SAL-03] asks about an invoice of which both changed a part", async () => {
    const id = await order();
    const stale = await saleFields(id, { invoiceNumber: "R-77", invoiceDate: "02/11/2026" });
    await save(id, { invoiceTotal: "12.00" });
    const response = await run(orderPage.action, await staff.post(paths.salesOrder(id), stale));
    const { status, errors, values } = await errorsOf(response);
    expect([status, errors.invoiceTotal, values.invoiceTotal, values.invoiceNumber]).toEqual([
      409,
      "This was changed meanwhile from empty to '12.00'. Please check it together with what you changed.",
      "12.00",
      "R-77",
    ]);
    expect(await saleOf(id)).toMatchObject({ invoiceNumber: null, invoiceCents: 1200 });
  });

  test("[SAL-03] twice by the same form saves once", async () => {
    const id = await order();
    const sent = await saleFields(id, { ...invoice(), ...PAID });
    const send = async () => run(orderPage.action, await staff.post(paths.salesOrder(id), sent));
    expect((await Promise.all([send(), send()])).map(({ status }) => status)).toEqual([303, 303]);
    expect(await auditOfSale(id)).toHaveLength(1);
  });

  test("[SAL-03] gives no two orders one invoice number, also at the same time", async () => {
    const [first, second] = [await order(), await order()];
    const same = invoice();
    const answers = await Promise.all([save(first, same), save(second, same)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const [winner, loser] = answers[0].status === 303 ? [first, second] : [second, first];
    await save(winner, PAID);
    const { errors } = await errorsOf(await save(loser, { ...same, invoiceNumber: ` ${same.invoiceNumber} ` }));
    expect(errors).toEqual({ invoiceNumber: `Order SO-${winner} has this invoice number.` });
    expect(await saleOf(loser)).toMatchObject({ status: "Open", invoiceNumber: null });
  });

  test("[SAL-03] records the changes and the person in the audit trail", async () => {
    const id = await order({ promotionCode: "OLD" });
    await save(id, { promotionCode: "", remarks: "Agreed by phone" });
    const [entry] = await auditOfSale(id);
    expect(entry).toMatchObject({
      event: "order.updated",
      userId: anna.id,
      reference: `SO-${id}`,
      message: "Remarks: – → Agreed by phone. Promotion code: OLD → –.",
    });
  });
});

describe("[SAL-03] the page Sale Order Details", () => {
  test("[SAL-03] shows the order and the form with its values; Back leads to the page before", async () => {
    const id = await order({ purchaseOrderNumber: "PO <9>", vatNumber: "GB123456789", remarks: "Later" });
    await save(id, invoice());
    const from = `${paths.salesOrders}?status=Open&page=2`;
    const { html } = await openPage(orderPage, staff, paths.salesOrder(id, from));
    expect(textsOf(html, "h1")).toEqual(["Sale Order Details"]);
    const $ = load(html);
    const details = $("dt")
      .toArray()
      .map((term) => [$(term).text(), $(term).next("dd").html()]);
    for (const detail of [
      ["Order number", `SO-${id}`],
      ["User name", anna.email],
      ["Company", "<bdi>Example Parts Ltd</bdi>"],
      ["Country", "United Kingdom"],
      ["Purchase order number", "<bdi>PO &lt;9&gt;</bdi>"],
      ["Code type", "OSCAR Code Basic"],
      ["Number of codes", "2"],
      ["Order total", "€600.00"],
    ])
      expect(details).toContainEqual(detail);
    expect(textsOf(html, 'select[name="status"] option[value=""]')).toEqual(["Select status"]);
    expect(valueOf(html, "status")).toBe("Invoiced");
    expect(valueOf(html, "invoiceTotal")).toBe("600.00");
    expect(valueOf(html, "invoiceDate")).toBe("02/11/2026");
    expect(select(html, `a[href="${from}"]`)).toHaveLength(2);
  });

  test("[SAL-03] redirects to the list as it was left when there is no order; a foreign return address is ignored", async () => {
    const back = `${paths.salesOrders}?page=3`;
    const away = await run(
      orderPage.loader,
      staff.get(`/home/sale-orders/details?${new URLSearchParams({ from: back })}`),
    );
    expect([away.status, away.headers.get("Location")]).toEqual([302, back]);
    const id = await order();
    for (const from of ["https://evil.example/home/sale-orders", "//evil.example", `${paths.salesOrders}/../../x`]) {
      const { html } = await openPage(orderPage, staff, paths.salesOrder(id, from));
      expect(select(html, '[href*="evil"], [href*=".."]')).toHaveLength(0);
      expect(select(html, `a[href="${paths.salesOrders}"]`)).toHaveLength(2);
    }
  });

  test("[SAL-03] shows a refused form with equal labels in summary and form and the typed values", async () => {
    const id = await order();
    const typed = { status: "", invoiceTotal: "1,5", paymentTotal: "x", invoiceDate: "31/02/2026", remarks: "Later" };
    const fields = { ...(await saleFields(id, typed)), __rvfInternalFormId: SALES_ORDER_FORM };
    const { status, html } = await openPage(orderPage, staff, paths.salesOrder(id), { fields });
    expect(status).toBe(422);
    const labels = labelsOf(html);
    expect(labels.map(([, inSummary]) => inSummary)).toEqual([
      "Status",
      "Invoice total",
      "Invoice date",
      "Payment total",
    ]);
    for (const [label, inSummary] of labels) expect(label.replace(" (optional)", "")).toBe(inSummary);
    expect(valueOf(html, "invoiceTotal")).toBe("1,5");
  });
});
