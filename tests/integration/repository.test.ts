import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishDelta, publishCrls } from "~/domain/authorities/publishing.service.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { readRepositoryFile } from "~/domain/repository/files.service.server";
import { listRepository } from "~/domain/repository/repository.service.server";
import { getConfig } from "~/lib/config.server";
import { loader as callLoader } from "~/routes/api.$";
import { loader } from "~/routes/repository.$file";
import { getDb } from "~db/connection.server";
import { findLatestCrlSummary } from "~db/repositories/crls.server";
import { type AuthorityName } from "~db/tables";
import { issueCertificate, storeRevocation } from "../support/certificates";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { CA_CERTIFICATES, CRLS, getFile, bytesOf, usePublishedCrls } from "../support/repository";
import { run } from "../support/visitor";

usePortal();
const { file } = useOpenssl();
usePublishedCrls();

async function latestOf(name: AuthorityName) {
  const { id } = await getAuthority(getDb(), name);
  const list = await findLatestCrlSummary(getDb(), id, false);
  if (!list) throw new Error(`no list of ${name}`);
  return list;
}

describe("repository files", () => {
  test.each(CA_CERTIFICATES)("[REP-01] include the certificate %s as DER and as PEM", async (name) => {
    const der = await getFile(`${name}.cer`);
    expect(der.status).toBe(200);
    expect(der.headers.get("Content-Type")).toBe("application/pkix-cert");
    expect(der.headers.get("Content-Disposition")).toBe(`attachment; filename="${name}.cer"`);
    expect(der.headers.get("Set-Cookie")).toBeNull();
    const pem = await getFile(`${name}.pem`);
    expect(pem.headers.get("Content-Type")).toBe("application/x-pem-file");
    const asPem = openssl(["x509", "-inform", "DER", "-in", file("cer", await bytesOf(der))]);
    expect(await pem.text()).toBe(asPem);
  });

  test.each(CRLS)(
    "[REP-03] include the CRL %s with media type, validators and a cache time up to its next update",
    async (name) => {
      const response = await getFile(`${name}.crl`);
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
    await publishCrls("issuing-sha2", now);
    const after = async (hours: number, name = "issuing-sha2-delta.crl") =>
      (await readRepositoryFile(name, new Date(now.getTime() + hours * 3_600_000)))?.maxAge;
    expect([await after(0), await after(0.5), await after(1), await after(23.9999), await after(25)]).toEqual([
      3600, 1800, 60, 0, 0,
    ]);
    expect(await after(0, "issuing-sha2.crl")).toBe(86_400);
  });

  test("[REP-03] are answered with 304 to a client with a current copy, and in full after a publication", async () => {
    const first = await getFile("issuing-g3-delta.crl");
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
      expect((await getFile("issuing-g3-delta.crl", headers)).status).toBe(status);
    const notModified = await getFile("issuing-g3-delta.crl", { "If-None-Match": etag });
    expect(notModified.headers.get("ETag")).toBe(etag);
    expect(await notModified.text()).toBe("");
    await publishDelta("issuing-g3", new Date(Date.now() + 2000));
    expect((await getFile("issuing-g3-delta.crl", { "If-None-Match": etag })).status).toBe(200);
  });

  test("[REP-03] are answered with 412 to a client that asks for another version, in the order of RFC 9110 §13.2.2", async () => {
    const first = await getFile("root.cer");
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
      expect([headers, (await getFile("root.cer", headers)).status]).toEqual([headers, status]);
    const refused = await getFile("root.cer", { "If-Match": '"other"' });
    expect(refused.headers.get("Cache-Control")).toBe("no-store");
    expect(await refused.text()).toContain("If-Match");
  });

  test("[REP-03] are answered for HEAD, 304 and 416 without reading the CRL's bytes", async () => {
    await publishCrls("issuing-g3", new Date(Date.now() + 3000));
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
    await publishCrls("issuing-g3", new Date(Date.now() + 3500));
    expect((await ask({})).status).toBe(200);
  });

  test.each(["root-delta.crl", "issuing-sha1.cer", "policy.pdf", "../secrets.json", "ROOT.CER", "root", ""])(
    "[REP-01] do not include '%s': 404 in plain words",
    async (name) => {
      const response = await getFile(name);
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
      expect((await getFile(pathname.slice("/repository/".length))).status).toBe(200);
    }
  });

  test("[REP-03] show a revocation on the base and delta CRL once it is published", async () => {
    const certificate = await issueCertificate({ order: { hierarchy: "g3" } });
    await storeRevocation(certificate);
    await publishCrls("issuing-g3", new Date(Date.now() + 4000));
    for (const name of ["issuing-g3.crl", "issuing-g3-delta.crl"]) {
      const text = openssl(["crl", "-inform", "DER", "-noout", "-text"], await bytesOf(await getFile(name)));
      expect(text).toContain(`Serial Number: ${certificate.serialNumber}`);
    }
  });
});

describe("parts of files", () => {
  const part = async (range: string, headers: Record<string, string> = {}) => {
    const response = await getFile("root.cer", { Range: range, ...headers });
    return { response, bytes: await bytesOf(response), range: response.headers.get("Content-Range") };
  };

  test("[REP-03] can be requested by first and last byte or from the end", async () => {
    const whole = await bytesOf(await getFile("root.cer"));
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
    const first = await getFile("root.cer");
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
      const der = await bytesOf(await getFile("issuing-g3.cer"));
      writeFileSync(join(folder, "issuing-sha1.cer"), await (await getFile("issuing-g3.pem")).text());
      const list = await bytesOf(await getFile("issuing-g3.crl"));
      writeFileSync(join(folder, "issuing-sha1.crl"), list);
      getConfig.replace({ ...shipped, certificates: { ...shipped.certificates, sha1Archive: folder } });
      const asDer = await call("DownloadIssuingCertSha1Der");
      expect(await bytesOf(asDer)).toEqual(der);
      expect(asDer.headers.get("Content-Type")).toBe("application/pkix-cert");
      expect(asDer.headers.get("Content-Disposition")).toBe('attachment; filename="issuing-sha1.cer"');
      const asPem = await call("DownloadIssuingCertSha1Pem");
      expect(asPem.headers.get("Content-Type")).toBe("application/x-pem-file");
      expect(await asPem.text()).toBe(await (await getFile("issuing-g3.pem")).text());
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
