import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import * as ownPage from "~/routes/home.company_.standing-authorisations.$id";
import * as ownList from "~/routes/home.company_.standing-authorisations._index";
import * as newPage from "~/routes/home.company_.standing-authorisations.new";
import * as ownOrder from "~/routes/home.orders.$id/route";
import * as overviewPage from "~/routes/home.overview";
import * as staffPage from "~/routes/home.standing-authorisations.$id";
import * as staffList from "~/routes/home.standing-authorisations._index";
import { getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { acting } from "../support/acting";
import { newProgram } from "../support/api";
import { complete, orderBody } from "../support/api-orders";
import { issueCertificate, readCertificate, setCertificate } from "../support/certificates";
import { createColleague } from "../support/companies";
import { createStaff, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { confirmDomainOf, LAST_DAY, STANDING_FORM } from "../support/standing";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { renewal } from "../support/wizard-routes";
import { issueEnding, startRenewing } from "./renewal-journey";

usePortal({}, "strict");
const { makeCsr } = useOpenssl();

let count = 0;
const FIELDS = {
  purchaseOrderNumber: STANDING_FORM.purchaseOrderNumber,
  ceilingCertificates: "2",
  ceilingEuro: "",
  longestYears: "2",
  hasSecureSession: "on",
  lastDay: LAST_DAY,
  termsAndConditionsAccepted: "on",
};

/** A company with an issued certificate, and staff for separated duties. */
async function newCompany() {
  const { user, client } = await newProgram();
  const domain = `page${(count += 1)}.example.org`;
  await confirmDomainOf(user, domain);
  const csr = (host: string) => makeCsr({ subject: `/C=GB/O=Example Parts Ltd/CN=${host}.${domain}` });
  const { content } = await complete(client, orderBody(csr("a").pem));
  const { contact, invoice } = await partsOf(content.orderId);
  const { id, orderId } = await issueCertificate({ customer: user, csr: csr("b").der });
  await setCertificate(id, contact);
  await getDb().updateTable("orders").set(invoice).where("id", "=", orderId).execute();
  return { user, basis: id, csr, visitor: await signedInAs(user) };
}

/** Returns the contact and the invoice address with which an order was placed. */
async function partsOf(orderId: number) {
  const certificate = getDb().selectFrom("certificates").where("orderId", "=", orderId);
  const order = getDb().selectFrom("orders").where("id", "=", orderId);
  return {
    contact: await certificate.select(["authenticationContact", "authenticationEmail"]).executeTakeFirstOrThrow(),
    invoice: await order.select(["invoiceAddress"]).executeTakeFirstOrThrow(),
  };
}

const ask = async (who: Visitor, fields: Record<string, string>) =>
  run(newPage.action, await who.post(accountPaths.newStandingAuthorisation, { ...FIELDS, ...fields }));

const idIn = (answer: Response) => Number(/(\d+)$/.exec(answer.headers.get("Location") ?? "")?.[1]);

const sendAsStaff = async (who: Visitor, id: number, fields: Record<string, string>) =>
  run(staffPage.action, await who.post(staffPaths.standingAuthorisation(id), fields), { id: String(id) });

const sendOwn = async (
  who: Visitor,
  id: number,
  fields: Record<string, string>,
  path = accountPaths.standingAuthorisation(id),
) => run(ownPage.action, await who.post(path, fields), { id: String(id) });

/** Has a standing authorisation of a company checked and approved. Returns its id. */
async function inForce({ visitor, basis }: Awaited<ReturnType<typeof newCompany>>): Promise<number> {
  const id = idIn(await ask(visitor, { basis: String(basis) }));
  const officer = await signedInAs(await createStaff(["registration-officer"]));
  const approver = await signedInAs(await createStaff(["approver"], { firstName: "Petra", lastName: "Prior" }));
  await sendAsStaff(officer, id, { intent: "check", note: "Called the switchboard" });
  expect((await sendAsStaff(approver, id, { intent: "approve" })).status).toBe(303);
  return id;
}

const toastAfter = (who: Visitor, answer: Response) => {
  who.follow(answer);
  return toastOf(who);
};

const problemOf = async (answer: Response) => Object.values((await errorsOf(answer)).errors)[0];

describe("[MAN-03] a standing authorisation, from the request to the order", () => {
  test("[MAN-03] is asked for by an owner, checked and approved by two others, used and ended", async () => {
    const { user, basis, csr, visitor } = await newCompany();
    expect(pageText((await openPage(newPage, visitor, accountPaths.newStandingAuthorisation)).html)).toContain(
      "contact Berta Brown (berta.brown@example-parts.com)",
    );
    const id = idIn(await ask(visitor, { basis: String(basis) }));
    const officer = await signedInAs(await createStaff(["registration-officer", "approver"]));
    const approver = await signedInAs(await createStaff(["approver"], { firstName: "Petra", lastName: "Prior" }));
    expect(pageText((await openPage(staffList, approver, staffPaths.standing)).html)).toContain("Waiting");
    const waiting = async () => {
      const { queues } = await jsonOf<{ queues: { page: string; count: number }[] }>(
        await run(overviewPage.loader, approver.get(staffPaths.overview)),
      );
      return queues.find(({ page }) => page === staffPaths.standing)?.count;
    };
    const before = await waiting();
    expect(before).toBeGreaterThan(0);

    expect(await problemOf(await sendAsStaff(approver, id, { intent: "approve" }))).toContain("Nobody has recorded");
    expect((await sendAsStaff(officer, id, { intent: "check", note: "Called the switchboard" })).status).toBe(303);
    const own = await sendAsStaff(officer, id, { intent: "approve" });
    expect(await problemOf(own)).toContain("Somebody other than the person who recorded a check");
    expect((await sendAsStaff(approver, id, { intent: "approve" })).status).toBe(303);
    expect(await waiting()).toBe(Number(before) - 1);

    const form = (await openPage(ownPage, visitor, accountPaths.standingAuthorisation(id), at(id))).html;
    expect(textsOf(form, 'select[name="validityPeriod"] option')).toEqual(["1 year, €290.00", "2 years, €580.00"]);
    expect(pageText(form)).toContain("Without VAT, on an invoice with the purchase order number");
    const order = { intent: "order", csr: csr("c").pem, oftpid: "", hasSecureSession: "on", validityPeriod: "1" };
    const placed = await sendOwn(visitor, id, order);
    expect(await toastAfter(visitor, placed)).toBe("The certificate has been issued.");
    const html = pageText((await openPage(ownPage, visitor, accountPaths.standingAuthorisation(id), at(id))).html);
    expect(html).toContain("1 certificate");
    expect(html).not.toContain("Called the switchboard");
    const longer = await sendOwn(visitor, id, { ...order, csr: csr("d").pem, validityPeriod: "3" });
    expect(await toastAfter(visitor, longer)).toContain("longer than the 2");

    expect((await sendOwn(visitor, id, { intent: "end", reason: "Replaced" })).status).toBe(303);
    expect(pageText((await openPage(ownList, visitor, accountPaths.standingAuthorisations)).html)).toContain("Ended");
    expect((await mailsTo(user.email)).map(({ subject }) => subject).slice(-1)).toEqual([
      `Standing authorisation ${id} has ended`,
    ]);
    expect((await readCertificate(basis)).status).toBe("Issued");
  });

  test("[API-03] an order that staff place while they act as a member waits for staff, and says so", async () => {
    const company = await newCompany();
    const { user, csr, visitor } = company;
    const id = await inForce(company);
    const rita = await createStaff(["user-administrator"]);
    const { visitor: acted } = await acting(rita, user);
    const order = { intent: "order", csr: csr("c").pem, oftpid: "", hasSecureSession: "on", validityPeriod: "1" };
    const placed = await sendOwn(acted, id, order);
    expect(await toastAfter(acted, placed)).toContain("waits. Our staff placed the order for the customer");
    const orderId = idIn(placed);
    expect(await findCertificateByOrder(getDb(), orderId)).toMatchObject({ status: "Pending", der: null });
    const shown = await openPage(ownOrder, visitor, paths.order(orderId), { params: { id: String(orderId) } });
    expect(pageText(shown.html)).toContain(`${user.firstName} ${user.lastName} (staff acted for them)`);
    const mails = await mailsTo(user.email);
    const mail = mails.find(({ dedupeKey }) => dedupeKey === `order-confirmation:${orderId}`);
    const asking = acted.get(accountPaths.newStandingAuthorisation);
    expect((await run(newPage.loader, asking)).status).toBe(403);
    expect(await textOf(mail)).toContain("(staff acted for them)");
  });

  test("[MAN-03] is refused with the field and the rule, and what was typed is kept", async () => {
    const { basis, visitor } = await newCompany();
    const refusedFor = async (fields: Record<string, string>) =>
      (await errorsOf(await ask(visitor, { basis: String(basis), ...fields }))).errors;
    expect(await refusedFor({ ceilingCertificates: "" })).toMatchObject({
      ceilingCertificates: "Enter a number of certificates, an amount, or both.",
    });
    expect((await refusedFor({ lastDay: "2020-01-01" })).lastDay).toBe("This day has passed.");
    expect((await refusedFor({ lastDay: "31/12/2099" })).lastDay).toContain("that counts for 13 months");
    expect((await refusedFor({ ceilingEuro: "1,5" })).ceilingEuro).toContain("with a point before the cents");
    expect((await refusedFor({ basis: "1" })).basis).toContain("Choose one of the orders");
  });

  test("[REN-01] leads each renewal that it covers to its page, where a CSR with a new key is all that is needed", async () => {
    const company = await newCompany();
    const { user, csr, visitor } = company;
    const id = await inForce(company);
    const first = csr("old");
    const others = { hasEmail: false, hasEncryption: false, hasFileSigning: false };
    const old = await issueEnding(60, { customer: user, csr: first.der, order: others });
    const path = accountPaths.renewalUnder(id, old.orderId);
    const linksFrom = async (certificate: typeof old) => {
      const { visitor: renewer, url } = await startRenewing(user, certificate);
      return select((await openPage(renewal.contact, renewer, url("contact-details"))).html, `a[href="${path}"]`);
    };
    expect(await linksFrom(old)).toHaveLength(1);
    const uncovered = await issueEnding(60, { customer: user, csr: csr("other").der });
    expect(await linksFrom(uncovered)).toHaveLength(0);

    const { html } = await openPage(ownPage, visitor, path, at(id));
    expect(pageText(html)).toContain(`Renewal of certificate ${old.id}`);
    expect(
      load(html)('select[name="validityPeriod"] option')
        .toArray()
        .map(({ attribs }) => attribs.value),
    ).toEqual(["1", "2"]);
    expect(textsOf(html, 'select[name="validityPeriod"] option')[1]).toMatch(/^2 years, until [\d/]+, €580\.00$/);
    const form = { intent: "order", validityPeriod: "1" };
    expect(await problemOf(await sendOwn(visitor, id, { ...form, csr: first.pem }, path))).toContain(
      "A new key is needed",
    );
    const years = await sendOwn(visitor, id, { ...form, csr: csr("old").pem, validityPeriod: "0" }, path);
    expect(await problemOf(years)).toContain("It is not possible to select 0 years");
    const renewed = await sendOwn(visitor, id, { ...form, csr: csr("old").pem }, path);
    expect(await toastAfter(visitor, renewed)).toBe("The certificate has been issued.");
    const rows = getDb().selectFrom("certificates").select(["status", "orderType", "hasEmail"]);
    expect(await rows.where("previousCertificateId", "=", old.id).execute()).toEqual([
      { status: "Issued", orderType: "Renewal", hasEmail: false },
    ]);
    const again = await run(ownPage.loader, visitor.get(path), { id: String(id) });
    expect(await again.text()).toContain("The certificate has been renewed already.");
  });

  test("[MAN-03] is seen by members, asked for by owners, and hidden from others", async () => {
    const { user, basis, visitor } = await newCompany();
    const id = idIn(await ask(visitor, { basis: String(basis) }));
    const reader = await signedInAs(await createColleague(user, "reader"));
    const page = await openPage(ownPage, reader, accountPaths.standingAuthorisation(id), at(id));
    expect(pageText(page.html)).toContain("Waiting");
    const refused = (answer: Response) => {
      expect(answer.headers.get("Location")).toBe(paths.dashboard);
    };
    refused(await ask(reader, { basis: String(basis) }));
    refused(await sendOwn(reader, id, { intent: "end", reason: "No" }));
    const stranger = await signedInAs(await createUser());
    expect((await sendOwn(stranger, id, { intent: "end", reason: "No" })).status).toBe(404);
    const auditor = await signedInAs(await createStaff(["auditor"]));
    refused(await sendAsStaff(auditor, id, { intent: "check", note: "No" }));
  });
});

const at = (id: number) => ({ params: { id: String(id) } });
