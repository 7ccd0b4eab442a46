import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishDelta, publishLists } from "~/domain/authorities/publishing.service.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { readRepositoryFile } from "~/domain/repository/files.service.server";
import { listRepository } from "~/domain/repository/repository.service.server";
import { getConfig } from "~/lib/config.server";
import * as publicPage from "~/routes/_public.certificate-repository";
import { loader as callLoader } from "~/routes/api.$";
import * as homePage from "~/routes/home.certificate-repository";
import * as certificatesPage from "~/routes/home.certificates_.certificate-repository";
import { loader } from "~/routes/repository.$file";
import { getDb } from "~db/connection.server";
import { findLatestCrlSummary } from "~db/repositories/crls.server";
import { type AuthorityName } from "~db/tables";
import { anna, visit } from "../components/portal";
import { issueCertificate, storeRevocation } from "../support/certificates";
import { createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { anonymous, run, signedInAs } from "../support/visitor";

usePortal();
const { file } = useOpenssl();

const CERTIFICATES = ["root", "root-g3", "issuing-sha2", "issuing-g3"];
const LISTS = ["root", "root-g3", "issuing-sha2", "issuing-sha2-delta", "issuing-g3", "issuing-g3-delta"];

const get = (name: string, headers: Record<string, string> = {}) =>
  run(loader, new Request(`http://portal.test/repository/${name}`, { headers }), { file: name });
async function latestOf(name: AuthorityName) {
  const { id } = await getAuthority(getDb(), name);
  const list = await findLatestCrlSummary(getDb(), id, false);
  if (!list) throw new Error(`no list of ${name}`);
  return list;
}
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

beforeAll(async () => {
  for (const name of ["root", "issuing-sha2", "root-g3", "issuing-g3"] as const) {
    await publishLists(name, new Date(), { allowRoot: true });
  }
});

describe("repository files", () => {
  test.each(CERTIFICATES)("[REP-01] include the certificate %s as DER and as PEM", async (name) => {
    const der = await get(`${name}.cer`);
    expect(der.status).toBe(200);
    expect(der.headers.get("Content-Type")).toBe("application/pkix-cert");
    expect(der.headers.get("Content-Disposition")).toBe(`attachment; filename="${name}.cer"`);
    expect(der.headers.get("Set-Cookie")).toBeNull();
    const pem = await get(`${name}.pem`);
    expect(pem.headers.get("Content-Type")).toBe("application/x-pem-file");
    const asPem = openssl(["x509", "-inform", "DER", "-in", file("cer", await bytesOf(der))]);
    expect(await pem.text()).toBe(asPem);
  });

  test.each(LISTS)(
    "[REP-03] include the CRL %s with media type, validators and a cache time up to its next update",
    async (name) => {
      const response = await get(`${name}.crl`);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("application/pkix-crl");
      expect(response.headers.get("ETag")).toMatch(/^"[\da-f]{64}"$/);
      const maxAge = Number(/^public, max-age=(\d+)$/.exec(response.headers.get("Cache-Control") ?? "")?.[1]);
      const bytes = await bytesOf(response);
      expect(response.headers.get("Content-Length")).toBe(String(bytes.length));
      const text = openssl(["crl", "-inform", "DER", "-noout", "-nextupdate", "-lastupdate"], bytes);
      const moment = (field: string) => Date.parse(new RegExp(`${field}=(.*)`).exec(text)?.[1] ?? "");
      expect(maxAge).toBeGreaterThan(0);
      expect(Date.now() + maxAge * 1000).toBeLessThanOrEqual(moment("nextUpdate"));
      expect(Date.parse(response.headers.get("Last-Modified") ?? "")).toBe(moment("lastUpdate"));
    },
  );

  test("[REP-03] are never cached beyond the next update, and not at all after it", async () => {
    const now = new Date("2027-05-01T00:00:00Z");
    await publishLists("issuing-sha2", now);
    const after = async (hours: number, name = "issuing-sha2-delta.crl") =>
      (await readRepositoryFile(name, new Date(now.getTime() + hours * 3_600_000)))?.maxAge;
    expect([await after(0), await after(0.5), await after(1), await after(23.9999), await after(25)]).toEqual([
      3600, 1800, 60, 0, 0,
    ]);
    expect(await after(0, "issuing-sha2.crl")).toBe(86_400);
  });

  test("[REP-03] are answered with 304 to a client with a current copy, and in full after a publication", async () => {
    const first = await get("issuing-g3-delta.crl");
    const etag = first.headers.get("ETag") ?? "";
    const modified = first.headers.get("Last-Modified") ?? "";
    const conditions: [Record<string, string>, number][] = [
      [{ "If-None-Match": etag }, 304],
      [{ "If-None-Match": `"other", W/${etag}` }, 304],
      [{ "If-None-Match": "*" }, 304],
      [{ "If-None-Match": '"other"' }, 200],
      [{ "If-Modified-Since": modified }, 304],
      [{ "If-Modified-Since": "Thu, 01 Jan 2015 00:00:00 GMT" }, 200],
      [{ "If-Modified-Since": "nonsense" }, 200],
      [{ "If-None-Match": '"other"', "If-Modified-Since": modified }, 200],
    ];
    for (const [headers, status] of conditions)
      expect((await get("issuing-g3-delta.crl", headers)).status).toBe(status);
    const notModified = await get("issuing-g3-delta.crl", { "If-None-Match": etag });
    expect(notModified.headers.get("ETag")).toBe(etag);
    expect(await notModified.text()).toBe("");
    await publishDelta("issuing-g3", new Date(Date.now() + 2000));
    expect((await get("issuing-g3-delta.crl", { "If-None-Match": etag })).status).toBe(200);
  });

  test("[REP-03] are answered with 412 to a client that asks for another version, in the order of RFC 9110 §13.2.2", async () => {
    const first = await get("root.cer");
    const etag = first.headers.get("ETag") ?? "";
    const modified = first.headers.get("Last-Modified") ?? "";
    const [past, future] = ["Thu, 01 Jan 2015 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT"];
    const conditions: [Record<string, string>, number][] = [
      [{ "If-Match": etag }, 200],
      [{ "If-Match": `"other", ${etag}` }, 200],
      [{ "If-Match": "*" }, 200],
      [{ "If-Match": '"other"' }, 412],
      [{ "If-Match": `W/${etag}` }, 412],
      [{ "If-Match": etag.slice(1, -1) }, 412],
      [{ "If-Unmodified-Since": modified }, 200],
      [{ "If-Unmodified-Since": future }, 200],
      [{ "If-Unmodified-Since": past }, 412],
      [{ "If-Unmodified-Since": "nonsense" }, 200],
      [{ "If-Match": etag, "If-Unmodified-Since": past }, 200],
      [{ "If-Match": '"other"', "If-None-Match": etag }, 412],
      [{ "If-Match": etag, "If-None-Match": etag }, 304],
      [{ "If-Unmodified-Since": past, "If-Modified-Since": modified }, 412],
      [{ "If-Match": '"other"', Range: "bytes=0-9" }, 412],
      [{ "If-Match": etag, Range: "bytes=0-9" }, 206],
    ];
    for (const [headers, status] of conditions)
      expect([headers, (await get("root.cer", headers)).status]).toEqual([headers, status]);
    const refused = await get("root.cer", { "If-Match": '"other"' });
    expect(refused.headers.get("Cache-Control")).toBe("no-store");
    expect(await refused.text()).toContain("If-Match");
  });

  test("[REP-03] are answered for HEAD, 304 and 416 without reading the CRL's bytes", async () => {
    await publishLists("issuing-g3", new Date(Date.now() + 3000));
    const { id, size, etag } = await latestOf("issuing-g3");
    await getDb().deleteFrom("crlFiles").where("crlId", "=", id).execute();
    const ask = (headers: Record<string, string>, method = "GET") =>
      run(loader, new Request("http://portal.test/repository/issuing-g3.crl", { method, headers }), {
        file: "issuing-g3.crl",
      });
    const head = await ask({}, "HEAD");
    expect([head.status, head.headers.get("Content-Length"), head.body]).toEqual([200, String(size), null]);
    expect((await ask({ "If-None-Match": `"${etag}"` })).status).toBe(304);
    expect((await ask({ Range: `bytes=${size}-` })).status).toBe(416);
    await expect(ask({})).rejects.toThrow(`list ${id}`);
    await publishLists("issuing-g3", new Date(Date.now() + 3500));
    expect((await ask({})).status).toBe(200);
  });

  test.each(["root-delta.crl", "issuing-sha1.cer", "policy.pdf", "../secrets.json", "ROOT.CER", "root", ""])(
    "[REP-01] do not include '%s': 404 in plain words",
    async (name) => {
      const response = await get(name);
      expect(response.status).toBe(404);
      expect(response.headers.get("Content-Type")).toContain("text/plain");
      expect(await response.text()).toContain("no such file");
    },
  );

  test("[REP-03] have the addresses that certificates contain", async () => {
    const { der } = await issueCertificate();
    const { crlUrls, freshestCrlUrls, caIssuersUrls } = describeCertificate(der);
    const urls = authorityUrls("issuing-sha2");
    expect([crlUrls, freshestCrlUrls, caIssuersUrls]).toEqual([[urls.crl], [urls.deltaCrl], [urls.caIssuers]]);
    for (const [url] of [crlUrls, freshestCrlUrls, caIssuersUrls]) {
      const { pathname } = new URL(url ?? "");
      expect(pathname).toMatch(/^\/repository\//);
      expect((await get(pathname.slice("/repository/".length))).status).toBe(200);
    }
  });

  test("[REP-03] show a revocation on the base and delta CRL once it is published", async () => {
    const certificate = await issueCertificate({ order: { hierarchy: "g3" } });
    await storeRevocation(certificate);
    await publishLists("issuing-g3", new Date(Date.now() + 4000));
    for (const name of ["issuing-g3.crl", "issuing-g3-delta.crl"]) {
      const text = openssl(["crl", "-inform", "DER", "-noout", "-text"], await bytesOf(await get(name)));
      expect(text).toContain(`Serial Number: ${certificate.serialNumber}`);
    }
  });
});

describe("parts of files", () => {
  const part = async (range: string, headers: Record<string, string> = {}) => {
    const response = await get("root.cer", { Range: range, ...headers });
    return { response, bytes: await bytesOf(response), range: response.headers.get("Content-Range") };
  };

  test("[REP-03] can be requested by first and last byte or from the end", async () => {
    const whole = await bytesOf(await get("root.cer"));
    const size = whole.length;
    for (const [range, from, to] of [
      ["bytes=0-9", 0, 9],
      ["bytes=0-0", 0, 0],
      [`bytes=${size - 1}-`, size - 1, size - 1],
      ["bytes=100-", 100, size - 1],
      [`bytes=10-${size + 5}`, 10, size - 1],
      ["bytes=-10", size - 10, size - 1],
      [`bytes=-${size + 1}`, 0, size - 1],
    ] as const) {
      const { response, bytes, range: sent } = await part(range);
      expect([response.status, sent]).toEqual([206, `bytes ${from}-${to}/${size}`]);
      expect(bytes).toEqual(whole.slice(from, to + 1));
      expect(response.headers.get("Content-Length")).toBe(String(to - from + 1));
    }
    for (const range of [`bytes=${size}-`, "bytes=-0"]) {
      const { response, bytes, range: sent } = await part(range);
      expect([response.status, sent, bytes.length]).toEqual([416, `bytes */${size}`, 0]);
    }
    for (const range of ["bytes=5-3", "bytes=-", "bytes=0-1,3-4", "items=0-1", "nonsense"])
      expect((await part(range)).response.status).toBe(200);
  });

  test("[REP-03] are sent only for the version that the client already has", async () => {
    const first = await get("root.cer");
    const etag = first.headers.get("ETag") ?? "";
    const modified = first.headers.get("Last-Modified") ?? "";
    expect(first.headers.get("Accept-Ranges")).toBe("bytes");
    for (const [condition, status] of [
      [etag, 206],
      [modified, 206],
      ['"other"', 200],
      [`W/${etag}`, 200],
      ["Thu, 01 Jan 2015 00:00:00 GMT", 200],
    ] as const)
      expect((await part("bytes=0-9", { "If-Range": condition })).response.status).toBe(status);
    expect((await part("bytes=0-9", { "If-None-Match": etag })).response.status).toBe(304);
  });
});

describe("the calls of API-03", () => {
  const call = (name: string, hash?: string) =>
    run(callLoader, new Request(`http://portal.test/api/CertificateRepository/${name}`), {
      "*": `CertificateRepository/${name}${hash === undefined ? "" : `/${hash}`}`,
    });

  test.each([
    ["DownloadRootCert", "root.cer"],
    ["DownloadRootCertPem", "root.pem"],
    ["DownloadRootCertDer", "root.cer"],
    ["DownloadIssuingCertSha2Der", "issuing-sha2.cer"],
    ["DownloadIssuingCertSha2Pem", "issuing-sha2.pem"],
    ["DownloadIssuingCertSha512Der", "issuing-g3.cer"],
    ["DownloadIssuingCertSha512Pem", "issuing-g3.pem"],
    ["DownloadCertificatePolicy", "certificate-policy.pdf"],
    ["DownloadCertificatePractice", "certification-practice-statement.pdf"],
    ["DownloadSubscriberAgreement", "subscriber-agreement.pdf"],
    ["DownloadCertRevListRootSha2", "root.crl"],
    ["DownloadCertRevListRootSha512", "root-g3.crl"],
    ["DownloadCertRevListIssuingSha2", "issuing-sha2.crl"],
    ["DownloadCertRevListIssuingSha512", "issuing-g3.crl"],
    ["DownloadCertRevListIssuingCaDeltaSha2", "issuing-sha2-delta.crl"],
    ["DownloadCertRevListIssuingCaDeltaSha512", "issuing-g3-delta.crl"],
  ])("[REP-01] [REP-02] [REP-03] return %s as %s, in any case", async (name, fileName) => {
    const wanted = (await get(fileName)).headers.get("ETag");
    for (const written of [name, name.toLowerCase(), name.toUpperCase()]) {
      const answer = await call(written);
      expect([answer.status, answer.headers.get("ETag")]).toEqual([200, wanted]);
    }
  });

  test("[REP-01] name a root by its hash algorithm or its thumbprint", async () => {
    const tagOf = async (response: Promise<Response>) => (await response).headers.get("ETag");
    const rootG3 = openssl(
      ["x509", "-inform", "DER", "-noout", "-fingerprint", "-sha256"],
      await bytesOf(await get("root-g3.cer")),
    );
    const thumbprint = rootG3.split("=")[1]?.trim() ?? "";
    expect(thumbprint).toHaveLength(95);
    for (const hash of ["Sha512", "sha512", thumbprint, thumbprint.replaceAll(":", "").toLowerCase()]) {
      expect(await tagOf(call("DownloadRootCert", hash))).toBe(await tagOf(get("root-g3.cer")));
      expect(await tagOf(call("DownloadRootCertPem", hash))).toBe(await tagOf(get("root-g3.pem")));
    }
    for (const hash of ["Sha2", "SHA-256"])
      expect(await tagOf(call("DownloadRootCertDer", hash))).toBe(await tagOf(get("root.cer")));
  });

  test.each([
    ["DownloadRootCert", "00".repeat(32)],
    ["DownloadRootCert", ""],
    ["DownloadCertificatePolicy", "sha2"],
    ["DownloadIssuingCert", undefined],
    ["DownloadIssuingCertMd5Der", undefined],
    ["DownloadCertRevListRootCaDeltaSha2", undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
    ["DownloadRootCertSha2", undefined],
  ])(
    "[REP-01] do not include '%s' with the hash '%s': 404 says that there is no such call or root",
    async (name, hash) => {
      const answer = await call(name, hash);
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
        404,
        /^0+$/.test(hash ?? "") ? "text/plain; charset=utf-8" : "application/problem+json; charset=utf-8",
      ]);
    },
  );
});

describe("the SHA-1 archive", () => {
  const CALLS = [
    "DownloadIssuingCertSha1Der",
    "DownloadIssuingCertSha1Pem",
    "DownloadCertRevListRootSha1",
    "DownloadCertRevListIssuingSha1",
    "DownloadCertRevListIssuingCaDeltaSha1",
  ];
  const call = (name: string) =>
    run(callLoader, new Request(`http://portal.test/api/CertificateRepository/${name}`), {
      "*": `CertificateRepository/${name}`,
    });

  test.each(CALLS)("[REP-01] when missing answers %s with 404 and plain text", async (name) => {
    const answer = await call(name);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("signed with SHA-1 are not published here");
  });

  test("[REP-01] serves its files unchanged, the certificate as DER and PEM, and the page links them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "marque-archive-"));
    const shipped = getConfig();
    try {
      const der = await bytesOf(await get("issuing-g3.cer"));
      writeFileSync(join(folder, "issuing-sha1.cer"), await (await get("issuing-g3.pem")).text());
      const list = await bytesOf(await get("issuing-g3.crl"));
      writeFileSync(join(folder, "issuing-sha1.crl"), list);
      getConfig.replace({ ...shipped, certificates: { ...shipped.certificates, sha1Archive: folder } });
      const asDer = await call("DownloadIssuingCertSha1Der");
      expect(await bytesOf(asDer)).toEqual(der);
      expect(asDer.headers.get("Content-Type")).toBe("application/pkix-cert");
      expect(asDer.headers.get("Content-Disposition")).toBe('attachment; filename="issuing-sha1.cer"');
      const asPem = await call("DownloadIssuingCertSha1Pem");
      expect(asPem.headers.get("Content-Type")).toBe("application/x-pem-file");
      expect(await asPem.text()).toBe(await (await get("issuing-g3.pem")).text());
      const asList = await call("DownloadCertRevListIssuingSha1");
      expect(asList.headers.get("Content-Type")).toBe("application/pkix-crl");
      expect(await bytesOf(asList)).toEqual(list);
      expect((await call("DownloadCertRevListIssuingCaDeltaSha1")).status).toBe(404);
      expect((await listRepository()).archive.map((entry) => entry.href)).toEqual([
        "/repository/issuing-sha1.cer",
        "/repository/issuing-sha1.pem",
        "/repository/issuing-sha1.crl",
      ]);
    } finally {
      getConfig.replace(shipped);
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the repository page", () => {
  const pageOf = async (back: typeof anna | null) => {
    const data = await listRepository();
    return (await visit({ view: publicPage.default, loader: () => data, shell: { user: back } })).html;
  };

  test("[REP-04] links every file as plain links and shows the fingerprints that openssl computes", async () => {
    const html = await pageOf(null);
    for (const name of CERTIFICATES) {
      expect(select(html, `a[href="/repository/${name}.cer"]`).length).toBe(1);
      expect(select(html, `a[href="/repository/${name}.pem"]`).length).toBe(1);
      const path = file("cer", await bytesOf(await get(`${name}.cer`)));
      const fingerprint = openssl(["x509", "-inform", "DER", "-in", path, "-noout", "-fingerprint", "-sha256"]);
      expect(html).toContain(fingerprint.split("=")[1]?.trim());
      expect(readFileSync(path).length).toBeGreaterThan(500);
    }
    for (const name of LISTS) expect(select(html, `a[href="/repository/${name}.crl"]`).length).toBe(1);
    expect(html).toContain("http://portal.test/repository/issuing-sha2.crl");
  });

  test("[REP-02] links the policies as PDF and as pages, by the names of the specification", async () => {
    const html = await pageOf(null);
    for (const [name, caption] of [
      ["certificate-policy", "Certificate Policy"],
      ["certification-practice-statement", "Certification Practice"],
      ["subscriber-agreement", "Subscriber Agreement"],
    ] as const) {
      expect(textsOf(html, `a[href="/repository/${name}.pdf"]`)).toEqual([`${caption} (PDF)`]);
      expect(textsOf(html, `a[href="/certificate-repository/${name}"]`)).toEqual([`${caption} as a page`]);
    }
    expect(html).not.toContain("Archive");
  });

  test("[PUB-08] leads back to the login when logged out and to the dashboard when logged in", async () => {
    const back = (html: string) => select(html, 'a:contains("‹ Back")').attr("href");
    expect(back(await pageOf(null))).toBe("/login");
    expect(back(await pageOf(anna))).toBe("/home/dashboard");
  });

  test("[REP-01] has three routes with the same content, one for everybody and two for users", async () => {
    const visitor = await signedInAs(await createUser());
    const pages = [
      await run(publicPage.loader, (await anonymous()).get("/certificate-repository")),
      await run(homePage.loader, visitor.get("/home/certificate-repository")),
      await run(certificatesPage.loader, visitor.get("/home/certificates/certificate-repository")),
    ];
    const [first, ...others] = await Promise.all(pages.map((page) => page.json() as Promise<unknown>));
    for (const other of others) expect(other).toEqual(first);
    const refused = await run(homePage.loader, (await anonymous()).get("/home/certificate-repository"));
    expect(refused.status).toBe(302);
    expect(refused.headers.get("Location")).toContain("/login");
  });
});
