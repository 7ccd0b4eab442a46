import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listRepository } from "~/domain/repository/repository.service.server";
import * as publicPage from "~/routes/_public.certificate-repository";
import * as homePage from "~/routes/home.certificate-repository";
import * as certificatesPage from "~/routes/home.certificates_.certificate-repository";
import { anna, visit } from "../components/portal";
import { createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { CA_CERTIFICATES, CRLS, getFile, bytesOf, usePublishedCrls } from "../support/repository";
import { anonymous, run, signedInAs } from "../support/visitor";

usePortal();
const { file } = useOpenssl();
usePublishedCrls();

describe("the repository page", () => {
  const pageOf = async (back: typeof anna | null) => {
    const data = await listRepository();
    return (await visit({ view: publicPage.default, loader: () => data, shell: { user: back } })).html;
  };

  test("[REP-04] links every file as plain links and shows the fingerprints that openssl computes", async () => {
    const html = await pageOf(null);
    for (const name of CA_CERTIFICATES) {
      expect(select(html, `a[href="/repository/${name}.cer"]`).length).toBe(1);
      expect(select(html, `a[href="/repository/${name}.pem"]`).length).toBe(1);
      const path = file("cer", await bytesOf(await getFile(`${name}.cer`)));
      const fingerprint = openssl(["x509", "-inform", "DER", "-in", path, "-noout", "-fingerprint", "-sha256"]);
      expect(html).toContain(fingerprint.split("=")[1]?.trim());
      expect(readFileSync(path).length).toBeGreaterThan(500);
    }
    for (const name of CRLS) expect(select(html, `a[href="/repository/${name}.crl"]`).length).toBe(1);
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
