import { describe, expect, test } from "vitest";
import { type ContactRules } from "~/domain/certificates/purchase/contact.policy";
import { MOST_RENEWALS_LISTED, NO_CSRS } from "~/domain/certificates/succession/bulk-renewal";
import { validityMessages } from "~/domain/certificates/succession/renewal.policy";
import { bulkRenewalValidator } from "~/domain/certificates/validators";
import * as page from "~/routes/home.certificates_.renewals";
import { getDb } from "~db/connection.server";
import { readCertificate } from "../support/certificates";
import { createColleague } from "../support/companies";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { CONTACT } from "./purchase-journey";
import { issueEnding } from "./renewal-journey";

usePortal();
const files = useOpenssl();

const PATH = "/home/certificates/renewals";
const HOSTS = ["one", "two", "three"].map((name) => `${name}.renewals.example.com`);

const csrFor = (host: string, company = "Example Parts Ltd", keyFile?: string) =>
  files.makeCsr({
    subject: `/C=GB/L=Coventry/O=${company}/CN=${host}`,
    san: [`DNS:${host}`],
    ...(keyFile && { keyFile }),
  });

const FORM = {
  ...CONTACT,
  validityPeriod: "1",
  purchaseOrderNumber: "PO-4711",
  termsAndConditionsAccepted: "on",
  __rvfInternalFormId: "renewals",
};

type Fields = Record<string, string>;
type SentFields = Parameters<Visitor["post"]>[1];

/** A company with a certificate for each host that ends in 20 days, and one that ends much later. */
async function renewer() {
  const user = await createUser();
  const certificates = [];
  for (const host of HOSTS) certificates.push(await issueEnding(20, { customer: user, csr: csrFor(host).der }));
  await issueEnding(700, { customer: user, csr: csrFor("later.renewals.example.com").der });
  return { user, certificates, visitor: await signedInAs(user) };
}

const show = async (visitor: Visitor, fields?: Fields, path = PATH) =>
  openPage(page, visitor, path, fields ? { fields } : {});

const send = async (visitor: Visitor, fields: SentFields) => run(page.action, await visitor.post(PATH, fields));

/** The certificates on the page with what their rows say about the CSR. */
const rowsOf = (html: string) => {
  const names = textsOf(html, "tbody th a");
  const states = textsOf(html, "tbody .tag");
  return Object.fromEntries(names.map((name, index) => [name, states[index]]));
};

const ordersOf = async (companyId: number) =>
  (await getDb().selectFrom("orders").select("id").where("companyId", "=", companyId).execute()).length;

describe("the renewal of several certificates with one form", () => {
  test("[REN-01] [REN-03] matches CSRs of the text and of files to certificates by their names, keeps them, and says what each lacks", async () => {
    const { visitor } = await renewer();
    const [one = "", two = "", three = ""] = HOSTS;
    const first = await show(visitor);
    expect(rowsOf(first.html)).toEqual({ [one]: "Needs a CSR", [two]: "Needs a CSR", [three]: "Needs a CSR" });

    const [good, other] = [csrFor(one), csrFor(two, "Another Company Ltd")];
    const csrFile = new File([`# requests\n${other.pem}${good.pem}`], "requests.pem");
    const fromFile = await visitor.post(PATH, { ...FORM, intent: "match", csr: good.pem, csrFile });
    const answer = await jsonOf<{ repopulateFields: { csr: string } }>(await run(page.action, fromFile));
    expect(answer.repopulateFields.csr.match(/BEGIN/g)).toHaveLength(2);
    const { status, html } = await show(visitor, { ...FORM, intent: "match", csr: answer.repopulateFields.csr });
    expect(status).toBe(422);
    expect(rowsOf(html)).toEqual({ [one]: "Matched", [two]: "Wrong CSR", [three]: "Needs a CSR" });
    expect(pageText(html)).toContain("Organisation name: Received Another Company Ltd, Expected Example Parts Ltd");
    expect(html).toContain(good.pem.trim().split("\n")[3]);
    expect(valueOf(html, "purchaseOrderNumber")).toBe("PO-4711");

    const unknown = await show(visitor, { ...FORM, intent: "match", csr: csrFor("unknown.example.com").pem });
    expect(pageText(unknown.html)).toContain("The CSR for unknown.example.com belongs to no certificate of this list.");
  });

  test("[PUR-11] [REN-03] refuses a private key without keeping it, the key of the certificate, one key for two, and too many", async () => {
    const { visitor, certificates } = await renewer();
    const [one = "", two = ""] = HOSTS;
    const key = files.makeRsaKey();
    const secret = await show(visitor, {
      ...FORM,
      intent: "match",
      csr: `-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n${csrFor(one).pem}`,
    });
    expect(pageText(secret.html)).toContain("private key");
    expect(secret.html).not.toContain("MIIEvQ");

    const twice = await show(visitor, {
      ...FORM,
      intent: "match",
      csr: csrFor(one, undefined, key).pem + csrFor(two, undefined, key).pem,
    });
    expect(pageText(twice.html)).toContain("another CSR of this form has the same key");
    const same = Buffer.from(certificates[0]?.csr ?? []).toString("base64");
    const old = `-----BEGIN CERTIFICATE REQUEST-----\n${same.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE REQUEST-----\n`;
    expect(pageText((await show(visitor, { ...FORM, intent: "match", csr: old })).html)).toContain(
      "this is the key of the original certificate",
    );
  });

  test("[REN-02] [REN-01] says at the validity that it is not possible, and beside the certificate, whose CSR is right", async () => {
    const { user, visitor } = await renewer();
    const [one = "", two = ""] = HOSTS;
    const csr = csrFor(one).pem + csrFor(two).pem;
    for (const intent of ["match", "order"]) {
      const fields = { ...FORM, intent, csr, validityPeriod: "0", confirmed: "yes" };
      const answer = await send(visitor, fields);
      expect(answer.status).toBe(422);
      const { fieldErrors } = await jsonOf<{ fieldErrors: Fields }>(answer);
      expect(fieldErrors).toEqual({ validityPeriod: validityMessages.min });
      const { html } = await show(visitor, fields);
      expect(rowsOf(html)).toMatchObject({ [one]: "Matched", [two]: "Matched" });
      expect(textsOf(html, "tbody .lines")).toEqual([validityMessages.min, validityMessages.min]);
    }
    expect(await ordersOf(user.companyId)).toBe(HOSTS.length + 1);
  });

  test("[REN-01] says that two CSRs are for one certificate, and which file is not a CSR or holds a private key", async () => {
    const { visitor } = await renewer();
    const [one = "", two = ""] = HOSTS;
    const errorsOf = async (fields: SentFields) => {
      const answer = await send(visitor, { ...FORM, intent: "match", ...fields });
      expect(answer.status).toBe(422);
      return (await jsonOf<{ fieldErrors: Fields }>(answer)).fieldErrors;
    };
    expect(await errorsOf({ csr: csrFor(one).pem + csrFor(one, "Another Company Ltd").pem })).toEqual({
      csr: `Several CSRs are for the same certificate, ${one}. Keep only one of them.`,
    });
    const good = new File([csrFor(two).pem], "two.csr");
    const broken = await errorsOf({ csr: csrFor(one).pem, csrFile: [good, new File(["no request"], "three.csr")] });
    expect(Object.keys(broken)).toEqual(["csrFile"]);
    expect(broken.csrFile).toMatch(/^three\.csr: /);
    const key = new File(["-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n"], "host.key");
    const secret = await errorsOf({ csr: "", csrFile: [good, key] });
    expect(Object.keys(secret)).toEqual(["csrFile"]);
    expect(secret.csrFile).toMatch(/^host\.key: .*This is a private key, not a CSR\./);
  });

  test("[REN-01] [PUR-03] the check in the browser asks for the CSRs, too, and takes files for them", async () => {
    const { visitor } = await renewer();
    const { rules } = await jsonOf<{ rules: ContactRules }>(await run(page.loader, visitor.get(PATH)));
    const errorsOf = async (csrFile: File) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...FORM, csr: " ", csrFile })) form.append(name, value);
      return (await bulkRenewalValidator(rules).validate(form)).error?.fieldErrors;
    };
    expect(await errorsOf(new File([], ""))).toEqual({ csr: NO_CSRS });
    expect(await errorsOf(new File(["any"], "one.csr"))).toBeUndefined();
    const empty = await send(visitor, { intent: "order", __rvfInternalFormId: "renewals" });
    expect((await jsonOf<{ fieldErrors: Fields }>(empty)).fieldErrors).toMatchObject({
      csr: NO_CSRS,
      purchaseOrderNumber: "This field is required.",
    });
  });

  test("[REN-01] [PUR-12] asks once, orders each renewal like any other, and orders none twice", async () => {
    const { user, visitor, certificates } = await renewer();
    const [one = "", two = ""] = HOSTS;
    const csr = csrFor(one).pem + csrFor(two).pem;
    const before = await ordersOf(user.companyId);
    const refused = await show(visitor, { ...FORM, intent: "order", csr, purchaseOrderNumber: " ", name: "" });
    expect(refused.status).toBe(422);
    expect(pageText(refused.html)).toContain("Purchase order number");
    expect(await ordersOf(user.companyId)).toBe(before);

    const asked = await show(visitor, { ...FORM, intent: "order", csr });
    expect(pageText(asked.html)).toContain("Are you sure you wish to order 2 renewals for €");
    expect(await ordersOf(user.companyId)).toBe(before);

    const confirmed = { ...FORM, intent: "order", csr, confirmed: "yes" };
    const done = await show(visitor, confirmed);
    expect(pageText(done.html)).toContain("2 of 2 renewals are ordered.");
    expect(await ordersOf(user.companyId)).toBe(before + 2);
    const pending = await getDb()
      .selectFrom("certificates")
      .select(["id", "previousCertificateId", "authenticationEmail", "validityYears"])
      .where("companyId", "=", user.companyId)
      .where("status", "=", "Pending")
      .orderBy("id")
      .execute();
    expect(pending).toMatchObject(
      certificates.slice(0, 2).map(({ id }) => ({
        previousCertificateId: id,
        authenticationEmail: CONTACT.email,
        validityYears: 1,
      })),
    );
    expect((await readCertificate(pending[0]?.id ?? 0)).orderType).toBe("Renewal");

    expect((await send(visitor, confirmed)).status).toBe(422);
    expect(await ordersOf(user.companyId)).toBe(before + 2);
  });

  test("[REN-01] says so when it looks only at the certificates that end first", async () => {
    const user = await createUser();
    const { der: csr } = csrFor("many.renewals.example.com");
    const visitor = await signedInAs(user);
    for (let number = 0; number < MOST_RENEWALS_LISTED; number += 1) await issueEnding(20, { customer: user, csr });
    const all = await show(visitor);
    expect(textsOf(all.html, "tbody th a")).toHaveLength(MOST_RENEWALS_LISTED);
    expect(pageText(all.html)).not.toContain("Only the 50 certificates");
    await issueEnding(21, { customer: user, csr });
    const { html } = await show(visitor);
    expect(textsOf(html, "tbody th a")).toHaveLength(MOST_RENEWALS_LISTED);
    expect(pageText(html)).toContain("Only the 50 certificates that end first are looked at.");
  });

  test("[CER-08] [REN-01] lists what the search shows, of the own company, for members who order", async () => {
    const { user, visitor } = await renewer();
    const { html } = await show(visitor, undefined, `${PATH}?search=two`);
    expect(Object.keys(rowsOf(html))).toEqual([HOSTS[1]]);
    const stranger = await signedInAs(await createUser());
    const { rows } = await jsonOf<{ rows: unknown[] }>(await run(page.loader, stranger.get(PATH)));
    expect(rows).toEqual([]);
    expect((await send(stranger, { ...FORM, intent: "order", csr: csrFor(HOSTS[0] ?? "").pem })).status).toBe(422);
    const technical = await signedInAs(await createColleague(user, "technical"));
    expect((await run(page.loader, technical.get(PATH))).status).toBe(303);
  });
});
