import { describe, expect, test } from "vitest";
import { loader as callLoader } from "~/routes/api.$";
import { openssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { getFile, bytesOf, usePublishedCrls } from "../support/repository";
import { run } from "../support/visitor";

usePortal();
usePublishedCrls();

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
    const wanted = (await getFile(fileName)).headers.get("ETag");
    for (const written of [name, name.toLowerCase(), name.toUpperCase()]) {
      const answer = await call(written);
      expect([answer.status, answer.headers.get("ETag")]).toEqual([200, wanted]);
    }
  });

  test("[REP-01] name a root by its hash algorithm or its thumbprint", async () => {
    const tagOf = async (response: Promise<Response>) => (await response).headers.get("ETag");
    const rootG3 = openssl(
      ["x509", "-inform", "DER", "-noout", "-fingerprint", "-sha256"],
      await bytesOf(await getFile("root-g3.cer")),
    );
    const thumbprint = rootG3.split("=")[1]?.trim() ?? "";
    expect(thumbprint).toHaveLength(95);
    for (const hash of ["Sha512", "sha512", thumbprint, thumbprint.replaceAll(":", "").toLowerCase()]) {
      expect(await tagOf(call("DownloadRootCert", hash))).toBe(await tagOf(getFile("root-g3.cer")));
      expect(await tagOf(call("DownloadRootCertPem", hash))).toBe(await tagOf(getFile("root-g3.pem")));
    }
    for (const hash of ["Sha2", "SHA-256"])
      expect(await tagOf(call("DownloadRootCertDer", hash))).toBe(await tagOf(getFile("root.cer")));
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
