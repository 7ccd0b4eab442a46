import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { prepareCertificate } from "~/ca/certificate/prepare.server";
import { readCsr } from "~/ca/csr/read.server";
import { toPem } from "~/ca/pem.server";
import { directoryTree, type NameConstraints } from "~/ca/x509/name-constraints.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { installTransfer } from "~/domain/authorities/install.service.server";
import { stopRenewals, takeOver } from "~/domain/authorities/life.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { approveOrder, whyNotApproved } from "~/domain/certificates/issuing/issuance.service.server";
import { type Preflight } from "~/domain/certificates/preflight/preflight.service.server";
import { findOriginal } from "~/domain/certificates/succession/original.server";
import { ocspResponder } from "~/domain/ocsp/answer.service.server";
import { listRepository } from "~/domain/repository/repository.service.server";
import { isPortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import * as repositoryPage from "~/routes/_public.certificate-repository";
import * as checkPage from "~/routes/_public.check-csr";
import * as queuePage from "~/routes/home.certificate-queue.$id/route";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import { getDb } from "~db/connection.server";
import { newProgram } from "../support/api";
import { checksDone, createCertificateOrder, issueCertificate, readCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { createAdmin, createUser } from "../support/factories";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { pageText, select } from "../support/page";
import { usePortal } from "../support/portal";
import { usePublishedCrls } from "../support/repository";
import { openPage } from "../support/route-page";
import { installSuccessor, OPERATOR, requestSuccessor, signRequest, transferOf } from "../support/successors";
import { runTool } from "../support/tool";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { useOcsp } from "./ocsp-asking";
import { type Buyer, buyerAtInvoice, newBuyer, ordersOf } from "./purchase-journey";
import { newRenewer } from "./renewal-journey";

const portal = usePortal();
usePublishedCrls();
const { file, makeCsr } = useOpenssl();
const { certificateFile, makeRequest } = useOcsp();

const LIMITED = "issuing-sha2-2031";
const CONSTRAINTS: NameConstraints = {
  permitted: [
    { kind: "dns", text: "example.com" },
    { kind: "email", text: "example.com" },
  ],
  excluded: [{ kind: "dns", text: "internal.example.com" }],
};
const PURPOSES = ["serverAuth", "clientAuth"] as const;

/** The usage attributes that the limited CA may certify. */
const TLS = { showUsageAttributes: "on", hasSecureSession: "on", hasEmail: "", hasEncryption: "", hasFileSigning: "" };
const TLS_COLUMNS = { hasSecureSession: true, hasEmail: false, hasEncryption: false, hasFileSigning: false };
/** A common name that is no host, so that it does not become a DNS name. */
const SUBJECT = "/C=DE/O=Acme GmbH/CN=Acme Station";
const csrFor = (...san: string[]) => makeCsr({ subject: SUBJECT, san });

const OUTSIDE =
  "Alternative names: the DNS name 'oftp.example.org' is not among the DNS names that the issuing CA may certify: example.com and names below it.";
const LINKS = {
  code: "issuer-names",
  title: "Names of the issuing CA",
  section: {
    text: "Practice statement §7.1",
    url: "/certificate-repository/certification-practice-statement#section-7.1",
  },
  standard: { text: "RFC 5280 §4.2.1.10" },
};

/** Verifies a certificate below the limited CA with OpenSSL, as a TLS client does. */
const verifyArgs = async (der: Uint8Array) => [
  ...["verify", "-purpose", "sslserver", "-CAfile", await certificateFile("root")],
  ...["-untrusted", await certificateFile(LIMITED), file("pem", toPem("CERTIFICATE", der))],
];

let staff: Visitor;
let approver: SessionUser;

beforeAll(async () => {
  const admin = await createAdmin();
  staff = await signedInAs(admin);
  const user = await findSessionUser({ id: admin.id, epoch: 0 });
  if (!user) throw new Error("no administrator");
  approver = user;
});

const orderPage = (id: number) =>
  openPage(queuePage, staff, paths.certificateQueueOrder(id), { params: { id: String(id) } });

// The tests tell one story, in this order.
describe("[CAL-02] an issuing CA with limits", () => {
  /** Certificates and orders from before the limited CA issues. */
  let before: Awaited<ReturnType<typeof newRenewer>>;
  let toReplace: Awaited<ReturnType<typeof issueCertificate>>;
  let pendingId: number;
  let late: Buyer;

  beforeAll(async () => {
    before = await newRenewer(csrFor("DNS:oftp.example.org").der);
    toReplace = await issueCertificate({ customer: await createUser(), csr: csrFor("DNS:oftp.example.org").der });
    pendingId = (await createCertificateOrder(await createUser(), csrFor("DNS:oftp.example.org").der, checksDone())).id;
    late = await buyerAtInvoice(csrFor("DNS:oftp.example.org").pem);
    await installSuccessor(LIMITED, { nameConstraints: CONSTRAINTS, extendedKeyUsage: PURPOSES });
  });

  test("[CAL-01] is installed, and the repository and the command line show its limits", async () => {
    const texts = [
      "Only these DNS names: example.com and names below it",
      "Only these email addresses: the host example.com",
      "None of these DNS names: internal.example.com and names below it",
      "Only for TLS servers (serverAuth), TLS clients (clientAuth)",
    ];
    const limits = Object.fromEntries(
      (await listRepository()).certificates.map(({ name, limits: own }) => [name, own]),
    );
    expect(limits).toMatchObject({ [LIMITED]: texts, "issuing-sha2": [], root: [] });
    const { html } = await openPage(repositoryPage, await anonymous(), paths.publicRepository);
    for (const text of texts) expect(pageText(html)).toContain(text);
    const { out } = await runCommand(["ca", "status"], portal.env);
    for (const text of texts) expect(out).toContain(`\n  ${text}\n`);
  });

  test("[CAL-04] OpenSSL accepts the answer of its OCSP responder, whose purpose the CA itself does not have", async () => {
    const { der } = await ocspResponder()(await makeRequest(["01"], { issuer: LIMITED }));
    const issuer = await certificateFile(LIMITED);
    const trust = ["-issuer", issuer, "-CAfile", await certificateFile("root"), "-verify_other", issuer];
    const { text } = await runTool("openssl", ["ocsp", "-respin", file("rsp", der), ...trust, "-serial", "0x01"]);
    expect(text).toContain("Response verify OK");
  });

  test("[PUR-03] [PUR-11] a CSR outside its names is refused at the CSR step with the rule, and one inside is imported", async () => {
    await takeOver(LIMITED, new Date(), OPERATOR);
    const buyer = await newBuyer();
    await buyer.contact();
    const importing = async (...san: string[]) => buyer.order({ csr: csrFor(...san).pem, intent: "import", ...TLS });
    const refused = await importing("DNS:www.example.com", "DNS:oftp.example.org");
    expect(refused.status).toBe(422);
    const body = await jsonOf<{ fieldErrors: { csr: string }; rules: object[] }>(refused);
    expect(body.fieldErrors.csr).toContain(OUTSIDE);
    expect(body.rules).toMatchObject([LINKS]);
    expect((await errorsOf(await importing("DNS:a.internal.example.com"))).errors.csr).toContain("is excluded from");
    expect((await errorsOf(await importing("email:edi@example.org"))).errors.csr).toContain("'edi@example.org' is not");
    expect((await importing("DNS:www.example.com", "IP:192.0.2.7")).status).toBe(303);
  });

  test("[PUR-04] usage attributes outside its purposes are refused at their own field, and the CSR stays imported", async () => {
    const buyer = await newBuyer();
    await buyer.contact();
    const csr = csrFor("DNS:www.example.com").pem;
    expect((await buyer.order({ csr, intent: "import" })).status).toBe(303);
    const all = await errorsOf(await buyer.order({ csr }));
    expect([all.status, Object.keys(all.errors)]).toEqual([422, ["usage"]]);
    expect(all.errors.usage).toBe(
      "Certificate usage: the issuing CA may issue certificates only for TLS servers (serverAuth), TLS clients (clientAuth), not for email (emailProtection). Choose other usage attributes. Tick 'Show Usage Attributes' first.",
    );
    const files = { ...TLS, hasSecureSession: "", hasFileSigning: "on" };
    const { errors } = await errorsOf(await buyer.order({ csr, ...files }));
    expect(errors.usage).toMatch(/good for every purpose.* Choose other usage attributes\.$/);
    expect((await buyer.order({ csr, ...TLS })).headers.get("Location")).toBe(buyer.url("invoice-address"));
    expect((await buyer.invoice()).status).toBe(303);
    expect(await ordersOf(buyer.user.id)).toHaveLength(1);
  });

  test("[PUR-09] an order that was begun before is not completed with names outside", async () => {
    const { status, errors } = await errorsOf(await late.invoice());
    expect([status, JSON.stringify(errors)]).toEqual([422, expect.stringContaining("oftp.example.org")]);
    expect(await ordersOf(late.user.id)).toEqual([]);
  });

  test("[API-02] the calls that decode and check a CSR, and the public page, give the same rule", async () => {
    const { client } = await newProgram();
    const { pem } = csrFor("DNS:oftp.example.org");
    const decoded = await client.post<{ item1: object | null; item2: string; rules: object[] }>(
      "certificates/DecodeCsrWithValidation",
      { csr: pem },
    );
    expect(decoded.content).toMatchObject({
      item1: null,
      item2: expect.stringContaining(OUTSIDE) as string,
      rules: [LINKS],
    });
    const visitor = await anonymous();
    const judge = async (fields: Record<string, string>) =>
      (await jsonOf<{ preflight: Preflight }>(await run(checkPage.action, await visitor.post(paths.checkCsr, fields))))
        .preflight;
    expect(await judge({ csr: pem, ...TLS })).toMatchObject({ rules: [LINKS], certificate: null });
    const inside = csrFor("DNS:www.example.com").pem;
    expect((await judge({ csr: inside })).rules).toMatchObject([{ code: "issuer-usage" }]);
    const fine = await judge({ csr: inside, ...TLS });
    expect(fine.rules).toEqual([]);
    expect(fine.certificate).not.toBeNull();
  });

  test("[MAN-03] an order from before is marked for staff, and refused at the approval before anything is recorded", async () => {
    const { html } = await orderPage(pendingId);
    expect(pageText(html)).toContain(OUTSIDE);
    expect(select(html, `a[href="${LINKS.section.url}"]`).text()).toContain(LINKS.section.text);
    const barrier = (await whyNotApproved([pendingId], approver)).get(pendingId);
    expect(isPortalError(barrier) && barrier.rules).toMatchObject([LINKS, { code: "issuer-usage" }]);
    await expect(approveOrder(pendingId, approver)).rejects.toThrow(OUTSIDE);
    expect(await readCertificate(pendingId)).toMatchObject({ status: "Pending", serialNumber: null });
  });

  test("[CAL-02] what it issues inside its limits is verified by OpenSSL, and what is signed outside is refused", async () => {
    const made = csrFor("DNS:www.example.com", "email:edi@example.com");
    const { der } = await issueCertificate({ customer: await createUser(), csr: made.der, order: TLS_COLUMNS });
    expect(openssl(await verifyArgs(der))).toContain(": OK\n");
    const read = readCsr(csrFor("DNS:oftp.example.org").der);
    if (!read.ok) throw new Error(read.message);
    const prepared = prepareCertificate({
      issuer: readIssuer((await getAuthority(getDb(), LIMITED)).certificate),
      hash: "sha256",
      subject: read.csr.subject,
      ssid: null,
      requestedNames: read.csr.subjectAlternateName,
      spkiDer: read.csr.spkiDer,
      usage: TLS_COLUMNS,
      policy: { oid: "2.999.1" },
      urls: {},
      notAfter: new Date(Date.now() + 86_400_000),
      now: new Date(),
      random: randomBytes,
    });
    const signature = await (await getSigner(LIMITED)).sign(prepared.tbs);
    const outside = assembleCertificate(prepared.tbs, signature, "sha256");
    expect(opensslFailure(await verifyArgs(outside))).toContain("permitted subtree violation");
  });

  test("[REN-04] a renewal that keeps an older CA has the limits of that one, and none here", async () => {
    const terms = (await findOriginal(getDb(), before.original.id, new Date()))?.terms ?? [];
    expect(terms.map(({ isIssuerKept, refusal }) => [isIssuerKept, refusal])).toEqual(terms.map(() => [true, null]));
    const { renewer, user, original } = before;
    await renewer.contact();
    const csr = csrFor("DNS:oftp.example.org");
    await renewer.order({ csr: csr.pem, intent: "import", validityPeriod: "1" });
    expect((await renewer.order({ csr: csr.pem, validityPeriod: "1" })).headers.get("Location")).toBe(
      renewer.url("invoice-address"),
    );
    const order = { orderType: "Renewal", previousCertificateId: original.id, validityYears: 1 } as const;
    const renewed = await issueCertificate({ customer: user, csr: csr.der, order });
    expect(renewed.authorityId).toBe((await getAuthority(getDb(), "issuing-sha2")).id);
  });

  test("[REN-04] [MAN-03] when the older CA renews no more, its certificates cannot follow to the limited one", async () => {
    const csr = csrFor("DNS:www.example.com").der;
    const inside = await issueCertificate({ customer: await createUser(), csr, order: TLS_COLUMNS });
    await stopRenewals("issuing-sha2", new Date(), OPERATOR);
    const refusalsOf = async (id: number) => (await findOriginal(getDb(), id, new Date()))?.refusals;
    expect(JSON.stringify(await refusalsOf(inside.id))).not.toContain("issuing CA");
    const refusals = Object.values((await refusalsOf(before.original.id)) ?? {});
    expect(refusals).toEqual(
      Array(5).fill(expect.stringContaining(`${OUTSIDE} A renewal or a replacement keeps the names`)),
    );
    const reissue = async (id: number, san: string) => {
      const fields = { csr: csrFor(san).pem, reason: "Key lost" };
      return run(reissuePage.action, await staff.post(`/home/certificate/reissue/${id}`, fields), { id: String(id) });
    };
    expect((await errorsOf(await reissue(toReplace.id, "DNS:oftp.example.org"))).errors.csr).toContain(OUTSIDE);
    expect((await reissue(inside.id, "DNS:www.example.com")).status).toBe(200);
  });

  test("[CAL-01] [CAL-03] a CA that could not certify its own OCSP responder is not installed", async () => {
    const name = "issuing-sha2-2032";
    const { pem } = await requestSuccessor(name, "Issuing CA of Acme");
    const acme = directoryTree({ country: "DE", organisation: "Acme GmbH" });
    const certificate = await signRequest(name, pem, { nameConstraints: { permitted: [acme], excluded: [] } });
    const transfer = transferOf({ certificates: [{ kind: "issuing", name, pem: certificate }] });
    await expect(installTransfer(transfer, OPERATOR)).rejects.toThrow(
      /cannot be installed\. It cannot certify its OCSP responder\. Subject: the name '.* OCSP, .*' is not among the subjects/,
    );
  });
});
