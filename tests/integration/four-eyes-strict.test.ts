import { beforeAll, describe, expect, test } from "vitest";
import { orderNumber } from "~/domain/orders/order-number";
import { formatDate } from "~/lib/dates";
import * as authorisePage from "~/routes/_public.authorise-order.$token/route";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import * as wizardFrame from "~/routes/home.code.purchase/route";
import { getDb } from "~db/connection.server";
import { type StaffRight } from "~db/tables";
import { apiClientOf } from "../support/api";
import { complete, orderBody, ordersOf } from "../support/api-orders";
import { createCertificateOrder, issueCertificate, readCertificate } from "../support/certificates";
import { checkForm } from "../support/check-forms";
import { createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal({}, "strict");
const { makeCsr } = useOpenssl();

type Account = Awaited<ReturnType<typeof createUser>>;

let count = 0;
/** Creates a member of staff with a name of their own. */
async function staffWith(given: Parameters<typeof createStaff>[1], ...rights: StaffRight[]): Promise<Visitor> {
  count += 1;
  return signedInAs(await createStaff(rights, { firstName: `Member ${count}`, ...given }));
}

let customer: Account;
let officer: Visitor;
let approver: Visitor;
let admin: Visitor;

beforeAll(async () => {
  customer = await createUser();
  officer = await staffWith({}, "registration-officer");
  approver = await staffWith({}, "approver");
  admin = await staffWith({ isAdmin: true });
});

const order = (owner = customer) => createCertificateOrder(owner, makeCsr().der);

const send = async (visitor: Visitor, id: number, fields: Record<string, string>) =>
  run(orderPage.action, await visitor.post(`/home/certificate-queue/${id}`, fields), { id: String(id) });

const check = (visitor: Visitor, id: number, name: string) => send(visitor, id, checkForm({ [name]: "Seen" }));

async function checkAll(visitor: Visitor, id: number): Promise<void> {
  for (const name of ["contact", "organisation", "csr"]) expect((await check(visitor, id, name)).status).toBe(303);
}

const approve = (visitor: Visitor, id: number) => send(visitor, id, { intent: "approve", confirmed: "yes" });
const refusalOf = async (answer: Response) => Object.values((await errorsOf(answer)).errors).join(" ");
const statusOf = async (id: number) => (await readCertificate(id)).status;
const open = (visitor: Visitor, id: number) =>
  openPage(orderPage, visitor, `/home/certificate-queue/${id}`, { params: { id: String(id) } });

describe("under the strict four-eyes principle", () => {
  test("one officer checks an order and another person approves it", async () => {
    const { id } = await order();
    await checkAll(officer, id);
    expect((await approve(approver, id)).status).toBe(303);
    expect(await statusOf(id)).toBe("Issued");
  });

  test("whoever recorded a check cannot approve, and the page says so before the button", async () => {
    const { id } = await order();
    await checkAll(admin, id);
    const reason = "Somebody other than the person who recorded a check approves the order (four-eyes principle).";
    expect((await open(admin, id)).html).toContain(reason);
    expect(await refusalOf(await approve(admin, id))).toContain(reason);
    expect(await statusOf(id)).toBe("Pending");
    expect((await approve(approver, id)).status).toBe(303);
  });

  test("[MAN-03] the page says each reason once, to whom it concerns, and has no button Approve for them", async () => {
    const { id } = await order();
    const twin = { firstName: customer.firstName, lastName: customer.lastName };
    const both = await staffWith(twin, "registration-officer", "approver");
    const approves = await staffWith(twin, "approver");
    const times = async (visitor: Visitor, text: string) =>
      pageText((await open(visitor, id)).html).split(text).length - 1;
    const reason = "Another account of the same person prepared or placed this order";
    const missing = "The CSR has not been compared with the company.";
    for (const visitor of [both, approves]) {
      expect([await times(visitor, reason), await times(visitor, missing)]).toEqual([1, 1]);
      expect((await open(visitor, id)).html).not.toContain('value="approve"');
    }
    await checkAll(officer, id);
    expect(await times(officer, "Somebody other than the person who recorded a check")).toBe(0);
    expect(await times(officer, "cannot be approved yet")).toBe(0);
    expect(await times(officer, "Every check is recorded. An approver decides about the order now.")).toBe(1);
    expect((await open(approver, id)).html).toContain('value="approve"');
  });

  test("[MAN-03] only officers are told to record the answer of another contact", async () => {
    const { id } = await createCertificateOrder(customer, makeCsr().der, { authenticationEmail: "member@ca.example" });
    await staffWith({ email: "member@ca.example" }, "finance");
    const advice = "Ask somebody else at the organisation and record the answer below";
    expect(pageText((await open(officer, id)).html)).toContain(advice);
    const { html } = await open(approver, id);
    expect(pageText(html)).toContain("of a member of staff of the certificate authority (four-eyes principle).");
    expect(pageText(html)).not.toContain(advice);
  });

  test.each([
    ["the same name", () => ({ firstName: customer.firstName, lastName: customer.lastName.toUpperCase() })],
    ["an account merged into the customer's", () => ({ mergedInto: customer.id })],
  ])("nobody checks or approves what another account of the same person ordered: %s", async (_, given) => {
    const { id } = await order();
    const twin = await staffWith(given(), "registration-officer", "approver");
    const reason = "Another account of the same person prepared or placed this order";
    expect(await refusalOf(await check(twin, id, "csr"))).toContain(reason);
    await checkAll(officer, id);
    expect(await refusalOf(await approve(twin, id))).toContain(reason);
    expect(await statusOf(id)).toBe("Pending");
  });

  test.each([
    ["company", () => ({ company: ` ${customer.company.toLowerCase()} ` })],
    ["registration number", () => ({ companyRegistrationNumber: "01234567" })],
  ])("nobody checks or approves what their own %s ordered", async (_, given) => {
    const { id } = await order();
    const employee = await staffWith(given(), "registration-officer", "approver");
    const reason = "Your account is of the company that ordered";
    expect(await refusalOf(await check(employee, id, "csr"))).toContain(reason);
    await checkAll(officer, id);
    expect(await refusalOf(await approve(employee, id))).toContain(reason);
  });

  test("an officer without the right Approver cannot approve, and an approver cannot check", async () => {
    const { id } = await order();
    expect((await check(approver, id, "csr")).status).toBe(403);
    await checkAll(officer, id);
    const other = await staffWith({}, "registration-officer");
    expect((await approve(other, id)).status).toBe(403);
    expect(await statusOf(id)).toBe("Pending");
    expect((await open(other, id)).html).not.toContain('value="approve"');
  });

  test("an auditor sees an order without buttons, and every decision is refused", async () => {
    const { id } = await order();
    const auditor = await staffWith({}, "auditor");
    const page = await open(auditor, id);
    for (const intent of ["contact", "approve", "reject", "cancel", "payment"])
      expect(page.html).not.toContain(`value="${intent}"`);
    for (const intent of ["approve", "reject", "cancel"])
      expect((await send(auditor, id, { intent, decisionReason: "x", confirmed: "yes" })).status).toBe(403);
    expect((await check(auditor, id, "csr")).status).toBe(403);
    expect(await statusOf(id)).toBe("Pending");
  });

  test("a right that is withdrawn while the approval is asked about no longer counts", async () => {
    const { id } = await order();
    const account = await createStaff(["approver"], { firstName: "Leaving" });
    const leaving = await signedInAs(account);
    await checkAll(officer, id);
    expect((await send(leaving, id, { intent: "approve" })).status).toBe(200);
    await getDb().deleteFrom("userRights").where("userId", "=", account.id).execute();
    const answer = await approve(leaving, id);
    expect(answer.headers.get("Location")).toBe("/home/dashboard");
    expect(await statusOf(id)).toBe("Pending");
  });
});

describe("a reissue under the strict four-eyes principle", () => {
  const reissue = async (visitor: Visitor, id: number, csr = makeCsr().pem) =>
    run(
      reissuePage.action,
      await visitor.post(`/home/certificate/reissue/${id}`, {
        csr,
        reason: "Key lost",
        confirmed: "yes",
      }),
      { id: String(id) },
    );

  test("is checked and approved by others, like an order", async () => {
    const old = await issueCertificate({ customer, csr: makeCsr().der });
    const params = { id: String(old.id) };
    const { html } = await openPage(reissuePage, admin, `/home/certificate/reissue/${old.id}`, { params });
    expect(pageText(html)).toContain("Others record its checks and approve it, like an order (four-eyes principle).");
    expect(pageText(html)).toContain(`Bernd Boss, ${old.authenticationEmail}, is asked by email to authorise it.`);
    const answer = await reissue(admin, old.id);
    const id = Number(/(\d+)$/.exec(answer.headers.get("Location") ?? "")?.[1]);
    expect(answer.headers.get("Location")).toBe(`/home/certificate-queue/${id}`);
    expect(await readCertificate(id)).toMatchObject({
      status: "Pending",
      contactAnswer: null,
      organisationCheckedAt: null,
      csrCheckedAt: null,
    });
    const own =
      "Somebody other than those who prepared or placed an order, or asked for a reissue, checks and approves it (four-eyes principle).";
    expect(await refusalOf(await check(admin, id, "csr"))).toContain(own);
    expect(await refusalOf(await approve(admin, id))).toContain(own);
    await checkAll(officer, id);
    expect((await approve(approver, id)).status).toBe(303);
    expect(await readCertificate(id)).toMatchObject({ status: "Issued" });
  });

  test("asks the authentication contact by mail, once, and shows which certificate is replaced", async () => {
    const old = await issueCertificate({ customer, csr: makeCsr().der });
    const { pem } = makeCsr();
    const [answer] = [await reissue(admin, old.id, pem), await reissue(admin, old.id, pem)];
    const id = Number(/(\d+)$/.exec(answer.headers.get("Location") ?? "")?.[1]);
    const subject = `Please authorise certificate replacement ${orderNumber((await readCertificate(id)).orderId)}`;
    const requests = (await mailsTo(old.authenticationEmail)).filter((mail) => mail.subject === subject);
    expect(requests).toHaveLength(1);
    const text = (requests[0]?.text ?? "").replace(/\s+/g, " ").replaceAll("\u2060", "");
    const until = `until ${formatDate(old.expiryDate)}`;
    expect(text).toContain(`${old.id} (${old.commonName}), valid ${until}`);
    expect(text).not.toContain("0 years");
    const token = /authorise-order\/([\w-]+)/.exec(text)?.[1] ?? "";
    const contact = await anonymous();
    const { html } = await openPage(authorisePage, contact, `/authorise-order/${token}`, { params: { token } });
    expect(pageText(html)).toContain("Everything else stays as it is.");
    expect(pageText(html)).toContain(`${old.id} (${old.commonName}), valid ${until}`);
    const fields = { intent: "authorise", confirmed: "yes" };
    await run(authorisePage.action, await contact.post(`/authorise-order/${token}`, fields), { token });
    expect(await readCertificate(id)).toMatchObject({
      contactAnswer: "authorised",
      contactAnswerBy: old.authenticationEmail,
    });
  });
});

test("an account with a right of staff cannot order, and the pages of the order say so", async () => {
  const both = await createStaff(["finance"], { firstName: "Both", isApplicant: true, companyRegistrationNumber: "7" });
  const reason = "An account with a right of staff cannot order (four-eyes principle)";
  const frame = await run(wizardFrame.loader, (await signedInAs(both)).get("/home/code/purchase/contact-details"));
  expect(await frame.text()).toContain(reason);
  const client = await apiClientOf(both.email, TEST_PASSWORD);
  const answer = await complete(client, orderBody(makeCsr().pem));
  expect(JSON.stringify(answer)).toContain(reason);
  expect(await ordersOf(both.id)).toEqual([]);
});
