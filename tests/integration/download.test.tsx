import { unzipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";
import { colonHex } from "~/lib/hex";
import * as downloadPage from "~/routes/home.certificate-download.$id";
import * as fileRoute from "~/routes/home.certificate-file.$id";
import * as archiveRoute from "~/routes/home.certificates_.files[.]zip";
import { type CertificateStatus } from "~db/tables";
import {
  auditEventsOf,
  issueCertificate,
  type IssuedCertificate,
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
import { anonymous, run, signedInAs, type Visitor } from "../support/visitor";
import { toastOf } from "./revoking";

usePortal();
const { file, makeCsr } = useOpenssl();

const people = usePeople();
const issue = () => issueCertificate({ customer: people.customer, csr: makeCsr().der });

let issued: IssuedCertificate;
beforeAll(async () => {
  issued = await issue();
});

const get = (id: number | string, query = "", who = people.customer.visitor) =>
  run(fileRoute.loader, who.get(`/home/certificate-file/${id}${query}`), { id: String(id) });
const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

describe("downloaded files", () => {
  const own = () => `oftp.acme.example-${issued.id}`;
  test.each([
    ["", "application/x-pem-file", () => `${own()}.cer`],
    ["?certificateType=own&encoding=PEM&fileExtension=PEM", "application/x-pem-file", () => `${own()}.pem`],
    ["?certificateType=own&encoding=DER&fileExtension=CER", "application/pkix-cert", () => `${own()}.cer`],
    ["?certificateType=own&encoding=DER&fileExtension=DER", "application/pkix-cert", () => `${own()}.der`],
    ["?certificateType=root", "application/x-pem-file", () => "ca-root.cer"],
    ["?certificateType=root&encoding=DER&fileExtension=DER", "application/pkix-cert", () => "ca-root.der"],
    ["?certificateType=issuing&fileExtension=PEM", "application/x-pem-file", () => "ca-issuing-sha2.pem"],
    ["?certificateType=chain&fileExtension=PEM", "application/x-pem-file", () => `${own()}-full-chain.pem`],
  ])("[CER-07] for %s are %s with a name that states their content", async (query, mediaType, name) => {
    const answer = await get(issued.id, query);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe(mediaType);
    expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="${name()}"`);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const form = mediaType === "application/pkix-cert" ? "DER" : "PEM";
    const fingerprint = openssl(
      ["x509", "-inform", form, "-noout", "-subject", "-nameopt", "multiline"],
      await bytesOf(answer),
    );
    expect(fingerprint).toContain("subject=");
  });

  test("[CER-07] with a name in other scripts have it in ASCII and in full (RFC 6266, RFC 8187)", async () => {
    const { id } = await issueCertificate({ customer: people.customer });
    await setCertificate(id, { commonName: "Łódź-Пример" });
    const answer = await get(id, "?certificateType=own&encoding=DER&fileExtension=CER");
    const encoded = encodeURIComponent(`Łódź-Пример-${id}.cer`);
    expect(answer.headers.get("Content-Disposition")).toBe(
      `attachment; filename="Lodz-Primer-${id}.cer"; filename*=UTF-8''${encoded}`,
    );
  });

  test("[CER-07] form a chain that openssl verifies; the full chain begins with the leaf", async () => {
    const [leaf, root, issuing, chain] = await Promise.all(
      ["own", "root", "issuing", "chain"].map(async (type) =>
        (await get(issued.id, `?certificateType=${type}`)).text(),
      ),
    );
    const [caFile, untrusted, leafFile] = [file("pem", root), file("pem", issuing), file("pem", leaf)];
    expect(openssl(["verify", "-x509_strict", "-CAfile", caFile, "-untrusted", untrusted, leafFile])).toContain(
      ": OK\n",
    );
    expect(chain).toBe(`${leaf ?? ""}${issuing ?? ""}`);
  });

  test.each(["PEM", "DER"])(
    "[CER-07] include a PKCS#7 bundle in %s: certs-only, from the leaf to the root",
    async (encoding) => {
      const answer = await get(issued.id, `?certificateType=bundle&encoding=${encoding}&fileExtension=PEM`);
      expect(answer.headers.get("Content-Type")).toBe("application/x-pkcs7-certificates");
      expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="${own()}-bundle.p7b"`);
      const bytes = await bytesOf(answer);
      const inside = openssl(["pkcs7", "-inform", encoding, "-print_certs"], bytes);
      const files = ["own", "issuing", "root"].map(async (type) =>
        (await get(issued.id, `?certificateType=${type}`)).text(),
      );
      const pems = inside.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----\n/g);
      expect(pems).toEqual(await Promise.all(files));
      const structure = openssl(["cms", "-cmsout", "-print", "-noout", "-inform", encoding], bytes);
      expect(structure).toMatch(/version: 1\b/);
      expect(structure).toMatch(/eContent: <ABSENT>/);
      expect(structure).toMatch(/signerInfos:\s+<EMPTY>/);
    },
  );

  test("[CER-07] count as the first download when the owner takes the bundle", async () => {
    const { id } = await issue();
    await get(id, "?certificateType=bundle");
    expect((await readCertificate(id)).status).toBe("Downloaded");
  });

  test.each([
    [
      "?encoding=PEM&fileExtension=DER",
      "The extension DER does not match the encoding PEM. Choose CER or PEM.",
      "fileExtension",
    ],
    [
      "?encoding=DER&fileExtension=PEM",
      "The extension PEM does not match the encoding DER. Choose CER or DER.",
      "fileExtension",
    ],
    ["?certificateType=chain&encoding=DER", "A chain of certificates can only be encoded as PEM.", "encoding"],
  ])(
    "[CER-07] with %s are refused with a message on the page, and the choice is kept",
    async (query, message, field) => {
      const answer = await get(issued.id, query);
      const location = `/home/certificate-download/${issued.id}${query}`;
      expect([answer.status, answer.headers.get("Location")]).toEqual([302, location]);
      const { status, html } = await openPage(downloadPage, people.customer.visitor, location, {
        params: { id: String(issued.id) },
      });
      expect(status).toBe(422);
      expect(pageText(html)).toContain("There is a problem");
      expect(textsOf(html, `a[href="#download-${field}"]`)).toEqual([message]);
      const encoding = new URLSearchParams(query).get("encoding");
      expect(select(html, 'input[name="encoding"]:checked').attr("value")).toBe(encoding);
    },
  );
});

describe("the download page", () => {
  test("[CER-07] has choices with defaults and the panel of details", async () => {
    const { html } = await openPage(downloadPage, people.customer.visitor, `/home/certificate-download/${issued.id}`, {
      params: { id: String(issued.id) },
    });
    expect(select(html, "form#download.form").attr("method")).toBe("get");
    for (const label of ["Your Certificate", "CA Root Certificate", "CA Issuing Certificate"])
      expect(textsOf(html, "label")).toContain(label);
    expect(select(html, 'input[type="radio"]:checked')).toHaveLength(2);
    expect(select(html, '[name="certificateType"]:checked').attr("value")).toBe("own");
    expect(select(html, '[name="encoding"]:checked').attr("value")).toBe("PEM");
    expect(textsOf(html, '[name="fileExtension"] > option[selected]')).toEqual(["CER"]);
    expect(textsOf(html, "dd")).toContain(colonHex(issued.serialNumber));
    expect(textsOf(html, 'a[href="/home/certificates"]')).toEqual(["Back"]);
  });

  test("[CER-07] offers three usual files first, each with what takes it, and the command that adds the key", async () => {
    const path = `/home/certificate-download/${issued.id}`;
    const { html } = await openPage(downloadPage, people.customer.visitor, path, { params: { id: String(issued.id) } });
    expect(textsOf(html, ".files a")).toEqual(["Full chain, PEM", "Certificate, DER", "Chain, PKCS#7"]);
    expect(textsOf(html, ".files p")).toHaveLength(3);
    const names = [];
    for (const place of [1, 2, 3]) {
      const href = select(html, `.files li:nth-child(${place}) a`).attr("href") ?? "";
      const answer = await get(issued.id, new URL(href, "http://portal.example").search);
      names.push(/filename="(.*)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1]);
    }
    const own = `oftp.acme.example-${issued.id}`;
    expect(names).toEqual([`${own}-full-chain.pem`, `${own}.cer`, `${own}-bundle.p7b`]);
    expect(select(html, 'pre[aria-label="command"]').text()).toBe(
      `openssl pkcs12 -export -inkey private.key.pem -in "${own}-full-chain.pem" -out "${own}.p12"`,
    );
  });

  test("[CER-05] leads back to the same page and row of the list", async () => {
    const path = `/home/certificate-download/${issued.id}?page=3&selected=${issued.id}`;
    const { html } = await openPage(downloadPage, people.customer.visitor, path, { params: { id: String(issued.id) } });
    expect(textsOf(html, `a[href="/home/certificates?page=3&selected=${issued.id}"]`)).toEqual(["Back"]);
  });
});

describe("the first download", () => {
  test("[CER-07][AUD-02] by its owner turns Issued into Downloaded once, with an audit entry", async () => {
    const { id } = await issue();
    await Promise.all([get(id), get(id), get(id)]);
    const row = await readCertificate(id);
    expect(row.status).toBe("Downloaded");
    expect(row.downloadedAt).not.toBeNull();
    expect((await auditEventsOf(id)).filter((event) => event === "certificate.downloaded")).toHaveLength(1);
  });

  test.each(["root", "issuing"])("[CER-07] of the %s certificate changes nothing", async (type) => {
    const { id } = await issue();
    await get(id, `?certificateType=${type}`);
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  test("[CER-07] by an administrator changes nothing", async () => {
    const { id } = await issue();
    expect((await get(id, "", people.admin.visitor)).status).toBe(200);
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  test("[CER-07] does not count when the choice is refused", async () => {
    const { id } = await issue();
    await get(id, "?encoding=DER&fileExtension=PEM");
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  test("[CER-09] leaves Renewed unchanged", async () => {
    const { id } = await issue();
    await setCertificate(id, { status: "Renewed" });
    expect((await get(id)).status).toBe(200);
    expect((await readCertificate(id)).status).toBe("Renewed");
  });
});

describe("permission to download", () => {
  const statuses: CertificateStatus[] = [
    "Pending",
    "Revoked",
    "RequestRevoke",
    "Expired",
    "Cancelled",
    "Rejected",
    "Unknown",
  ];
  test.each(statuses)(
    "[CER-09] is refused while the certificate is %s: back to the list with the reason",
    async (status) => {
      const { id } = await issue();
      await setCertificate(id, { status });
      const answer = await get(id);
      expect(answer.headers.get("Location")).toBe(`/home/certificate-download/${id}`);
      const page = await run(downloadPage.loader, people.customer.visitor.get(`/home/certificate-download/${id}`), {
        id: String(id),
      });
      expect([page.status, page.headers.get("Location")]).toEqual([303, "/home/certificates"]);
    },
  );

  test("[CER-08] is refused for a certificate of somebody else or one that does not exist", async () => {
    const attempts = [get(issued.id, "", people.stranger.visitor), get(99_999_999), get("x"), get("0")];
    for (const answer of await Promise.all(attempts)) {
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificates"]);
      expect(await toastOf(answer)).toMatchObject({ text: "There is no such certificate, or it is not yours." });
    }
    const page = await run(downloadPage.loader, people.stranger.visitor.get("/"), { id: String(issued.id) });
    expect(page.headers.get("Location")).toBe("/home/certificates");
  });

  test("[CER-08] needs a login", async () => {
    expect((await get(issued.id, "", await anonymous())).headers.get("Location")).toMatch(/^\/login/);
  });
});

describe("the archive of the files", () => {
  const archive = (visitor: Visitor, query = "") =>
    run(archiveRoute.loader, visitor.get(`/home/certificates/files.zip${query}`));

  test("[CER-07] has the usual files of each certificate of the filter in a folder, and records each download", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const first = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const second = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const revoked = await issueCertificate({ customer: owner, csr: makeCsr().der });
    await setCertificate(revoked.id, { status: "Revoked" });
    await run(archiveRoute.loader, new Request(visitor.get("/home/certificates/files.zip"), { method: "HEAD" }));
    expect((await readCertificate(first.id)).status).toBe("Issued");
    const answer = await archive(visitor);
    expect(answer.headers.get("Content-Type")).toBe("application/zip");
    const files = unzipSync(await bytesOf(answer));
    const namesOf = ({ id, commonName }: IssuedCertificate) =>
      ["-full-chain.pem", ".cer", "-bundle.p7b"].map((end) => `${commonName}-${id}/${commonName}-${id}${end}`);
    expect(Object.keys(files)).toEqual([...namesOf(first), ...namesOf(second)]);
    const [chain = "", der = "", bundle = ""] = namesOf(second);
    expect(Buffer.from(files[der] ?? [])).toEqual(second.der);
    expect(
      Buffer.from(files[chain] ?? [])
        .toString()
        .match(/BEGIN CERTIFICATE/g),
    ).toHaveLength(2);
    expect(openssl(["pkcs7", "-inform", "DER", "-print_certs", "-noout"], files[bundle])).toContain("subject=");
    expect(await auditEventsOf(first.id)).toContain("certificate.downloaded");
    expect((await readCertificate(second.id)).status).toBe("Downloaded");
    expect(await auditEventsOf(revoked.id)).not.toContain("certificate.downloaded");
    await bytesOf(await archive(visitor, `?search=${second.id}`));
    expect(await auditEventsOf(second.id)).toContain("certificate.file-downloaded");
    expect(await auditEventsOf(first.id)).not.toContain("certificate.file-downloaded");
    const none = await archive(visitor, "?state=revoked");
    expect(none.headers.get("Location")).toBe("/home/certificates?state=revoked");
    expect((await toastOf(none))?.text).toBe("None of these certificates can be downloaded.");
    const refused = await archive(await signedInAs(await createColleague(owner, "reader")));
    expect([refused.status, refused.headers.get("Location")]).toEqual([303, "/home/certificates"]);
  });
});
