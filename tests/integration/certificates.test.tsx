import { beforeAll, describe, expect, test } from "vitest";
import { type CertificateListItem } from "~/domain/certificates/list.service.server";
import * as csrFile from "~/routes/home.certificate-csr.$id";
import * as detailsPage from "~/routes/home.certificate-details.$id";
import * as listPage from "~/routes/home.certificates";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import {
  auditEventsOf,
  createCertificateOrder,
  issueCertificate,
  mailsOf,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { file, makeCsr } = useOpenssl();

type User = Awaited<ReturnType<typeof createUser>>;
let anna: User;
let stranger: User;
let admin: User;
let visitor: Visitor;

beforeAll(async () => {
  [anna, stranger, admin] = [
    await createUser(),
    await createUser({ company: "Somebody Else GmbH" }),
    await createAdmin(),
  ];
  visitor = await signedInAs(anna);
});

interface ListAnswer {
  rows: CertificateListItem[];
  total: number;
  pages: number;
  params: { page: number };
}

const list = async (query = "", who = visitor) =>
  jsonOf<ListAnswer>(await run(listPage.loader, who.get(`/home/certificates${query}`)));
const idsOf = ({ rows }: ListAnswer) => rows.map((row) => row.id);

describe("an empty list", () => {
  test("[CER-01] title, explanation, Prepare CSR link in a new tab, search with its note, 'No records found'", async () => {
    const { status, html } = await openPage(listPage, visitor, "/home/certificates");
    expect(status).toBe(200);
    expect(html).toContain("<h1>Certificates</h1>");
    expect(html).toMatch(/Download, renew or revoke the certificates you have purchased/);
    expect(html).toMatch(/<a href="[^"]+" target="_blank" rel="noopener">Prepare CSR \(opens in a new tab\)<\/a>/);
    expect(html).toContain('placeholder="Search..."');
    expect(html).toContain("Dates must be typed DD/MM/YYYY");
    expect(html).toContain("No records found");
  });

  test("[CER-03] Purchase New Certificate is only for Applicants", async () => {
    const own = await openPage(listPage, visitor, "/home/certificates");
    expect(own.html).toContain("Purchase New Certificate");
    const staff = await openPage(listPage, await signedInAs(admin), "/home/certificates");
    expect(staff.html).not.toContain("Purchase New Certificate");
    expect(staff.html).toContain("/home/dashboard");
  });
});

describe("a list of many", () => {
  const ids: number[] = [];
  let replaced: number;

  beforeAll(async () => {
    const now = new Date();
    for (let index = 0; index < 12; index += 1) {
      const { id } = await createCertificateOrder(anna, undefined, {
        commonName: `Host-${String(index).padStart(2, "0")}.example`,
        requestedAt: new Date(Date.UTC(2026, 0, 1 + index)),
      });
      ids.push(id);
    }
    replaced = ids[0] ?? 0;
    await setCertificate(ids[1] ?? 0, { orderType: "Renewal", previousCertificateId: replaced });
    await setCertificate(ids[2] ?? 0, { previousCertificateId: replaced });
    await setCertificate(ids[3] ?? 0, {
      status: "Issued",
      serialNumber: "0A1B2C3D",
      searchText: "host-03.example 100%_sure o0177abcd 0a1b2c3d",
      startDate: new Date("2026-03-01T00:00:00Z"),
      expiryDate: addDays(now, 20),
    });
    await setCertificate(ids[4] ?? 0, {
      status: "Revoked",
      startDate: new Date("2026-03-01T23:59:59Z"),
      expiryDate: addDays(now, 45),
      revocationDate: new Date("2026-05-06T07:08:09Z"),
    });
    await setCertificate(ids[5] ?? 0, { status: "Downloaded", expiryDate: addDays(now, 45) });
    await createCertificateOrder(stranger, undefined, { commonName: "hidden.example" });
  });

  test("[CER-02] newest first, ten to a page; a page past the end is the last one", async () => {
    const first = await list();
    expect(idsOf(first)).toEqual([...ids].reverse().slice(0, 10));
    expect(first).toMatchObject({ total: 12, pages: 2, params: { page: 1 } });
    const last = await list("?page=99");
    expect(idsOf(last)).toEqual([...ids].reverse().slice(10));
    expect(last.params.page).toBe(2);
    expect(idsOf(await list("?size=25"))).toHaveLength(12);
  });

  test("[CER-02] sorted in the database both ways, rows without the value last, equal ones by id", async () => {
    expect(idsOf(await list("?sort=commonName.asc"))).toEqual(ids.slice(0, 10));
    expect(idsOf(await list("?sort=certificateRequestDate.desc&size=25"))).toEqual([...ids].reverse());
    const byExpiry = idsOf(await list("?sort=certificateExpiryDate.asc&size=25"));
    expect(byExpiry.slice(0, 3)).toEqual([ids[3], ids[4], ids[5]]);
    const descending = idsOf(await list("?sort=certificateExpiryDate.desc&size=25"));
    expect(descending.slice(2, 3)).toEqual([ids[3]]);
    for (const key of ["id", "certificateStatus", "orderType", "orderId", "certificateStartDate", "revocationDate"])
      expect(idsOf(await list(`?sort=${key}.asc&size=25`))).toHaveLength(12);
  });

  test.each([
    ["HOST-07", 7],
    ["o0177abcd", 3],
    ["0A:1B:2C:3D", 3],
    ["100%25_sure", 3],
    ["06/05/2026", 4],
    ["08/01/2026", 7],
  ])("[CER-02] search for %s", async (search, index) => {
    expect(idsOf(await list(`?search=${search}`))).toEqual([ids[index]]);
  });

  test("[CER-02] search by order number and by several words; wildcards are plain characters", async () => {
    const { orderId } = await readCertificate(ids[6] ?? 0);
    expect(idsOf(await list(`?search=SO-${orderId}`))).toContain(ids[6]);
    expect(idsOf(await list("?search=host-0 revoked"))).toEqual([ids[4]]);
    expect(idsOf(await list("?search=%25"))).toEqual([ids[3]]);
    expect(idsOf(await list("?search=h_st"))).toEqual([]);
    expect(idsOf(await list("?search=01/03/2026&size=25"))).toEqual([ids[4], ids[3]]);
  });

  test("[CER-02] only what expires within 30, 60 or 90 days", async () => {
    expect(idsOf(await list("?expires=30"))).toEqual([ids[3]]);
    expect(idsOf(await list("?expires=60"))).toEqual([ids[5], ids[3]]);
  });

  test("[CER-01] columns, dates dd/MM/yyyy and blank, expiry with the days left", async () => {
    const { html } = await openPage(listPage, visitor, "/home/certificates?size=25");
    const heads = [...html.matchAll(/<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]+)/g)].map(([, label]) => label);
    expect(heads).toEqual([
      "ID",
      "Common name",
      "Status",
      "Order type",
      "Requested",
      "Order",
      "Valid from",
      "Expires",
      "Revoked",
    ]);
    expect(html).toContain("01/01/2026");
    expect(html).toContain("06/05/2026");
    expect(html).toContain("in 20 days");
    expect(html).toContain('data-l="Revoked"></td>');
    expect(html).toContain("1 to 12 of 12, sorted by ID, descending");
    expect(html).toContain('aria-sort="descending"');
  });

  test("[CER-04] Renewal, Reissue and plain order types", async () => {
    const { rows } = await list("?size=25");
    const typeOf = (id: number | undefined) => rows.find((row) => row.id === id)?.orderType;
    expect(ids.slice(0, 3).map(typeOf)).toEqual(["Initial", `Renewal [${replaced}]`, `Reissue [${replaced}]`]);
  });

  test("[CER-08] an applicant sees the own certificates, an administrator all with their company", async () => {
    expect((await list("?search=hidden")).total).toBe(0);
    const all = await list("?search=hidden", await signedInAs(admin));
    expect(all.rows.map((row) => row.company)).toEqual(["Somebody Else GmbH"]);
    expect((await list("?search=somebody else", await signedInAs(admin))).total).toBe(1);
    const { html } = await openPage(listPage, await signedInAs(admin), "/home/certificates");
    expect(html).toContain("Somebody Else GmbH");
  });

  test("[CER-08] staff find a company whatever the case of its letters, and customers find only names", async () => {
    const owner = await createUser({ company: "MÜLLER ÖL AG" });
    const { id } = await createCertificateOrder(owner, undefined, { commonName: "edi.example" });
    const staff = await signedInAs(admin);
    for (const search of ["müller öl", "MÜLLER", "Mu\u0308ller"]) {
      expect(idsOf(await list(`?search=${encodeURIComponent(search)}`, staff))).toEqual([id]);
    }
    expect((await list(`?search=${encodeURIComponent("müller")}`, await signedInAs(owner))).total).toBe(0);
  });

  test("[CER-02] names are sorted without regard to case, in the same order on every database", async () => {
    const owner = await createUser();
    const names = ["Zulu.example", "ÄPFEL.example", "alpha-2.example", "Alpha.example", "äpfel-2.example"];
    for (const commonName of names) await createCertificateOrder(owner, undefined, { commonName });
    const { rows } = await list("?sort=commonName.asc", await signedInAs(owner));
    expect(rows.map((row) => row.commonName)).toEqual([
      "alpha-2.example",
      "Alpha.example",
      "Zulu.example",
      "äpfel-2.example",
      "ÄPFEL.example",
    ]);
    const descending = await list("?sort=commonName.desc", await signedInAs(owner));
    expect(idsOf(descending)).toEqual(rows.map(({ id }) => id).reverse());
  });

  test.each(["31/12/9999", "12/9999", "%00", "%00host-07%1B"])(
    "[CER-02] %s is searched for without harm",
    async (search) => {
      expect((await list(`?search=${search}`)).total).toBe({ "%00": 12, "%00host-07%1B": 1 }[search] ?? 0);
    },
  );

  const choose = async (fields: Record<string, string>, query = "", who = visitor) =>
    run(listPage.action, await who.post(`/home/certificates${query}`, fields));

  test("[CER-03] a chosen row leads to details, download and revoke; page and row are carried along", async () => {
    const query = "?page=2&sort=commonName.asc";
    const id = String(ids[3]);
    const answers = await Promise.all(["view", "download", "revoke"].map((intent) => choose({ id, intent }, query)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const place = `${query}&selected=${id}`;
    expect(answers.map(({ headers }) => headers.get("Location"))).toEqual([
      `/home/certificate-details/${id}${place}`,
      `/home/certificate-download/${id}${place}`,
      `/home/certificate/revoke/${id}${place}`,
    ]);
  });

  test.each([
    [{ intent: "view" }, "Select a certificate first."],
    [{ intent: "view", id: "x" }, "Select a certificate first."],
    [{ intent: "download", index: 0 }, "The order is still pending: there is no certificate yet."],
    [{ intent: "revoke", index: 4 }, "The certificate has been revoked."],
    [{ intent: "download", index: 4 }, "The certificate has been revoked."],
  ])(
    "[CER-03] %j is refused on the page with the reason",
    async ({ intent, id, index }: { intent: string; id?: string; index?: number }, message) => {
      const chosen = index === undefined ? id : String(ids[index]);
      const answer = await errorsOf(await choose({ intent, ...(chosen !== undefined && { id: chosen }) }));
      expect(answer).toMatchObject({ status: 422, errors: { id: message } });
    },
  );

  test("[CER-03] without scripts the refusal is on the page and the row stays chosen", async () => {
    const fields = { intent: "download", id: String(ids[11]) };
    const { status, html } = await openPage(listPage, visitor, "/home/certificates", { fields });
    expect(status).toBe(422);
    expect(html).toContain("There is a problem");
    expect(html).toContain("The order is still pending: there is no certificate yet.");
    expect(html).toMatch(new RegExp(`<input[^>]*checked=""[^>]*value="${ids[11]}"|value="${ids[11]}"[^>]*checked=""`));
  });

  test("[CER-08] somebody else's row cannot be chosen", async () => {
    const answer = await errorsOf(await choose({ intent: "view", id: String(ids[3]) }, "", await signedInAs(stranger)));
    expect(answer).toMatchObject({ status: 422, errors: { id: "The certificate was not found." } });
  });

  test("[CER-05] coming back from details selects the row again; searching and sorting do not", async () => {
    const { html } = await openPage(listPage, visitor, `/home/certificates?selected=${ids[11]}&sort=id.asc&page=2`);
    expect(html).toMatch(new RegExp(`value="${ids[11]}"[^>]*checked=""|checked=""[^>]*value="${ids[11]}"`));
    expect(html).toContain('<input type="hidden" name="sort" value="id.asc"/>');
    expect(html).not.toContain('<input type="hidden" name="selected"');
    const links = [...html.matchAll(/href="(\/home\/certificates\?[^"]*)"/g)].map(([, href]) => href ?? "");
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((href) => href.includes("selected="))).toEqual([]);
  });

  test("[CER-05] details carry the list's place to the way back", async () => {
    await setCertificate(ids[7] ?? 0, { csr: Buffer.from(makeCsr().der) });
    const path = `/home/certificate-details/${ids[7]}?page=2&search=host&selected=${ids[7]}`;
    const { html } = await openPage(detailsPage, visitor, path, { params: { id: String(ids[7]) } });
    expect(html).toContain(`href="/home/certificates?page=2&amp;search=host&amp;selected=${ids[7]}"`);
  });
});

const details = async (id: number | string, who = visitor) =>
  run(detailsPage.loader, who.get(`/home/certificate-details/${id}`), { id: String(id) });

describe("details", () => {
  const subject =
    "/C=DE/ST=Bayern/L=Muenchen/O=Acme GmbH/OU=EDI/CN=oftp.acme.example/serialNumber=O0177ABCDOD/emailAddress=edi@acme.example";
  const san = [
    "DNS:oftp.acme.example",
    "DNS:edi.acme.example",
    "IP:192.0.2.7",
    "URI:https://acme.example/",
    "email:edi@acme.example",
  ];

  test("[CER-06] every panel and field of an issued certificate", async () => {
    const csr = makeCsr({ subject, san });
    const issued = await issueCertificate(anna, admin, csr.der);
    await getDb()
      .updateTable("orders")
      .set({ status: "Paid", paymentDate: new Date("2026-11-20T00:00:00Z"), invoiceNumber: "INV-1" })
      .where("id", "=", issued.orderId)
      .execute();
    const path = `/home/certificate-details/${issued.id}`;
    const { status, html } = await openPage(detailsPage, visitor, path, { params: { id: String(issued.id) } });
    expect(status).toBe(200);
    const headings = [...html.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, text]) => text);
    expect(headings).toEqual([
      "Certificate Status",
      "Certificate Subject",
      "Alternative Subject",
      "Certificate Details",
      "Certificate Usage",
      "Public Key",
      "Certificate Issuer",
      "Payment Details",
    ]);
    const key = openssl(["pkey", "-in", csr.keyFile, "-pubout", "-outform", "DER", "-out", file("spki")]);
    expect(key).toBe("");
    const text = openssl(
      ["x509", "-inform", "DER", "-noout", "-fingerprint", "-sha1", "-serial"],
      issued.der ?? undefined,
    );
    const thumbprint = /Fingerprint=(\S+)/i.exec(text)?.[1] ?? "none";
    for (const expected of [
      "oftp.acme.example",
      "edi@acme.example",
      "Muenchen",
      "Bayern",
      "Acme GmbH",
      "O0177ABCDOD",
      "Domain names",
      "edi.acme.example",
      "IP addresses",
      "192.0.2.7",
      "SSID values",
      "URIs",
      "RFC822 names",
      thumbprint,
      "digitalSignature",
      "serverAuth",
      "2048 bits (RSA)",
      "sha256WithRSAEncryption",
      "Paid Up",
      "<dd>Yes</dd>",
      "20/11/2026",
      "INV-1",
    ])
      expect(html).toContain(expected);
    expect(html).toContain(`href="/home/certificate-download/${issued.id}`);
    expect(html).toContain(`href="/home/certificate/revoke/${issued.id}"`);
    expect(html).not.toContain("Cancel Order");
  });

  test("[CER-06] the key's fingerprint is what the documented line prints for the private key", async () => {
    const csr = makeCsr();
    const { id } = await createCertificateOrder(anna, csr.der);
    const spki = file("der");
    openssl(["pkey", "-in", csr.keyFile, "-pubout", "-outform", "DER", "-out", spki]);
    const printed = openssl(["dgst", "-sha256", "-c", spki]).split("= ")[1]?.trim();
    const answer = await jsonOf<{ details: { keyFingerprint: string } }>(await details(id));
    expect(answer.details.keyFingerprint).toBe(printed);
  });

  test("[CER-06] a pending order shows what it waits for, no alternative subject when there is none, and only its actions", async () => {
    const { id } = await createCertificateOrder(anna, makeCsr({ subject: "/C=DE/O=Acme/CN=Acme OFTP" }).der, {
      contactAnswer: "authorised",
    });
    const { html } = await openPage(detailsPage, visitor, `/home/certificate-details/${id}`, {
      params: { id: String(id) },
    });
    expect(html).toContain("This order is waiting for:");
    expect(html).toContain("Check of the organisation");
    expect(html).not.toContain("Authorisation by the authentication contact");
    expect(html).not.toContain("Alternative Subject");
    expect(html).toContain("Cancel Order");
    expect(html).not.toContain(">Revoke<");
    expect(html).not.toContain(">Download<");
  });

  test("[CER-06] a revoked certificate shows when, why and the description", async () => {
    const issued = await issueCertificate(anna, admin, makeCsr().der);
    await setCertificate(issued.id, {
      status: "Revoked",
      revocationDate: new Date("2026-11-19T08:09:10Z"),
      revocationReason: 1,
      revocationDescription: "Laptop stolen",
    });
    const path = `/home/certificate-details/${issued.id}`;
    const { html } = await openPage(detailsPage, visitor, path, { params: { id: String(issued.id) } });
    for (const expected of ["19/11/2026 08:09:10", "Key Compromised", "Laptop stolen"])
      expect(html).toContain(expected);
    expect(html).not.toContain(">Revoke<");
  });

  test("[CER-06][CER-08] missing, unreadable or somebody else's returns to the list", async () => {
    const theirs = await createCertificateOrder(stranger, makeCsr().der);
    const unreadable = await createCertificateOrder(anna);
    const rejected = await createCertificateOrder(anna, makeCsr().der, { status: "Rejected" });
    for (const id of [theirs.id, unreadable.id, rejected.id, 99_999_999, "0", "x", "99999999999999999999"]) {
      const answer = await details(id);
      expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/home/certificates"]);
    }
    expect((await details(theirs.id, await signedInAs(admin))).status).toBe(200);
  });

  test("[CER-08] an anonymous visitor logs in first", async () => {
    const answer = await details(1, await anonymous());
    expect(answer.headers.get("Location")).toBe("/login?redirectTo=%2Fhome%2Fcertificate-details%2F1");
  });

  test("[CER-06] the submitted CSR can be downloaded by its owner and by administrators", async () => {
    const csr = makeCsr();
    const { id } = await createCertificateOrder(anna, csr.der);
    const get = async (who: Visitor) => run(csrFile.loader, who.get(`/home/certificate-csr/${id}`), { id: String(id) });
    for (const who of [visitor, await signedInAs(admin)]) {
      const answer = await get(who);
      expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="oftp.acme.example-${id}.csr"`);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(openssl(["req", "-verify", "-noout"], await answer.text())).toBe("");
    }
    expect((await get(await signedInAs(stranger))).headers.get("Location")).toBe("/home/certificates");
  });
});

describe("cancelling a pending order", () => {
  const cancel = async (id: number, fields: Record<string, string>, who = visitor) =>
    run(detailsPage.action, await who.post(`/home/certificate-details/${id}`, fields), { id: String(id) });

  test("[CER-03] asks first, then cancels order and certificate, with audit entry and mail", async () => {
    const { id, orderId } = await createCertificateOrder(anna, makeCsr().der);
    const path = `/home/certificate-details/${id}`;
    const asked = await openPage(detailsPage, visitor, path, {
      params: { id: String(id) },
      fields: { intent: "cancel" },
    });
    expect(asked.html).toContain(
      `Are you sure you wish to cancel order SO-${orderId}? This process cannot be reversed.`,
    );
    expect((await readCertificate(id)).status).toBe("Pending");

    const answer = await cancel(id, { intent: "cancel", confirmed: "yes" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificates"]);
    expect((await readCertificate(id)).status).toBe("Cancelled");
    expect(await auditEventsOf(id)).toEqual(["certificate.cancelled"]);
    expect((await mailsOf(orderId)).map(({ recipient }) => recipient)).toEqual([anna.email]);
    const order = await getDb().selectFrom("orders").select("status").where("id", "=", orderId).executeTakeFirst();
    expect(order?.status).toBe("Cancelled");
  });

  test("[CER-08] somebody else's order stays as it is", async () => {
    const { id } = await createCertificateOrder(anna, makeCsr().der);
    const answer = await cancel(id, { confirmed: "yes" }, await signedInAs(stranger));
    expect(answer.headers.get("Location")).toBe("/home/certificates");
    expect((await readCertificate(id)).status).toBe("Pending");
  });

  test("[CAL-04] an order whose certificate is being issued can no longer be cancelled", async () => {
    const { id } = await createCertificateOrder(anna, makeCsr().der, { tbsCertificate: Buffer.from("recorded") });
    for (const fields of [{ confirmed: "yes" }, { intent: "cancel" }] as Record<string, string>[]) {
      const answer = await cancel(id, fields);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/home/certificate-details/${id}`]);
    }
    expect((await readCertificate(id)).status).toBe("Pending");
  });
});
