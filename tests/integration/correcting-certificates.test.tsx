import { beforeAll, describe, expect, test } from "vitest";
import { setPartnersOfRenewals } from "~/domain/certificates/partners/following.service.server";
import { addPartners } from "~/domain/certificates/partners/partners.service.server";
import { carryOutDueRevocations } from "~/domain/certificates/revocation/revocation.service.server";
import { startRenewal } from "~/domain/certificates/succession/renewal.service.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { addDays, formatDate } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as downloadPage from "~/routes/home.certificate-download.$id";
import * as fileRoute from "~/routes/home.certificate-file.$id";
import * as kitRoute from "~/routes/home.certificate-partners.$id_.kit";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import * as correctPage from "~/routes/home.certificate.correct.$id/route";
import * as archiveRoute from "~/routes/home.certificates_.files[.]zip";
import * as ownOrderPage from "~/routes/home.orders.$id/route";
import { getDb } from "~db/connection.server";
import { findPartnerSettings } from "~db/repositories/certificate-partners.server";
import { findOrder } from "~db/repositories/orders.server";
import { apiClientOf } from "../support/api";
import {
  auditEventsOf,
  checksDone,
  type IssuedCertificate,
  issueCertificate,
  mailsOf,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createColleague, personOf } from "../support/companies";
import { confirmByDns, useDomainServers } from "../support/domains";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { openssl } from "../support/openssl";
import { pageText } from "../support/page";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { issueEnding } from "./renewal-journey";
import { lists, toastOf, useRevoking } from "./revoking";

const { people, makeCsr, verifyWithLists } = useRevoking();
const servers = useDomainServers();

const OLD = "/C=DE/L=Muenchen/O=Acme GmbH/CN=edi.typo.example.com";
const NEW = "/C=DE/L=Muenchen/O=Acme GmbH/CN=edi.controlled.example.com";
const ALL = { hasSecureSession: "on", hasEmail: "on", hasEncryption: "on", hasFileSigning: "on" };
const SESSION = { hasSecureSession: "on" };

let staff: Visitor;

beforeAll(async () => {
  staff = await signedInAs(await createAdmin({ email: "olga@example.org" }));
});

const issue = (order: Parameters<typeof issueCertificate>[0] = {}) =>
  issueCertificate({ customer: people.customer, csr: makeCsr({ subject: OLD }).der, ...order });

const correct = async (id: number, fields: Record<string, string | File>, who = people.customer.visitor) =>
  run(correctPage.action, await who.post(`/home/certificate/correct/${id}`, fields), { id: String(id) });
const confirm = (id: number, fields: Record<string, string>, who = people.customer.visitor) =>
  correct(id, { confirmed: "yes", ...fields }, who);
const open = (id: number, who = people.customer.visitor) =>
  openPage(correctPage, who, `/home/certificate/correct/${id}`, { params: { id: String(id) } });
const details = async (id: number, who = people.customer.visitor) =>
  pageText((await openPage(detailsPage, who, `/home/certificate-details/${id}`, { params: { id: String(id) } })).html);
const errorOf = async (answer: Response) => (await errorsOf(answer)).errors.csr ?? "";
const refusalOf = async (id: number) =>
  (
    await toastOf(
      await run(correctPage.loader, people.customer.visitor.get(`/home/certificate/correct/${id}`), { id: String(id) }),
    )
  )?.text;

const followers = (id: number) =>
  getDb().selectFrom("certificates").selectAll().where("previousCertificateId", "=", id).orderBy("id").execute();
const orderIn = (answer: Response) => Number(/\/orders\/(\d+)$/.exec(answer.headers.get("Location") ?? "")?.[1]);

/** Orders a correction. Returns its pending certificate. */
async function ordered(id: number, fields: Record<string, string>) {
  const answer = await confirm(id, fields);
  expect(answer.status).toBe(303);
  const row = (await followers(id)).at(-1);
  if (row?.orderId !== orderIn(answer)) throw new Error("The answer leads to no correction.");
  return row;
}

const decide = async (id: number, fields: Record<string, string>) =>
  run(orderPage.action, await staff.post(`/home/certificate-queue/${id}`, { confirmed: "yes", ...fields }), {
    id: String(id),
  });

/** Records the checks of an order and approves it on its page. */
async function approve(id: number): Promise<void> {
  await setCertificate(id, checksDone());
  await decide(id, { intent: "approve" });
  expect(await readCertificate(id)).toMatchObject({ status: "Issued" });
}

const download = (id: number, who = people.customer.visitor) =>
  run(fileRoute.loader, who.get(`/home/certificate-file/${id}`), { id: String(id) });

const certificateText = (der: Buffer | null) =>
  openssl(
    ["x509", "-inform", "DER", "-noout", "-subject", "-ext", "keyUsage,extendedKeyUsage,subjectAltName"],
    der ?? "",
  );

describe("correcting the host of a certificate", () => {
  let old: IssuedCertificate;
  let id: number;
  const csr = () => makeCsr({ subject: NEW, san: ["DNS:www.controlled.example.com"] }).pem;
  let sent: string;

  beforeAll(async () => {
    old = await issue({ order: { ssid: "O0177ABCD00", isManualSsid: true } });
    sent = csr();
  });

  test("[REN-05] shows the certificate, then the old and the new values before anything is stored", async () => {
    await confirmByDns(people.customer, "controlled.example.com", servers);
    const page = pageText((await open(old.id)).html);
    expect(page).toContain("edi.typo.example.com");
    expect(page).toContain("at the latest 14 days after its issue");
    expect(await details(old.id)).toContain("Correct host or usage");
    const asked = await jsonOf<{ asked: Record<string, string>; changes: unknown }>(
      await correct(old.id, { csr: sent, ...ALL }),
    );
    expect(asked.changes).toEqual([
      { label: "Common name", from: "edi.typo.example.com", to: "edi.controlled.example.com" },
      {
        label: "Alternative names",
        from: "Domain names: edi.typo.example.com",
        to: "Domain names: www.controlled.example.com, edi.controlled.example.com",
      },
    ]);
    expect(asked.asked).toMatchObject({ csr: sent, ...ALL });
    expect(await followers(old.id)).toEqual([]);
  });

  test("[REN-05] names the domains that the company has confirmed, until when and how often it can be corrected", async () => {
    const { id } = await issue();
    const text = pageText((await open(id)).html);
    const until = formatDate(addDays(new Date(), 30).toISOString());
    expect(text).toContain(`Until ${until}, it can be corrected 2 more times.`);
    expect(text).toContain("Your company has confirmed controlled.example.com.");
    const stranger = await issueCertificate({ customer: people.stranger, csr: makeCsr({ subject: OLD }).der });
    expect(pageText((await open(stranger.id, people.stranger.visitor)).html)).toContain(
      "Your company has confirmed no domain yet: without one, only the usage can be corrected.",
    );
  });

  test("[REN-05] orders it free of charge with a number: the contact is asked, staff check it like every order", async () => {
    const row = await ordered(old.id, { csr: sent, ...ALL });
    id = row.id;
    expect(row).toMatchObject({
      status: "Pending",
      orderType: "Initial",
      isCorrection: true,
      commonName: "edi.controlled.example.com",
      organisation: "Acme GmbH",
      ssid: "O0177ABCD00",
      contactAnswer: null,
      organisationCheckedAt: null,
      csrCheckedAt: null,
      userId: people.customer.id,
    });
    const order = await findOrder(getDb(), row.orderId);
    expect(order).toMatchObject({
      status: "Paid",
      totalCents: 0,
      remarks: `Correction of certificate ${old.id}, free of charge.`,
    });
    const [correction] = await getDb()
      .selectFrom("orderCorrections")
      .selectAll()
      .where("certificateId", "=", id)
      .execute();
    expect(correction).toMatchObject({ kind: "reissue", orderId: old.orderId, madeBy: people.customer.id });
    expect(await auditEventsOf(id)).toEqual(["order.created", "certificate.correction-requested"]);
    expect((await auditEventsOf(old.id)).slice(-2)).toEqual(["order.corrected", "certificate.correction-requested"]);
    const kinds = (await mailsOf(row.orderId)).map(({ dedupeKey }) => dedupeKey.split(":")[0]);
    expect(kinds).toEqual(["correction-ordered", "authorisation-request"]);
    const asked = (await mailsOf(row.orderId))
      .at(-1)
      ?.text.replace(/\u2060/g, "")
      .replace(/\s+/g, " ");
    expect(asked).toContain("Corrected: Common name: edi.typo.example.com → edi.controlled.example.com");
    expect(await readCertificate(old.id)).toMatchObject({ status: "Issued" });
  });

  test("[REN-05] the queue, the order and both certificates say what it corrects; nobody else can correct or renew meanwhile", async () => {
    const queue = await openPage(orderPage, staff, `/home/certificate-queue/${id}`, { params: { id: String(id) } });
    expect(pageText(queue.html)).toContain("Common name: edi.typo.example.com → edi.controlled.example.com.");
    const { orderId } = await readCertificate(id);
    const own = await openPage(ownOrderPage, people.customer.visitor, `/home/orders/${orderId}`, {
      params: { id: String(orderId) },
    });
    expect(pageText(own.html)).toMatch(new RegExp(`COR-\\d{4}-\\d{4} of certificate ${old.id}`));
    expect(pageText(own.html)).toContain("The order is free of charge: it has no invoice.");
    expect(await details(id)).toMatch(new RegExp(`Correction COR-\\d{4}-\\d{4} of certificate ${old.id}`));
    expect(await details(old.id)).toContain("corrects this certificate.");
    expect(await details(old.id)).not.toContain("Correct host or usage");
    expect(await refusalOf(old.id)).toContain("corrects this certificate already");
  });

  test("[REN-05][CAL-02] is issued with the corrected names for the remaining time, and the old one is to be revoked in 14 days", async () => {
    await approve(id);
    const made = await readCertificate(id);
    expect(made.expiryDate).toBe(old.expiryDate);
    const text = certificateText(made.der);
    expect(text).toContain("CN = edi.controlled.example.com");
    expect(text).toContain("DNS:www.controlled.example.com");
    expect(text).not.toContain("typo");
    expect(text).toContain("O0177ABCD00");
    const scheduled = await readCertificate(old.id);
    expect(scheduled).toMatchObject({ status: "RequestRevoke", revocationReason: 4, revokedBy: null });
    const due = addDays(new Date(made.issuedAt ?? ""), 14).getTime();
    expect(Math.abs(Date.parse(scheduled.revocationDate ?? "") - due)).toBeLessThan(1000);
    const mail = (await mailsOf(made.orderId)).find(({ dedupeKey }) => dedupeKey.startsWith("certificate-issued"));
    expect(mail?.text.replace(/\s+/g, " ")).toContain(
      `Your download revokes certificate ${old.id}, which the new one corrects, within a minute`,
    );
    expect((await mailsOf(old.orderId)).map(({ dedupeKey }) => dedupeKey.split(":")[0])).not.toContain(
      "revocation-scheduled",
    );
    expect(await details(old.id)).toContain("at the latest on");
    expect(await carryOutDueRevocations()).toBe(0);
  });

  test("[REN-05][REV-04] its download makes the revocation due; the job revokes the old one as superseded and publishes it, once", async () => {
    const before = await readCertificate(old.id);
    expect((await download(id, staff)).status).toBe(200); // staff look at it; the owner has not downloaded it
    expect(await readCertificate(old.id)).toEqual(before);
    const { visitor } = people.customer;
    const kit = await run(kitRoute.loader, visitor.get(certificatePaths.partnerKit(id)), { id: String(id) });
    expect(kit.status).toBe(200); // for partners, who need it first
    const archive = await run(archiveRoute.loader, visitor.get(rarePaths.certificatesArchive));
    await archive.arrayBuffer();
    expect((await readCertificate(id)).status).toBe("Downloaded");
    expect(await readCertificate(old.id)).toEqual(before);
    const files = await openPage(downloadPage, visitor, paths.certificateDownload(id), { params: { id: String(id) } });
    expect(pageText(files.html)).toContain(`The download revokes certificate ${old.id}, which this one corrects.`);
    expect((await download(id)).status).toBe(200);
    const [first, second] = await Promise.all([carryOutDueRevocations(), carryOutDueRevocations()]);
    expect(first + second).toBe(1);
    const revoked = await readCertificate(old.id);
    expect(revoked).toMatchObject({ status: "Revoked", revocationReason: 4 });
    expect(await verifyWithLists(old.der)).toContain("certificate revoked");
    expect(await verifyWithLists((await readCertificate(id)).der as Buffer)).toContain(": OK");
    const list = openssl(["crl", "-inform", "DER", "-noout", "-text"], (await lists()).base.der);
    expect(list.replace(/\s+/g, " ")).toMatch(new RegExp(`Serial Number: ${old.serialNumber}.*Superseded`));
    const mail = (await mailsOf(old.orderId)).at(-1);
    expect(mail?.dedupeKey).toBe(`certificate-revoked:${old.id}`);
    expect(mail?.text).toContain("Superseded");
    expect(await auditEventsOf(old.id)).toEqual(
      expect.arrayContaining([
        "certificate.revocation-requested",
        "certificate.revocation-brought-forward",
        "certificate.revoked",
      ]),
    );
    expect(await details(id)).toContain(`Certificate ${old.id} has been revoked.`);
  });

  test("[REN-05] the same form sent again leads to the same order", async () => {
    const again = await confirm(old.id, { csr: sent, ...ALL });
    expect(orderIn(again)).toBe((await readCertificate(id)).orderId);
    expect(await followers(old.id)).toHaveLength(1);
  });

  test("[REN-05] a certificate is corrected twice at most, counted with its corrections", async () => {
    const second = await ordered(id, { csr: csr(), ...SESSION });
    await approve(second.id);
    expect(await refusalOf(second.id)).toContain("can be corrected 2 times, and this one has been");
    expect(await refusalOf(id)).toBe(`Certificate ${second.id} corrects this one already: correct that one.`);
  });
});

describe("correcting the usage of a certificate", () => {
  test("[REN-05] keeps the subject byte for byte, needs no confirmed domain, and ends at the latest after 14 days", async () => {
    const old = await issue();
    const row = await ordered(old.id, { csr: makeCsr({ subject: OLD }).pem, ...SESSION });
    await approve(row.id);
    const made = await readCertificate(row.id);
    expect(made).toMatchObject({ hasSecureSession: true, hasEmail: false, hasFileSigning: false });
    expect(certificateText(made.der)).not.toContain("E-mail Protection");
    const subject = (der: Buffer | null) => openssl(["x509", "-inform", "DER", "-noout", "-subject"], der ?? "");
    expect(subject(made.der)).toBe(subject(old.der));
    await carryOutDueRevocations(addDays(new Date(), 13.9));
    expect((await readCertificate(old.id)).status).toBe("RequestRevoke");
    await carryOutDueRevocations(addDays(new Date(), 14.1));
    expect(await readCertificate(old.id)).toMatchObject({ status: "Revoked", revocationReason: 4 });
    expect((await readCertificate(row.id)).status).toBe("Issued");
  });

  test("[REN-05] a rejected or cancelled correction changes nothing, and the certificate can be corrected again", async () => {
    const old = await issue();
    const order = async () =>
      pageText(
        (
          await openPage(ownOrderPage, people.customer.visitor, paths.order(old.orderId), {
            params: { id: String(old.orderId) },
          })
        ).html,
      );
    for (const intent of ["reject", "cancel"]) {
      const row = await ordered(old.id, { csr: makeCsr({ subject: OLD }).pem, ...SESSION });
      expect(await order()).toContain(`Certificate ${row.id} : ordered, not issued yet`);
      await decide(row.id, { intent, decisionReason: "Not needed" });
      expect(await order()).toContain(`Certificate ${row.id} : ${intent}`);
      expect((await readCertificate(row.id)).status).toBe(intent === "reject" ? "Rejected" : "Cancelled");
      expect(await readCertificate(old.id)).toMatchObject({ status: "Issued", revocationDate: null });
    }
    expect((await open(old.id)).status).toBe(200);
  });

  test("[REN-05] two forms at once order one correction", async () => {
    const old = await issue();
    const forms = [makeCsr({ subject: OLD }).pem, makeCsr({ subject: OLD }).pem];
    const answers = await Promise.all(forms.map((csr) => confirm(old.id, { csr, ...SESSION })));
    const texts = await Promise.all(answers.map(async (answer) => (await toastOf(answer))?.text ?? ""));
    expect(texts.filter((text) => text.startsWith("The correction is ordered"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("corrects this certificate already"))).toHaveLength(1);
    expect(await followers(old.id)).toHaveLength(1);
  });

  test("[REN-05] a certificate that was revoked meanwhile is left alone when the correction is issued", async () => {
    const old = await issue();
    const row = await ordered(old.id, { csr: makeCsr({ subject: OLD }).pem, ...SESSION });
    await setCertificate(old.id, { status: "Revoked", revocationDate: new Date(), revocationReason: 0 });
    await approve(row.id);
    await download(row.id);
    expect(await readCertificate(old.id)).toMatchObject({ status: "Revoked", revocationReason: 0 });
  });
});

describe("a correction is refused", () => {
  let old: IssuedCertificate;
  beforeAll(async () => {
    old = await issue();
  });

  test.each([
    [
      "another organisation",
      OLD.replace("Acme GmbH", "Other AG"),
      "Organisation name: Received Other AG, Expected Acme GmbH",
    ],
    ["another place", OLD.replace("Muenchen", "Bonn"), "Location: Received Bonn, Expected Muenchen"],
    ["another country", OLD.replace("C=DE", "C=FR"), "Country: Received FR, Expected DE"],
  ])("[REN-05] for %s", async (_, subject, difference) => {
    const message = await errorOf(await confirm(old.id, { csr: makeCsr({ subject }).pem, ...SESSION }));
    expect(message).toContain("These details must be those of the certificate:");
    expect(message).toContain(difference);
  });

  test("[REN-05] for a host that the company has not confirmed, with the page where it does", async () => {
    const subject = OLD.replace("edi.typo", "edi.unknown");
    const message = await errorOf(
      await confirm(old.id, { csr: makeCsr({ subject, san: ["DNS:a.other.example.org"] }).pem, ...ALL }),
    );
    expect(message).toContain("edi.unknown.example.com");
    expect(message).toContain("a.other.example.org");
    expect(message).toContain("Your company, Domains");
  });

  test("[REN-05] for an IP address that it did not have", async () => {
    const csr = makeCsr({ subject: OLD, san: ["IP:192.0.2.9"] }).pem;
    expect(await errorOf(await confirm(old.id, { csr, ...ALL }))).toContain("192.0.2.9");
  });

  test("[REN-05] when nothing differs, with what to do about a lost key", async () => {
    const csr = makeCsr({ subject: OLD.replace("Acme GmbH", "ACME GmbH") }).pem;
    const message = await errorOf(await confirm(old.id, { csr, ...ALL }));
    expect(message).toContain("there is nothing to correct");
    expect(message).toContain("revoke the certificate");
  });

  test("[REN-05] with the key of the certificate, without a usage, without a CSR", async () => {
    const used = makeCsr({ subject: OLD });
    const same = await issue({ csr: used.der });
    expect(await errorOf(await confirm(same.id, { csr: used.pem, ...SESSION }))).toMatch(
      /^Public key: this is the key/,
    );
    const none = await errorsOf(await confirm(old.id, { csr: makeCsr({ subject: OLD }).pem }));
    expect(none.errors.usage).toContain("at least one");
    expect(await errorOf(await confirm(old.id, { csr: "", ...SESSION }))).not.toBe("");
    expect(await followers(old.id)).toEqual([]);
  });

  test("[REN-05] 30 days after the issue of the first certificate, for one that is revoked or renewed, and before it is issued", async () => {
    await setCertificate(old.id, { issuedAt: addDays(new Date(), -30.1) });
    expect(await refusalOf(old.id)).toContain("A certificate can be corrected for 30 days from its issue");
    await setCertificate(old.id, { issuedAt: addDays(new Date(), -29.9) });
    expect((await open(old.id)).status).toBe(200);
    await setCertificate(old.id, { status: "Renewed" });
    expect(await refusalOf(old.id)).toContain("correct the one that renewed it");
    await setCertificate(old.id, { status: "Revoked" });
    expect(await refusalOf(old.id)).toBe("The certificate has been revoked.");
    await setCertificate(old.id, { status: "Issued" });
  });

  test("[CER-08] for members whose role does not order, for staff, and for what belongs to others", async () => {
    const reader = await signedInAs(await createColleague(people.customer, "technical"));
    for (const who of [reader, staff]) {
      const answer = await run(correctPage.loader, who.get(`/home/certificate/correct/${old.id}`), {
        id: String(old.id),
      });
      expect(answer.status).toBe(403);
      expect((await confirm(old.id, { csr: makeCsr({ subject: OLD }).pem, ...SESSION }, who)).status).toBe(403);
    }
    const hidden = await run(correctPage.loader, people.stranger.visitor.get("/"), { id: String(old.id) });
    expect(hidden.headers.get("Location")).toBe("/home/certificates");
    expect(await followers(old.id)).toEqual([]);
  });
});

describe("[API-03] the call CorrectCertificate", () => {
  const CALL = "certificates/CorrectCertificate";
  const client = () => apiClientOf(people.customer.email, TEST_PASSWORD);

  test("[REN-05] orders a correction once for an Idempotency-Key, keeps the usage that is not sent, and refuses like the page", async () => {
    const old = await issue();
    const caller = await client();
    const body = { certificateId: old.id, csr: makeCsr({ subject: OLD }).pem, hasFileSigning: false };
    const headers = { "Idempotency-Key": "correct-1" };
    const sent = [
      await caller.post<{ orderId: number }>(CALL, body, headers),
      await caller.post<{ orderId: number }>(CALL, body, headers),
    ];
    const [row, ...others] = await followers(old.id);
    expect(others).toEqual([]);
    expect(sent.map(({ content }) => content.orderId)).toEqual([row?.orderId, row?.orderId]);
    expect(row).toMatchObject({ hasFileSigning: false, hasEmail: true, hasSecureSession: true, isCorrection: true });

    const again = await caller.post(CALL, { ...body, csr: makeCsr({ subject: OLD }).pem });
    expect(again.status).toBe(422);
    expect(again.errors?.certificateId).toContain("corrects this certificate already");
    const other = await issue();
    const same = await caller.post(CALL, { certificateId: other.id, csr: makeCsr({ subject: OLD }).pem });
    expect(same.errors?.csr).toContain("there is nothing to correct");
    expect((await caller.post(CALL, { ...body, certificateId: 99_999_999 })).status).toBe(404);
  });
});

describe("what follows a certificate", () => {
  test("[REN-05] its partners and the choice to publish renewals follow the correction", async () => {
    const old = await issue();
    const { id: certificateId } = old;
    const user = await personOf(people.customer);
    await addPartners(user, certificateId, "anna@partner.example");
    await setPartnersOfRenewals(user, certificateId, 7);
    const row = await ordered(old.id, { csr: makeCsr({ subject: OLD }).pem, ...SESSION });
    await approve(row.id);
    const partners = (id: number) =>
      getDb().selectFrom("certificatePartners").select("email").where("certificateId", "=", id).execute();
    expect(await partners(row.id)).toEqual([{ email: "anna@partner.example" }]);
    expect(await findPartnerSettings(getDb(), row.id)).toMatchObject({ switchDays: 7 });
    expect(await findPartnerSettings(getDb(), old.id)).toBeNull();
  });

  test("[REN-05] a certificate whose correction is pending is not renewed, and one that is corrected leads to the new one", async () => {
    const old = await issueEnding(60, { customer: people.customer, csr: makeCsr({ subject: OLD }).der });
    await setCertificate(old.id, { issuedAt: new Date() });
    const row = await ordered(old.id, { csr: makeCsr({ subject: OLD }).pem, ...SESSION });
    const user = await personOf(people.customer);
    await expect(startRenewal(user, old.orderId)).rejects.toThrow("corrects this certificate and is pending");
    await approve(row.id);
    await expect(startRenewal(user, old.orderId)).rejects.toThrow(
      `Certificate ${row.id} corrects this one: renew that one.`,
    );
  });
});
