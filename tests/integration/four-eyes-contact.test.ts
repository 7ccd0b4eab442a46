import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loadPerson } from "~/domain/accounts/administration/person-change.service.server";
import { requestAuthorisation } from "~/domain/certificates/queue/authorisation-request.server";
import { staffPaths } from "~/lib/staff-paths";
import * as authorisePage from "~/routes/_public.authorise-order.$token/route";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import * as bulkPage from "~/routes/home.certificate-queue.approve";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import * as detailsPage from "~/routes/home.users.$id_.details";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { type StaffRight } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { acting } from "../support/acting";
import { apiClientOf } from "../support/api";
import { complete, orderBody } from "../support/api-orders";
import {
  checksDone,
  createCertificateOrder,
  issueCertificate,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { checkForm } from "../support/check-forms";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { pageText, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { forgetSecurityEvents, securityEvents } from "../support/security-events";
import { customer as customerWithDetails, save } from "../support/user-details";
import { anonymous, errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { CONTACT, newBuyer, ordersOf } from "./purchase-journey";

usePortal({}, "strict");
const { makeCsr } = useOpenssl();
beforeEach(forgetSecurityEvents);

type Account = Awaited<ReturnType<typeof createUser>>;

let customer: Account;
let officer: Visitor;
let mia: Account;
let approver: Visitor;
let visitor: Visitor;

const newStaff = (firstName: string, ...rights: StaffRight[]) => createStaff(rights, { firstName, lastName: "Berg" });

beforeAll(async () => {
  customer = await createUser();
  officer = await signedInAs(await newStaff("Ian", "registration-officer"));
  mia = await newStaff("Mia", "approver");
  approver = await signedInAs(mia);
  visitor = await anonymous();
});

const send = async (who: Visitor, id: number, fields: Record<string, string>) =>
  run(orderPage.action, await who.post(`/home/certificate-queue/${id}`, fields), { id: String(id) });
const open = async (who: Visitor, id: number) =>
  pageText((await openPage(orderPage, who, `/home/certificate-queue/${id}`, { params: { id: String(id) } })).html);
const refusalOf = async (answer: Response) => Object.values((await errorsOf(answer)).errors).join(" ");
const refusedDetails = async () =>
  (await securityEvents()).filter(({ event }) => event === "access.refused").map(({ detail }) => detail);

/** Returns an order with this authentication contact. */
const orderWith = (name: string, email: string, given = {}) =>
  createCertificateOrder(customer, makeCsr().der, {
    authenticationContact: JSON.stringify({ name, email, company: "Example Parts Ltd" }),
    authenticationEmail: email,
    ...given,
  });

/** Asks the contact of an order by mail. Returns the token of the link. */
async function linkOf({ id, authenticationEmail }: { id: number; authenticationEmail: string }): Promise<string> {
  await inTransaction((trx) => requestAuthorisation(trx, { certificateId: id, clientName: null }, new Date()));
  const mail = (await mailsTo(authenticationEmail)).at(-1);
  return /authorise-order\/([\w-]+)/.exec(mail ? await textOf(mail) : "")?.[1] ?? "";
}

const pageOf = async (token: string) =>
  pageText((await openPage(authorisePage, visitor, `/authorise-order/${token}`, { params: { token } })).html);
const answer = async (token: string, intent: string) =>
  run(authorisePage.action, await visitor.post(`/authorise-order/${token}`, { intent, confirmed: "yes" }), { token });

const OF_STAFF = "has the name or an email address of a member of staff of the certificate authority";

describe("[PUR-02] an authentication contact who is staff", () => {
  /** Mia had another address before, and a private account at a customer. */
  async function twins() {
    const once = `mia-${Math.random()}@former.example`;
    const present = `mia-${Math.random()}@ca.example`;
    const member = await createStaff(["approver"], { firstName: `Mia ${Math.random()}`, email: once });
    await updateUser(getDb(), member.id, { email: present });
    const twin = await createUser({ firstName: member.firstName, lastName: member.lastName });
    return { once, present, name: `${member.firstName} ${member.lastName}`, twin: twin.email };
  }

  test.each([
    ["address", "email", ({ present }) => ({ email: present.toUpperCase() })],
    ["mailbox", "email", ({ present }) => ({ email: present.replace("@", "+2@") })],
    ["former address", "email", ({ once }) => ({ email: once })],
  ] as [string, string, (given: Awaited<ReturnType<typeof twins>>) => { email?: string; name?: string }][])(
    "[PUR-02] is refused at the first step and in calls: the same %s",
    async (_, field, contactOf) => {
      const contact = contactOf(await twins());
      const buyer = await newBuyer();
      const { status, errors } = await errorsOf(await buyer.contact(contact));
      expect({ status, fields: Object.keys(errors) }).toEqual({ status: 422, fields: [field] });
      expect(errors[field]).toContain("member of staff of the certificate authority");
      const client = await apiClientOf(buyer.user.email, TEST_PASSWORD);
      const called = await complete(client, orderBody(makeCsr().pem, { authenticationContact: contact }));
      expect(JSON.stringify(called)).toContain(`authenticationContact.${field}`);
      expect(await ordersOf(buyer.user.id)).toEqual([]);
      expect((await buyer.contact()).status).toBe(303);
    },
  );

  test("[PUR-02] is refused at the last step when they became staff meanwhile", async () => {
    const buyer = await newBuyer();
    await buyer.upToInvoice(makeCsr().pem);
    const email = CONTACT.email;
    const { id } = await createStaff(["finance"], { firstName: "Zara", lastName: "Other", email });
    expect(await refusalOf(await buyer.invoice())).toContain(
      "This email address belongs to a member of staff of the certificate authority",
    );
    expect(await ordersOf(buyer.user.id)).toEqual([]);
    await getDb().deleteFrom("userRights").where("userId", "=", id).execute();
    expect((await buyer.invoice()).status).toBe(303);
  });

  test.each([
    ["name", ({ name }) => ({ name: ` ${name.toLowerCase()} ` })],
    ["name of the account", ({ twin }) => ({ email: twin })],
  ] as [string, (given: Awaited<ReturnType<typeof twins>>) => { email?: string; name?: string }][])(
    "[PUR-02] can be named when only the %s is the same",
    async (_, contactOf) => {
      const buyer = await newBuyer();
      await buyer.upToInvoice(makeCsr().pem);
      expect((await buyer.contact(contactOf(await twins()))).status).toBe(303);
      expect((await buyer.invoice()).status).toBe(303);
      expect(await ordersOf(buyer.user.id)).toHaveLength(1);
    },
  );

  test("[PUR-02] with only the same name is called by another member of staff, who states that it is another person", async () => {
    const email = `mia-${Math.random()}@whitmore-castings.example`;
    const row = await orderWith("mia berg", email);
    const token = await linkOf(row);
    const page = await pageOf(token);
    expect(page).toContain("has the same name as a member of staff");
    expect(page).toContain("we call you through your organisation and record your answer");
    expect(page).not.toContain(mia.email);
    expect((await answer(token, "authorise")).status).toBe(422);
    const namesake = await signedInAs(await newStaff("Mia", "registration-officer"));
    expect(await refusalOf(await send(namesake, row.id, checkForm({ contact: "Called" })))).toContain(
      "somebody else checks and approves it",
    );
    const asked = await open(officer, row.id);
    expect(asked).toContain("make sure that it is another person than");
    expect(asked).toContain(mia.email);
    expect((await send(officer, row.id, checkForm({ contact: "Called at ten." }))).status).toBe(303);
    const entry = await getDb()
      .selectFrom("auditEntries")
      .selectAll()
      .where("certificateId", "=", row.id)
      .where("event", "=", "certificate.contact-checked")
      .executeTakeFirstOrThrow();
    expect(entry.message).toContain("Called at ten.");
    expect(entry.message).toContain("was found to be another person.");
    expect(entry.message).toContain(mia.email);
  });

  test("[PUR-02] cannot authorise an order by the link, which says what to do, and can refuse it", async () => {
    const row = await orderWith("M. B.", mia.email);
    const token = await linkOf(row);
    const page = await pageOf(token);
    expect(page).toContain(OF_STAFF);
    expect(page).toContain("Please tell us who else at the organisation can authorise it.");
    const refused = await answer(token, "authorise");
    expect(refused.status).toBe(422);
    expect(await readCertificate(row.id)).toMatchObject({ contactAnswer: null });
    expect(await refusedDetails()).toEqual([expect.stringContaining(OF_STAFF)]);
    expect(await open(officer, row.id)).toContain("Ask somebody else at the organisation and record the answer below");
    expect((await answer(token, "refuse")).status).toBe(200);
    expect(await readCertificate(row.id)).toMatchObject({ contactAnswer: "refused" });
  });

  test("[PUR-02] [MAN-03] staff record the answer of somebody else instead, and others than the contact approve the order", async () => {
    const row = await orderWith("M. B.", mia.email);
    for (const name of ["contact", "organisation", "csr"])
      expect((await send(officer, row.id, checkForm({ [name]: "Seen" }))).status).toBe(303);
    const reason = "are the authentication contact of this order: somebody else checks and approves it";
    expect(await open(approver, row.id)).toContain(reason);
    expect(await refusalOf(await send(approver, row.id, { intent: "approve", confirmed: "yes" }))).toContain(reason);
    const client = await apiClientOf(mia.email, TEST_PASSWORD);
    const called = await client.post("certificates/ApproveOrders", { certificateIds: [row.id] });
    expect(JSON.stringify(called)).toContain(reason);
    const other = await signedInAs(await createStaff(["approver"], { firstName: "Nora" }));
    expect((await send(other, row.id, { intent: "approve", confirmed: "yes" })).status).toBe(303);
  });

  test("[CER-04] whoever reissues a certificate does not authorise it as its contact", async () => {
    const olga = await createAdmin({ firstName: "Olga", lastName: "Novak" });
    const old = await issueCertificate({ customer, csr: makeCsr().der });
    const contact = JSON.stringify({ name: "O. N.", email: olga.email });
    await setCertificate(old.id, { authenticationEmail: olga.email, authenticationContact: contact });
    const fields = { csr: makeCsr().pem, reason: "Key lost", confirmed: "yes" };
    const by = await signedInAs(olga);
    const params = { id: String(old.id) };
    const done = await run(reissuePage.action, await by.post(`/home/certificate/reissue/${old.id}`, fields), params);
    const id = Number(/(\d+)$/.exec(done.headers.get("Location") ?? "")?.[1]);
    const mail = (await mailsTo(olga.email)).at(-1);
    const token = /authorise-order\/([\w-]+)/.exec(mail ? await textOf(mail) : "")?.[1] ?? "";
    expect(await pageOf(token)).toContain("a member of staff who took part in this order or asked for it");
    expect((await answer(token, "authorise")).status).toBe(422);
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", contactAnswer: null });
  });

  test("[CER-04] the page of a reissue does not say that such a contact is asked", async () => {
    const old = await issueCertificate({ customer, csr: makeCsr().der });
    const contact = JSON.stringify({ name: "M. B.", email: mia.email });
    await setCertificate(old.id, { authenticationEmail: mia.email, authenticationContact: contact });
    const by = await signedInAs(await newStaff("Rosa", "registration-officer"));
    const options = { params: { id: String(old.id) } };
    const text = pageText((await openPage(reissuePage, by, `/home/certificate/reissue/${old.id}`, options)).html);
    expect(text).toContain(
      `M. B., ${mia.email}, has the name or an email address of a member of staff and cannot authorise it`,
    );
    expect(text).not.toContain("is asked by email");
  });

  test.each([
    ["by address", () => ({ name: "M. B.", email: mia.email })],
    ["by name", () => ({ name: "mia berg", email: "m.berg@whitmore-castings.example" })],
  ])("[MAN-03] who authorised it before does not approve it: %s", async (_, contact) => {
    const { name, email } = contact();
    const row = await orderWith(name, email, { ...checksDone(), contactAnswerBy: email });
    const reason = "are the authentication contact of this order: somebody else checks and approves it";
    expect(await open(approver, row.id)).toContain(reason);
    for (const fields of [{ confirmed: "" }, { confirmed: "yes" }])
      expect(await refusalOf(await send(approver, row.id, { intent: "approve", ...fields }))).toContain(reason);
    const id = String(row.id);
    const bulk = await approver.post(`${staffPaths.approveOrders}?id=${id}`, { id, confirmed: "yes" });
    expect(await (await run(bulkPage.action, bulk)).text()).toContain(reason);
    const client = await apiClientOf(mia.email, TEST_PASSWORD);
    expect(JSON.stringify(await client.post("certificates/ApproveOrders", { certificateIds: [row.id] }))).toContain(
      reason,
    );
    expect(await readCertificate(row.id)).toMatchObject({ status: "Pending" });
    expect((await refusedDetails()).length).toBeGreaterThan(1);
    const other = await signedInAs(await createStaff(["approver"], { firstName: `Other ${id}` }));
    expect((await send(other, row.id, { intent: "approve", confirmed: "yes" })).status).toBe(303);
  });
});

test("[MAN-03] staff who are the contact of an order by now record none of its checks", async () => {
  const zoe = await createStaff(["registration-officer"], { firstName: "Zoe", lastName: "Contact" });
  const row = await createCertificateOrder(customer, makeCsr().der, {
    authenticationEmail: zoe.email,
    authenticationContact: JSON.stringify({ name: "Z. C.", email: zoe.email }),
  });
  const by = await signedInAs(zoe);
  for (const name of ["contact", "organisation", "csr"])
    expect(await refusalOf(await send(by, row.id, checkForm({ [name]: "Seen" })))).toContain(
      "are the authentication contact of this order",
    );
  expect(await readCertificate(row.id)).toMatchObject({ contactAnswer: null, csrCheckedAt: null });
  expect((await send(officer, row.id, checkForm({ contact: "Seen" }))).status).toBe(303);
});

describe("[MAN-03] staff who changed the customer's details while acting", () => {
  test("[MAN-03] do not check or approve the open orders, and the page names them until others checked", async () => {
    const { user } = await customerWithDetails({ company: `Keller ${Math.random()}` });
    const row = await createCertificateOrder(user, makeCsr().der);
    const olga = await createAdmin({ firstName: "Olga", lastName: "Changer" });
    const { visitor: asUser } = await acting(olga, user);
    expect((await save(asUser, { companyRegistrationNumber: "CHE-999.999.999" })).status).toBe(303);
    const by = await signedInAs(olga);
    const note = `${olga.email} changed the customer's details on`;
    expect(await open(officer, row.id)).toContain(note);
    const reason = "You changed the customer's details on";
    expect(await refusalOf(await send(by, row.id, checkForm({ csr: "Seen" })))).toContain(reason);
    for (const name of ["contact", "organisation", "csr"])
      expect((await send(officer, row.id, checkForm({ [name]: "Seen" }))).status).toBe(303);
    expect(await refusalOf(await send(by, row.id, { intent: "approve", confirmed: "yes" }))).toContain(reason);
    expect((await send(approver, row.id, { intent: "approve", confirmed: "yes" })).status).toBe(303);

    // Another officer has compared the new details with the organisation's document.
    const next = await createCertificateOrder(user, makeCsr().der);
    expect(await open(officer, next.id)).not.toContain(note);
    expect((await send(by, next.id, checkForm({ csr: "Seen" }))).status).toBe(303);
  });
});

test("[MAN-03] staff who changed the customer's name on the page of the account do not check the order", async () => {
  const { user } = await customerWithDetails({ company: `Keller ${Math.random()}` });
  const row = await createCertificateOrder(user, makeCsr().der);
  const olga = await createStaff(["user-administrator", "registration-officer"], { firstName: "Olga Renames" });
  const by = await signedInAs(olga);
  const { values } = await loadPerson(user.id, { id: olga.id, name: olga.email });
  const fields = { ...values, lastName: "Renamed", confirmed: "yes" };
  const post = await by.post(`/home/users/${user.id}/details`, fields);
  expect((await run(detailsPage.action, post, { id: String(user.id) })).status).toBe(303);
  expect(await open(officer, row.id)).toContain(`${olga.email} changed the customer's details on`);
  expect(await refusalOf(await send(by, row.id, checkForm({ csr: "Seen" })))).toContain(
    "You changed the customer's details on",
  );
});

describe("[MAN-03] a check that somebody recorded meanwhile", () => {
  test.each(["organisation", "csr"])(
    "[MAN-03] is not overwritten by an older page, but knowingly: %s",
    async (name) => {
      const { id } = await createCertificateOrder(customer, makeCsr().der);
      const other = await signedInAs(await createStaff(["registration-officer"], { firstName: `Rita ${name}` }));
      const first = checkForm({ [name]: "Seen by Ian" });
      expect((await send(officer, id, first)).status).toBe(303);
      expect((await send(officer, id, first)).status).toBe(303); // the form sent twice
      const older = { ...checkForm({ [name]: "Seen by Rita" }), [`${name}Seen`]: "" };
      const { status, errors } = await errorsOf(await send(other, id, older));
      expect({ status, fields: Object.keys(errors) }).toEqual({ status: 422, fields: [name] });
      expect(errors[name]).toMatch(/^This check was recorded by .+ on .+ UTC meanwhile\./);
      const options = { params: { id: String(id) }, fields: older };
      const { html } = await openPage(orderPage, other, `/home/certificate-queue/${id}`, options);
      expect(pageText(html)).toContain("Seen by Ian");
      expect(valueOf(html, `${name}Note`)).toBe("Seen by Rita");

      const seen = new RegExp(`name="${name}Seen" value="([^"]+)"`).exec(html)?.[1] ?? "";
      expect((await send(other, id, { ...older, [`${name}Seen`]: seen })).status).toBe(303);
      expect(await open(other, id)).toContain("Seen by Rita");
      expect(await refusalOf(await send(officer, id, { ...older, [`${name}Seen`]: seen }))).toContain("meanwhile");
    },
  );

  test("[MAN-03] the contact's authorisation stays, and the typed note is shown", async () => {
    const { id } = await createCertificateOrder(customer, makeCsr().der);
    await send(officer, id, checkForm({ contact: "Called at ten" }));
    const other = await signedInAs(await createStaff(["registration-officer"], { firstName: "Rita Contact" }));
    const post = checkForm({ contact: "Called at eleven" });
    const { errors } = await errorsOf(await send(other, id, post));
    expect(errors.contact).toContain("The authorisation stays as it is.");
    const options = { params: { id: String(id) }, fields: post };
    const { html } = await openPage(orderPage, other, `/home/certificate-queue/${id}`, options);
    expect(pageText(html)).toContain("Your note: Called at eleven");
  });
});
