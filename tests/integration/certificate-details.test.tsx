import { describe, expect, test } from "vitest";
import * as csrFile from "~/routes/home.certificate-csr.$id";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as fileRoute from "~/routes/home.certificate-file.$id";
import { getDb } from "~db/connection.server";
import {
  auditEventsOf,
  createCertificateOrder,
  issueCertificate,
  mailsOf,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createColleague } from "../support/companies";
import { createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { toastOf } from "./revoking";

usePortal();
const { file, makeCsr } = useOpenssl();
const people = usePeople();

const details = async (id: number | string, who = people.customer.visitor) =>
  run(detailsPage.loader, who.get(`/home/certificate-details/${id}`), { id: String(id) });

describe("certificate details", () => {
  const subject =
    "/C=DE/ST=Bayern/L=Muenchen/O=Acme GmbH/OU=EDI/CN=oftp.acme.example/serialNumber=O0177ABCDOD/emailAddress=edi@acme.example";
  const san = [
    "DNS:oftp.acme.example",
    "DNS:edi.acme.example",
    "IP:192.0.2.7",
    "URI:https://acme.example/",
    "email:edi@acme.example",
  ];

  test("[CER-06] show every panel and field of an issued certificate", async () => {
    const csr = makeCsr({ subject, san });
    const issued = await issueCertificate({ customer: people.customer, csr: csr.der });
    await getDb()
      .updateTable("orders")
      .set({ status: "Paid", paymentDate: new Date("2026-11-20T00:00:00Z"), invoiceNumber: "INV-1" })
      .where("id", "=", issued.orderId)
      .execute();
    const path = `/home/certificate-details/${issued.id}`;
    const { status, html } = await openPage(detailsPage, people.customer.visitor, path, {
      params: { id: String(issued.id) },
    });
    expect(status).toBe(200);
    expect(textsOf(html, "h2")).toEqual([
      "Certificate Status",
      "Certificate Subject",
      "Alternative Subject",
      "Certificate Details",
      "Certificate Usage",
      "Public Key",
      "Certificate Issuer",
      "Payment Details",
      "Where it is used",
      "History",
    ]);
    const key = openssl(["pkey", "-in", csr.keyFile, "-pubout", "-outform", "DER", "-out", file("spki")]);
    expect(key).toBe("");
    const text = openssl(["x509", "-inform", "DER", "-noout", "-fingerprint", "-sha1", "-serial"], issued.der);
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
      "20/11/2026",
      "INV-1",
    ])
      expect(html).toContain(expected);
    expect(textsOf(html, "dd")).toContain("Yes");
    expect(textsOf(html, `a[href^="/home/certificate-download/${issued.id}"]`)).toEqual(["Download"]);
    expect(textsOf(html, `a[href="/home/certificate/revoke/${issued.id}"]`)).toEqual(["Revoke"]);
    expect(html).not.toContain("Cancel order");
  });

  test("[CER-06] show the key's fingerprint as the documented command prints it for the private key", async () => {
    const csr = makeCsr();
    const { id } = await createCertificateOrder(people.customer, csr.der);
    const spki = file("der");
    openssl(["pkey", "-in", csr.keyFile, "-pubout", "-outform", "DER", "-out", spki]);
    const printed = openssl(["dgst", "-sha256", "-c", spki]).split("= ")[1]?.trim();
    const answer = await jsonOf<{ details: { keyFingerprint: string } }>(await details(id));
    expect(answer.details.keyFingerprint).toBe(printed);
  });

  test("[CER-06] show what a pending order waits for and only its actions", async () => {
    const { id, orderId } = await createCertificateOrder(
      people.customer,
      makeCsr({ subject: "/C=DE/O=Acme/CN=Acme OFTP" }).der,
      {
        contactAnswer: "authorised",
      },
    );
    const { html } = await openPage(detailsPage, people.customer.visitor, `/home/certificate-details/${id}`, {
      params: { id: String(id) },
    });
    expect(html).toContain("This order is waiting for:");
    expect(html).toContain("Check of the organisation");
    expect(html).not.toContain("Authorisation by the authentication contact");
    expect(html).not.toContain("Alternative Subject");
    expect(html).toContain("Cancel order");
    expect(textsOf(html, `.page-head a.btn[href="/home/orders/${orderId}"]`)).toEqual([
      expect.stringMatching(/^Open order SO-\d+$/),
    ]);
    expect(textsOf(html, "a, button")).not.toContain("Revoke");
    expect(textsOf(html, "a, button")).not.toContain("Download");
  });

  test("[CER-06][REN-02] show a free order as paid, and another only after its payment", async () => {
    const { id, orderId } = await createCertificateOrder(people.customer, makeCsr().der);
    const isPaid = async () =>
      (await jsonOf<{ details: { payment: { isPaid: boolean } } }>(await details(id))).details.payment.isPaid;
    expect(await isPaid()).toBe(false);
    await getDb().updateTable("orders").set({ totalCents: 0 }).where("id", "=", orderId).execute();
    expect(await isPaid()).toBe(true);
  });

  test("[CER-06] show when and why a certificate was revoked, with the description", async () => {
    const issued = await issueCertificate({ customer: people.customer, csr: makeCsr().der });
    await setCertificate(issued.id, {
      status: "Revoked",
      revocationDate: new Date("2026-11-19T08:09:10Z"),
      revocationReason: 1,
      revocationDescription: "Laptop stolen",
    });
    const path = `/home/certificate-details/${issued.id}`;
    const { html } = await openPage(detailsPage, people.customer.visitor, path, { params: { id: String(issued.id) } });
    for (const expected of ["19/11/2026 08:09:10", "Key Compromised", "Laptop stolen"])
      expect(html).toContain(expected);
    expect(textsOf(html, "a, button")).not.toContain("Revoke");
  });

  test("[CER-06] say in words what the status means today, with a bar, and have one primary button", async () => {
    const { id } = await issueCertificate({ customer: people.customer, csr: makeCsr().der });
    const path = `/home/certificate-details/${id}`;
    const page = async () =>
      (await openPage(detailsPage, people.customer.visitor, path, { params: { id: String(id) } })).html;
    const primary = (html: string) => textsOf(html, ".btn.primary");
    expect(pageText(await page())).toMatch(/Valid, \d+ days left Initial order/);
    expect(primary(await page())).toEqual(["Download"]);

    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    await setCertificate(id, { startDate: inDays(-79), expiryDate: inDays(21) });
    const html = await page();
    expect(pageText(html)).toContain("Valid, renewal open, 21 days left");
    expect(pageText(html)).toMatch(/79 % of the time has passed\. Renewal is open since/);
    expect(select(html, ".life rect.passed").attr("width")).toBe("79%");
    expect(select(html, ".life .left").attr("class")).toContain("soon");
    expect(primary(html)).toEqual(["Renew"]);

    await setCertificate(id, { status: "Revoked", revocationDate: inDays(-1), revocationReason: 1 });
    const revoked = await page();
    expect(textsOf(revoked, ".note.bad strong")[0]).toMatch(/^Revoked [\d/]+, Key Compromised$/);
    expect(select(revoked, ".life")).toHaveLength(0);
    expect(primary(revoked)).toEqual(["Order a new certificate"]);
  });

  test("[CER-06] have the certificate as PEM for those who may download it, and buttons that copy its numbers", async () => {
    const owner = await createUser();
    const { id, der } = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const page = async (who: Visitor) =>
      (await openPage(detailsPage, who, `/home/certificate-details/${id}`, { params: { id: String(id) } })).html;
    const html = await page(await signedInAs(owner));
    const pem = select(html, 'details pre[aria-label="PEM"]').text();
    const fingerprint = (args: string[], input: string | Uint8Array) =>
      openssl(["x509", "-noout", "-fingerprint", "-sha256", ...args], input);
    expect(fingerprint([], pem)).toBe(fingerprint(["-inform", "DER"], der));
    expect(textsOf(html, ".js-only button")).toEqual(
      expect.arrayContaining(["Copy Serial number", "Copy Thumbprint (SHA-256)", "Copy PEM"]),
    );
    expect(await page(await signedInAs(await createColleague(owner, "reader")))).not.toContain("BEGIN CERTIFICATE");
  });

  test("[CER-06][CER-07] tell the history of a certificate with each download and its form, and names only where there are others", async () => {
    const owner = await createUser();
    const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const visitor = await signedInAs(owner);
    const take = (query: string, who = visitor) =>
      run(fileRoute.loader, who.get(`/home/certificate-file/${id}${query}`), { id: String(id) });
    const history = async (who: Visitor) => {
      const path = `/home/certificate-details/${id}`;
      const { html } = await openPage(detailsPage, who, path, { params: { id: String(id) } });
      return { texts: textsOf(html, ".log bdi"), page: pageText(html) };
    };
    await take("?encoding=DER");
    await take("?certificateType=chain&fileExtension=PEM", people.admin.visitor);
    expect((await history(visitor)).texts).toEqual(
      expect.arrayContaining(["Downloaded by Staff, full chain, PEM", "Issued", "Ordered by Anna Müller"]),
    );
    const staff = await history(people.admin.visitor);
    expect(staff.texts[0]).toMatch(/^Downloaded by (?!Staff).*, full chain, PEM$/);
    expect(staff.texts[1]).toBe("Downloaded by Anna Müller, certificate, DER");
    for (let times = 0; times < 10; times += 1) await take("?certificateType=bundle");
    const long = await history(visitor);
    expect(long.texts.filter((text) => text.includes("PKCS#7 bundle, PEM"))).toHaveLength(10);
    expect(long.texts).toContain("Downloaded, certificate, DER");
    expect(long.page).toContain("Earlier downloads that are not shown: 1.");
    expect((await readCertificate(id)).status).toBe("Downloaded");
  });

  test("[CER-06] name in the history no staff to customers, and nobody to who works alone", async () => {
    const owner = await createUser();
    const checked = {
      contactAnswer: "authorised",
      contactAnsweredAt: new Date(Date.now() - 60_000),
      contactAnswerBy: people.admin.email,
    } as const;
    const { id } = await createCertificateOrder(owner, makeCsr().der, checked);
    const texts = async (who: Visitor) =>
      textsOf(
        (await openPage(detailsPage, who, `/home/certificate-details/${id}`, { params: { id: String(id) } })).html,
        ".log bdi",
      );
    expect(await texts(await signedInAs(owner))).toEqual(["Ordered", "Authorised by the authentication contact"]);
    expect(await texts(people.admin.visitor)).toEqual([
      "Ordered by Anna Müller",
      `Authorised by the authentication contact, recorded by ${people.admin.email}`,
    ]);
  });

  test("[CER-06][CAL-04] say that a certificate cannot be read, to its owner and to staff, and offer nothing that needs it", async () => {
    const { id } = await issueCertificate({ customer: people.customer, csr: makeCsr().der });
    await setCertificate(id, { der: Buffer.from("not a certificate") });
    const path = `/home/certificate-details/${id}`;
    for (const who of [people.customer.visitor, people.admin.visitor]) {
      const { status, html } = await openPage(detailsPage, who, path, { params: { id: String(id) } });
      expect(status).toBe(200);
      expect(html).toContain("The stored certificate cannot be read.");
      expect(textsOf(html, "h2")).not.toContain("Certificate Usage");
      for (const label of ["Download", "Renew", "Reissue"]) expect(textsOf(html, "a, button")).not.toContain(label);
    }
  });

  test("[CER-06][CER-08] redirect to the list for a missing, unreadable or foreign certificate", async () => {
    const theirs = await createCertificateOrder(people.stranger, makeCsr().der);
    const unreadable = await createCertificateOrder(people.customer);
    const unknown = await createCertificateOrder(people.customer, makeCsr().der, { status: "Unknown" });
    for (const id of [theirs.id, unreadable.id, unknown.id, 99_999_999, "0", "x", "99999999999999999999"]) {
      const answer = await details(id);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificates"]);
      expect(await toastOf(answer)).toMatchObject({ text: "There is no such certificate, or it is not yours." });
    }
    expect((await details(theirs.id, people.admin.visitor)).status).toBe(200);
  });

  test("[CER-08] redirect an anonymous visitor to the login", async () => {
    const answer = await details(1, await anonymous());
    expect(answer.headers.get("Location")).toBe("/login?redirectTo=%2Fhome%2Fcertificate-details%2F1");
  });

  test("[CER-06] offer the submitted CSR to its owner and to administrators", async () => {
    const csr = makeCsr();
    const { id } = await createCertificateOrder(people.customer, csr.der);
    const get = async (who: Visitor) => run(csrFile.loader, who.get(`/home/certificate-csr/${id}`), { id: String(id) });
    for (const who of [people.customer.visitor, people.admin.visitor]) {
      const answer = await get(who);
      expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="oftp.acme.example-${id}.csr"`);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(openssl(["req", "-verify", "-noout"], await answer.text())).toBe("");
    }
    expect((await get(people.stranger.visitor)).headers.get("Location")).toBe("/home/certificates");
  });

  test("[CER-06] have no link to the CSR for a reader, who may not download it", async () => {
    const owner = await createUser();
    const { id } = await createCertificateOrder(owner, makeCsr().der);
    const page = async (visitor: Visitor) =>
      (await openPage(detailsPage, visitor, `/home/certificate-details/${id}`, { params: { id: String(id) } })).html;
    const reader = await signedInAs(await createColleague(owner, "reader"));
    expect(await page(await signedInAs(owner))).toContain(`/home/certificate-csr/${id}`);
    expect(await page(reader)).not.toContain("certificate-csr");
  });
});

describe("cancelling a pending order", () => {
  const cancel = async (id: number, fields: Record<string, string>, who = people.customer.visitor) =>
    run(detailsPage.action, await who.post(`/home/certificate-details/${id}`, fields), { id: String(id) });

  test("[CER-03] asks first, then cancels order and certificate, with audit entry and mail", async () => {
    const { id, orderId } = await createCertificateOrder(people.customer, makeCsr().der);
    const path = `/home/certificate-details/${id}`;
    const asked = await openPage(detailsPage, people.customer.visitor, path, {
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
    expect((await mailsOf(orderId)).map(({ recipient }) => recipient)).toEqual([people.customer.email]);
    const order = await getDb().selectFrom("orders").select("status").where("id", "=", orderId).executeTakeFirst();
    expect(order?.status).toBe("Cancelled");
  });

  test("[CER-03] leads back to the page of the order when one came from there, and nowhere else", async () => {
    const { id, orderId } = await createCertificateOrder(people.customer, makeCsr().der);
    const [path, params] = [`/home/certificate-details/${id}?from=order`, { id: String(id) }];
    const { visitor } = people.customer;
    const asked = await openPage(detailsPage, visitor, path, { params, fields: { intent: "cancel" } });
    expect(select(asked.html, `a.btn[href="/home/orders/${orderId}"]`).text()).toBe("Keep order");
    const answer = await run(detailsPage.action, await visitor.post(path, { confirmed: "yes" }), params);
    expect(answer.headers.get("Location")).toBe(`/home/orders/${orderId}`);

    const other = await createCertificateOrder(people.customer, makeCsr().der);
    const away = `/home/certificate-details/${other.id}?from=https://evil.example`;
    const there = await run(detailsPage.action, await visitor.post(away, { confirmed: "yes" }), {
      id: String(other.id),
    });
    expect(there.headers.get("Location")).toBe("/home/certificates");
  });

  test("[CER-08] is refused for an order of somebody else", async () => {
    const { id } = await createCertificateOrder(people.customer, makeCsr().der);
    const answer = await cancel(id, { confirmed: "yes" }, people.stranger.visitor);
    expect(answer.headers.get("Location")).toBe("/home/certificates");
    expect((await readCertificate(id)).status).toBe("Pending");
  });

  test("[CAL-04] is refused while the certificate is being issued", async () => {
    const { id } = await createCertificateOrder(people.customer, makeCsr().der, {
      tbsCertificate: Buffer.from("recorded"),
    });
    for (const fields of [{ confirmed: "yes" }, { intent: "cancel" }] as Record<string, string>[]) {
      const answer = await cancel(id, fields);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/home/certificate-details/${id}`]);
    }
    expect((await readCertificate(id)).status).toBe("Pending");
  });
});
