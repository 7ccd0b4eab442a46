import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { issueInvoice } from "~/domain/orders/invoices/invoices.service.server";
import { LIST_TEXTS } from "~/domain/orders/list/texts";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import * as listPage from "~/routes/home.sale-orders/route";
import * as exportFile from "~/routes/home.sale-orders_.export[.]csv";
import { getDb } from "~db/connection.server";
import { refreshOrdersOwner } from "~db/repositories/orders.server";
import { inTransaction } from "~db/transaction.server";
import { createCertificateOrder } from "../support/certificates";
import { createCodeOrder } from "../support/codes";
import { createAdmin, createUser } from "../support/factories";
import { createInvoiceableOrder } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { select, summaryOf, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

let anna: Awaited<ReturnType<typeof createUser>>;
let staff: Visitor;
const ids: Record<string, number> = {};

const moment = (day: string) => new Date(`${day}T12:00:00Z`);

beforeAll(async () => {
  anna = await createUser({ email: "anna@parts.example", username: "anna.parts" });
  const bert = await createUser({ email: "bert@other.example", company: "Zähne & Söhne AG" });
  staff = await signedInAs(await createAdmin());
  ids.oftp = await createCodeOrder(anna, "OFTP", 1, { createdAt: moment("2026-01-10"), totalCents: 100 });
  ids.full = await createCodeOrder(anna, "Full", 2, {
    createdAt: moment("2026-01-11"),
    status: "Paid",
    totalCents: 300,
  });
  ids.basic = await createCodeOrder(bert, "Basic", 3, {
    createdAt: moment("2026-01-12"),
    status: "Invoiced",
    invoiceNumber: "R-7",
    totalCents: 200,
    countryId: 276,
  });
  ids.upkeep = await createCodeOrder(bert, "Full", 1, {
    createdAt: moment("2026-01-13"),
    isMaintenance: true,
    totalCents: 400,
  });
  ids.certificate = (await createCertificateOrder(anna, makeCsr().der)).orderId;
});

interface List {
  results: { rows: { id: number; orderType: string; userName: string }[]; total: number } | null;
  errors: Record<string, string>;
  params: { page: number };
}
const list = async (query: Record<string, string> = {}) => {
  const answer = await run(listPage.loader, staff.get(`${paths.salesOrders}?${new URLSearchParams(query)}`));
  return { status: answer.status, ...(await jsonOf<List>(answer)) };
};
const named = (id: number) => Object.keys(ids).find((name) => ids[name] === id) ?? String(id);
const found = async (query: Record<string, string>) =>
  ((await list(query)).results?.rows ?? []).map(({ id }) => named(id));

describe("[SAL-01] the list of sales orders", () => {
  test("[SAL-01] shows both kinds of orders, the latest first", async () => {
    expect(await found({})).toEqual(["certificate", "upkeep", "basic", "full", "oftp"]);
    const { results } = await list();
    expect(results?.rows.map(({ orderType }) => orderType)).toEqual([
      "Certificate",
      "Code Maintenance",
      "OSCAR Code Basic",
      "OSCAR Code Full",
      "OFTP Code",
    ]);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ from: "2026-01-12", to: "2026-01-13" }, ["upkeep", "basic"]],
    [{ from: "12/01/2026", to: "12/1/2026" }, ["basic"]],
    [{ to: "2026-01-10" }, ["oftp"]],
    [{ from: "0001-01-01", to: "2026-01-10" }, ["oftp"]],
    [{ from: "2026-01-13", to: "9999-12-31", orderType: "Maintenance" }, ["upkeep"]],
    [{ company: "zahn" }, ["upkeep", "basic"]],
    [{ company: "SÖHNE zäh" }, ["upkeep", "basic"]],
    [{ company: "ähne" }, []],
    [{ company: "%" }, []],
    [{ status: "Paid" }, ["full"]],
    [{ status: "Invoiced" }, ["basic"]],
    [{ orderType: "OFTP" }, ["oftp"]],
    [{ orderType: "Full" }, ["full"]],
    [{ orderType: "Basic" }, ["basic"]],
    [{ orderType: "Certificate" }, ["certificate"]],
    [{ orderType: "codes" }, ["upkeep", "basic", "full", "oftp"]],
    [{ userName: "ANNA.parts" }, ["certificate", "full", "oftp"]],
    [{ userName: "bert@other" }, ["upkeep", "basic"]],
    [{ userName: "_" }, []],
    [{ country: "276" }, ["basic"]],
    [{ country: "-1", status: "Paid" }, ["full"]],
    [
      { userName: "bert", status: "Invoiced", country: "276", orderType: "Basic", company: "ag", from: "2026-01-01" },
      ["basic"],
    ],
    [{ status: "Paid", orderType: "OFTP" }, []],
    [{ status: "  ", company: " ", orderNumber: " " }, ["certificate", "upkeep", "basic", "full", "oftp"]],
  ])("[SAL-01] by %j finds %j", async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  test("[SAL-01] by an order number finds that order, with or without SO-", async () => {
    for (const text of [`${ids.full}`, `SO-${ids.full}`, `so-${ids.full}`])
      expect(await found({ orderNumber: text })).toEqual(["full"]);
    expect(await found({ orderNumber: "2147483647" })).toEqual([]);
  });

  test.each<[Record<string, string>, Record<string, string>]>([
    [{ from: "31/02/2026" }, { from: "31/02/2026 is not a day of the calendar." }],
    [{ to: "tomorrow" }, { to: "Enter the date as DD/MM/YYYY, for example 23/11/2026." }],
    [{ from: "2026-01-02", to: "2026-01-01" }, { to: LIST_TEXTS.datesReversed }],
    [{ status: "Lost" }, { status: "The value is not part of the collection." }],
    [{ orderType: "Gold" }, { orderType: "The value is not part of the collection." }],
    [{ country: "1" }, { country: "The value is not part of the collection." }],
    [{ orderNumber: "SO-x" }, { orderNumber: "Enter an order number such as 1005 or SO-1005." }],
  ])("[SAL-01] refuses %j at its field", async (query, errors) => {
    const answer = await list(query);
    expect([answer.status, answer.errors, answer.results]).toEqual([422, errors, null]);
    const { html } = await openPage(listPage, staff, `${paths.salesOrders}?${new URLSearchParams(query)}`);
    expect(summaryOf(html)).toHaveLength(1);
  });

  test.each([
    ["orderNumber", ["oftp", "full", "basic", "upkeep", "certificate"]],
    ["orderDate", ["oftp", "full", "basic", "upkeep", "certificate"]],
    ["orderTotal", ["oftp", "basic", "full", "upkeep", "certificate"]],
    ["orderStatus", ["basic", "oftp", "upkeep", "certificate", "full"]],
    ["orderType", ["basic", "certificate", "full", "upkeep", "oftp"]],
    ["company", ["oftp", "full", "certificate", "basic", "upkeep"]],
    ["userName", ["oftp", "full", "certificate", "basic", "upkeep"]],
    ["country", ["basic", "oftp", "full", "upkeep", "certificate"]],
    ["invoiceNumber", ["oftp", "full", "upkeep", "certificate", "basic"]],
  ])("[SAL-01] can be sorted by %s in both directions", async (key, names) => {
    expect(await found({ sort: `${key}.asc` })).toEqual(names);
    expect(await found({ sort: `${key}.desc` })).toEqual(names.toReversed());
  });

  test("[SAL-01] shows the last page for a page past the end and the default for invalid parameters", async () => {
    expect(await list({ page: "9", size: "11", sort: "x.asc" })).toMatchObject({ status: 200, params: { page: 1 } });
  });

  test("[SAL-01] has every column, a tick box in each row, both buttons, Back, and its parameters in its links", async () => {
    const { html } = await openPage(listPage, staff, `${paths.salesOrders}?userName=anna&size=25&selected=${ids.full}`);
    expect(textsOf(html, 'th[scope="col"] > a')).toEqual([
      "Number",
      "Type",
      "Company",
      "Date▼",
      "Total in euro",
      "Status",
      "Invoice Number",
      "User",
      "Country",
    ]);
    expect(select(html, 'input[type="checkbox"][name="id"]').length).toBe(3);
    expect(select(html, 'input[type="checkbox"]:checked').val()).toBe(String(ids.full));
    for (const caption of ["Search", "View Details", "Export", "Back"])
      expect(textsOf(html, "a, button")).toContain(caption);
    expect(textsOf(html, `a[href="${paths.dashboard}"]`)).toContain("Back");
    const from = encodeURIComponent(`${paths.salesOrders}?size=25&userName=anna&selected=${ids.full}`);
    expect(select(html, `a[href="/home/sale-orders/details?order=${ids.full}&from=${from}"]`).length).toBe(1);
    expect(html).toContain("€3.00");
  });

  test("[SAL-01] follows a changed user name", async () => {
    const user = await createUser({ username: "aaa-first" });
    const id = await createCodeOrder(user, "OFTP", 1);
    expect((await list({ sort: "userName.asc" })).results?.rows[0]?.id).toBe(id);
    await getDb().updateTable("users").set({ username: "zzz-last" }).where("id", "=", user.id).execute();
    await inTransaction((trx) => refreshOrdersOwner(trx, { id: user.id, username: "zzz-last" }));
    expect((await list({ sort: "userName.desc" })).results?.rows[0]).toMatchObject({ id, userName: "zzz-last" });
    await getDb().deleteFrom("orders").where("id", "=", id).execute();
  });

  test("[SAL-06] shows the former page in a frame as other forms", async () => {
    const { html } = await openPage(listPage, staff, paths.salesOrders);
    expect(select(html, `a[href="${serverPaths.frame("oscar", "sales-orders")}"]`).length).toBe(1);
  });
});

const choose = async (fields: Record<string, string | string[]>, query = "") =>
  run(listPage.action, await staff.post(paths.salesOrders + query, fields));
const problemOf = async (response: Response) => ({
  status: response.status,
  ...(await jsonOf<{ problem: string }>(response)),
});

describe("[SAL-01] choosing sales orders", () => {
  test("[SAL-01] for View Details takes exactly one and keeps the list's query string", async () => {
    const answer = await choose({ intent: "view", id: String(ids.basic) }, "?status=Invoiced");
    const from = `${paths.salesOrders}?status=Invoiced&selected=${ids.basic}`;
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, paths.salesOrder(ids.basic ?? 0, from)]);
    const several = [String(ids.basic), String(ids.full)];
    for (const id of [[], several, ["x"]])
      expect(await problemOf(await choose({ intent: "view", id }))).toMatchObject({
        status: 422,
        problem: LIST_TEXTS.chooseOne,
      });
  });

  test("[SAL-02] for Export takes one or more, at most a page of them", async () => {
    expect(await problemOf(await choose({ intent: "export" }))).toMatchObject({
      status: 422,
      problem: LIST_TEXTS.chooseSome,
    });
    const page = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
    expect((await choose({ intent: "export", id: page(100) })).status).toBe(303);
    expect(await problemOf(await choose({ intent: "export", id: page(101) }))).toMatchObject({
      problem: LIST_TEXTS.tooMany,
    });
  });

  test("[SAL-02] for an export of all matches refuses no match and an invalid search", async () => {
    expect(await problemOf(await choose({ intent: "export-all" }, "?status=Cancelled"))).toMatchObject({
      status: 422,
      problem: LIST_TEXTS.nothing,
    });
    expect(await problemOf(await choose({ intent: "export-all" }, "?from=31/02/2026"))).toMatchObject({ status: 422 });
  });

  test("[SAL-01] keeps the ticks over another page, order or size of the list, and details with their Back", async () => {
    const [one = 0, other = 0, third = 0] = [ids.basic, ids.full, ids.oftp];
    const id = [String(Math.max(one, other)), String(Math.min(one, other))];
    const selected = `selected=${id[1]}.${id[0]}`;
    const going = async (fields: Record<string, string>, query = "") => {
      const answer = await choose({ id, ...fields }, query);
      return [answer.status, answer.headers.get("Location")];
    };
    const to = `${paths.salesOrders}?page=2&size=25&sort=company.asc&status=Open`;
    expect(await going({ to }, "?status=Open")).toEqual([303, `${to}&${selected}`]);
    expect(await going({ to: "https://evil.example/x?page=2" })).toEqual([
      303,
      `${paths.salesOrders}?page=2&${selected}`,
    ]);
    expect(await going({ to: "" }, "?page=2")).toEqual([303, `${paths.salesOrders}?${selected}`]);
    const resize = { intent: "resize", size: "50" };
    expect(await going(resize, "?page=3&status=Open")).toEqual([
      303,
      `${paths.salesOrders}?size=50&status=Open&${selected}`,
    ]);
    expect(await going({ ...resize, size: "7" }, "?size=25")).toEqual([
      303,
      `${paths.salesOrders}?size=25&${selected}`,
    ]);
    expect(await going({ open: String(third) }, "?page=2")).toEqual([
      303,
      paths.salesOrder(third, `${paths.salesOrders}?page=2&${selected}`),
    ]);
    const many = Array.from({ length: 101 }, (_, index) => String(index + 1));
    expect((await choose({ id: many.slice(1), to })).status).toBe(303);
    expect(await problemOf(await choose({ id: many, to }))).toMatchObject({ status: 422, problem: LIST_TEXTS.tooMany });
  });

  test("[SAL-01] [SAL-02] counts and sends ticks of other pages, which can be cleared", async () => {
    const at = (query: string) => openPage(listPage, staff, `${paths.salesOrders}?userName=anna${query}`);
    const { html } = await at(`&selected=${ids.full}.${ids.basic}.x.0`);
    expect(html).toContain("2 selected");
    const sentAlong = select(html, 'input[type="hidden"][name="id"]');
    expect(sentAlong.serializeArray()).toEqual([{ name: "id", value: String(ids.basic) }]);
    expect(select(html, 'input[type="checkbox"]:checked').length).toBe(1);
    expect(textsOf(html, 'a[href="/home/sale-orders?userName=anna"]')).toContain("Clear selection");
    expect((await at(`&selected=${ids.full}&selected=${ids.basic}`)).html).toContain("2 selected");
    const many = Array.from({ length: 101 }, (_, index) => String(index + 1));
    expect((await at(`&selected=${many.slice(1).join(".")}`)).html).not.toContain(LIST_TEXTS.tooMany);
    expect((await at(`&selected=${many.join(".")}`)).html).toContain(LIST_TEXTS.tooMany);
    const none = (await at("")).html;
    expect(none).toContain("0 selected");
    expect(none).not.toContain("Clear selection");
  });

  test("[SAL-01] when refused says why in the summary and keeps the ticks", async () => {
    const { status, html } = await openPage(listPage, staff, paths.salesOrders, { fields: { intent: "export" } });
    expect(status).toBe(422);
    expect(summaryOf(html)).toEqual([LIST_TEXTS.chooseSome]);
  });
});

const fileAt = async (location: string) => {
  const answer = await run(exportFile.loader, staff.get(location));
  expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="sales-orders.csv"');
  return Buffer.from(await answer.arrayBuffer()).toString("utf8"); // with its byte order mark
};
const exported = async (fields: Record<string, string | string[]>, query = "") => {
  const location = (await choose(fields, query)).headers.get("Location") ?? "";
  const text = await fileAt(location);
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
  return { text, rows };
};

describe("[SAL-02] the CSV file of sales orders", () => {
  test("[SAL-02] of the chosen ones is RFC 4180 with a byte order mark and every column", async () => {
    const { text, rows } = await exported({ intent: "export", id: [String(ids.basic), String(ids.oftp)] });
    expect(text.startsWith("\uFEFFNumber,Type,Company,Date,Total in euro,Status,Invoice Number,User,Country,")).toBe(
      true,
    );
    expect(text.split("\r\n")).toHaveLength(4);
    expect(rows.map((row) => row.Number)).toEqual([`SO-${ids.basic}`, `SO-${ids.oftp}`]);
    expect(rows[0]).toMatchObject({
      Type: "OSCAR Code Basic",
      Company: "Zähne & Söhne AG",
      Date: "12/01/2026",
      "Total in euro": "2.00",
      Status: "Invoiced",
      "Invoice Number": "R-7",
      Country: "Germany",
      "Number of codes": "3",
    });
  });

  test("[SAL-02] of all matches has every page and batch", async () => {
    const user = await createUser({ username: "bulk-buyer" });
    const made: number[] = [];
    for (let count = 0; count < 501; count += 1) made.push(await createCodeOrder(user, "OFTP", 1));
    const { rows } = await exported({ intent: "export-all" }, "?userName=bulk-buyer&page=2");
    expect(rows.map((row) => row.Number)).toEqual(made.map((id) => `SO-${id}`));
    const [entry] = await getDb()
      .selectFrom("auditEntries")
      .select("message")
      .where("event", "=", "orders.exported")
      .orderBy("id", "desc")
      .execute();
    expect(entry?.message).toBe("All sales orders exported that match userName=bulk-buyer.");
  });

  test("[SAL-02] keeps formulas as text, and quotes, commas and line breaks", async () => {
    const cells = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '"a",b\r\nc', "＝1", "<b>שלום 🚗</b>"];
    const made: number[] = [];
    for (const company of cells) made.push(await createCodeOrder(anna, "OFTP", 1, { company, remarks: company }));
    const { rows } = await exported({ intent: "export", id: made.map(String) });
    const escaped = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t'=1", "'\r'=1"];
    const kept = cells.map((cell, index) => escaped[index] ?? (cell.startsWith("\uFF1D") ? `'${cell}` : cell));
    expect(rows.map((row) => row.Company)).toEqual(kept);
    expect(rows.map((row) => row.Remarks)).toEqual(kept);
  });

  test("[SAL-02] without an order is a clear error and no file", async () => {
    for (const query of ["", "id=0", "id=2147483647", "all=1&status=Cancelled"])
      await expect(
        run(exportFile.loader, staff.get(serverPaths.salesOrdersFile(query))).then((answer) => answer.status),
      ).resolves.toBe(422);
  });
});

test("[SAL-05] by a month finds the orders with an invoice of it", async () => {
  const orderId = await createInvoiceableOrder(anna);
  await issueInvoice(orderId, { id: (await createAdmin()).id, name: "staff" });
  expect(await found({ invoiced: new Date().toISOString().slice(0, 7) })).toEqual([String(orderId)]);
  expect(await found({ invoiced: "1999-12" })).toEqual([]);
});
