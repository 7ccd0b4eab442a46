import { beforeAll, describe, expect, test } from "vitest";
import { type searchCodesFor } from "~/domain/codes/search.service.server";
import * as searchPage from "~/routes/home.search-codes/route";
import { createCode } from "../support/codes";
import { type Account } from "../support/consolidation";
import { createUser } from "../support/factories";
import { pageText, select, summaryOf, textsOf, valueOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const people = usePeople();

type Found = Awaited<ReturnType<typeof searchCodesFor>>;

const ADDRESS = "/home/search-codes";
const GERMANY = 276;

let reader: Account;
let visitor: Visitor;
/** The ids of the codes, by full code. */
const ids: Record<string, number> = {};

const register = async (owner: Account, names: string[], given: Parameters<typeof createCode>[1] = {}) => {
  for (const name of names) {
    const [code, subcode] = [name.slice(0, 4), name.slice(4)];
    ids[name] = (await createCode(owner, { code, subcode, ...given })).id;
  }
};

beforeAll(async () => {
  reader = await createUser({ company: "Example Parts Ltd" });
  visitor = await signedInAs(reader);
  await register(reader, ["AB12", "AB1201", "AB1202", "AB1211"]);
  await register(reader, ["ABCI"], { status: "Cancelled" });
  const german = await createUser({ company: "Müller & Söhne GmbH", countryId: GERMANY });
  await register(german, ["7F00", "7F0O"], { city: "Bad Homburg v.d.Höhe", countryId: GERMANY });
  await register(german, ["X123"], { codeType: "OFTP", entityName: "Werk 2" });
  const odd = await createUser({ company: "100%_sure *** 🚗" });
  await register(odd, ["9999"]);
  const emoji = await createUser({ company: "🚗" });
  await register(emoji, ["9998"]);
});

const ask = async (query: string, who = visitor) => run(searchPage.loader, who.get(`${ADDRESS}?${query}`));
const find = async (query: Record<string, string>, who = visitor): Promise<string[]> => {
  const { results } = await jsonOf<Found>(await ask(new URLSearchParams(query).toString(), who));
  return (results?.rows ?? []).map(({ code, subcode }) => code + subcode);
};

describe("a code search", () => {
  test.each([
    [{ code: "AB12" }, ["AB12", "AB1201", "AB1202", "AB1211"]],
    [{ code: "ab12" }, ["AB12", "AB1201", "AB1202", "AB1211"]],
    [{ code: " AB12 " }, ["AB12", "AB1201", "AB1202", "AB1211"]],
    [{ code: "AB" }, ["AB12", "AB1201", "AB1202", "AB1211", "ABCI"]],
    [{ code: "AB1201" }, ["AB1201"]],
    [{ code: "AB121" }, ["AB1211"]],
    [{ code: "AB120" }, ["AB12", "AB1201", "AB1202"]],
    [{ code: "AB1200" }, ["AB12"]],
    [{ code: "AB12", subCode: "02" }, ["AB1202"]],
    [{ code: "X123" }, ["X123"]],
    [{ code: "7F0O" }, ["7F0O"]],
    [{ code: "7%" }, []],
    [{ code: "_F00" }, []],
    [{ code: "ÄÖ" }, []],
  ])("[SRC-01] by code, split after four characters: %j", async (query, names) => {
    expect(await find(query)).toEqual(names);
  });

  test.each([
    [{ company: "Parts" }, ["AB12", "AB1201", "AB1202", "AB1211", "ABCI"]],
    [{ company: "exam par" }, ["AB12", "AB1201", "AB1202", "AB1211", "ABCI"]],
    [{ company: "arts" }, []],
    [{ company: "MÜLLER" }, ["7F00", "7F0O", "X123"]],
    [{ company: "Mu\u0308ller" }, ["7F00", "7F0O", "X123"]],
    [{ company: "Muller&Sohne" }, ["7F00", "7F0O", "X123"]],
    [{ company: "müller parts" }, []],
    [{ company: "100%_sure" }, ["9999"]],
    [{ company: "🚗" }, ["9998"]],
    [{ company: "%" }, []],
    [{ city: "homb" }, ["7F00", "7F0O"]],
    [{ city: "hohe" }, ["7F00", "7F0O"]],
    [{ country: String(GERMANY) }, ["7F00", "7F0O"]],
    [{ country: "-1", city: "Coventry", company: "müller" }, ["X123"]],
    [{ company: "muller", city: "bad", country: String(GERMANY), code: "7F0" }, ["7F00", "7F0O"]],
    [{ company: "muller", country: String(GERMANY), code: "AB" }, []],
    [{ company: "<b>Parts</b>" }, []],
    [{ company: "שלום" }, []],
  ])("[SRC-01] by company, city and country: %j", async (query, names) => {
    expect(await find(query)).toEqual(names);
  });

  const EMPTY = "Specify code search details and try again.";
  const ALONE = "You must specify the Code value when searching sub codes.";
  test.each([
    ["code=&company=&city=&country=", { form: EMPTY }],
    ["code=+++&company=++&city=%E2%80%8B&country=-1", { form: EMPTY }],
    ["code=++++01", { code: ALONE }],
    ["code=&subCode=01&company=Parts", { code: ALONE }],
    ["code=AB12011", { code: "Entered value is not valid." }],
    ["code=AB12&subCode=011", { code: "Entered value is not valid." }],
    [
      `company=${"x".repeat(121)}&city=${"y".repeat(91)}`,
      { company: "Entered value is not valid.", city: "Entered value is not valid." },
    ],
    ["country=1000", { country: "The value is not part of the collection." }],
    ["country=x", { country: "The value is not part of the collection." }],
  ])("[SRC-01] for %s is refused with the reason", async (query, errors) => {
    const answer = await ask(query);
    expect(answer.status).toBe(422);
    expect(await jsonOf<Found>(answer)).toMatchObject({ errors, results: null });
  });

  test("[SRC-01] accepts texts of maximum length and characters that no database stores", async () => {
    for (const query of [`company=${"x".repeat(120)}&city=${"y".repeat(90)}`, "code=%00&company=%00Parts"])
      expect((await ask(query)).status).toBe(200);
  });

  test("[SRC-01] shows fields without results and messages before the first search", async () => {
    const { status, html } = await openPage(searchPage, visitor, ADDRESS);
    expect(status).toBe(200);
    expect(textsOf(html, "h1")).toEqual(["Code search"]);
    expect(select(html, 'input[name="code"]').attr("maxlength")).toBe("6");
    expect(textsOf(html, '[role="search"] label')).toEqual(["Code", "Company", "City", "Country"]);
    expect(html).not.toContain("There is a problem");
    expect(html).not.toContain("No records found");
    expect(select(html, 'main a[href="/home/dashboard"]')).toHaveLength(1);
  });

  test("[SRC-01] without scripts shows the problems above the page and at their fields, and keeps the typed values", async () => {
    const { status, html } = await openPage(
      searchPage,
      visitor,
      `${ADDRESS}?code=++++01&city=Bonn&sort=city.desc&size=25`,
    );
    expect(status).toBe(422);
    expect(pageText(html)).toContain("There is a problem");
    expect(textsOf(html, 'a[href="#code-search-code"]')).toEqual([ALONE]);
    expect(textsOf(html, "#code-search-code-error")).toEqual([ALONE]);
    expect(valueOf(html, "city")).toBe("Bonn");
    expect(select(html, 'input[type="hidden"][name="sort"]').val()).toBe("city.desc");
    expect(select(html, 'input[type="hidden"][name="size"]').val()).toBe("25");
  });
});

describe("results of a code search", () => {
  test("[SRC-02] have the columns of the register and no other data of a code", async () => {
    const { html } = await openPage(searchPage, visitor, `${ADDRESS}?company=muller`);
    const heads = textsOf(html, 'th[scope="col"]');
    expect(heads).toEqual(["Code▲", "Subcode", "Company", "Entity Name", "City", "Country", "Status"]);
    expect(pageText(html)).toContain("1 to 3 of 3, sorted by code");
    const { results } = await jsonOf<Found>(await ask("code=X123"));
    expect(results?.rows.map((row) => Object.keys(row).toSorted())).toEqual([
      ["barriers", "city", "code", "company", "country", "entityName", "id", "status", "subcode"],
    ]);
  });

  test("[SRC-02] show city and country of the physical address, the company's or the code's own", async () => {
    const { results } = await jsonOf<Found>(await ask("code=AB1200"));
    expect(results?.rows).toMatchObject([{ city: "Coventry", company: "Example Parts Ltd", status: "Registered" }]);
    expect(results?.rows[0]?.country).toMatch(/United Kingdom/);
  });

  test("[SRC-02] can be empty", async () => {
    const { html } = await openPage(searchPage, visitor, `${ADDRESS}?code=QQQQ`);
    expect(pageText(html)).toContain("No records found");
  });

  test("[SRC-02] can be sorted by every column in both directions, equal ones by code and sub code", async () => {
    const query = { company: "parts", size: "25" };
    const all = ["AB12", "AB1201", "AB1202", "AB1211", "ABCI"];
    for (const key of ["code", "company", "entityName", "city", "country"]) {
      expect(await find({ ...query, sort: `${key}.asc` })).toEqual(all);
      expect(await find({ ...query, sort: `${key}.desc` })).toEqual(all.toReversed());
    }
    expect(await find({ ...query, sort: "subcode.asc" })).toEqual(["AB12", "ABCI", "AB1201", "AB1202", "AB1211"]);
    expect(await find({ ...query, sort: "status.asc" })).toEqual(["ABCI", ...all.slice(0, 4)]);
    expect(await find({ code: "7", sort: "country.asc" })).toEqual(["7F00", "7F0O"]);
  });

  test("[SRC-02] have pages of 10, 25, 50 and 100; a page past the end is the last one", async () => {
    const owner = await createUser({ company: "Pager SA" });
    const names = Array.from({ length: 12 }, (_, index) => `P${String(index).padStart(3, "0")}`);
    await register(owner, names);
    expect(await find({ company: "pager" })).toEqual(names.slice(0, 10));
    expect(await find({ company: "pager", page: "2" })).toEqual(names.slice(10));
    expect(await find({ company: "pager", page: "99" })).toEqual(names.slice(10));
    expect(await find({ company: "pager", size: "25" })).toEqual(names);
    expect(await find({ company: "pager", size: "11" })).toEqual(names.slice(0, 10));
    const { html } = await openPage(searchPage, visitor, `${ADDRESS}?company=pager&sort=city.asc`);
    expect(pageText(html)).toContain("1 to 10 of 12, sorted by city");
    expect(textsOf(html, 'a[href="/home/search-codes?page=2&sort=city.asc&company=pager"]')).toContain("Next");
    expect(textsOf(html, 'select[name="size"] option')).toEqual(["10", "25", "50", "100"]);
  });
});

describe("the chosen row of a code search", () => {
  const choose = async (fields: Record<string, string>, query = "", who = visitor) =>
    run(searchPage.action, await who.post(`${ADDRESS}${query}`, { intent: "view", ...fields }));

  test("[SRC-02] opens its details with the way back to the same search", async () => {
    const query = "?company=parts&sort=city.desc&size=25";
    const id = ids.AB12 ?? 0;
    const answer = await choose({ id: String(id) }, query);
    expect(answer.status).toBe(303);
    const to = new URL(answer.headers.get("Location") ?? "", "http://portal.test");
    expect(to.pathname).toBe("/home/codes/code-details");
    expect(to.searchParams.get("code")).toBe(String(id));
    expect(to.searchParams.get("from")).toBe(`${ADDRESS}?size=25&sort=city.desc&company=parts&selected=${id}`);
    const { html } = await openPage(searchPage, visitor, `${ADDRESS}${query}&selected=${id}`);
    expect(select(html, 'input[name="id"]:checked').attr("value")).toBe(String(id));
  });

  test("[SRC-02] is required by View Details", async () => {
    for (const fields of [{}, { id: "x" }, { id: "4294967296" }] as Record<string, string>[])
      expect(await errorsOf(await choose(fields))).toMatchObject({
        status: 422,
        errors: { id: "Select a code first." },
      });
    expect((await errorsOf(await choose({ id: "2147483647" }))).errors).toEqual({ id: "The code was not found." });
  });

  test("[SRC-02] of another owner is opened for administrators only", async () => {
    const id = String(ids["7F00"]);
    const why = "Details of other owners' codes are shown to administrators only.";
    expect(await errorsOf(await choose({ id }))).toMatchObject({ status: 422, errors: { id: why } });
    expect((await choose({ id }, "", people.admin.visitor)).status).toBe(303);
    const { results } = await jsonOf<Found>(await ask("code=7F00"));
    expect(results?.rows[0]?.barriers).toEqual({ view: why });
    const { html } = await openPage(searchPage, visitor, `${ADDRESS}?code=7F00`);
    expect(html).not.toContain("/home/codes/code-details");
  });

  test("[SRC-02] the note about own codes is shown only above results with others, and a refusal by itself", async () => {
    const hint = "Details are shown of your own codes.";
    const page = (query: string, who = visitor) => openPage(searchPage, who, `${ADDRESS}?${query}`);
    expect(pageText((await page("code=7F00")).html)).toContain(hint);
    expect((await page("code=AB12")).html).not.toContain(hint);
    expect((await page("code=7F00", people.admin.visitor)).html).not.toContain(hint);
    const refused = await openPage(searchPage, visitor, `${ADDRESS}?code=7F00`, {
      fields: { id: String(ids["7F00"]) },
    });
    expect(summaryOf(refused.html)).toEqual(["Details of other owners' codes are shown to administrators only."]);
    const none = await openPage(searchPage, visitor, `${ADDRESS}?code=7F00`, { fields: {} });
    expect(summaryOf(none.html)).toEqual(["Select a code first."]);
  });

  test("[SRC-02] is for administrators and owners of a code", async () => {
    expect(await find({ code: "7F00" }, people.admin.visitor)).toEqual(["7F00"]);
    const others = await signedInAs(await createUser());
    const { status, headers } = await ask("code=7F00", others);
    expect([status, headers.get("Location")]).toEqual([303, "/home/dashboard"]);
  });
});
