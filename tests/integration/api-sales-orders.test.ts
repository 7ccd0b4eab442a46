import { beforeAll, describe, expect, test } from "vitest";
import { DATE_FORMATS, NO_SUCH_DAY } from "~/api/dates";
import { AMOUNT_TOO_LARGE, DAY_TO_COME, NO_AMOUNT } from "~/domain/orders/sales-order-fields";
import { getDb } from "~db/connection.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { insertMaintenance } from "~db/repositories/maintenance.server";
import { inTransaction } from "~db/transaction.server";
import { type ApiClient, apiClientOf } from "../support/api";
import { createCertificateOrder } from "../support/certificates";
import { createCode, createCodeOrder } from "../support/codes";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { NO_VERSIONS, waysToSay } from "../support/moments";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { auditOfSale, saleOf } from "../support/sales-orders";

usePortal();
const { makeCsr } = useOpenssl();

type User = Awaited<ReturnType<typeof createUser>>;
interface Order {
  id: number;
  orderStatus: string;
  updatedAt: string;
}

const people = {} as { anna: User; admin: User; customer: ApiClient; staff: ApiClient; colleague: ApiClient };
const ids: Record<string, number> = {};

const moment = (day: string) => new Date(`${day}T12:00:00Z`);
const clientOf = ({ email }: { email: string }) => apiClientOf(email, TEST_PASSWORD);
const named = (rows: readonly { id: number }[]) =>
  rows.map(({ id }) => Object.keys(ids).find((key) => ids[key] === id));

beforeAll(async () => {
  const anna = await createUser({ email: "anna@parts.example", username: "anna.parts" });
  const bert = await createUser({ email: "bert@other.example", company: "Zähne & Söhne AG" });
  const admin = await createAdmin();
  Object.assign(people, { anna, admin, staff: await clientOf(admin) });
  people.customer = await apiClientOf("anna.parts", TEST_PASSWORD);
  ids.oftp = await createCodeOrder(anna, "OFTP", 1, { createdAt: moment("2026-01-10") });
  ids.full = await createCodeOrder(anna, "Full", 2, { createdAt: moment("2026-01-11"), status: "Paid" });
  const invoice = { status: "Invoiced", invoiceNumber: "R-7", countryId: 276 } as const;
  ids.basic = await createCodeOrder(bert, "Basic", 3, { createdAt: moment("2026-01-12"), ...invoice });
  ids.upkeep = await createCodeOrder(anna, "Full", 1, {
    createdAt: moment("2026-01-13"),
    isMaintenance: true,
    codeType: null,
  });
  ids.certificate = (await createCertificateOrder(bert, makeCsr().der)).orderId;
});

describe("searching sales orders", () => {
  const none = {
    from: "01/01/0001",
    to: "01/01/0001",
    userName: " ",
    country: -1,
    status: " ",
    company: " ",
    orderNumber: " ",
    orderType: " ",
  };
  const search = (query: Record<string, string | number>) =>
    people.staff.get<Order[]>("codes/searchSalesOrders", { ...none, ...query });
  const found = async (query: Record<string, string | number>) => named((await search(query)).content);

  test.each<[Record<string, string | number>, string[]]>([
    [{}, ["certificate", "upkeep", "basic", "full", "oftp"]],
    [{ from: "2026-01-11T00:00:00Z", to: "2026-01-12T00:00:00Z" }, ["basic", "full"]],
    [{ from: "0001-01-01T00:00:00", to: "10/01/2026" }, ["oftp"]],
    [{ orderType: "OFTP Code" }, ["oftp"]],
    [{ orderType: "OSCAR Code" }, ["full"]],
    [{ orderType: "full oscar code" }, ["full"]],
    [{ orderType: "OSCAR Code Basic" }, ["basic"]],
    [{ orderType: "OSCAR Light Code" }, ["basic"]],
    [{ orderType: "Full" }, ["full"]],
    [{ orderType: "Certificate" }, ["certificate"]],
    [{ orderType: "code maintenance" }, ["upkeep"]],
    [{ status: "Invoiced" }, ["basic"]],
    [{ country: 276 }, ["basic"]],
    [{ company: "söhne" }, ["certificate", "basic"]],
    [{ userName: "ANNA@" }, ["upkeep", "full", "oftp"]],
    [{ userName: "anna.p", orderType: "OFTP" }, ["oftp"]],
    [{ company: "<b>nobody</b>" }, []],
    [{ pageSize: 2, page: 2 }, ["basic", "full"]],
    [{ pageSize: 2, page: 4 }, []],
  ])(
    "[API-03] [SAL-01] by %j finds %j; empty values, a space, -1 and the null date are ignored",
    async (query, expected) => {
      expect(await found(query)).toEqual(expected);
    },
  );

  test("[API-03] works by order number and without conditions", async () => {
    expect(await found({ orderNumber: String(ids.full) })).toEqual(["full"]);
    expect(await found({ orderNumber: ` so-${ids.full} ` })).toEqual(["full"]);
    expect(named((await people.staff.get<Order[]>("codes/searchSalesOrders")).content)).toHaveLength(5);
  });

  test.each([
    [{ from: "31/02/2026" }, "from"],
    [{ from: "2026-01-12", to: "2026-01-11" }, "to"],
    [{ status: "Lost" }, "status"],
    [{ orderType: "Light" }, "orderType"],
    [{ orderNumber: "x" }, "orderNumber"],
    [{ country: 9999 }, "country"],
    [{ pageSize: 1001 }, "pageSize"],
    [{ administrator: "x" }, "administrator"],
  ])("[API-06] refuses %j at %s", async (query, field) => {
    const answer = await search(query);
    expect({ status: answer.status, fields: Object.keys(answer.errors) }).toEqual({ status: 422, fields: [field] });
  });
});

describe("reading sales orders", () => {
  test("[API-03] getSalesOrders returns everybody's with every documented field, newest first", async () => {
    const { content } = await people.staff.get<Order[]>("codes/getSalesOrders");
    expect(named(content)).toEqual(["certificate", "upkeep", "basic", "full", "oftp"]);
    expect(content[2]).toEqual({
      id: ids.basic,
      orderNumber: `SO-${ids.basic}`,
      userName: "bert@other.example",
      email: "bert@other.example",
      company: "Zähne & Söhne AG",
      userCompany: "Zähne & Söhne AG",
      country: "Germany",
      vatNumber: "",
      purchaseOrderNumber: "PO-1",
      orderDate: "2026-01-12T00:00:00Z",
      creationDate: "2026-01-12T00:00:00Z",
      orderStatus: "Invoiced",
      remarks: "",
      codeType: "OSCAR Code Basic",
      numberOfCodes: 3,
      orderTotal: 900,
      promotionCode: "",
      invoiceNumber: "R-7",
      invoiceTotal: null,
      invoiceAmount: null,
      invoiceDate: "0001-01-01T00:00:00",
      paymentTotal: null,
      paymentAmount: null,
      paymentDate: "0001-01-01T00:00:00",
      isMaintenance: false,
      updatedAt: expect.any(String) as string,
    });
    expect(named((await people.staff.get<Order[]>("codes/getSalesOrders", { pageSize: 2, page: 3 })).content)).toEqual([
      "oftp",
    ]);
  });

  test("[API-03] lists of sales orders are read in parts, also by the last change of those with a status", async () => {
    const list = (path: string, query: Record<string, string | number>) =>
      people.staff.get<Order[]>(`codes/${path}`, query);
    const first = await list("getSalesOrders", { pageSize: 3 });
    expect(named(first.content)).toEqual(["certificate", "upkeep", "basic"]);
    const second = await list("getSalesOrders", { pageSize: 3, cursor: String(first.nextCursor) });
    expect(named(second.content)).toEqual(["full", "oftp"]);
    expect(second.nextCursor).toBeNull();
    for (const [name, day] of [
      ["basic", "2030-01-02"],
      ["oftp", "2030-01-03"],
      ["full", "2030-01-01"],
    ] as const)
      await getDb()
        .updateTable("orders")
        .set({ updatedAt: moment(day) })
        .where("id", "=", ids[name] ?? 0)
        .execute();
    const since = { updatedSince: "2030-01-01", pageSize: 2 };
    const changed = await list("getSalesOrders", since);
    expect(named(changed.content)).toEqual(["full", "basic"]);
    expect(named((await list("getSalesOrders", { ...since, cursor: String(changed.nextCursor) })).content)).toEqual([
      "oftp",
    ]);
    expect(named((await list("searchSalesOrders", { ...since, status: "Paid" })).content)).toEqual(["full"]);
    const elsewhere = await list("searchSalesOrders", { ...since, cursor: String(changed.nextCursor) });
    expect(elsewhere.errors.cursor).toContain("another list");
  });

  test("[API-03] [SAL-04] getSalesOrder returns a maintenance order with its codes, and reports a missing order", async () => {
    const code = await createCode(people.anna, { code: "AB1C" });
    const line = {
      code: "AB1C00",
      codeId: code.id,
      codeType: "Full" as const,
      costCents: 22_500,
      discountNumMonths: 3,
    };
    const companyId = await findCompanyId(getDb(), people.anna.id);
    await inTransaction((trx) =>
      insertMaintenance(trx, { year: 2026, companyId, orderId: ids.upkeep ?? 0 }, [
        { ...line, subcodes: JSON.stringify(["P1", "P2"]) },
      ]),
    );
    const get = (id: number | undefined) => people.staff.get("codes/getSalesOrder", { id: id ?? 0 });
    expect((await get(ids.upkeep)).content).toMatchObject({
      id: ids.upkeep,
      codeType: "Code Maintenance",
      isMaintenance: true,
      maintenanceCodes: [
        { code: "AB1C00", codeType: "OSCAR Code Full", cost: 225, discountNumMonths: 3, subCode: ["P1", "P2"] },
      ],
    });
    expect((await get(ids.full)).content).toMatchObject({ id: ids.full, maintenanceCodes: [] });
    expect(await get(999_999)).toMatchObject({ status: 404, content: null });
  });

  test("[API-03] [API-06] getUserSalesOrders returns one's own orders of codes, and to administrators those of others", async () => {
    const own = await people.customer.get<Order[]>("codes/getUserSalesOrders");
    expect(named(own.content)).toEqual(["upkeep", "full", "oftp"]);
    expect(own.content[1]).toEqual({
      id: ids.full,
      creationDate: "2026-01-11T00:00:00Z",
      codeType: "OSCAR Code Full",
      numberOfCodes: 2,
      orderTotal: 600,
      invoiceNumber: "",
      orderStatus: "Paid",
      paymentDate: "0001-01-01T00:00:00",
      orderedBy: "Anna Müller",
    });
    const page = await people.customer.get<Order[]>("codes/getUserSalesOrders", { pageSize: 1, page: 2 });
    expect(named(page.content)).toEqual(["full"]);
    const listed = (query: Record<string, string | number>) =>
      people.customer.get<Order[]>("codes/getUserSalesOrders", query);
    const first = await listed({ pageSize: 2 });
    expect(named((await listed({ pageSize: 2, cursor: String(first.nextCursor) })).content)).toEqual(["oftp"]);
    expect(named((await listed({ status: "Paid" })).content)).toEqual(["full"]);
    const changes = await listed({ updatedSince: "2000-01-01", pageSize: 1 });
    const next = { updatedSince: "2000-01-01", cursor: String(changes.nextCursor) };
    expect(named([...changes.content, ...(await listed(next)).content]).toSorted()).toEqual(["full", "oftp", "upkeep"]);
    expect((await listed({ updatedSince: "2040-01-01" })).content).toEqual([]);
    const ofAnna = { userId: people.anna.id };
    expect((await people.staff.get<Order[]>("codes/getUserSalesOrders", ofAnna)).content).toEqual(own.content);
    expect((await people.staff.get("codes/getUserSalesOrders")).content).toEqual([]);
    for (const userId of [people.admin.id, 999_999])
      expect((await people.customer.get("codes/getUserSalesOrders", { userId })).status).toBe(403);
  });
});

describe("changing a sales order", () => {
  const update = (body: object) => people.staff.post<Order>("codes/updateSalesOrder", body);
  const createdAt = new Date("2026-02-01T10:00:00Z");
  const given = { remarks: "Call first", promotionCode: "SPRING", createdAt };
  const order = (more: object = {}) => createCodeOrder(people.anna, "Basic", 1, { ...given, ...more });

  test("[API-03] [SAL-03] keeps omitted fields, clears empty ones, and returns the resulting status", async () => {
    const id = await order();
    const invoiced = await update({
      id,
      invoiceNumber: "R-1",
      invoiceTotal: 300.5,
      invoiceDate: "2026-02-03T00:00:00Z",
    });
    expect(invoiced.content).toMatchObject({
      orderStatus: "Invoiced",
      remarks: "Call first",
      promotionCode: "SPRING",
      invoiceNumber: "R-1",
      invoiceTotal: 300.5,
      invoiceDate: "2026-02-03T00:00:00Z",
      paymentTotal: null,
    });
    const body = { id, status: "Open", remarks: " ", promoCode: null, invoiceTotal: "", invoiceDate: "01/01/0001" };
    const emptied = await update(body);
    expect(emptied.content).toMatchObject({
      orderStatus: "Open",
      remarks: "",
      promotionCode: "",
      invoiceNumber: "R-1",
      invoiceTotal: null,
      invoiceDate: "0001-01-01T00:00:00",
    });
    const paid = await update({ id, status: "Paid", paymentTotal: -5, paymentDate: "04/02/2026" });
    expect(paid.content).toMatchObject({ orderStatus: "Paid", paymentTotal: 0, paymentDate: "2026-02-04T00:00:00Z" });
    const events = (await auditOfSale(id)).map(({ event }) => event);
    expect(events).toEqual(["order.updated", "order.updated", "order.updated"]);
    expect(await update({ id })).toMatchObject({ status: 200, content: { orderStatus: "Paid" } });
    expect(await auditOfSale(id)).toHaveLength(3);
  });

  test.each<[object, string, string]>([
    [{ status: "Lost" }, "status", "The value is not part of the collection."],
    [{ status: "" }, "status", "This field is required."],
    [{ remarks: "r".repeat(501) }, "remarks", "Entered value is not valid."],
    [{ promoCode: "p".repeat(71) }, "promoCode", "Entered value is not valid."],
    [{ invoiceNumber: "i".repeat(71) }, "invoiceNumber", "Entered value is not valid."],
    [{ invoiceTotal: 1.005 }, "invoiceTotal", NO_AMOUNT],
    [{ invoiceTotal: 1e300 }, "invoiceTotal", AMOUNT_TOO_LARGE],
    [{ invoiceTotal: "99999999999999999999" }, "invoiceTotal", AMOUNT_TOO_LARGE],
    [{ paymentTotal: "1,5" }, "paymentTotal", NO_AMOUNT],
    [{ paymentTotal: [1] }, "paymentTotal", "Invalid value."],
    [{ invoiceDate: "31/02/2026" }, "invoiceDate", NO_SUCH_DAY],
    [{ paymentDate: "9999-12-31" }, "paymentDate", DAY_TO_COME],
    [
      { paymentDate: "2026-01-31" },
      "paymentDate",
      "Payment date: the date cannot be before the order date, 01/02/2026.",
    ],
    [{ updatedAt: "yesterday" }, "updatedAt", DATE_FORMATS],
    [{ updatedAt: 1 }, "updatedAt", "Invalid value."],
    [{ orderTotal: 1 }, "orderTotal", "This call has no such field."],
  ])("[API-06] refuses %j at %s and changes nothing", async (change, field, message) => {
    const id = await order();
    const before = await saleOf(id);
    expect(await update({ id, ...change })).toMatchObject({ status: 422, errors: { [field]: message } });
    expect(await saleOf(id)).toEqual(before);
  });

  test.each([
    ["2026-03-01", "2026-03-01"],
    ["01/03/2026", "2026-03-01"],
    ["2026-03-01T23:30:00-05:00", "2026-03-02"],
    ["2026-03-01T00:30:00.123456+02:00", "2026-02-28"],
    ["2026-03-01T23:59:59Z", "2026-03-01"],
    ["2026-03-01T12:00", "2026-03-01"],
    ["0001-01-01T00:00:00+01:00", "0001-01-01"],
  ])("[API-03] takes the day of %s in UTC, as a search does", async (given, day) => {
    const id = await order({ createdAt: moment("2026-01-10"), paymentDate: moment("2026-01-11") });
    expect((await update({ id, paymentDate: given })).content).toMatchObject({
      paymentDate: day === "0001-01-01" ? "0001-01-01T00:00:00" : `${day}T00:00:00Z`,
    });
    expect((await people.staff.get("codes/searchSalesOrders", { from: given })).status).toBe(200);
  });

  test.each([
    ["2026-03-01T24:00:00Z", DATE_FORMATS],
    ["2026-03-01T12:00:00+15:00", DATE_FORMATS],
    ["2026-3-1", DATE_FORMATS],
    ["March 1, 2026", DATE_FORMATS],
    ["20260301", DATE_FORMATS],
    ["2026-02-30", NO_SUCH_DAY],
    ["31/02/2026", NO_SUCH_DAY],
    ["2026-02-30T12:00:00Z", NO_SUCH_DAY],
    ["0000-01-01", NO_SUCH_DAY],
    ["9999-12-31T23:30:00-05:00", NO_SUCH_DAY],
  ])(
    "[API-06] refuses the date %s in every call and names the formats, or says that the day does not exist",
    async (given, message) => {
      const id = await order();
      expect((await update({ id, paymentDate: given })).errors).toEqual({ paymentDate: message });
      expect((await people.staff.get("codes/searchSalesOrders", { to: given })).errors).toEqual({ to: message });
    },
  );

  test("[API-06] [SAL-03] refuses an order that was changed in the meantime, with its updatedAt", async () => {
    const id = await order();
    const read = (await people.staff.get<Order>("codes/getSalesOrder", { id })).content;
    await update({ id, remarks: "First" });
    const { updatedAt } = (await people.staff.get<Order>("codes/getSalesOrder", { id })).content;
    const refused = await update({ id, remarks: "Late", promoCode: "SUMMER26", updatedAt: read.updatedAt });
    const text = `Nothing was saved: it was changed meanwhile. What is stored differs from what was sent, by that change or your own, in: Remarks (stored now: 'First'), Promotion code (stored now: 'SPRING'). To replace it, send it again with updatedAt ${updatedAt}.`;
    expect(refused).toMatchObject({ status: 409, text, code: "order.changed-meanwhile", errors: { updatedAt: text } });
    expect((await saleOf(id)).remarks).toBe("First");
    expect((await update({ id, remarks: "Now", updatedAt })).content).toMatchObject({ remarks: "Now" });
    expect((await update({ id: 999_999, remarks: "x" })).status).toBe(404);
  });

  test("[API-06] [SAL-03] compares the version as a timestamp in any notation; without one it changes the stored order", async () => {
    const id = await order();
    let { updatedAt } = (await people.staff.get<Order>("codes/getSalesOrder", { id })).content;
    for (const way of waysToSay(updatedAt).keys()) {
      const version = waysToSay(updatedAt)[way];
      const { status, content } = await update({ id, remarks: `Way ${way}`, updatedAt: version });
      expect({ version, status }).toEqual({ version, status: 200 });
      updatedAt = content.updatedAt;
    }
    for (const [way, version] of NO_VERSIONS.entries())
      expect((await update({ id, remarks: `None ${way}`, updatedAt: version })).status).toBe(200);
    const early = new Date(Date.parse(updatedAt) - 1).toISOString();
    expect((await update({ id, remarks: "Early", updatedAt: early })).status).toBe(409);
  });
});
