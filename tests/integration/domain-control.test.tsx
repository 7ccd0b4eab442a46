import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { checkDomain, endDomain, removeDomain } from "~/domain/companies/domains/domains.service.server";
import { filePathOf } from "~/domain/companies/domains/proofs.server";
import { policyFigures } from "~/domain/repository/policies/values.server";
import { getConfig } from "~/lib/config.server";
import * as rulesPage from "~/routes/_public.csr-rules";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as queueOrder from "~/routes/home.certificate-queue.$id/route";
import * as queuePage from "~/routes/home.certificate-queue._index";
import * as approvePage from "~/routes/home.certificate-queue.approve";
import * as orderPage from "~/routes/home.certificate.$wizard.order/route";
import * as ownOrderPage from "~/routes/home.orders.$id/route";
import { getDb } from "~db/connection.server";
import { apiClientOf } from "../support/api";
import { checksDone, createCertificateOrder, readCertificate } from "../support/certificates";
import { personOf } from "../support/companies";
import { addTo, confirmByDns, useDomainServers } from "../support/domains";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { type Buyer, newBuyer } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();
const servers = useDomainServers();

let staff: Visitor;
let admin: Awaited<ReturnType<typeof createAdmin>>;

beforeAll(async () => {
  admin = await createAdmin();
  staff = await signedInAs(admin);
});

const control = (how: "off" | "mark" | "require") => Object.assign(getConfig().names, { domainControl: how });
afterEach(() => control("mark"));

const SUBJECT = "/C=DE/O=Acme GmbH/CN=edi.controlled.example.com/emailAddress=it@controlled.example.com";
const NAMES = [
  "DNS:edi.controlled.example.com",
  "DNS:*.controlled.example.com",
  "URI:https://www.controlled.example.com/",
  "email:edi@controlled.example.com",
];
const csr = (...more: string[]) => makeCsr({ subject: SUBJECT, san: [...NAMES, ...more] });

const newOrderer = async () => {
  const buyer = await newBuyer();
  await buyer.contact();
  return buyer;
};

/** Imports a CSR. Returns what is refused, or the marks of the order step. */
async function imported(buyer: Buyer, pem: string): Promise<string> {
  const answer = await buyer.order({ csr: pem, intent: "import" });
  if (answer.status === 422) return (await errorsOf(answer)).errors.csr ?? "";
  const { html } = await openPage(orderPage, buyer.visitor, buyer.url("order"), { params: buyer.params });
  return select(html, "#csr-details .note").text();
}

const MARK =
  "The company has not confirmed: it@controlled.example.com, edi.controlled.example.com, *.controlled.example.com, www.controlled.example.com, edi@controlled.example.com.";

const WAITS = "Confirmation of its domains and mailboxes by the customer";

/** Returns what the page of an order, the queue and the page of a bulk approval say of its names. */
async function seenByStaff(id: number) {
  const page = await openPage(queueOrder, staff, `/home/certificate-queue/${id}`, { params: { id: String(id) } });
  const queue = await openPage(queuePage, staff, "/home/certificate-queue");
  const bulk = await openPage(approvePage, staff, `/home/certificate-queue/approve?id=${id}`);
  const row = (html: string) => select(html, "tbody tr").has(`a[href="/home/certificate-queue/${id}"]`);
  return {
    page: pageText(page.html).includes("The company has not confirmed:"),
    queue: row(queue.html).text().includes("Domain not confirmed"),
    bulk: row(bulk.html).text().includes("Domain not confirmedit@controlled.example.com, edi.controlled.example.com"),
  };
}

describe("[PUR-03] names outside the confirmed domains", () => {
  test("are marked at the order step, with a link to confirm them, until the domain is confirmed", async () => {
    const buyer = await newOrderer();
    expect(await imported(buyer, csr().pem)).toContain(MARK);
    const { html } = await openPage(orderPage, buyer.visitor, buyer.url("order"), { params: buyer.params });
    expect(textsOf(html, 'a[href="/home/company/domains"]')).toEqual(["Confirm domains and mailboxes of your company"]);
    await confirmByDns(buyer.user, "controlled.example.com", servers);
    expect(await imported(buyer, csr().pem)).toBe("");
    expect(await imported(buyer, csr("DNS:other.example.org").pem)).toContain(
      "The company has not confirmed: other.example.org.",
    );
  });

  test("are marked to staff on the page of the order, in the queue and before a bulk approval, until they are confirmed", async () => {
    const customer = await createUser();
    const { id } = await createCertificateOrder(customer, csr().der, checksDone());
    expect(await seenByStaff(id)).toEqual({ page: true, queue: true, bulk: true });
    await confirmByDns(customer, "controlled.example.com", servers);
    expect(await seenByStaff(id)).toEqual({ page: false, queue: false, bulk: false });
  });

  test("are marked to the customer until the order is approved, on its page and on that of the certificate", async () => {
    const customer = await createUser();
    const visitor = await signedInAs(customer);
    const { id, orderId } = await createCertificateOrder(customer, csr().der, checksDone());
    const opened = async (module: Parameters<typeof openPage>[0], path: string, of: number) =>
      pageText((await openPage(module, visitor, `/home/${path}/${of}`, { params: { id: String(of) } })).html);
    const seen = async () => {
      const pages = [
        await opened(detailsPage, "certificate-details", id),
        await opened(ownOrderPage, "orders", orderId),
      ];
      return pages.map((text) => [text.includes(MARK), text.includes(WAITS)]);
    };
    await getDb().updateTable("certificates").set({ csrCheckedAt: null }).where("id", "=", id).execute();
    expect(await seen()).toEqual([
      [true, false],
      [true, false],
    ]);
    control("require");
    expect(await seen()).toEqual([
      [true, true],
      [true, false],
    ]);
    await confirmByDns(customer, "controlled.example.com", servers);
    expect((await seen()).flat()).not.toContain(true);
  });

  test.each([
    ["https://www.bank.example.com", "www.bank.example.com"],
    ["www.bank.example.com:6619", "www.bank.example.com"],
    ["Station hp.com", "hp.com"],
    ["www\u3002google\u3002com", "www.google.com"],
    ["EDI (www.bank.example.com)", "www.bank.example.com"],
    ["edi@bank.example.com EDI", "edi@bank.example.com"],
    ["xn--bcher-kva.example.com.", "xn--bcher-kva.example.com (bücher.example.com)"],
  ])("are marked in the common name '%s'", async (commonName, name) => {
    const { pem } = makeCsr({ subject: `/C=DE/O=Acme GmbH/CN=${commonName.replaceAll("/", "\\/")}`, san: [] });
    expect(await imported(await newOrderer(), pem)).toContain(`The company has not confirmed: ${name}.`);
  });

  test("that are IP addresses have a mark of their own, because nobody can confirm them", async () => {
    const { pem } = makeCsr({ subject: "/C=DE/O=Acme GmbH/CN=Acme", san: ["IP:192.0.2.10"] });
    const text = await imported(await newOrderer(), pem);
    expect(text).toContain("Nobody can confirm an IP address in the portal: 192.0.2.10.");
    expect(text).not.toContain("The company has not confirmed");
  });

  test("are marked again when the confirmation has ended, and are no other company's", async () => {
    const customer = await createUser();
    const { id } = await createCertificateOrder(customer, csr().der, checksDone());
    const domainId = await confirmByDns(customer, "controlled.example.com", servers);
    expect((await seenByStaff(id)).page).toBe(false);
    const user = await findSessionUser({ id: admin.id, epoch: 0 });
    if (!user) throw new Error("no administrator");
    await endDomain(user, { companyId: customer.companyId, id: domainId, reason: "Sold" });
    expect((await seenByStaff(id)).page).toBe(true);
    await confirmByDns(await createUser(), "controlled.example.com", servers);
    expect((await seenByStaff(id)).page).toBe(true);
  });

  test("are not marked where the configuration says so", async () => {
    control("off");
    const { id } = await createCertificateOrder(await createUser(), csr().der, checksDone());
    expect(await seenByStaff(id)).toEqual({ page: false, queue: false, bulk: false });
    expect(await imported(await newOrderer(), csr().pem)).toBe("");
  });
});

describe("[PUR-03] where confirmed names are required", () => {
  test("a CSR with others is refused, with the rule, and accepted when they are confirmed", async () => {
    control("require");
    const buyer = await newOrderer();
    const pem = makeCsr({ subject: SUBJECT, san: ["DNS:edi.controlled.example.com", "IP:192.0.2.10"] }).pem;
    expect((await imported(buyer, pem)).split("\n")).toEqual([
      expect.stringMatching(
        /^Subject: the email address 'it@controlled\.example\.com' is neither a confirmed mailbox of the company nor at a confirmed domain\./,
      ),
      expect.stringMatching(
        /^Alternative names: the DNS name 'edi\.controlled\.example\.com' is not below a confirmed domain of the company\. Confirm the domain/,
      ),
      "Alternative names: the IP address '192.0.2.10' cannot be confirmed for the company. Create the CSR again with the DNS name of the host.",
    ]);
    await confirmByDns(buyer.user, "controlled.example.com", servers);
    expect(await imported(buyer, csr().pem)).toBe("");
  });

  test.each([
    ["CN=ceo@controlled.example.com", "the common name 'ceo@controlled.example.com' is neither a confirmed mailbox"],
    ["CN=www.controlled.example.com", "the common name 'www.controlled.example.com' is not below a confirmed domain"],
  ])("a common name is judged, too: %s", async (commonName, text) => {
    control("require");
    const { pem } = makeCsr({ subject: `/C=DE/O=Acme GmbH/${commonName}`, san: [] });
    expect(await imported(await newOrderer(), pem)).toContain(text);
  });

  test("a file confirms its host, and neither names nor mailboxes below it", async () => {
    control("require");
    const buyer = await newOrderer();
    const { id, token } = await addTo(buyer.user, "filed.example.com");
    servers.publish("filed.example.com", { a: ["127.0.0.1"] });
    servers.web.serveText(filePathOf(token), token);
    await checkDomain(await personOf(buyer.user), { id, method: "http" });
    const subject = "/C=DE/O=Acme GmbH/CN=Acme";
    expect(await imported(buyer, makeCsr({ subject, san: ["DNS:filed.example.com"] }).pem)).toBe("");
    const others = ["DNS:edi.filed.example.com", "DNS:*.filed.example.com", "email:it@filed.example.com"];
    expect((await imported(buyer, makeCsr({ subject, san: others }).pem)).split("\n")).toHaveLength(3);
  });

  test("so are the CSRs of calls", async () => {
    control("require");
    const customer = await createUser();
    const client = await apiClientOf(customer.email, TEST_PASSWORD);
    const decode = () => client.post("certificates/DecodeCsrWithValidation", { csr: csr().pem });
    expect((await decode()).content).toMatchObject({
      item1: null,
      item2: expect.stringContaining("is not below a confirmed domain of the company") as string,
      rules: expect.arrayContaining([expect.objectContaining({ code: "domain-not-confirmed" })]) as object[],
    });
    await confirmByDns(customer, "controlled.example.com", servers);
    expect((await decode()).content).toMatchObject({ item2: "" });
  });

  test("an order is not completed when the confirmation has ended since the import", async () => {
    control("require");
    const buyer = await newOrderer();
    const domainId = await confirmByDns(buyer.user, "controlled.example.com", servers);
    const { pem } = csr();
    expect(await imported(buyer, pem)).toBe("");
    expect((await buyer.order({ csr: pem, intent: "next" })).status).toBe(303);
    await removeDomain(await personOf(buyer.user), domainId);
    const { status, errors } = await errorsOf(await buyer.invoice());
    expect(status).toBe(422);
    expect(Object.values(errors)[0]).toContain("is not below a confirmed domain of the company");
    expect((await buyer.order({ csr: pem, intent: "next" })).status).toBe(422);
  });

  test("an order is approved only when its names are confirmed", async () => {
    control("require");
    const customer = await createUser();
    const { id } = await createCertificateOrder(customer, csr().der, checksDone());
    const approve = async () =>
      run(
        queueOrder.action,
        await staff.post(`/home/certificate-queue/${id}`, { intent: "approve", confirmed: "yes" }),
        { id: String(id) },
      );
    const refused = await errorsOf(await approve());
    expect(Object.values(refused.errors)[0]).toMatch(/^The customer has not confirmed every name of this order, so/);
    const bulk = await openPage(approvePage, staff, `/home/certificate-queue/approve?id=${id}`);
    expect(pageText(bulk.html)).toContain("None of the selected orders can be approved.");
    expect((await readCertificate(id)).status).toBe("Pending");
    const order = { params: { id: String(id) } };
    expect(pageText((await openPage(queueOrder, staff, `/home/certificate-queue/${id}`, order)).html)).toContain(WAITS);
    expect(pageText((await openPage(queuePage, staff, "/home/certificate-queue")).html)).toContain(WAITS);
    const stagesOf = async () => {
      const found: string[] = [];
      for (const stage of ["ready", "customer"]) {
        const { html } = await openPage(queuePage, staff, `/home/certificate-queue?stage=${stage}`);
        if (select(html, `tbody a[href^="/home/certificate-queue/${id}"]`).length > 0) found.push(stage);
      }
      return found;
    };
    expect(await stagesOf()).toEqual(["customer"]);
    await confirmByDns(customer, "controlled.example.com", servers);
    expect(pageText((await openPage(queueOrder, staff, `/home/certificate-queue/${id}`, order)).html)).not.toContain(
      WAITS,
    );
    expect(await stagesOf()).toEqual(["ready"]);
    expect((await approve()).status).toBe(303);
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  test("is said on the page of all rules and in the practice statement", async () => {
    const shown = async () =>
      textsOf((await openPage(rulesPage, await anonymous(), "/csr-rules")).html, "#domain-not-confirmed h3")[0];
    expect(await shown()).toBe("Confirmed domains and mailboxes Marked by this CA, not refused");
    control("require");
    expect(await shown()).toBe("Confirmed domains and mailboxes");
    control("off");
    expect(await shown()).toBe("Confirmed domains and mailboxes Not applied by this CA");
    const { html } = await openPage(rulesPage, await anonymous(), "/csr-rules");
    expect(textsOf(html, "#address-not-confirmed h3")).toEqual(["Unconfirmed IP addresses Not applied by this CA"]);
    expect(policyFigures()).toMatchObject({
      challengeLife: "30 days",
      confirmationLife: "1 year",
      failedChecks: "3 checks",
    });
  });
});
