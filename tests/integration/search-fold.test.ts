import { beforeAll, describe, expect, test } from "vitest";
import * as trailPage from "~/routes/home.audit-trail";
import * as queuePage from "~/routes/home.certificate-queue._index";
import * as certificatesPage from "~/routes/home.certificates";
import * as codesPage from "~/routes/home.codes/route";
import * as mailPage from "~/routes/home.mail._index/route";
import * as salesPage from "~/routes/home.sale-orders/route";
import * as searchPage from "~/routes/home.search-codes/route";
import * as usersPage from "~/routes/home.users._index";
import { type ApiClient, apiClientOf } from "../support/api";
import { record } from "../support/audit";
import { createCertificateOrder } from "../support/certificates";
import { createCode, createCodeOrder } from "../support/codes";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { queueAnyMail } from "../support/mails";
import { usePortal } from "../support/portal";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const TURKIYE = 792;
const TURKMENISTAN = 795;
const GREAT_BRITAIN = 826;

/** Companies, in the order of their names. */
const COMPANIES = [
  "Lodz Auto Parts Ltd",
  "Łódź Części",
  "Malmö Øresund AB",
  "Straße & Söhne GmbH",
  "Zulu Parts Ltd",
  "ΕΛΛΆΔΑ ΟΔΟΣ",
  "Пример Авто",
  "東京ガス",
];

type Row = Record<string, string>;
type Query = Record<string, string>;

let staff: Visitor;
let buyer: Visitor;
let client: ApiClient;

const load = async <Answer>(
  { loader }: { loader: Parameters<typeof run>[0] },
  path: string,
  query: Query,
  visitor = staff,
) => jsonOf<Answer>(await run(loader, visitor.get(`/home/${path}?${new URLSearchParams({ size: "100", ...query })}`)));

beforeAll(async () => {
  const admin = await createAdmin({ company: "Authority" });
  staff = await signedInAs(admin);
  client = await apiClientOf(admin.email, TEST_PASSWORD);
  const customer = await createUser({ company: "Buyer" });
  buyer = await signedInAs(customer);
  for (const [index, company] of [...COMPANIES].reverse().entries()) {
    const username = company.toLowerCase().replaceAll(" ", "-");
    const owner = await createUser({ company, username, email: `${index}@parts.example` });
    await createCode(owner, { entityName: company });
    await createCode(customer, { city: company, entityName: company });
    const countryId = { "Łódź Części": TURKMENISTAN, "Malmö Øresund AB": TURKIYE }[company] ?? GREAT_BRITAIN;
    await createCodeOrder(owner, "Full", 1, { countryId });
    await createCertificateOrder(owner, undefined, { commonName: "edi.example" });
    await createCertificateOrder(customer, undefined, { commonName: company });
    const change = { actor: { id: null, name: "test" }, orderId: null, certificateId: null, codeId: null };
    await record({ ...change, event: "test.text", message: company, userId: null });
    await record({ ...change, event: "test.person", message: company, userId: owner.id });
  }
}, 60_000);

const companies = ({ rows }: { rows: Row[] }) => rows.map(({ company }) => company);

/** Every search and filter. Each function returns the companies that a typed text finds. */
const SEARCHES: Record<string, (typed: string) => Promise<(string | undefined)[]>> = {
  "[MAN-02] users": async (search) => companies(await load(usersPage, "users", { search })),
  "[CER-02] own certificates": async (search) =>
    (await load<{ rows: Row[] }>(certificatesPage, "certificates", { search }, buyer)).rows.map(
      ({ commonName }) => commonName,
    ),
  "[MAN-03] the certificate queue": async (search) =>
    (await load<{ rows: Row[] }>(queuePage, "certificate-queue", { search })).rows.map(({ company, commonName }) =>
      company === "Buyer" ? commonName : company,
    ),
  "[COD-01] codes": async (search) =>
    (await load<{ codes: { rows: Row[] } }>(codesPage, "codes", { search })).codes.rows.map(
      ({ entityName }) => entityName,
    ),
  "[SRC-01] the code register by company": async (company) =>
    companies((await load<{ results: { rows: Row[] } }>(searchPage, "search-codes", { company })).results),
  "[SRC-01] the code register by city": async (city) =>
    (await load<{ results: { rows: Row[] } }>(searchPage, "search-codes", { city })).results.rows.map(
      ({ entityName }) => entityName,
    ),
  "[SAL-01] sales orders by company": async (company) =>
    companies((await load<{ results: { rows: Row[] } }>(salesPage, "sale-orders", { company })).results),
  "[SAL-01] sales orders by user name": async (userName) =>
    companies((await load<{ results: { rows: Row[] } }>(salesPage, "sale-orders", { userName })).results),
  "[AUD-02] the audit trail by text": async (text) =>
    (await load<{ rows: Row[] }>(trailPage, "audit-trail", { text, event: "test" })).rows.map(({ message }) => message),
  "[AUD-02] the audit trail by person": async (person) =>
    (await load<{ rows: Row[] }>(trailPage, "audit-trail", { person, event: "test" })).rows.map(
      ({ message }) => message,
    ),
  "[API-03] codes/search by company": async (company) =>
    (await client.get<Row[]>("codes/search", { company })).content.map((code) => code.company),
  "[API-03] codes/search by city": async (city) =>
    (await client.get<Row[]>("codes/search", { city })).content.map(({ entityName }) => entityName),
  "[API-03] codes/searchSalesOrders by company": async (company) =>
    (await client.get<Row[]>("codes/searchSalesOrders", { company })).content.map((order) => order.company),
  "[API-03] codes/searchSalesOrders by user name": async (userName) =>
    (await client.get<Row[]>("codes/searchSalesOrders", { userName })).content.map(({ company }) => company),
};

const LODZ = ["Lodz Auto Parts Ltd", "Łódź Części"];

describe.each(Object.entries(SEARCHES))("%s", (title, search) => {
  test.each([
    ["lodz", LODZ],
    ["lódz", LODZ],
    ["Łódź", LODZ],
    ["łódź".normalize("NFD"), LODZ],
    ["malmo", ["Malmö Øresund AB"]],
    ["MALMÖ", ["Malmö Øresund AB"]],
    ["strasse", ["Straße & Söhne GmbH"]],
    ["STRAẞE", ["Straße & Söhne GmbH"]],
    ["ελλαδα", ["ΕΛΛΆΔΑ ΟΔΟΣ"]],
    ["Ελλάδα", ["ΕΛΛΆΔΑ ΟΔΟΣ"]],
    ["пример", ["Пример Авто"]],
    ["primer", []],
    ["東京ガ", ["東京ガス"]],
  ])(`${title}: %s finds %j`, async (typed, found) => {
    expect([...new Set(await search(typed))].sort()).toEqual([...found].sort());
  });
});

describe("words after the first", () => {
  const others = Object.entries(SEARCHES).filter(([title]) => !title.includes("person"));
  test.each(others)("%s", async (title, search) => {
    const finds = async (typed: string) => [...new Set(await search(typed))];
    expect(await finds("czesci")).toEqual(["Łódź Części"]);
    expect(await finds("oresund")).toEqual(["Malmö Øresund AB"]);
    expect(await finds("sohne")).toEqual(["Straße & Söhne GmbH"]);
    expect(await finds("ΟΔΟ")).toEqual(["ΕΛΛΆΔΑ ΟΔΟΣ"]);
    expect(await finds("οδοσ")).toEqual(["ΕΛΛΆΔΑ ΟΔΟΣ"]);
  });
});

test("[MAN-02] accounts and messages are found by letters that their addresses lack", async () => {
  await queueAnyMail("reset-code:test", "lodz@parts.example", { subject: "Test", text: "Test", html: "Test" });
  const rows = async (search: string) => (await load<{ rows: Row[] }>(mailPage, "mail", { search })).rows;
  expect((await rows("Łódź@")).map(({ recipient }) => recipient)).toEqual(["lodz@parts.example"]);
  expect(await rows("Łódź@other")).toEqual([]);
});

describe("the order of names", () => {
  test.each([
    ["[MAN-02] users by company", usersPage, "users", "company", ["rows"], "company"],
    ["[COD-01] codes by entity", codesPage, "codes", "entityName", ["codes", "rows"], "entityName"],
    ["[CER-02] certificates by name", certificatesPage, "certificates", "commonName", ["rows"], "commonName"],
    ["[SAL-01] sales orders by company", salesPage, "sale-orders", "company", ["results", "rows"], "company"],
    ["[SAL-01] sales orders by user", salesPage, "sale-orders", "userName", ["results", "rows"], "company"],
    ["[SRC-02] found codes by company", searchPage, "search-codes", "company", ["results", "rows"], "company"],
    ["[SRC-02] found codes by entity", searchPage, "search-codes", "entityName", ["results", "rows"], "entityName"],
  ] as const)("%s: accents and strokes are ignored", async (_, page, path, key, place, column) => {
    const visitor = path === "certificates" ? buyer : staff;
    const everything: Query = path === "search-codes" ? { country: String(GREAT_BRITAIN) } : {};
    const answer = await load(page, path, { ...everything, sort: `${key}.asc` }, visitor);
    const rows = place.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], answer) as Row[];
    const shown = rows.map((row) => row[column]).filter((text) => COMPANIES.includes(text ?? ""));
    expect([...new Set(shown)]).toEqual(COMPANIES);
  });

  test("[SRC-02] in found codes is by country name", async () => {
    const owner = await createUser({ company: "Global Parts" });
    for (const countryId of [GREAT_BRITAIN, TURKMENISTAN, TURKIYE]) await createCode(owner, { countryId });
    const query = { company: "global", sort: "country.asc" };
    const { results } = await load<{ results: { rows: Row[] } }>(searchPage, "search-codes", query);
    expect(results.rows.map(({ country }) => country)).toEqual(["Türkiye", "Turkmenistan", expect.any(String)]);
  });

  test("[SAL-01] in sales orders is by country name", async () => {
    const sort = "country.asc";
    const { results } = await load<{ results: { rows: Row[] } }>(salesPage, "sale-orders", { sort });
    expect([...new Set(results.rows.map(({ country }) => country))]).toEqual([
      "Türkiye",
      "Turkmenistan",
      expect.any(String),
    ]);
  });
});
