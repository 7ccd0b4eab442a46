import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { publishDelta, publishLists } from "~/domain/authorities/publishing.service.server";
import { readRepositoryFile } from "~/domain/repository/files.service.server";
import { listRepository } from "~/domain/repository/repository.service.server";
import * as publicPage from "~/routes/_public.certificate-repository";
import * as homePage from "~/routes/home.certificate-repository";
import * as certificatesPage from "~/routes/home.certificates_.certificate-repository";
import { loader } from "~/routes/repository.$file";
import { anna, visit } from "../components/portal";
import { issueCertificate, storeRevocation } from "../support/certificates";
import { createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { anonymous, run, signedInAs } from "../support/visitor";

usePortal();
const { file } = useOpenssl();

const CERTIFICATES = ["root", "root-g3", "issuing-sha2", "issuing-g3"];
const LISTS = ["root", "root-g3", "issuing-sha2", "issuing-sha2-delta", "issuing-g3", "issuing-g3-delta"];

const get = (name: string, headers: Record<string, string> = {}) =>
  run(loader, new Request(`http://portal.test/repository/${name}`, { headers }), { file: name });
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

beforeAll(async () => {
  for (const name of ["root", "issuing-sha2", "root-g3", "issuing-g3"] as const) {
    await publishLists(name, new Date(), { allowRoot: true });
  }
});

describe("repository files", () => {
  test.each(CERTIFICATES)("[REP-01] the certificate %s as DER and as PEM", async (name) => {
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
    "[REP-03] the list %s with media type, validators and a cache time up to its next update",
    async (name) => {
      const response = await get(`${name}.crl`);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("application/pkix-crl");
      expect(response.headers.get("ETag")).toMatch(/^"[\w-]{43}"$/);
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

  test("[REP-03] the cache time never passes the next update, and is nought after it", async () => {
    const now = new Date("2027-05-01T00:00:00Z");
    await publishLists("issuing-sha2", now);
    const after = async (hours: number, name = "issuing-sha2-delta.crl") =>
      (await readRepositoryFile(name, new Date(now.getTime() + hours * 3_600_000)))?.maxAge;
    expect([await after(0), await after(0.5), await after(1), await after(23.9999), await after(25)]).toEqual([
      3600, 1800, 60, 0, 0,
    ]);
    expect(await after(0, "issuing-sha2.crl")).toBe(86_400);
  });

  test("[REP-03] answers 304 to a client whose copy is current, and the new list after a publication", async () => {
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

  test.each(["root-delta.crl", "issuing-sha1.cer", "../secrets.json", "ROOT.CER", "root", ""])(
    "[REP-01] '%s' is not there: 404 in plain words",
    async (name) => {
      const response = await get(name);
      expect(response.status).toBe(404);
      expect(response.headers.get("Content-Type")).toContain("text/plain");
      expect(await response.text()).toContain("no such file");
    },
  );

  test("[REP-03] the addresses inside certificates are those of the files", async () => {
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

  test("[REP-03] a revocation is on the served base and delta list once it is published", async () => {
    const certificate = await issueCertificate({ order: { hierarchy: "g3" } });
    await storeRevocation(certificate);
    await publishLists("issuing-g3", new Date(Date.now() + 4000));
    for (const name of ["issuing-g3.crl", "issuing-g3-delta.crl"]) {
      const text = openssl(["crl", "-inform", "DER", "-noout", "-text"], await bytesOf(await get(name)));
      expect(text).toContain(`Serial Number: ${certificate.serialNumber}`);
    }
  });
});

describe("the repository page", () => {
  const pageOf = async (back: typeof anna | null) => {
    const data = await listRepository();
    return (await visit({ view: publicPage.default, loader: () => data, shell: { user: back } })).html;
  };

  test("[REP-04] links every file plainly and shows fingerprints that openssl computes", async () => {
    const html = await pageOf(null);
    for (const name of CERTIFICATES) {
      expect(html).toContain(`href="/repository/${name}.cer"`);
      expect(html).toContain(`href="/repository/${name}.pem"`);
      const path = file("cer", await bytesOf(await get(`${name}.cer`)));
      const fingerprint = openssl(["x509", "-inform", "DER", "-in", path, "-noout", "-fingerprint", "-sha256"]);
      expect(html).toContain(fingerprint.split("=")[1]?.trim());
      expect(readFileSync(path).length).toBeGreaterThan(500);
    }
    for (const name of LISTS) expect(html).toContain(`href="/repository/${name}.crl"`);
    expect(html).toContain("http://portal.test/repository/issuing-sha2.crl");
  });

  test("[PUB-08] goes back to login when logged out, to the dashboard when logged in", async () => {
    const back = (html: string) => /<a[^>]* href="([^"]+)"[^>]*><span[^>]*>‹ <\/span>Back/.exec(html)?.[1];
    expect(back(await pageOf(null))).toBe("/login");
    expect(back(await pageOf(anna))).toBe("/home/dashboard");
  });

  test("[REP-01] three routes: one for everybody, two for users, with the same contents", async () => {
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
