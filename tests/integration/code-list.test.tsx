import { beforeAll, describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import * as listPage from "~/routes/home.codes/route";
import * as listFile from "~/routes/home.codes_.export[.]csv";
import { createAvailableCodes, createCode, createCodeOrder } from "../support/codes";
import { createColleague } from "../support/companies";
import { createAdmin, createUser } from "../support/factories";
import { pageText, select, summaryOf, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

interface List {
  codes: {
    rows: { id: number; code: string; subcode: string; fullCode: string; email: string }[];
    total: number;
    pages: number;
  } | null;
  orders: { rows: { id: number }[]; total: number } | null;
  params: { page: number; size: number };
}

type User = Awaited<ReturnType<typeof createUser>>;
type Code = Awaited<ReturnType<typeof createCode>>;

let anna: User;
let customer: Visitor;
let admin: Visitor;
const codes: Record<"full" | "sub" | "basic" | "oftp" | "cancelled", Code> = {} as never;

beforeAll(async () => {
  anna = await createUser({ company: "Example Parts Ltd", email: "anna@example-parts.com" });
  customer = await signedInAs(anna);
  admin = await signedInAs(await createAdmin());
  codes.full = await createCode(anna, { code: "AB12", entityName: "Plant Köln 50%_x" });
  codes.sub = await createCode(anna, { code: "AB12", subcode: "7Z", parentId: codes.full.id, entityName: "Gate 3" });
  codes.basic = await createCode(anna, { code: "CD34", codeType: "Basic", entityName: "מפעל 🙂" });
  codes.oftp = await createCode(anna, { code: "X999", codeType: "OFTP", entityName: "<b>Hub</b>" });
  codes.cancelled = await createCode(anna, { code: "EF56", status: "Cancelled", entityName: "Closed plant" });
  for (let index = 10; index < 18; index += 1)
    await createCode(anna, { code: `YY${index}`, entityName: `Warehouse ${index}`, codeType: "Basic" });
});

const list = async (query = "", who = customer) =>
  jsonOf<List>(await run(listPage.loader, who.get(`/home/codes${query}`)));
const found = async (search: string, who = customer) =>
  ((await list(`?size=100&search=${encodeURIComponent(search)}`, who)).codes?.rows ?? []).map((row) => row.fullCode);

describe("[COD-01] the list of registered codes", () => {
  test("[COD-01] has the captions, the full code, and markup in names as text", async () => {
    const { html } = await openPage(listPage, customer, "/home/codes");
    expect(textsOf(html, "h1")).toEqual(["Entity Registration"]);
    const captions = ["Code▲", "Type", "Subcode", "Company", "Email", "Entity Name", "Status"];
    expect(textsOf(html, 'th[scope="col"]')).toEqual(captions);
    const text = pageText(html);
    for (const shown of [
      "AB1200",
      "AB127Z",
      "OSCAR Code Full",
      "OSCAR Code Basic",
      "OFTP Code",
      "<b>Hub</b>",
      "מפעל 🙂",
    ])
      expect(text).toContain(shown);
    expect(text).toContain("1 to 10 of 13, sorted by code");
  });

  test.each([
    ["AB12", ["AB1200", "AB127Z"]],
    ["ab127z", ["AB127Z"]],
    ["AB1200", ["AB1200"]],
    ["7z", ["AB127Z"]],
    ["köln", ["AB1200"]],
    ["Ko\u0308ln", ["AB1200"]],
    ["gate ab12", ["AB127Z"]],
    ["cancelled", ["EF5600"]],
    ["oftp", ["X999"]],
    ["OSCAR Code Full", ["AB1200", "AB127Z", "EF5600"]],
    ["anna@example-parts.com hub", ["X999"]],
    ["example parts closed", ["EF5600"]],
    ["50%_x", ["AB1200"]],
    ["%", ["AB1200"]],
    ["_", ["AB1200"]],
    ["🙂", ["CD3400"]],
    ["nothing of the kind", []],
    ["\u0000", "all"],
  ])("[COD-01] can be searched for '%s'", async (search, expected) => {
    expect(await found(search)).toEqual(expected === "all" ? expect.objectContaining({ length: 13 }) : expected);
  });

  test("[COD-01] can be sorted by each column in both directions, always in the same order", async () => {
    const order = async (sort: string) =>
      ((await list(`?size=100&sort=${sort}`)).codes?.rows ?? []).map(({ id }) => id);
    for (const key of ["code", "codeType", "subcode", "company", "email", "entityName", "status"])
      expect(await order(`${key}.desc`)).toEqual((await order(`${key}.asc`)).reverse());
    const { rows } = (await list("?size=100&sort=entityName.asc")).codes ?? { rows: [] };
    expect(rows[0]?.id).toBe(codes.oftp.id);
    expect(await order("password.asc")).toEqual(await order("code.asc"));
  });

  test("[COD-01] can be sorted by owner's email for administrators; codes of one owner stay in order of name", async () => {
    const owners = await Promise.all(
      ["Zoe@order-test.example", "änne@order-test.example", "bob@order-test.example"].map((email) =>
        createUser({ email, company: "Ordered by mail" }),
      ),
    );
    for (const owner of owners)
      for (const subcode of ["", "02", "01"]) await createCode(owner, { code: `M${owner.id}`.slice(-4), subcode });
    const order = async (direction: string) => {
      const { codes } = await list(`?size=100&search=order-test&sort=email.${direction}`, admin);
      return (codes?.rows ?? []).map(({ email, subcode }) => `${email.slice(0, 3)} ${subcode}`);
    };
    const expected = ["änn ", "änn 01", "änn 02", "bob ", "bob 01", "bob 02", "Zoe ", "Zoe 01", "Zoe 02"];
    expect(await order("asc")).toEqual(expected);
    expect(await order("desc")).toEqual(expected.toReversed());
    const { html } = await openPage(listPage, customer, "/home/codes?sort=email.desc");
    expect(pageText(html)).toContain("sorted by email, descending");
    expect(textsOf(html, 'th[scope="col"][aria-sort="descending"] > a[href*="sort=email"]')).toEqual(["Email▼"]);
  });

  test("[COD-01] has pages of 10, 25, 50 or 100; a page past the end is the last one, an invalid query the default", async () => {
    const first = await list();
    expect([first.codes?.rows.length, first.codes?.total, first.codes?.pages]).toEqual([10, 13, 2]);
    const last = await list("?page=99");
    expect([last.codes?.rows.length, last.params.page]).toEqual([3, 2]);
    expect((await list("?size=25")).codes?.rows).toHaveLength(13);
    for (const query of ["?size=1000", "?size=-1", "?page=0", "?page=x&sort=x.y&selected=-3&show=all"])
      expect((await list(query)).codes?.rows).toEqual(first.codes?.rows);
  });

  test("[COD-01] shows customers their own codes and administrators everybody's", async () => {
    const stranger = await signedInAs(await createUser());
    expect((await list("", stranger)).codes?.total).toBe(0);
    expect(await found("AB12", stranger)).toEqual([]);
    expect(await found("AB12", admin)).toEqual(["AB1200", "AB127Z"]);
    const { html } = await openPage(listPage, stranger, "/home/codes");
    expect(pageText(html)).toContain("No records found");
  });
});

describe("[COD-01] the chosen row and the buttons", () => {
  const choose = async (fields: Record<string, string>, query = "", who = customer) =>
    run(listPage.action, await who.post(`/home/codes${query}`, fields));

  test("[COD-01] View Details and Register Sub-Entity carry page and row along", async () => {
    const id = String(codes.full.id);
    const query = "?page=2&sort=status.desc";
    const from = `${paths.codes}${query}&selected=${id}`;
    const view = await choose({ id, intent: "view" }, query);
    expect([view.status, view.headers.get("Location")]).toEqual([
      303,
      paths.codeDetails({ code: codes.full.id, from }),
    ]);
    const register = await choose({ id, intent: "sub-entity" }, query);
    expect(register.headers.get("Location")).toBe(paths.codeDetails({ parent: codes.full.id, from }));
  });

  test("[COD-01] a refusal alone stands above the page", async () => {
    const fields = { id: String(codes.sub.id), intent: "sub-entity" };
    const { html } = await openPage(listPage, customer, paths.codes, { fields });
    expect(summaryOf(html)).toEqual(["A sub-entity cannot have sub-entities."]);
  });

  test.each([
    [{ intent: "view" }, "Select a code first."],
    [{ intent: "view", id: "x" }, "Select a code first."],
    [{ intent: "sub-entity", id: "-1" }, "Select a code first."],
    [{ intent: "view", id: "9999999999" }, "Select a code first."],
  ])("[COD-01] %j is refused on the page", async (fields, message) => {
    expect(await errorsOf(await choose(fields as Record<string, string>))).toMatchObject({
      status: 422,
      errors: { id: message },
    });
  });

  test.each([
    ["oftp", "Sub-entities cannot be registered under a code of this type."],
    ["cancelled", "The code is cancelled: sub-entities cannot be registered under it."],
    ["sub", "A sub-entity cannot have sub-entities."],
  ] as const)("[COD-01] a sub-entity under the code '%s' is refused with the reason", async (name, message) => {
    const id = String(codes[name].id);
    expect(await errorsOf(await choose({ id, intent: "sub-entity" }))).toMatchObject({
      status: 422,
      errors: { id: message },
    });
    const { html } = await openPage(listPage, customer, "/home/codes?size=25", {
      fields: { id, intent: "sub-entity" },
    });
    expect(pageText(html)).toContain("There is a problem");
    expect(textsOf(html, 'a[href="#codes-id"]')).toEqual([message]);
    expect(select(html, "#codes-id").attr("aria-label")).toBe("Your registered codes");
    expect(select(html, "input:checked").attr("value")).toBe(id);
  });

  test("[COD-01] the hundredth sub-entity of a Basic code is the last one", async () => {
    const parent = await createCode(anna, { codeType: "Basic", sbeMaxNumber: 2 });
    const fields = { id: String(parent.id), intent: "sub-entity" };
    await createCode(anna, { codeType: "Basic", code: parent.code, subcode: "01", parentId: parent.id });
    expect((await choose(fields)).status).toBe(303);
    await createCode(anna, { codeType: "Basic", code: parent.code, subcode: "02", parentId: parent.id });
    expect((await errorsOf(await choose(fields))).errors.id).toContain("all the sub-entities that it may have: 2");
    const { html } = await openPage(listPage, customer, `/home/codes?search=${parent.code}`);
    expect(select(html, `input[name="id"][value="${parent.id}"]`)).toHaveLength(1);
  });

  test("[COD-01] a code of somebody else cannot be chosen, and only applicants register", async () => {
    const stranger = await signedInAs(await createUser());
    const id = String(codes.full.id);
    for (const intent of ["view", "sub-entity"])
      expect((await errorsOf(await choose({ id, intent }, "", stranger))).errors).toEqual({
        id: "The code was not found.",
      });
    expect((await choose({ id, intent: "view" }, "", admin)).status).toBe(303);
    expect((await errorsOf(await choose({ id, intent: "sub-entity" }, "", admin))).errors).toEqual({
      id: "Only applicants can register sub-entities.",
    });
    const both = await signedInAs(await createUser({ isAdmin: true }));
    expect((await errorsOf(await choose({ id, intent: "sub-entity" }, "", both))).errors).toEqual({
      id: "Only the owner of a code can register sub-entities under it.",
    });
    const pages = await Promise.all([customer, admin].map((who) => openPage(listPage, who, "/home/codes")));
    const shown = (label: string) => pages.map(({ html }) => textsOf(html, "a, button").includes(label));
    expect(shown("Purchase New ID Code")).toEqual([true, false]);
    expect(shown("Register Sub-Entity")).toEqual([true, false]);
    expect(shown("View Details")).toEqual([true, true]);
    for (const { html } of pages) expect(textsOf(html, 'a[href="/home/dashboard"]')).toContain("Back");
  });

  test("[COD-01] returning from details selects the row again; searching, sorting and paging do not", async () => {
    const { html } = await openPage(listPage, customer, `/home/codes?selected=${codes.full.id}&sort=company.asc`);
    expect(select(html, "input:checked").attr("value")).toBe(String(codes.full.id));
    expect(select(html, '[name="selected"]')).toHaveLength(0);
    const links = select(html, 'a[href^="/home/codes?"]');
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter('[href*="selected="]')).toHaveLength(0);
  });
});

describe("[COD-01] orders and available codes", () => {
  test("[COD-01] neither table is shown without rows", async () => {
    const { html } = await openPage(listPage, await signedInAs(await createUser()), "/home/codes");
    expect(html).not.toContain("Order Date");
    expect(html).not.toContain("Register Entity");
  });

  test("[COD-01] the table of orders has its columns, and the user's ten latest orders", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    await createCodeOrder(await createUser(), "Full", 9);
    const first = await createCodeOrder(owner, "Full", 2, {
      status: "Paid",
      invoiceNumber: "2026-77",
      createdAt: new Date("2026-03-01T10:00:00Z"),
      paymentDate: new Date("2026-04-02T00:00:00Z"),
    });
    const { html } = await openPage(listPage, visitor, "/home/codes");
    const grid = 'table:has(caption:contains("Your orders of ID codes"))';
    expect(textsOf(html, `${grid} th[scope="col"]`)).toEqual([
      "Order",
      "Order Date",
      "Type of Code",
      "Number of Codes",
      "Order Total (Euro)",
      "Invoice Number",
      "Status",
      "Payment Date",
      "Download Invoice",
    ]);
    const cells = textsOf(html, `${grid} tbody :is(th, td)`);
    for (const shown of [`SO-${first}`, "01/03/2026", "OSCAR Code Full", "€600.00", "2026-77", "Paid", "02/04/2026"])
      expect(cells).toContain(shown);
    expect(html).not.toContain(`order=${first}`);
    for (let index = 0; index < 10; index += 1) await createCodeOrder(owner, "Basic", 1);
    const { orders } = await list("", visitor);
    expect([orders?.rows.length, orders?.total]).toEqual([10, 11]);
    expect(orders?.rows.map(({ id }) => id)).not.toContain(first);
  });

  test("[COD-01] a link leads to all orders when there are more than ten", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const page = async (query = "") => (await openPage(listPage, visitor, `/home/codes${query}`)).html;
    for (let index = 0; index < 10; index += 1) await createCodeOrder(owner, "Basic", 1);
    const links = (html: string) => textsOf(html, 'a[href="/home/codes?show=orders"]');
    expect(links(await page())).toEqual(["Orders"]);
    await createCodeOrder(owner, "Full", 9);
    expect(links(await page())).toEqual(["Orders", "All 11 orders"]);
    const all = await page("?show=orders");
    expect(textsOf(all, 'th[scope="row"]').filter((text) => text.startsWith("SO-"))).toHaveLength(11);
    expect(links(all)).toEqual(["Orders"]);
  });

  test("[COD-01] administrators see everybody's orders with the way to their payment", async () => {
    const id = await createCodeOrder(await createUser({ company: "Anybody AG" }), "Basic", 1, {
      company: "Anybody AG",
    });
    const { html } = await openPage(listPage, admin, "/home/codes");
    expect(textsOf(html, "td")).toContain("Anybody AG");
    expect(textsOf(html, `a[href="${paths.salesOrder(id, paths.codes)}"]`)).toEqual([`SO-${id}`]);
  });

  test("[COD-01] available codes are listed by type, each with the way to register an entity", async () => {
    const owner = await createUser();
    await createAvailableCodes(owner, "Basic", 3);
    await createAvailableCodes(owner, "Basic", 4);
    await createAvailableCodes(await createUser(), "OFTP", 9);
    const { html } = await openPage(listPage, await signedInAs(owner), "/home/codes");
    const table = 'table:has(caption:contains("Your available codes"))';
    expect(textsOf(html, `${table} th[scope="row"]`)).toEqual(["OSCAR Code Basic"]);
    expect(textsOf(html, `${table} td`)).toContain("7");
    const links = select(html, `${table} a`);
    expect(links.attr("href")).toBe(paths.codeDetails({ type: "Basic", from: paths.codes }));
    expect(textsOf(html, `${table} a`)).toEqual(["Register Entity of the type OSCAR Code Basic"]);
  });

  test("[COD-01] available codes have no column 'Register' for a member who registers none", async () => {
    const owner = await createUser();
    await createAvailableCodes(owner, "Basic", 3);
    const headings = async (person: { id: number }) =>
      textsOf((await openPage(listPage, await signedInAs(person), "/home/codes")).html, "table [role=columnheader]");
    expect(await headings(owner)).toContain("Register");
    for (const role of ["reader", "technical"] as const)
      expect(await headings(await createColleague(owner, role))).not.toContain("Register");
  });

  test("[COD-01] each section can be shown alone", async () => {
    const owner = await createUser();
    await createAvailableCodes(owner, "Full", 1);
    const visitor = await signedInAs(owner);
    const orders = (await openPage(listPage, visitor, "/home/codes?show=orders")).html;
    expect(pageText(orders)).toContain("Order Date");
    expect(pageText(orders)).toContain("Register Entity");
    expect(select(orders, 'input[type="search"]')).toHaveLength(0);
    const codesOnly = (await openPage(listPage, visitor, "/home/codes?show=codes")).html;
    expect(codesOnly).not.toContain("Order Date");
    expect(codesOnly).not.toContain("Register Entity");
    expect(select(codesOnly, 'input[type="search"]')).toHaveLength(1);
    expect(select(codesOnly, '[name="show"]').is('[type="hidden"]')).toBe(true);
    expect(valueOf(codesOnly, "show")).toBe("codes");
  });

  test("[COD-01] the codes are a CSV file, too: the own ones that the search finds, without formulas", async () => {
    const owner = await createUser({ company: "Hubs, Ltd", firstName: "Ann", lastName: "Lee" });
    const { code } = await createCode(owner, { entityName: "=Hub" });
    const other = await createCode(owner, { entityName: "Gate" });
    const visitor = await signedInAs(owner);
    const file = async (query: string) => {
      const answer = await run(listFile.loader, visitor.get(`/home/codes/export.csv${query}`));
      return (await answer.text()).trim().split("\r\n").slice(1);
    };
    const lines = await file("?page=2");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(new RegExp(`^${code},.*,"Hubs, Ltd",${owner.email},'=Hub,.*,Ann Lee$`));
    expect((await file("?search=gate")).map((line) => line.split(",")[0])).toEqual([other.code]);
  });
});
