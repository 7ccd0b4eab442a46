import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { removeMember } from "~/domain/companies/members.service.server";
import * as authorisePage from "~/routes/_public.authorise-order.$token/route";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as fileRoute from "~/routes/home.certificate-file.$id";
import * as queuePage from "~/routes/home.certificate-queue.$id/route";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import * as revokePage from "~/routes/home.certificate.revoke.$id";
import * as certificatesPage from "~/routes/home.certificates";
import * as codesPage from "~/routes/home.codes/route";
import * as codePage from "~/routes/home.codes_.code-details/route";
import * as companyPage from "~/routes/home.companies.$id/route";
import * as salesOrdersPage from "~/routes/home.sale-orders/route";
import * as salesOrderPage from "~/routes/home.sale-orders_.details/route";
import { acting } from "../support/acting";
import { apiClientOf } from "../support/api";
import { newClientProgram } from "../support/api-clients";
import { ENTITY_CALL } from "../support/api-codes";
import { complete, orderBody } from "../support/api-orders";
import { createCertificateOrder, type IssuedCertificate, issueCertificate } from "../support/certificates";
import { createAvailableCodes, createCode, createCodeOrder } from "../support/codes";
import { createColleague, personOf } from "../support/companies";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { readable, textOf } from "../support/outbox";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { anonymous, run, signedInAs, type Visitor } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { Buyer, certificateOf, draftOf, onlyOrder, startPurchase } from "./purchase-journey";
import { issueEnding, startRenewing } from "./renewal-journey";
import { confirmed as revocation } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();

type Account = { id: number };

const paramsOf = ({ id }: Account) => ({ params: { id: String(id) } });
const issue = (customer: Awaited<ReturnType<typeof createUser>>) => issueCertificate({ customer, csr: makeCsr().der });
const headings = (html: string) => textsOf(html, "table [role=columnheader]").filter((text) => text !== "Select");

/** Returns the cells of a column of the page's only table with this heading. */
const column = (html: string, label: string) => textsOf(html, `td[data-l="${label}"]`);

/** Returns who has done what according to the details of a certificate, without the dates. */
async function peopleOn({ id }: Account, visitor: Visitor): Promise<Record<string, string>> {
  const { html } = await openPage(detailsPage, visitor, `/home/certificate-details/${id}`, paramsOf({ id }));
  const $ = load(html);
  const card = $("section.card").filter((_, element) => $(element).find("h2").text() === "People");
  const items = card.find("dl > div").toArray();
  return Object.fromEntries(
    items.map((item) => [
      $(item).find("dt").text(),
      $(item)
        .find("dd")
        .text()
        .replace(/, \d\d\/\d\d\/\d{4}.*$/, ""),
    ]),
  );
}

const download = async (visitor: Visitor, { id }: IssuedCertificate) =>
  run(fileRoute.loader, visitor.get(`/home/certificate-file/${id}`), { id: String(id) });

const revoke = async (visitor: Visitor, { id }: IssuedCertificate) =>
  run(revokePage.action, await visitor.post(`/home/certificate/revoke/${id}`, revocation()), { id: String(id) });

/** Returns the text of the page at the end of a purchase or a renewal. */
const completeText = async (visitor: Visitor, to: string) =>
  pageText((await openPage(purchase.complete, visitor, to)).html);

/** Two people of one company. */
async function createPair() {
  const owner = await createUser({ firstName: "Anna", lastName: "Owner" });
  const purchaser = await createColleague(owner, "purchaser", { firstName: "Paul", lastName: "Purchaser" });
  return { owner, purchaser };
}

describe("[CER-01] the list of certificates", () => {
  const COLUMNS = "ID,Common name,Status,Order type,Requested,Order,Valid from,Expires,Revoked".split(",");
  const MENU = "Actions";
  const list = (visitor: Visitor, query = "") =>
    openPage(certificatesPage, visitor, `/home/certificates${query}`).then(({ html }) => html.replace(/[▲▼]/g, ""));

  test("has the specified columns for somebody who works alone", async () => {
    const owner = await createUser();
    await issue(owner);
    expect(headings(await list(await signedInAs(owner)))).toEqual([...COLUMNS, MENU]);
  });

  test("says who ordered when the company has several members, also of a person who has left it", async () => {
    const { owner, purchaser } = await createPair();
    await issue(owner);
    const visitor = await signedInAs(owner);
    expect(headings(await list(visitor))).toEqual([...COLUMNS, "Ordered by", MENU]);
    await issue(purchaser);
    expect(column(await list(visitor), "Ordered by")).toEqual(["Paul Purchaser", "Anna Owner"]);
    await removeMember(await personOf(owner), purchaser.id);
    expect(column(await list(visitor), "Ordered by")).toEqual(["Paul Purchaser", "Anna Owner"]);
    expect(column(await list(visitor, "?sort=id.asc"), "Ordered by")).toEqual(["Anna Owner", "Paul Purchaser"]);
  });

  test("says it to staff, with a link to the company", async () => {
    const { owner, purchaser } = await createPair();
    const { commonName } = await issue(purchaser);
    const html = await list(await signedInAs(await createAdmin()), `?companyId=${owner.companyId}`);
    expect(html).toContain(commonName);
    expect(column(html, "Ordered by")).toEqual(["Paul Purchaser"]);
    expect(select(html, `tbody a[href="/home/companies/${owner.companyId}"]`).text()).toBe(owner.company);
  });
});

describe("[CER-06] the details of a certificate", () => {
  test("say nothing about people to somebody who works alone and has done everything in person", async () => {
    const owner = await createUser();
    const certificate = await issue(owner);
    const visitor = await signedInAs(owner);
    await download(visitor, certificate);
    expect(await peopleOn(certificate, visitor)).toEqual({});
  });

  test("say who ordered, who downloaded first and who revoked, after these people have left, too", async () => {
    const { owner, purchaser } = await createPair();
    const technical = await createColleague(owner, "technical", { firstName: "Tina", lastName: "Technical" });
    const certificate = await issue(purchaser);
    await download(await signedInAs(technical), certificate);
    await download(await signedInAs(owner), certificate);
    await revoke(await signedInAs(purchaser), certificate);
    const expected = {
      "Ordered by": "Paul Purchaser",
      "First downloaded by": "Tina Technical",
      "Revoked by": "Paul Purchaser",
    };
    const visitor = await signedInAs(owner);
    expect(await peopleOn(certificate, visitor)).toEqual(expected);
    for (const { id } of [purchaser, technical]) await removeMember(await personOf(owner), id);
    const left = Object.entries(expected).map(([what, name]) => [
      what,
      `${name} (no longer a member of ${owner.company})`,
    ]);
    expect(await peopleOn(certificate, visitor)).toEqual(Object.fromEntries(left));
    const client = await apiClientOf(owner.email, TEST_PASSWORD);
    const { content } = await client.get<object>(`certificates/getcertificate?id=${certificate.id}`);
    expect(content).toMatchObject({
      orderedBy: "Paul Purchaser",
      people: Object.entries(expected).map(([what, name]) => ({ what, name })),
    });
  });

  test("tell customers only that staff revoked, and staff which of them", async () => {
    const owner = await createUser();
    const certificate = await issue(owner);
    const staff = await signedInAs(await createAdmin({ firstName: "Rita", lastName: "Revoker" }));
    await revoke(staff, certificate);
    expect(await peopleOn(certificate, await signedInAs(owner))).toMatchObject({ "Revoked by": "Staff" });
    expect(await peopleOn(certificate, staff)).toMatchObject({
      "Revoked by": "Rita Revoker",
      Company: expect.stringContaining(owner.company) as string,
    });
  });

  test("tell only staff that somebody acted for a person", async () => {
    const { owner, purchaser } = await createPair();
    const certificate = await issue(owner);
    const admin = await createAdmin();
    const { visitor } = await acting(admin, purchaser);
    await download(visitor, certificate);
    expect(await peopleOn(certificate, await signedInAs(owner))).toMatchObject({
      "First downloaded by": "Paul Purchaser",
    });
    expect(await peopleOn(certificate, await signedInAs(admin))).toMatchObject({
      "First downloaded by": `Paul Purchaser (${admin.email} acted for them)`,
    });
  });

  test("[MAN-03] say that staff reissued a certificate", async () => {
    const { owner } = await createPair();
    const certificate = await issue(owner);
    const staff = await signedInAs(await createAdmin());
    const fields = { reason: "Key lost", csr: makeCsr().pem, confirmed: "yes" };
    const answer = await run(
      reissuePage.action,
      await staff.post(`/home/certificate/reissue/${certificate.id}`, fields),
      { id: String(certificate.id) },
    );
    const id = Number(/(\d+)$/.exec(answer.headers.get("Location") ?? "")?.[1]);
    const visitor = await signedInAs(owner);
    expect(await peopleOn({ id }, visitor)).toEqual({ "Reissued by": "Staff" });
    const { html } = await openPage(certificatesPage, visitor, "/home/certificates");
    expect(column(html, "Ordered by")).toEqual(["Staff", "Anna Owner"]);
  });
});

describe("[REN-01] a renewal that was prepared for a colleague", () => {
  test("says who prepared and who ordered it, when it is complete and in the details of both certificates", async () => {
    const { owner, purchaser } = await createPair();
    const technical = await createColleague(owner, "technical", { firstName: "Tina", lastName: "Technical" });
    const original = await issueEnding(60, { customer: owner, csr: makeCsr().der });
    const preparer = await startRenewing(technical, original);
    await preparer.upToInvoice(makeCsr().pem);
    await preparer.invoice();
    const orderer = new Buyer(purchaser, await signedInAs(purchaser), preparer.draft, "renew");
    const to = (await orderer.invoice()).headers.get("Location") ?? "";
    expect(await completeText(orderer.visitor, to)).toMatch(/Ordered by Paul Purchaser Prepared by Tina Technical/);
    const renewed = await certificateOf((await onlyOrder(orderer)).id);
    const visitor = await signedInAs(owner);
    expect(await peopleOn(renewed, visitor)).toEqual({
      "Prepared by": "Tina Technical",
      "Ordered by": "Paul Purchaser",
    });
    expect(await peopleOn(original, visitor)).toMatchObject({
      "Ordered by": "Anna Owner",
      "Renewed by": "Paul Purchaser",
    });
  });
});

describe("what an API client has done", () => {
  const BY_CLIENT = "Anna Müller, by the API client “ERP”";

  test("is shown as done by the client for its person: lists, details, staff pages and calls", async () => {
    const owner = await createUser();
    const scopes = ["certificates:read", "certificates:write", "codes:read", "codes:write", "downloads:read"] as const;
    const { program } = await newClientProgram(owner, scopes, { name: "ERP" });
    const { orderId } = (await complete(program, orderBody(makeCsr().pem))).content;
    const { id } = await certificateOf(orderId);
    const visitor = await signedInAs(owner);
    const staff = await signedInAs(await createAdmin());
    expect(await peopleOn({ id }, visitor)).toEqual({ "Ordered by": BY_CLIENT });
    const list = await openPage(certificatesPage, visitor, "/home/certificates");
    expect(column(list.html, "Ordered by")).toEqual([BY_CLIENT]);
    const place = `/home/companies/${owner.companyId}`;
    const pages = [
      await openPage(salesOrderPage, staff, `/home/sale-orders/details?order=${orderId}`),
      await openPage(queuePage, staff, `/home/certificate-queue/${id}`, paramsOf({ id })),
      await openPage(companyPage, staff, place, paramsOf({ id: owner.companyId })),
    ];
    for (const { html } of pages) expect(pageText(html)).toContain(BY_CLIENT);
    const sales = await openPage(salesOrdersPage, staff, `/home/sale-orders?companyId=${owner.companyId}`);
    expect(column(sales.html, "User")).toEqual([`${owner.username}by the API client “ERP”`]);
    expect((await program.get("certificates/getcertificate", { id })).content).toMatchObject({ orderedBy: BY_CLIENT });
    expect((await program.get("certificates/getcertificates")).content).toMatchObject([{ orderedBy: BY_CLIENT }]);
    await createAvailableCodes(owner, "Full", 1);
    const code = await program.post<{ id: number }>("codes/registerNewEntity", { code: ENTITY_CALL });
    expect(code.status).toBe(200);
    const codes = await openPage(codesPage, visitor, "/home/codes");
    expect(column(codes.html, "Registered by")).toEqual([BY_CLIENT]);
    expect((await program.get("codes/getcodes")).content).toMatchObject([{ registeredBy: BY_CLIENT }]);
  });

  test("[MAI-01] is said in the confirmation of an order and in the request to the authentication contact", async () => {
    const owner = await createUser();
    const scopes = ["certificates:read", "certificates:write", "codes:write"] as const;
    const { program } = await newClientProgram(owner, scopes, { name: "ERP" });
    const { orderId } = (await complete(program, orderBody(makeCsr().pem))).content;
    const { authenticationEmail } = await certificateOf(orderId);
    const textTo = async (email: string) => readable(await textOf((await mailsTo(email)).at(-1))).replace(/\s+/g, " ");
    expect(await textTo(owner.email)).toContain(`Ordered by: ${BY_CLIENT}`);
    expect(await textTo(authenticationEmail)).toMatch(/Ordered by: .*, by the API client “ERP” \(/);
  });

  test("[PUR-02] is said on the page on which the authentication contact answers", async () => {
    const { program } = await newClientProgram(await createUser(), ["certificates:write"], { name: "ERP" });
    const { orderId } = (await complete(program, orderBody(makeCsr().pem))).content;
    const { authenticationEmail } = await certificateOf(orderId);
    const text = await textOf((await mailsTo(authenticationEmail)).at(-1));
    const token = /authorise-order\/([\w-]+)/.exec(text)?.[1] ?? "";
    const { html } = await openPage(authorisePage, await anonymous(), `/authorise-order/${token}`, {
      params: { token },
    });
    expect(pageText(html)).toContain(`Name ${BY_CLIENT} Company`);
  });

  test("says which client downloaded and revoked", async () => {
    const owner = await createUser();
    const certificate = await issue(owner);
    const { program } = await newClientProgram(owner, ["certificates:write", "downloads:read"], { name: "ERP" });
    const file = `Certificates/DownloadMyCertificate?certificateId=${certificate.id}&certificateType=PEM&fileExtension=PEM`;
    expect((await program.send(file)).status).toBe(200);
    const revoked = await program.post("certificates/revoke", { certificateId: certificate.id, reasonTypeId: 3 });
    expect(revoked.status).toBe(200);
    expect(await peopleOn(certificate, await signedInAs(owner))).toMatchObject({
      "Ordered by": "Anna Müller",
      "First downloaded by": BY_CLIENT,
      "Revoked by": BY_CLIENT,
    });
  });
});

describe("[PUR-10] the end of a purchase", () => {
  test("names the person only in a company of several", async () => {
    for (const several of [false, true]) {
      const owner = await createUser();
      if (several) await createColleague(owner, "reader");
      const visitor = await signedInAs(owner);
      const buyer = await new Buyer(owner, visitor, await startPurchase(visitor)).upToInvoice(makeCsr().pem);
      const to = (await buyer.invoice()).headers.get("Location") ?? "";
      expect(draftOf(new Response(null, { headers: { Location: to } }))).toBe(buyer.draft);
      expect((await completeText(visitor, to)).includes("Ordered by Anna Müller")).toBe(several);
    }
  });
});

describe("[COD-01] the codes of a company and their orders", () => {
  test("say who ordered and who registered in a company of several, and the portal for the yearly maintenance", async () => {
    const { owner, purchaser } = await createPair();
    const code = await createCode(purchaser);
    await createCodeOrder(purchaser, "Full", 2);
    await createCodeOrder(owner, "Full", 1, { isMaintenance: true, codeType: null });
    const visitor = await signedInAs(owner);
    const { html } = await openPage(codesPage, visitor, "/home/codes");
    expect(column(html, "Registered by")).toEqual(["Paul Purchaser"]);
    expect(column(html, "Ordered by")).toEqual(["The portal", "Paul Purchaser"]);
    const path = `/home/codes/code-details?code=${code.id}`;
    expect(pageText((await openPage(codePage, visitor, path)).html)).toContain("Registered by Paul Purchaser");
    const client = await apiClientOf(owner.email, TEST_PASSWORD);
    expect((await client.get("codes/getcodes")).content).toMatchObject([{ registeredBy: "Paul Purchaser" }]);
    expect((await client.get("codes/getUserSalesOrders")).content).toMatchObject([
      { orderedBy: "The portal" },
      { orderedBy: "Paul Purchaser" },
    ]);
  });

  test("have the specified columns for somebody who works alone", async () => {
    const owner = await createUser();
    const code = await createCode(owner);
    await createCodeOrder(owner, "Full", 2);
    const visitor = await signedInAs(owner);
    const { html } = await openPage(codesPage, visitor, "/home/codes");
    for (const label of ["Ordered by", "Registered by"]) expect(headings(html)).not.toContain(label);
    const details = await openPage(codePage, visitor, `/home/codes/code-details?code=${code.id}`);
    expect(pageText(details.html)).not.toContain("Registered by");
  });
});

describe("the pages of staff about an order", () => {
  test("name the customer and the administrator who acted for them, and link the company", async () => {
    const customer = await createUser();
    const admin = await createAdmin();
    const { visitor } = await acting(admin, customer);
    const buyer = await new Buyer(customer, visitor, await startPurchase(visitor)).upToInvoice(makeCsr().pem);
    await buyer.invoice();
    const order = await onlyOrder(buyer);
    const { id } = await certificateOf(order.id);
    const staff = await signedInAs(admin);
    const named = `Anna Müller (${admin.email} acted for them)`;
    const company = `a[href="/home/companies/${customer.companyId}"]`;
    const sale = await openPage(salesOrderPage, staff, `/home/sale-orders/details?order=${order.id}`);
    const queue = await openPage(queuePage, staff, `/home/certificate-queue/${id}`, paramsOf({ id }));
    for (const { html } of [sale, queue]) {
      expect(select(html, "dd").text().replace(/\s+/g, " ")).toContain(named);
      expect(select(html, company).length).toBeGreaterThan(0);
    }
    expect(await peopleOn({ id }, staff)).toMatchObject({ "Ordered by": named });
    expect(await peopleOn({ id }, await signedInAs(customer))).toEqual({});
  });

  test("name a customer who ordered in person alone", async () => {
    const customer = await createUser();
    const { orderId, id } = await createCertificateOrder(customer, makeCsr().pem);
    const staff = await signedInAs(await createAdmin());
    const sale = await openPage(salesOrderPage, staff, `/home/sale-orders/details?order=${orderId}`);
    expect(pageText(sale.html)).toContain("Ordered by Anna Müller Company");
    expect(await peopleOn({ id }, staff)).toEqual({
      Company: expect.stringContaining(customer.company) as string, // with its number beside others of this name
      "Ordered by": "Anna Müller",
    });
  });
});
