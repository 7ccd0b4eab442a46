import { describe, expect, test } from "vitest";
import { SearchAll } from "~/components/search/search-all";
import { issueInvoice } from "~/domain/orders/invoices/invoices.service.server";
import { SEARCH_ERRORS } from "~/domain/search/typed-words.policy";
import { colonHex } from "~/lib/hex";
import { SEARCH_LIMIT } from "~/lib/list-params";
import * as orderPage from "~/routes/home.orders.$id/route";
import * as searchPage from "~/routes/home.search";
import * as suggestionsRoute from "~/routes/home.search_.suggestions";
import { anna, visit } from "../components/portal";
import { type ApiClient, apiClientOf } from "../support/api";
import { makeClient, programOf } from "../support/api-clients";
import { issueCertificate, readCertificate } from "../support/certificates";
import { createCode, createCodeOrder } from "../support/codes";
import { createColleague } from "../support/companies";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

const pathOf = (q: string) => `/home/search?${new URLSearchParams({ q }).toString()}`;
const loaded = (visitor: Visitor, q: string) => run(searchPage.loader, visitor.get(pathOf(q)));

/** Returns where an exact number leads to, or null when the results are shown. */
const leadsTo = async (visitor: Visitor, q: string) => (await loaded(visitor, q)).headers.get("Location");

/** Returns the titles of the results by the heading of their group. */
async function found(visitor: Visitor, q: string): Promise<Record<string, string[]>> {
  const { html } = await openPage(searchPage, visitor, pathOf(q));
  const cards = select(html, ".hits-card");
  return Object.fromEntries(
    textsOf(html, ".hits-card h2").map((heading, index) => [
      heading.replace(/( \d+ of)? \d+\+?$/, ""),
      textsOf(cards.eq(index).html() ?? "", "li > a"),
    ]),
  );
}

const openOrder = (visitor: Visitor, id: number) =>
  openPage(orderPage, visitor, `/home/orders/${id}`, { params: { id: String(id) } });

let count = 0;

/** A company with one of everything, whose names have a word of their own. */
async function createCompany() {
  count += 1;
  const word = `quokka${count}x`;
  const owner = await createUser({
    company: `${word} Gears Ltd`,
    firstName: "Olive",
    lastName: `Owner${word}`,
    email: `olive@${word}.example.com`,
  });
  const { der } = makeCsr({ subject: `/C=DE/L=Koeln/O=Example Parts GmbH/CN=oftp.${word}.example.com` });
  const certificate = await issueCertificate({ customer: owner, csr: der });
  const code = await createCode(owner, { entityName: `${word} Plant` });
  const orderId = await createInvoiceableOrder(owner);
  await issueInvoice(orderId, { id: (await createAdmin()).id, name: "olga@example.org" });
  const [invoice] = await invoicesOf(orderId);
  if (!invoice) throw new Error("No invoice was issued.");
  return { word, owner, certificate, code, orderId, invoice };
}

describe("[GEN-04] a customer", () => {
  test("finds what the company has, and nothing of another company", async () => {
    const { word, owner, certificate } = await createCompany();
    const other = await createCompany();
    const visitor = await signedInAs(owner);
    const own = await found(visitor, word.toUpperCase());
    expect(Object.keys(own)).toEqual(["Certificates", "Companies", "People", "ID codes"]);
    expect(own.Certificates).toEqual([`oftp.${word}.example.com`]);
    expect(own.People).toEqual([`Olive Owner${word}`]);
    expect(own.Companies).toEqual([owner.company]);
    expect(await found(visitor, other.word)).toEqual({});
    expect(await found(visitor, other.owner.email)).toEqual({});
    for (const number of numbersOf(other)) expect([number, await leadsTo(visitor, number)]).toEqual([number, null]);
    expect(await leadsTo(visitor, `SO-${certificate.orderId}`)).toBe(`/home/orders/${certificate.orderId}`);
  });

  test("comes from a serial number, a fingerprint, an order and an invoice number straight to its page", async () => {
    const company = await createCompany();
    const { certificate, invoice, owner } = company;
    const visitor = await signedInAs(owner);
    const page = `/home/certificate-details/${certificate.id}`;
    for (const typed of [...serialsOf(certificate), ...fingerprintsOf(await readCertificate(certificate.id))])
      expect([typed, await leadsTo(visitor, typed)]).toEqual([typed, page]);
    for (const typed of [invoice.number, invoice.number.toLowerCase(), invoice.number.replace("INV-", "")])
      expect([typed, await leadsTo(visitor, typed)]).toEqual([typed, `/home/orders/${company.orderId}`]);
    for (const id of [company.orderId, certificate.orderId]) {
      expect(await leadsTo(visitor, `so-${id}`)).toBe(`/home/orders/${id}`);
      expect((await openOrder(visitor, id)).status).toBe(200);
    }
  });

  test("with fewer rights finds the same, as in the lists, and somebody of no company of customers nothing", async () => {
    const { word, owner, certificate } = await createCompany();
    const reader = await createColleague(owner, "reader", { email: `reader@${word}.example.com` });
    const visitor = await signedInAs(reader);
    expect((await found(visitor, word)).Certificates).toEqual([`oftp.${word}.example.com`]);
    expect((await found(visitor, "olive")).People).toEqual([`Olive Owner${word}`]);
    expect(await leadsTo(visitor, certificate.serialNumber)).toBe(`/home/certificate-details/${certificate.id}`);
    expect(await found(await signedInAs(await createUser()), word)).toEqual({});
  });

  test("sees three results of a kind and a link to the list with all of them", async () => {
    const owner = await createUser({ company: "Wombat Works" });
    for (let number = 0; number < 4; number += 1) await createCode(owner, { entityName: "Wombat Plant" });
    const { html } = await openPage(searchPage, await signedInAs(owner), pathOf("wombat plant"));
    expect(select(html, ".hits li")).toHaveLength(3);
    const all = select(html, ".hits-card header a");
    expect(all.text()).toBe("All 4 ID codes");
    expect(all.attr("href")).toBe("/home/codes?search=wombat+plant&show=codes");
    expect(textsOf(html, "mark").map((text) => text.toLowerCase())).toContain("wombat");
    expect(textsOf(html, "h1")).toEqual(["4 results for “wombat plant”"]);
  });

  test("sees words marked that contain signs, and finds an order without its hyphen", async () => {
    const owner = await createUser({ company: "Wombat-Werke (Süd) + Söhne" });
    const visitor = await signedInAs(owner);
    const { html } = await openPage(searchPage, visitor, pathOf("wombat-werke (süd)"));
    expect(textsOf(html, ".hits mark")).toEqual(["Wombat-Werke", "(Süd)"]);
    const { orderId } = await issueCertificate({ customer: owner });
    expect(await leadsTo(visitor, `SO${orderId}`)).toBe(await leadsTo(visitor, `SO-${orderId}`));
  });
});

type Company = Awaited<ReturnType<typeof createCompany>>;

/** Every number of a company that is looked up exactly. */
const numbersOf = ({ certificate, orderId, invoice }: Company) => [
  certificate.serialNumber,
  certificate.thumbprint ?? "",
  certificate.thumbprintSha256 ?? "",
  certificate.publicKeySha256,
  `SO-${certificate.orderId}`,
  `SO-${orderId}`,
  invoice.number,
];

/** A serial number in every notation. */
const serialsOf = ({ serialNumber }: Company["certificate"]) => [
  serialNumber,
  serialNumber.toLowerCase(),
  colonHex(serialNumber),
  colonHex(serialNumber).replaceAll(":", " ").toLowerCase(),
  `0x${serialNumber}`,
  BigInt(`0x${serialNumber}`).toString(),
];

const fingerprintsOf = ({
  thumbprint,
  thumbprintSha256,
  publicKeySha256,
}: Awaited<ReturnType<typeof readCertificate>>) =>
  [thumbprint, thumbprintSha256, publicKeySha256].flatMap((hex) => [
    hex ?? "",
    colonHex((hex ?? "").toUpperCase()),
    (hex ?? "").toLowerCase(),
  ]);

describe("[MAN-02] staff", () => {
  test("with the right Admin find everything of every company", async () => {
    const { word, owner, certificate, orderId, invoice } = await createCompany();
    const visitor = await signedInAs(await createAdmin());
    const all = await found(visitor, word);
    expect(Object.keys(all)).toEqual(["Orders", "Certificates", "Companies", "People", "ID codes"]);
    expect(all.Orders?.toSorted()).toEqual([`SO-${certificate.orderId}`, `SO-${orderId}`].toSorted());
    expect((await found(visitor, owner.email)).People).toEqual([`Olive Owner${word}`]);
    expect((await found(visitor, owner.email)).Orders).toHaveLength(2);
    expect(await leadsTo(visitor, `SO-${orderId}`)).toBe(`/home/sale-orders/details?order=${orderId}`);
    expect(await leadsTo(visitor, invoice.number)).toBe(`/home/sale-orders/details?order=${orderId}`);
    expect(await leadsTo(visitor, certificate.serialNumber)).toBe(`/home/certificate-details/${certificate.id}`);
  });

  test("find an invoice number that was recorded by hand", async () => {
    const { owner } = await createCompany();
    const orderId = await createCodeOrder(owner, "Basic", 1, { status: "Invoiced", invoiceNumber: "Old/4711-b" });
    expect(await leadsTo(await signedInAs(await createStaff(["finance"])), "Old/4711-b")).toBe(
      `/home/sale-orders/details?order=${orderId}`,
    );
    expect(await leadsTo(await signedInAs(owner), "Old/4711-b")).toBeNull();
  });

  test.each([
    ["registration-officer", ["Certificates", "Companies", "ID codes"]],
    ["approver", ["Certificates", "Companies", "ID codes"]],
    ["finance", ["Orders", "Certificates", "Companies", "ID codes"]],
    ["user-administrator", ["Companies", "People"]],
    ["auditor", ["Orders", "Certificates", "Companies", "People", "ID codes"]],
    ["operator", []],
  ] as const)("with the right %s find only what it shows", async (right, kinds) => {
    const company = await createCompany();
    const visitor = await signedInAs(await createStaff([right]));
    expect(Object.keys(await found(visitor, company.word))).toEqual(kinds);
    const sees = kinds.includes("Certificates" as never);
    expect((await leadsTo(visitor, company.certificate.serialNumber)) !== null).toBe(sees);
    expect((await leadsTo(visitor, company.invoice.number)) !== null).toBe(sees);
    expect((await leadsTo(visitor, `SO-${company.certificate.orderId}`)) !== null).toBe(sees);
  });
});

describe("[SRC-03] the beginning of a number", () => {
  const IDS = [7_770, 777_001, 777_002, 77_700_123];
  const numbersAbove = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

  test("of an order finds the newest orders that a person may see", async () => {
    const [owner, other] = [await createUser(), await createUser()];
    for (const id of IDS) await createCodeOrder(owner, "Basic", 1, { id });
    await createCodeOrder(other, "Basic", 1, { id: 777_003 });
    const visitor = await signedInAs(owner);
    const own = ["SO-77700123", "SO-777002", "SO-777001", "SO-7770"];
    for (const typed of ["SO-777", "so777"])
      expect([typed, await found(visitor, typed)]).toEqual([typed, { Orders: own }]);
    expect((await found(visitor, "SO-77700")).Orders).toEqual(own.slice(0, 3));
    expect(await found(await signedInAs(other), "SO-777")).toEqual({ Orders: ["SO-777003"] });
    const staff = await signedInAs(await createStaff(["finance"]));
    expect((await found(staff, "SO-777")).Orders).toEqual([own[0], "SO-777003", ...own.slice(1)]);
    expect(await found(await signedInAs(await createStaff(["registration-officer"])), "SO-777")).toEqual({});
    expect(await leadsTo(visitor, "SO-777001")).toBe("/home/orders/777001");
    expect(await found(visitor, "SO-7")).toEqual({});
    const { content } = await (
      await apiClientOf(other.email, TEST_PASSWORD)
    ).get<{ kind: string; total: number; results: { id: number }[] }[]>("Search/SearchEverything?words=SO-777");
    expect(content).toMatchObject([{ kind: "orders", total: 1, results: [{ id: 777_003 }] }]);
  });

  test("of an order finds those of certificates for staff who see certificates and no sales orders", async () => {
    const { certificate } = await createCompany();
    const number = `SO-${certificate.orderId}`;
    const officer = await signedInAs(await createStaff(["registration-officer"]));
    expect((await found(officer, number.slice(0, -1))).Orders).toContain(number);
    const administrator = await signedInAs(await createStaff(["user-administrator"]));
    expect(await found(administrator, number.slice(0, -1))).toEqual({});
  });

  test("shows ten, and says how many there are", async () => {
    const owner = await createUser();
    for (const id of numbersAbove(888_001, 12)) await createCodeOrder(owner, "Basic", 1, { id });
    const visitor = await signedInAs(owner);
    const { html } = await openPage(searchPage, visitor, pathOf("SO-888"));
    expect(textsOf(html, ".hits li > a")).toEqual(
      numbersAbove(888_003, 10)
        .reverse()
        .map((id) => `SO-${id}`),
    );
    expect(textsOf(html, ".hits-card h2")).toEqual(["Orders 10 of 12"]);
    expect(pageText(html)).toContain("Enter more of the number to see the others.");
    const answer = await run(suggestionsRoute.loader, visitor.get("/home/search/suggestions?q=SO-888"));
    const { suggestions } = await jsonOf<{ suggestions: { title: string }[] }>(answer);
    expect(suggestions[0]?.title).toBe("SO-888012");
  });

  test("of an invoice finds those of the company, and those of every company for staff", async () => {
    const [company, other] = [await createCompany(), await createCompany()];
    // The order of the certificate has the invoice before.
    const numbersOfBoth = async ({ orderId, certificate }: Company) =>
      (await Promise.all([orderId, certificate.orderId].map(invoicesOf))).flat().map(({ number }) => number);
    const [own, others] = [await numbersOfBoth(company), await numbersOfBoth(other)];
    const start = company.invoice.number.slice(0, "INV-2026".length);
    const heading = "Invoices and credit notes";
    const visitor = await signedInAs(company.owner);
    for (const typed of [start, start.toLowerCase(), `${start}-`, `${start}-0`, start.slice(0, "INV-2".length)])
      expect([typed, await found(visitor, typed)]).toEqual([typed, { [heading]: own }]);
    for (const right of ["finance", "registration-officer"] as const)
      expect((await found(await signedInAs(await createStaff([right])), start))[heading]?.slice(0, 4)).toEqual([
        ...others,
        ...own,
      ]);
    expect(await found(await signedInAs(await createStaff(["user-administrator"])), start)).toEqual({});
    // Zeros that do not fill the number up are no whole number, though they begin one.
    expect(await leadsTo(visitor, company.invoice.number.slice(0, -1))).toBeNull();
    expect((await found(visitor, company.invoice.number.slice(0, -1)))[heading]).toContain(company.invoice.number);
    expect(await found(visitor, "INV-1999")).toEqual({});
    expect(await found(visitor, start.replace("INV", "CN"))).toEqual({});
  });

  test("of an invoice that was recorded by hand finds it for staff who see sales orders", async () => {
    const { owner } = await createCompany();
    for (const invoiceNumber of ["Hand/4711-a", "Hand/4712", "Other/4713"])
      await createCodeOrder(owner, "Basic", 1, { status: "Invoiced", invoiceNumber });
    const finance = await signedInAs(await createStaff(["finance"]));
    expect(await found(finance, "Hand/47")).toEqual({ "Invoices and credit notes": ["Hand/4712", "Hand/4711-a"] });
    for (const visitor of [await signedInAs(owner), await signedInAs(await createStaff(["registration-officer"]))])
      expect(await found(visitor, "Hand/47")).toEqual({});
  });
});

test("[GEN-04] the field in the header takes as many characters as that of the page", async () => {
  const { html } = await visit({ view: () => <SearchAll id="own" text="" error={null} />, shell: { user: anna } });
  expect(select(html, ".find input").attr("maxlength")).toBe(String(SEARCH_LIMIT));
  expect(select(html, "#own").attr("maxlength")).toBe(String(SEARCH_LIMIT));
});

describe("[GEN-04] words that cannot be looked up", () => {
  test.each([
    ["too short", "ab", SEARCH_ERRORS.short],
    ["too long", "a".repeat(201), SEARCH_ERRORS.long],
    ["with control characters", "abc\u0000def", SEARCH_ERRORS.control],
  ])("%s have an error at the field", async (_, typed, error) => {
    const visitor = await signedInAs(await createUser());
    expect((await loaded(visitor, typed)).status).toBe(422);
    const { html } = await openPage(searchPage, visitor, pathOf(typed));
    expect(textsOf(html, ".errors li")).toEqual([error]);
    const field = select(html, "main input[name=q], input[name=q]").first();
    expect(field.attr("aria-invalid")).toBe("true");
    expect(select(html, `#${field.attr("id")}-error`).text()).toContain(error);
  });

  test("that nothing matches are repeated, with what can be searched and a way to clear them", async () => {
    const { html } = await openPage(searchPage, await signedInAs(await createUser()), pathOf("zz<b>nothing 100%"));
    expect(textsOf(html, "h1")).toEqual(["Nothing found for “zz<b>nothing 100%”"]);
    expect(pageText(html)).toContain("company, person, contact of a certificate, email address or ID code");
    expect(select(html, "p a").attr("href")).toBe("/home/search");
  });

  test("without words, the page has the field only", async () => {
    const { html } = await openPage(searchPage, await signedInAs(await createUser()), "/home/search");
    expect(textsOf(html, "h1")).toEqual(["Search"]);
    expect(select(html, ".hits-card, .errors")).toHaveLength(0);
  });
});

test("[GEN-04] suggestions are the first results, and an exact number", async () => {
  const { word, owner, certificate } = await createCompany();
  const suggested = async (q: string) => {
    const visitor = await signedInAs(owner);
    const answer = await run(
      suggestionsRoute.loader,
      visitor.get(`/home/search/suggestions?q=${encodeURIComponent(q)}`),
    );
    return (await jsonOf<{ suggestions: { href: string; kind: string }[] }>(answer)).suggestions;
  };
  expect((await suggested(word)).map(({ kind }) => kind)).toEqual(["Certificates", "Companies", "People", "ID codes"]);
  expect(await suggested(colonHex(certificate.serialNumber))).toMatchObject([
    { href: `/home/certificate-details/${certificate.id}`, kind: "Exact number" },
  ]);
  expect(await suggested("ab")).toEqual([]);
});

describe("[API-03] the JSON call", () => {
  interface Group {
    kind: string;
    total: number;
    results: { id: number; title: string; page: string }[];
  }
  const search = (client: ApiClient, words: string) =>
    client.get<Group[]>(`Search/SearchEverything?${new URLSearchParams({ words }).toString()}`);

  test("finds what the caller may see, also by an exact number", async () => {
    const { word, owner, certificate, code } = await createCompany();
    const client = await apiClientOf(owner.email, TEST_PASSWORD);
    const { content } = await search(client, word);
    expect(content.map(({ kind, results: [first] }) => [kind, first?.id])).toEqual([
      ["certificates", certificate.id],
      ["companies", owner.companyId],
      ["people", owner.id],
      ["codes", code.id],
    ]);
    const page = `/home/certificate-details/${certificate.id}`;
    for (const number of [colonHex(certificate.serialNumber), certificate.thumbprintSha256 ?? ""])
      expect((await search(client, number)).content).toMatchObject([
        { kind: "certificates", total: 1, results: [{ id: certificate.id, page }] },
      ]);
    const other = await apiClientOf((await createUser()).email, TEST_PASSWORD);
    expect((await search(other, word)).content).toEqual([]);
    expect((await search(other, certificate.serialNumber)).content).toEqual([]);
  });

  test("refuses words that cannot be looked up", async () => {
    const client = await apiClientOf((await createUser()).email, TEST_PASSWORD);
    for (const [words, error] of [
      ["ab", SEARCH_ERRORS.short],
      ["", SEARCH_ERRORS.short],
      ["abc\u0001def", SEARCH_ERRORS.control],
    ] as const) {
      const answer = await search(client, words);
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer)).toContain(error);
    }
  });

  test("is for API clients with the scope search:read, with what their role shows", async () => {
    const { word, owner, certificate } = await createCompany();
    const program = await programOf(await makeClient(owner, ["search:read"], { name: "Finder" }));
    expect((await search(program, word)).content.map(({ kind }) => kind)).toContain("certificates");
    expect((await search(program, certificate.serialNumber)).content).toHaveLength(1);
    const without = await programOf(await makeClient(owner, ["codes:read"], { name: "Reader" }));
    expect((await search(without, word)).status).toBe(403);
  });
});
