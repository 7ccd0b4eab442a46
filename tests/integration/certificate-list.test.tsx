import { beforeAll, describe, expect, test } from "vitest";
import { type CertificateListItem } from "~/domain/certificates/catalogue/list.service.server";
import { addDays, formatDate } from "~/lib/dates";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as listPage from "~/routes/home.certificates";
import * as listFile from "~/routes/home.certificates_.export[.]csv";
import { getDb } from "~db/connection.server";
import { createCertificateOrder, issueCertificate, readCertificate, setCertificate } from "../support/certificates";
import { createColleague } from "../support/companies";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { buyerAtInvoice } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();
const people = usePeople();

interface ListAnswer {
  rows: CertificateListItem[];
  total: number;
  pages: number;
  params: { page: number };
}

const list = async (query = "", who = people.customer.visitor) =>
  jsonOf<ListAnswer>(await run(listPage.loader, who.get(`/home/certificates${query}`)));
const idsOf = ({ rows }: ListAnswer) => rows.map((row) => row.id);

describe("an empty list", () => {
  test("[CER-01] has title, explanation, a Prepare CSR link in a new tab, a search with its note, and 'No records found'", async () => {
    const { status, html } = await openPage(listPage, people.customer.visitor, "/home/certificates");
    expect(status).toBe(200);
    expect(textsOf(html, "h1")).toEqual(["Certificates"]);
    expect(pageText(html)).toContain("Download, renew or revoke the certificates you have purchased");
    expect(textsOf(html, 'a[href="https://example.org/csr"][target="_blank"][rel="noopener"]')).toEqual([
      "Prepare CSR (opens in a new tab)",
    ]);
    expect(select(html, 'input[placeholder="Search..."]').length).toBe(1);
    expect(html).toContain("Dates must be typed DD/MM/YYYY");
    expect(html).toContain("No records found");
  });

  test("[CER-03] shows Purchase New Certificate only to Applicants", async () => {
    const own = await openPage(listPage, people.customer.visitor, "/home/certificates");
    expect(own.html).toContain("Purchase New Certificate");
    const staff = await openPage(listPage, people.admin.visitor, "/home/certificates");
    expect(staff.html).not.toContain("Purchase New Certificate");
    expect(textsOf(staff.html, 'a[href="/home/dashboard"]')).toContain("Back");
  });
});

test.each([
  ["purchaser", ["View Details", "Download", "Renew", "Revoke"], "Download, renew or revoke the certificates"],
  [
    "technical",
    ["View Details", "Download", "Renew"],
    "or prepare their renewal for a colleague who completes the order.",
  ],
  ["reader", ["View Details"], "See the certificates of your company, and when they end."],
] as const)("[CER-03] a member with the role %s has the buttons that the role may use", async (role, labels, text) => {
  const owner = await createUser();
  await createCertificateOrder(owner);
  const member = await createColleague(owner, role);
  const { html } = await openPage(listPage, await signedInAs(member), "/home/certificates");
  expect(textsOf(html, ".bar button").filter(Boolean)).toEqual(labels);
  expect(pageText(html)).toContain(text);
  expect(pageText(html).includes("Prepare CSR")).toBe(role !== "reader");
});

test("[CER-01] a scheduled revocation is shown as such, and unreadable names are omitted", async () => {
  const owner = await createUser();
  const day = addDays(new Date(), 3);
  const names = [
    { type: "other", value: "a01006092b0601040182371402" },
    { type: "dns", value: "edi.acme.example" },
  ];
  const { id } = await createCertificateOrder(owner, undefined, {
    status: "RequestRevoke",
    revocationDate: day,
    expiryDate: addDays(day, 30),
    subjectAlternateName: JSON.stringify(names),
  });
  const visitor = await signedInAs(owner);
  const shown = formatDate(day.toISOString());
  const page = async () => (await openPage(listPage, visitor, "/home/certificates")).html;
  const revoked = async () => textsOf(await page(), 'td[data-l="Revoked"]:has(time)');
  expect(await revoked()).toEqual([`to be revoked on ${shown}`]);
  expect(pageText(await page())).toContain("edi.acme.example");
  expect(pageText(await page())).not.toContain("a0100609");
  await setCertificate(id, { status: "Revoked" });
  expect(await revoked()).toEqual([shown]);
});

test.each([
  ["the CSR's subject", "/CN=edi.acme.example/O=Acme/C=DE/serialNumber=O0177ABCD000000", [], undefined],
  ["an oftp:// name of the CSR", "/CN=edi.acme.example/O=Acme/C=DE", ["URI:oftp://O0177ABCD000000"], undefined],
  ["the order's form", "/CN=edi.acme.example/O=Acme/C=DE", [], "O0177ABCD000000"],
  ["nowhere", "/CN=edi.acme.example/O=Acme/C=DE", [], undefined],
])(
  "[CER-01] a row shows the SSID once, whether from %s, and the first other name",
  async (from, subject, names, oftpid) => {
    const { pem } = makeCsr({ subject, san: [...names, "DNS:oftp.acme.example", "DNS:edi.acme.example"] });
    const buyer = await buyerAtInvoice(pem, { oftpid });
    expect((await buyer.invoice()).status).toBe(303);
    const text = pageText((await openPage(listPage, buyer.visitor, "/home/certificates")).html);
    const ssid = from === "nowhere" ? "" : "SSID O0177ABCD000000 ";
    expect(text).toContain(`edi.acme.example ${ssid}oftp.acme.example Pending`);
  },
);

describe("a list of many certificates", () => {
  const ids: number[] = [];
  let replaced: number;

  beforeAll(async () => {
    const now = new Date();
    for (let index = 0; index < 12; index += 1) {
      const { id } = await createCertificateOrder(people.customer, undefined, {
        commonName: `Host-${String(index).padStart(2, "0")}.example`,
        requestedAt: new Date(Date.UTC(2026, 0, 1 + index)),
      });
      ids.push(id);
    }
    replaced = ids[0] ?? 0;
    await setCertificate(ids[1] ?? 0, { orderType: "Renewal", previousCertificateId: replaced });
    await setCertificate(ids[2] ?? 0, { previousCertificateId: replaced });
    await setCertificate(ids[3] ?? 0, {
      status: "Issued",
      serialNumber: "0A1B2C3D",
      searchText: "host-03.example 100%_sure o0177abcd 0a1b2c3d",
      startDate: new Date("2026-03-01T00:00:00Z"),
      expiryDate: addDays(now, 20),
    });
    await setCertificate(ids[4] ?? 0, {
      status: "Revoked",
      startDate: new Date("2026-03-01T23:59:59Z"),
      expiryDate: addDays(now, 45),
      revocationDate: new Date("2026-05-06T07:08:09Z"),
    });
    await setCertificate(ids[5] ?? 0, { status: "Downloaded", expiryDate: addDays(now, 45) });
    await createCertificateOrder(people.stranger, undefined, { commonName: "hidden.example" });
  });

  test("[CER-02] shows the newest first, ten to a page; a page past the end is the last one", async () => {
    const first = await list();
    expect(idsOf(first)).toEqual([...ids].reverse().slice(0, 10));
    expect(first).toMatchObject({ total: 12, pages: 2, params: { page: 1 } });
    const last = await list("?page=99");
    expect(idsOf(last)).toEqual([...ids].reverse().slice(10));
    expect(last.params.page).toBe(2);
    expect(idsOf(await list("?size=25"))).toHaveLength(12);
  });

  test("[CER-02] is sorted by the database in both directions, rows without a value last, equal ones by id", async () => {
    expect(idsOf(await list("?sort=commonName.asc"))).toEqual(ids.slice(0, 10));
    expect(idsOf(await list("?sort=certificateRequestDate.desc&size=25"))).toEqual([...ids].reverse());
    const byExpiry = idsOf(await list("?sort=certificateExpiryDate.asc&size=25"));
    expect(byExpiry.slice(0, 3)).toEqual([ids[3], ids[4], ids[5]]);
    const descending = idsOf(await list("?sort=certificateExpiryDate.desc&size=25"));
    expect(descending.slice(2, 3)).toEqual([ids[3]]);
    for (const key of ["id", "certificateStatus", "orderType", "orderId", "certificateStartDate", "revocationDate"])
      expect(idsOf(await list(`?sort=${key}.asc&size=25`))).toHaveLength(12);
  });

  test.each([
    ["HOST-07", 7],
    ["o0177abcd", 3],
    ["0A:1B:2C:3D", 3],
    ["100%25_sure", 3],
    ["06/05/2026", 4],
    ["08/01/2026", 7],
  ])("[CER-02] can be searched for %s", async (search, index) => {
    expect(idsOf(await list(`?search=${search}`))).toEqual([ids[index]]);
  });

  test("[CER-02] can be searched by order number and several words; wildcards are plain characters", async () => {
    const { orderId } = await readCertificate(ids[6] ?? 0);
    expect(idsOf(await list(`?search=SO-${orderId}`))).toContain(ids[6]);
    expect(idsOf(await list("?search=host-0 revoked"))).toEqual([ids[4]]);
    expect(idsOf(await list("?search=%25"))).toEqual([ids[3]]);
    expect(idsOf(await list("?search=h_st"))).toEqual([]);
    expect(idsOf(await list("?search=01/03/2026&size=25"))).toEqual([ids[4], ids[3]]);
  });

  test("[CER-02] can be searched by the order type that it shows", async () => {
    expect(idsOf(await list("?search=Renewal"))).toEqual([ids[1]]);
    expect(idsOf(await list("?search=reiss"))).toEqual([ids[2]]);
    expect(idsOf(await list("?search=initial&size=25"))).toEqual([...ids.slice(3).reverse(), ids[0]]);
    expect(idsOf(await list("?search=initial revoked"))).toEqual([ids[4]]);
    expect(idsOf(await list("?search=in"))).toEqual([]);
  });

  test("[CER-02] can show what expires within 30, 60 or 90 days", async () => {
    expect(idsOf(await list("?expires=30"))).toEqual([ids[3]]);
    expect(idsOf(await list("?expires=60"))).toEqual([ids[5], ids[3]]);
  });

  test("[CER-01] has its columns, dates as dd/MM/yyyy or blank, and the days until expiry", async () => {
    const { html } = await openPage(listPage, people.customer.visitor, "/home/certificates?size=25");
    expect(textsOf(html, 'th[scope="col"]')).toEqual([
      "ID▼",
      "Common name",
      "Status",
      "Order type",
      "Requested",
      "Order",
      "Valid from",
      "Expires",
      "Revoked",
      "Actions",
    ]);
    expect(html).toContain("01/01/2026");
    expect(html).toContain("06/05/2026");
    expect(html).toContain("in 20 days");
    expect(textsOf(html, 'td[data-l="Revoked"][role="cell"]')).toContain("");
    expect(html).toContain("1 to 12 of 12, sorted by ID, descending");
    expect(textsOf(html, 'th[aria-sort="descending"]')).toEqual(["ID▼"]);
  });

  test("[CER-04] shows Renewal, Reissue and plain order types", async () => {
    const { rows } = await list("?size=25");
    const typeOf = (id: number | undefined) => rows.find((row) => row.id === id)?.orderType;
    expect(ids.slice(0, 3).map(typeOf)).toEqual(["Initial", `Renewal [${replaced}]`, `Reissue [${replaced}]`]);
  });

  test("[CER-08] shows applicants their own certificates and administrators all with their company", async () => {
    expect((await list("?search=hidden")).total).toBe(0);
    const all = await list("?search=hidden", people.admin.visitor);
    expect(all.rows.map((row) => row.company)).toEqual(["Somebody Else GmbH"]);
    expect((await list("?search=somebody else", people.admin.visitor)).total).toBe(1);
    const { html } = await openPage(listPage, people.admin.visitor, "/home/certificates");
    expect(html).toContain("Somebody Else GmbH");
  });

  test("[CER-08] finds a company whatever the case for staff, and only names for customers", async () => {
    const owner = await createUser({ company: "ÄHREN ÖL AG" });
    const { id } = await createCertificateOrder(owner, undefined, { commonName: "edi.example" });
    const staff = people.admin.visitor;
    for (const search of ["ähren öl", "ÄHREN", "A\u0308hren"]) {
      expect(idsOf(await list(`?search=${encodeURIComponent(search)}`, staff))).toEqual([id]);
    }
    expect((await list(`?search=${encodeURIComponent("ähren")}`, await signedInAs(owner))).total).toBe(0);
  });

  test("[CER-02] sorts names without regard to case and accents, in the same order on every database", async () => {
    const owner = await createUser();
    const names = ["Zulu.example", "ÄPFEL.example", "alpha-2.example", "Alpha.example", "äpfel-2.example"];
    for (const commonName of names) await createCertificateOrder(owner, undefined, { commonName });
    const { rows } = await list("?sort=commonName.asc", await signedInAs(owner));
    expect(rows.map((row) => row.commonName)).toEqual([
      "alpha-2.example",
      "Alpha.example",
      "äpfel-2.example",
      "ÄPFEL.example",
      "Zulu.example",
    ]);
    const descending = await list("?sort=commonName.desc", await signedInAs(owner));
    expect(idsOf(descending)).toEqual(rows.map(({ id }) => id).reverse());
  });

  test.each(["31/12/9999", "12/9999", "%00", "%00host-07%1B"])(
    "[CER-02] can be searched for %s without harm",
    async (search) => {
      expect((await list(`?search=${search}`)).total).toBe({ "%00": 12, "%00host-07%1B": 1 }[search] ?? 0);
    },
  );

  const choose = async (fields: Record<string, string>, query = "", who = people.customer.visitor) =>
    run(listPage.action, await who.post(`/home/certificates${query}`, fields));

  test("[CER-03] leads from a chosen row to details, download and revoke, and carries page and row along", async () => {
    const query = "?page=2&sort=commonName.asc";
    const id = String(ids[3]);
    const answers = await Promise.all(["view", "download", "revoke"].map((intent) => choose({ id, intent }, query)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const place = `${query}&selected=${id}`;
    expect(answers.map(({ headers }) => headers.get("Location"))).toEqual([
      `/home/certificate-details/${id}${place}`,
      `/home/certificate-download/${id}${place}`,
      `/home/certificate/revoke/${id}${place}`,
    ]);
  });

  test.each([
    [{ intent: "view" }, "Select a certificate first."],
    [{ intent: "view", id: "x" }, "Select a certificate first."],
    [{ intent: "view", id: "2147483647" }, "The certificate was not found."],
    [{ intent: "view", id: "2147483648" }, "Select a certificate first."],
    [{ intent: "renew", id: "9999999999" }, "Select a certificate first."],
    [{ intent: "download", index: 0 }, "The order is still pending: there is no certificate yet."],
    [{ intent: "revoke", index: 4 }, "The certificate has been revoked."],
    [{ intent: "download", index: 4 }, "The certificate has been revoked."],
  ])(
    "[CER-03] refuses %j on the page with the reason",
    async ({ intent, id, index }: { intent: string; id?: string; index?: number }, message) => {
      const chosen = index === undefined ? id : String(ids[index]);
      const answer = await errorsOf(await choose({ intent, ...(chosen !== undefined && { id: chosen }) }));
      expect(answer).toMatchObject({ status: 422, errors: { id: message } });
    },
  );

  test("[CER-03] the menu of a row has what its state and the role allow, and Renew names the certificate of its row", async () => {
    const owner = await createUser();
    const issued = await issueCertificate({ customer: owner });
    const pending = await createCertificateOrder(owner, undefined, { commonName: "pending.example" });
    await setCertificate(issued.id, { expiryDate: addDays(new Date(), 20) });
    const menusOf = async (visitor: Visitor) => {
      const { html } = await openPage(listPage, visitor, "/home/certificates?sort=id.asc");
      return { html, items: textsOf(html, ".row-menu li > *") };
    };
    const items = ({ id, commonName }: { id: number; commonName: string }, actions: string[]) =>
      actions.map((action) => `${action} ${commonName} (${id})`);
    const visitor = await signedInAs(owner);
    const own = await menusOf(visitor);
    const possible = [...items(issued, ["View", "Download", "Renew", "Revoke"]), ...items(pending, ["View"])];
    expect(own.items).toEqual(possible);
    const button = select(own.html, ".row-menu button");
    const form = select(own.html, `form[id="${button.attr("form")}"]`);
    const sent = {
      [String(button.attr("name"))]: String(button.attr("value")),
      intent: form.find('[name="intent"]').val() as string,
    };
    const answer = await run(listPage.action, await visitor.post("/home/certificates", sent));
    expect(answer.headers.get("Location")).toMatch(/^\/home\/certificate\/renew\/contact-details/);
    const reader = await menusOf(await signedInAs(await createColleague(owner, "reader")));
    expect(reader.items).toEqual([...items(issued, ["View"]), ...items(pending, ["View"])]);
  });

  test("[CER-03] without scripts shows the refusal on the page and keeps the row chosen", async () => {
    const fields = { intent: "download", id: String(ids[11]) };
    const { status, html } = await openPage(listPage, people.customer.visitor, "/home/certificates", { fields });
    expect(status).toBe(422);
    expect(html).toContain("There is a problem");
    expect(select(html, 'a[href="#certificates-id"]').length).toBe(1);
    expect(select(html, "#certificates-id").length).toBe(1);
    expect(html).toContain("The order is still pending: there is no certificate yet.");
    expect(select(html, 'input[name="id"]:checked').val()).toBe(String(ids[11]));
  });

  test.each(["2147483647", "2147483648", "9999999999"])(
    "[CER-05] selects nothing for a selection of %s",
    async (id) => {
      const { status, html } = await openPage(listPage, people.customer.visitor, `/home/certificates?selected=${id}`);
      expect([status, select(html, "input:checked").length]).toEqual([200, 0]);
    },
  );

  test("[CER-01] [CER-08] the list is a CSV file, too: the own certificates of the filter, no formulas, and an audit entry", async () => {
    const owner = await createUser({ company: "Sums & Co" });
    await createCertificateOrder(owner, undefined, { commonName: "=sum.example", ssid: "O0177SUM000000" });
    await createCertificateOrder(owner, undefined, { commonName: "other.example" });
    const file = async (query: string) => {
      const visitor = await signedInAs(owner);
      const answer = await run(listFile.loader, visitor.get(`/home/certificates/export.csv${query}`));
      expect(answer.headers.get("Content-Disposition")).toContain("certificates.csv");
      return (await answer.text()).trim().split("\r\n");
    };
    const [headings, ...rows] = await file("?page=3");
    expect(headings).toMatch(
      /^\uFEFF?ID,Common name,Status,Order type,Requested,Order,Valid from,Expires,Revoked,SSID,/,
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^\d+,'=sum\.example,Pending,.*,O0177SUM000000,.*,Sums & Co,/);
    expect(await file("?search=other")).toHaveLength(2);
    expect(await file("?state=revoked")).toHaveLength(1);
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select("message")
      .where("event", "=", "certificate.list-exported")
      .where("actorId", "=", owner.id)
      .orderBy("id")
      .execute();
    expect(entries.map(({ message }) => message)).toEqual([
      "List of certificates exported.",
      "List of certificates exported for search=other.",
      "List of certificates exported for state=revoked.",
    ]);
  });

  test("[CER-08] refuses a row of somebody else", async () => {
    const answer = await errorsOf(await choose({ intent: "view", id: String(ids[3]) }, "", people.stranger.visitor));
    expect(answer).toMatchObject({ status: 422, errors: { id: "The certificate was not found." } });
  });

  test("[CER-05] selects the row again after details, but not after searching and sorting", async () => {
    const { html } = await openPage(
      listPage,
      people.customer.visitor,
      `/home/certificates?selected=${ids[11]}&sort=id.asc&page=2`,
    );
    expect(select(html, 'input[name="id"]:checked').val()).toBe(String(ids[11]));
    expect(select(html, 'input[type="hidden"][name="sort"]').val()).toBe("id.asc");
    expect(select(html, 'input[type="hidden"][name="selected"]').length).toBe(0);
    const links = select(html, '[href^="/home/certificates?"]');
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter('[href*="selected="]').length).toBe(0);
  });

  test("[CER-05] gives details the query string for the way back", async () => {
    await setCertificate(ids[7] ?? 0, { csr: Buffer.from(makeCsr().der) });
    const path = `/home/certificate-details/${ids[7]}?page=2&search=host&selected=${ids[7]}`;
    const { html } = await openPage(detailsPage, people.customer.visitor, path, { params: { id: String(ids[7]) } });
    expect(select(html, `a[href="/home/certificates?page=2&search=host&selected=${ids[7]}"]`).length).toBe(1);
  });
});
