import { beforeAll, describe, expect, test } from "vitest";
import { setSigner } from "~/domain/authorities/signers.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { whyNotReissue } from "~/domain/certificates/succession/reissue.policy";
import { addDays } from "~/lib/dates";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import { getDb } from "~db/connection.server";
import { findOrder } from "~db/repositories/orders.server";
import { updateUser } from "~db/repositories/users.server";
import {
  auditEventsOf,
  type IssuedCertificate,
  issueCertificate,
  mailsOf,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { openssl, SUBJECT, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr, makeRsaKey } = useOpenssl();

const SAN = ["DNS:a.acme.example", "DNS:b.acme.example", "IP:192.0.2.1"];
let anna: Awaited<ReturnType<typeof createUser>>;
let staff: Visitor;
let newKey: string;

beforeAll(async () => {
  anna = await createUser();
  staff = await signedInAs(await createAdmin({ email: "olga@example.org" }));
  newKey = makeRsaKey();
});

const issued = (order: Parameters<typeof issueCertificate>[0] = {}) =>
  issueCertificate({ customer: anna, csr: makeCsr({ san: SAN }).der, ...order });
const reissue = async (id: number, fields: Record<string, string | File>, who = staff) =>
  run(reissuePage.action, await who.post(`/home/certificate/reissue/${id}`, { reason: "Key lost", ...fields }), {
    id: String(id),
  });
const confirm = (id: number, csr: string) => reissue(id, { csr, confirmed: "yes" });
const open = (id: number, who = staff) =>
  openPage(reissuePage, who, `/home/certificate/reissue/${id}`, { params: { id: String(id) } });
const idIn = (answer: Response) => Number(/(\d+)$/.exec(answer.headers.get("Location") ?? "")?.[1]);
const successors = (id: number) =>
  getDb().selectFrom("certificates").selectAll().where("previousCertificateId", "=", id).orderBy("id").execute();
const errorOf = async (answer: Response) => (await errorsOf(answer)).errors.csr ?? "";

describe("reissuing a certificate", () => {
  let old: IssuedCertificate;
  let made: Awaited<ReturnType<typeof readCertificate>>;

  test("[MAN-03] asks first, showing the CSR and what happens to the old certificate", async () => {
    old = await issued({ order: { hierarchy: "g3", hasEmail: false, ssid: "O0177ABCD00", isManualSsid: true } });
    const page = await open(old.id);
    expect(page.html).toContain(`Certificate ${old.id} stays valid until it is revoked.`);
    expect(page.html).toContain(`href="/home/certificate/revoke/${old.id}"`);
    const subject = SUBJECT.replace("Acme GmbH", "ACME gmbh").replace("/OU=EDI", "/OU=Other");
    const csr = makeCsr({ subject, keyFile: newKey, san: SAN.toReversed() }).pem;
    const asked = await jsonOf<{ asked: object; details: object }>(await reissue(old.id, { csr }));
    expect(asked.asked).toEqual({
      csr: expect.stringContaining("BEGIN CERTIFICATE REQUEST") as string,
      reason: "Key lost",
    });
    expect(asked.details).toMatchObject({ commonName: "oftp.acme.example" });
    expect(await successors(old.id)).toEqual([]);

    const answer = await confirm(old.id, csr);
    expect(answer.status).toBe(303);
    made = await readCertificate(idIn(answer));
    expect(answer.headers.get("Location")).toBe(`/home/certificate-details/${made.id}`);
  });

  test("[MAN-03][CAL-04] issues for the remaining time: same end, owner, contacts, usage, SSID and issuer", () => {
    expect(made).toMatchObject({
      status: "Issued",
      orderType: "Initial",
      previousCertificateId: old.id,
      expiryDate: old.expiryDate,
      userId: anna.id,
      authorityId: old.authorityId,
      hierarchy: "g3",
      hasEmail: false,
      hasEncryption: true,
      ssid: "O0177ABCD00",
      technicalContact: old.technicalContact,
      authenticationContact: old.authenticationContact,
      contactAnswer: "authorised",
      csrCheckedBy: "olga@example.org",
    });
    expect(made.serialNumber).not.toBe(old.serialNumber);
    const text = (der: Buffer | null) =>
      openssl(
        [
          "x509",
          "-inform",
          "DER",
          "-noout",
          "-enddate",
          "-subject",
          "-issuer",
          "-ext",
          "keyUsage,extendedKeyUsage,subjectAltName",
        ],
        der ?? "",
      );
    expect(text(made.der)).toBe(text(old.der));
    const key = openssl(["pkey", "-in", newKey, "-pubout"]);
    expect(openssl(["x509", "-inform", "DER", "-noout", "-pubkey"], made.der ?? "")).toBe(key);
  });

  test("[MAN-03] charges nothing; the sales order says why, and the audit trail names both certificates", async () => {
    const [order, first] = [await findOrder(getDb(), made.orderId), await findOrder(getDb(), old.orderId)];
    expect(order).toMatchObject({
      status: "Paid",
      netCents: 0,
      vatCents: 0,
      totalCents: 0,
      userId: anna.id,
      promotionCode: null,
      invoiceAddress: first?.invoiceAddress,
      remarks: `Reissue of certificate ${old.id}, free of charge: Key lost`,
    });
    expect(first?.status).toBe("Invoiced");
    expect(await auditEventsOf(made.id)).toEqual([
      "certificate.reissued",
      "certificate.approved",
      "certificate.issued",
    ]);
    expect((await auditEventsOf(old.id)).at(-1)).toBe("certificate.reissued");
  });

  test("[MAN-03][MAI-01] leaves the old one unchanged and tells the customer so", async () => {
    expect(await readCertificate(old.id)).toMatchObject({ status: "Issued", der: old.der });
    const [mail, ...others] = await mailsOf(made.orderId);
    expect(others).toEqual([]); // nobody is asked: the checks of the first order count
    expect(mail?.recipient).toBe(anna.email);
    expect(mail?.text.replace(/\s+/g, " ")).toContain(
      `It replaces certificate ${old.id}, which stays valid until it ends or is revoked`,
    );
  });

  test("[CER-04] shows Reissue with the id on the new one's page, and the old one while that is valid", async () => {
    const customer = await signedInAs(anna);
    const path = `/home/certificate-details/${made.id}`;
    const details = async () => (await openPage(detailsPage, customer, path, { params: { id: String(made.id) } })).html;
    expect(await details()).toContain(`Reissue [${old.id}]`);
    expect(await details()).toContain(`href="/home/certificate/revoke/${old.id}"`);
    await setCertificate(old.id, { status: "Expired" });
    expect(await details()).not.toContain("stays valid until it is revoked");
    await setCertificate(old.id, { status: "Issued" });
  });

  test("[MAN-03] twice by the same form, also at once, issues one certificate", async () => {
    const other = await issued();
    const { pem } = makeCsr({ san: SAN });
    const answers = await Promise.all([confirm(other.id, pem), confirm(other.id, pem)]);
    answers.push(await confirm(other.id, pem));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await successors(other.id)).toMatchObject([{ status: "Issued" }]);
  });

  test("[MAN-03] takes a file before the text, in PEM or DER", async () => {
    const other = await issued();
    const { der } = makeCsr({ san: SAN });
    const answer = await reissue(other.id, { csr: "", csrFile: new File([Buffer.from(der)], "new.csr") });
    const { asked } = await jsonOf<{ asked: { csr: string } }>(answer);
    expect(asked.csr).toContain("BEGIN CERTIFICATE REQUEST");
  });
});

describe("a reissue is refused", () => {
  let old: IssuedCertificate;
  const otherKey = makeRsaKey();
  beforeAll(async () => {
    old = await issued({ order: { ssid: "O0177ABCD00" } });
  });

  test.each([
    [
      "/C=DE/L=Muenchen/O=Acme GmbH/CN=other.example",
      "Common name: Received other.example, Expected oftp.acme.example\nDomain name: Received a.acme.example; b.acme.example; other.example, Expected a.acme.example; b.acme.example; oftp.acme.example",
    ],
    ["/C=DE/L=Muenchen/O=Other AG/CN=oftp.acme.example", "Organisation name: Received Other AG, Expected Acme GmbH"],
    ["/C=DE/L=Bonn/O=Acme GmbH/CN=oftp.acme.example", "Location: Received Bonn, Expected Muenchen"],
    ["/C=DE/O=Acme GmbH/CN=oftp.acme.example", "Location: Received none, Expected Muenchen"],
    ["/C=FR/L=Muenchen/O=Acme GmbH/CN=oftp.acme.example", "Country: Received FR, Expected DE"],
    [
      "/C=DE/L=Muenchen/O=Acme GmbH/CN=oftp.acme.example/serialNumber=O0177ABCD01",
      "OFTP ID: Received O0177ABCD01, Expected O0177ABCD00",
    ],
  ])("[MAN-03] for another subject: %s", async (subject, difference) => {
    const message = await errorOf(await confirm(old.id, makeCsr({ subject, san: SAN, keyFile: otherKey }).pem));
    expect(message).toBe(
      `The details from the original certificate and the new CSR must be identical...\n${difference}`,
    );
    expect(await successors(old.id)).toEqual([]);
  });

  test("[MAN-03] for other domain names, including one less; case and order do not count", async () => {
    const less = await errorOf(await confirm(old.id, makeCsr({ san: ["DNS:a.acme.example"], keyFile: otherKey }).pem));
    expect(less).toContain(
      "Domain name: Received a.acme.example; oftp.acme.example, Expected a.acme.example; b.acme.example; oftp.acme.example",
    );
    const subject = SUBJECT.replace("Acme GmbH", "ACME gmbh").replace("Muenchen", "MUENCHEN");
    const same = makeCsr({ subject, san: ["DNS:B.acme.example", "DNS:A.ACME.example"] });
    expect((await reissue(old.id, { csr: same.pem })).status).toBe(200);
  });

  test("[MAN-03] for the old key and that of another certificate", async () => {
    const key = makeRsaKey();
    const own = await issued({ csr: makeCsr({ san: SAN, keyFile: key }).der });
    const again = makeCsr({ san: SAN, keyFile: key, digest: "sha512" }).pem;
    expect(await errorOf(await confirm(own.id, again))).toMatch(
      /^Public key: this is the key of the original certificate/,
    );
    expect(await errorOf(await confirm(old.id, again))).toMatch(
      /^Public key: this key belongs to a certificate or an order/,
    );
    expect(await successors(own.id)).toEqual([]);
  });

  test("[MAN-03] for no CSR, no reason, or a private key, which is not shown again", async () => {
    const required = "This field is required.";
    expect((await errorsOf(await reissue(old.id, { csr: " " }))).errors).toEqual({ csr: required });
    expect((await errorsOf(await reissue(old.id, { csr: "", reason: "" }))).errors).toEqual({
      csr: required,
      reason: required,
    });
    expect(await errorOf(await reissue(old.id, { csr: "hello" }))).toContain("Failed to decode the imported CSR");
    expect((await errorsOf(await reissue(old.id, { csr: "x", reason: "  " }))).errors.reason).toBe(
      "This field is required.",
    );
    expect((await errorsOf(await reissue(old.id, { csr: "x", reason: "x".repeat(501) }))).errors.reason).toBe(
      "At most 500 characters; this one has 501.",
    );
    const secret = openssl(["pkey", "-in", otherKey]);
    for (const fields of [{ csr: secret }, { csr: "", csrFile: new File([secret], "k.pem") }] as Record<
      string,
      string | File
    >[]) {
      const text = await (await reissue(old.id, fields)).text();
      expect(text).toContain("private key");
      expect(text).not.toContain("BEGIN");
    }
  });

  test.each([
    ["Pending", "The order is still pending"],
    ["Revoked", "The certificate has been revoked."],
    ["RequestRevoke", "about to be revoked"],
    ["Expired", "The certificate has expired."],
    ["Renewed", "reissue the one that renewed it"],
    ["Cancelled", "The order was cancelled"],
    ["Rejected", "The order was rejected"],
  ] as const)("[MAN-03] for a certificate that is %s", async (status, message) => {
    const other = await issued();
    await setCertificate(other.id, { status });
    const csr = makeCsr({ san: SAN, keyFile: otherKey }).pem;
    const page = await run(reissuePage.loader, staff.get(`/home/certificate/reissue/${other.id}`), {
      id: String(other.id),
    });
    expect([page.status, page.headers.get("Location")]).toEqual([303, `/home/certificate-details/${other.id}`]);
    const answer = await confirm(other.id, csr);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/home/certificate-details/${other.id}`]);
    expect(await successors(other.id)).toEqual([]);
    expect(whyNotReissue({ ...other, status }, new Date())).toContain(message);
  });

  test("[MAN-03] for one that has just ended and is not marked yet", () => {
    const now = new Date("2026-11-21T10:00:00Z");
    const at = (expiryDate: string) => whyNotReissue({ status: "Issued", expiryDate }, now);
    expect(at("2026-11-21T10:00:00.001Z")).toBeNull();
    expect(at("2026-11-21T10:00:00.000Z")).toBe("The certificate has expired.");
    expect(at("2026-11-21T09:59:59.999Z")).toBe("The certificate has expired.");
  });

  test("[CER-08][DSH-03] for users without the right, and for unknown certificates", async () => {
    const customer = await signedInAs(anna);
    const answer = await reissue(old.id, { csr: makeCsr({ san: SAN }).pem, confirmed: "yes" }, customer);
    expect(answer.headers.get("Location")).toBe("/home/dashboard");
    const details = (who: Visitor) =>
      openPage(detailsPage, who, `/home/certificate-details/${old.id}`, { params: { id: String(old.id) } });
    expect((await details(customer)).html).not.toContain(">Reissue<");
    expect((await details(staff)).html).toContain(">Reissue<");
    expect((await run(reissuePage.loader, staff.get("/"), { id: "99999999" })).status).toBe(404);
    const missing = await confirm(99_999_999, makeCsr({ san: SAN, keyFile: otherKey }).pem);
    expect(missing.headers.get("Location")).toBe("/home/certificates");
  });
});

describe("a reissue that does not finish at once", () => {
  test("[MAN-03] waits in the queue with the checks done while the owner's email is not verified", async () => {
    const berta = await createUser();
    const old = await issueCertificate({ customer: berta, csr: makeCsr({ san: SAN }).der });
    await updateUser(getDb(), berta.id, { emailVerifiedAt: null });
    const answer = await confirm(old.id, makeCsr({ san: SAN }).pem);
    const [waiting] = await successors(old.id);
    expect(answer.headers.get("Location")).toBe(`/home/certificate-queue/${waiting?.id}`);
    expect(waiting).toMatchObject({ status: "Pending", serialNumber: null, contactAnswer: "authorised" });
  });

  test("[CAL-04] is finished with the same bytes after a crash between recording and storing", async () => {
    const old = await issued();
    const { pem } = makeCsr({ san: SAN });
    setSigner("issuing-sha2", { hash: "sha256", sign: () => Promise.reject(new Error("the process was killed")) });
    try {
      await expect(confirm(old.id, pem)).rejects.toThrow("the process was killed");
    } finally {
      setSigner("issuing-sha2", null);
    }
    const [recorded] = await successors(old.id);
    expect(recorded).toMatchObject({ status: "Pending" });
    expect(await finishInterruptedIssuing()).toBe(1);
    expect(await successors(old.id)).toMatchObject([
      { status: "Issued", serialNumber: recorded?.serialNumber, expiryDate: old.expiryDate },
    ]);
    expect((await confirm(old.id, pem)).status).toBe(303);
    expect(await successors(old.id)).toHaveLength(1);
  });

  test("[MAN-03] is not issued once the old one has ended", async () => {
    const berta = await createUser();
    const old = await issueCertificate({ customer: berta, csr: makeCsr({ san: SAN }).der });
    await updateUser(getDb(), berta.id, { emailVerifiedAt: null });
    await confirm(old.id, makeCsr({ san: SAN }).pem);
    await updateUser(getDb(), berta.id, { emailVerifiedAt: new Date() });
    await setCertificate(old.id, { expiryDate: addDays(new Date(), -1), status: "Expired" });
    const [waiting] = await successors(old.id);
    const request = await staff.post("/", { intent: "approve", confirmed: "yes" });
    const { errors } = await errorsOf(await run(orderPage.action, request, { id: String(waiting?.id) }));
    expect(errors.form).toBe(`Certificate ${old.id}, which is to be replaced, has expired: cancel the order.`);
    expect(await readCertificate(waiting?.id ?? 0)).toMatchObject({ status: "Pending", serialNumber: null });
  });
});
