import { describe, expect, test } from "vitest";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import * as ownPage from "~/routes/home.company_.standing-authorisations.$id";
import * as ownList from "~/routes/home.company_.standing-authorisations._index";
import * as newPage from "~/routes/home.company_.standing-authorisations.new";
import * as staffPage from "~/routes/home.standing-authorisations.$id";
import * as staffList from "~/routes/home.standing-authorisations._index";
import { getDb } from "~db/connection.server";
import { newProgram } from "../support/api";
import { complete, orderBody } from "../support/api-orders";
import { issueCertificate, readCertificate, setCertificate } from "../support/certificates";
import { createColleague } from "../support/companies";
import { createStaff, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { confirmDomainOf, LAST_DAY, STANDING_FORM } from "../support/standing";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

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

const sendOwn = async (who: Visitor, id: number, fields: Record<string, string>) =>
  run(ownPage.action, await who.post(accountPaths.standingAuthorisation(id), fields), { id: String(id) });

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

    expect(await problemOf(await sendAsStaff(approver, id, { intent: "approve" }))).toContain("Nobody has recorded");
    expect((await sendAsStaff(officer, id, { intent: "check", note: "Called the switchboard" })).status).toBe(303);
    const own = await sendAsStaff(officer, id, { intent: "approve" });
    expect(await problemOf(own)).toContain("Somebody other than the person who recorded a check");
    expect((await sendAsStaff(approver, id, { intent: "approve" })).status).toBe(303);

    const order = { intent: "order", csr: csr("c").pem, oftpid: "", hasSecureSession: "on", validityPeriod: "1" };
    const placed = await sendOwn(visitor, id, order);
    expect(await toastAfter(visitor, placed)).toBe("The certificate has been issued.");
    const html = pageText((await openPage(ownPage, visitor, accountPaths.standingAuthorisation(id), at(id))).html);
    expect(html).toContain("1 certificate");
    expect(html).not.toContain("Called the switchboard");
    const waiting = await sendOwn(visitor, id, { ...order, csr: csr("d").pem, validityPeriod: "3" });
    expect(await toastAfter(visitor, waiting)).toContain("longer than the 2");

    expect((await sendOwn(visitor, id, { intent: "end", reason: "Replaced" })).status).toBe(303);
    expect(pageText((await openPage(ownList, visitor, accountPaths.standingAuthorisations)).html)).toContain("Ended");
    expect((await mailsTo(user.email)).map(({ subject }) => subject).slice(-1)).toEqual([
      `Standing authorisation ${id} has ended`,
    ]);
    expect((await readCertificate(basis)).status).toBe("Issued");
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
