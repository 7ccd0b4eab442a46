import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { REQUEST_RULES, type RuleCode } from "~/ca/csr/rules/catalogue";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { explainRule } from "~/domain/certificates/request/explained-rules.server";
import { policyFigures } from "~/domain/repository/policies/values.server";
import { getConfig } from "~/lib/config.server";
import { type NameClass } from "~/lib/name-classes";
import { paths } from "~/lib/paths";
import * as policyPage from "~/routes/_public.certificate-repository_.$policy";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as queueOrder from "~/routes/home.certificate-queue.$id/route";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import { newProgram } from "../support/api";
import { checksDone, createCertificateOrder, issueCertificate, readCertificate } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, select } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { setVariable } from "../support/variables";
import { anonymous, errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { type Buyer, buyerAtInvoice, newBuyer, ordersOf } from "./purchase-journey";
import { newRenewer } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();

let buyer: Buyer;
let staff: Visitor;
let approver: SessionUser;

beforeAll(async () => {
  buyer = await newBuyer();
  await buyer.contact();
  const admin = await createAdmin();
  staff = await signedInAs(admin);
  const user = await findSessionUser({ id: admin.id, epoch: 0 });
  if (!user) throw new Error("no administrator");
  approver = user;
});

const allow = (...classes: NameClass[]) => getConfig().names.allow.splice(0, Infinity, ...classes);
afterEach(() => allow());

const importing = (...san: string[]) => buyer.order({ csr: makeCsr({ san }).pem, intent: "import" });

const LINKS = {
  title: "Internal names",
  section: {
    text: "Practice statement §3.1.4",
    url: "/certificate-repository/certification-practice-statement#section-3.1.4",
  },
  standard: { text: "CA/Browser Forum Baseline Requirements §4.2.2" },
};

const refused = async (...san: string[]) => {
  const answer = await importing(...san);
  return answer.status === 422 ? ((await errorsOf(answer)).errors.csr ?? "") : answer.status;
};

/** Returns the order of a CSR with an internal name that was stored before the rule existed. */
const earlierOrder = async () =>
  createCertificateOrder(await createUser(), makeCsr({ san: ["DNS:srv.internal"] }).der, checksDone());

/** Issues a certificate with an internal name while such names are allowed. */
async function withInternalName<T>(issue: () => Promise<T>): Promise<T> {
  allow("internal");
  const issued = await issue();
  allow();
  return issued;
}

const INTERNAL = "'srv.internal' is an internal name";

describe("[PUR-11] the policy of names", () => {
  test.each([
    ["DNS:*.co.uk", "the DNS name '*.co.uk' covers a whole public suffix"],
    ["DNS:localhost", "the DNS name 'localhost' is a special-use name"],
    ["DNS:intranet", "the DNS name 'intranet' is a single label"],
    ["IP:127.0.0.1", "the IP address '127.0.0.1' is a special-purpose address"],
    ["IP:10.0.0.1", "the IP address '10.0.0.1' is a private address"],
    ["email:edi@nas.local", "the email address's domain 'nas.local' is an internal name"],
    ["URI:https://localhost/", "the host 'localhost' of the URI 'https://localhost/' is a special-use name"],
  ])("[PUR-11] [PUR-03] a CSR with %s is refused at the import with its sentence", async (name, sentence) => {
    expect(await refused("DNS:oftp.acme.com", name)).toContain(sentence);
  });

  test("[PUR-11] [PUR-03] the answer links the section of the practice statement and the standard behind the rule", async () => {
    const answer = await importing("DNS:srv.internal");
    expect(await answer.json()).toMatchObject({ rules: [LINKS] });
  });

  test("[PUR-11] every rule names a section that the page of the practice statement has", async () => {
    const name = "certification-practice-statement";
    const { html } = await openPage(policyPage, await anonymous(), paths.policy(name), { params: { policy: name } });
    for (const code of Object.keys(REQUEST_RULES) as RuleCode[]) {
      const { section, standard } = explainRule(code);
      const id = section.url.split("#")[1] ?? "";
      expect(select(html, `[id="${id}"]`).text()).toMatch(new RegExp(`^${section.text.split("§")[1]} `));
      expect(URL.canParse(standard.url)).toBe(true);
    }
  });

  test("[PUR-11] the common name is judged, too", async () => {
    const csr = makeCsr({ subject: "/C=DE/O=Acme/CN=localhost" }).pem;
    const { errors } = await errorsOf(await buyer.order({ csr, intent: "import" }));
    expect(errors.csr).toContain("Subject: the common name 'localhost' is a special-use name");
  });

  test.each(["DNS:www.google.com", "IP:8.8.8.8", "email:edi@bank.com"])(
    "[PUR-11] %s is not refused by a list: who owns it is another matter",
    async (name) => expect(await refused(name)).toBe(303),
  );

  test("[PUR-11] a class that names.allow lists is certified, and the practice statement says so", async () => {
    expect(policyFigures().allowedNames).not.toContain("private and shared IP addresses");
    allow("private-address");
    expect(await refused("IP:10.0.0.1")).toBe(303);
    expect(await refused("IP:127.0.0.1")).toContain("special-purpose address");
    expect(policyFigures().allowedNames).toContain("private and shared IP addresses");
    expect(policyFigures().refusedNames).not.toContain("private and shared IP addresses");
  });

  test("[PUR-11] names for documentation are certified by a trial only", async () => {
    expect(await refused("DNS:www.example.com")).toBe(303);
    setVariable("PUBLIC_URL", "https://portal.acme.com");
    expect(await refused("DNS:www.example.com")).toContain("'www.example.com' is reserved for documentation and tests");
    setVariable("PUBLIC_URL", "http://portal.test");
  });

  test("[API-02] the call that decodes a CSR gives the same reason", async () => {
    const { client } = await newProgram();
    const { pem } = makeCsr({ san: ["DNS:srv.internal"] });
    const { content } = await client.post<{ item1: object | null; item2: string; rules: object[] }>(
      "certificates/DecodeCsrWithValidation",
      { csr: pem },
    );
    expect(content.item1).toBeNull();
    expect(content.item2).toContain(INTERNAL);
    expect(content.rules).toMatchObject([{ code: "name-internal", message: content.item2, ...LINKS }]);
  });

  test("[PUR-09] an order is not completed when its names are refused after the import", async () => {
    const csr = makeCsr({ san: ["DNS:srv.internal"] }).pem;
    const late = await withInternalName(() => buyerAtInvoice(csr));
    const { status, errors } = await errorsOf(await late.invoice());
    expect([status, JSON.stringify(errors)]).toEqual([422, expect.stringContaining(INTERNAL)]);
    expect(await ordersOf(late.user.id)).toEqual([]);
  });

  test("[MAN-03] an order from before the rule is marked for staff and refused approval with the reason", async () => {
    const { id } = await earlierOrder();
    const { html } = await openPage(queueOrder, staff, `/home/certificate-queue/${id}`, { params: { id: String(id) } });
    expect(pageText(html)).toContain(INTERNAL);
    expect(select(html, `a[href="${LINKS.section.url}"]`).text()).toBe(LINKS.section.text);
    await expect(approveOrder(id, approver)).rejects.toThrow(INTERNAL);
    expect((await readCertificate(id)).status).toBe("Pending");
  });

  test("[CER-06] [REN-03] a certificate with a name that is refused now says on its page that it cannot be renewed", async () => {
    const csr = makeCsr({ san: ["DNS:srv.internal"] });
    const { renewer, original, user } = await withInternalName(() => newRenewer(csr.der));
    const { id } = original;
    const open = async () =>
      pageText(
        (
          await openPage(detailsPage, await signedInAs(user), paths.certificateDetails(id), {
            params: { id: String(id) },
          })
        ).html,
      );
    const said = "This certificate cannot be renewed with its names.";
    expect(await open()).toContain(said);
    expect(await open()).toContain(INTERNAL);
    await renewer.contact();
    const renewal = makeCsr({ san: ["DNS:srv.internal"] });
    expect((await errorsOf(await renewer.order({ csr: renewal.pem, intent: "import" }))).errors.csr).toContain(
      INTERNAL,
    );
    allow("internal");
    expect(await open()).not.toContain(said);
  });

  test("[MAN-03] a reissue is refused, too", async () => {
    const customer = await createUser();
    const old = await withInternalName(() =>
      issueCertificate({ customer, csr: makeCsr({ san: ["DNS:srv.internal"] }).der }),
    );
    const fields = { csr: makeCsr({ san: ["DNS:srv.internal"] }).pem, reason: "Key lost" };
    const url = `/home/certificate/reissue/${old.id}`;
    const answer = await run(reissuePage.action, await staff.post(url, fields), { id: String(old.id) });
    expect((await errorsOf(answer)).errors.csr).toContain(INTERNAL);
  });
});
