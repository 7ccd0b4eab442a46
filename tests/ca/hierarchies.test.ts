import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { createIssuingCertificate, HIERARCHIES } from "~/ca/hierarchies.server";
import { generateRsaKey, spkiDerOf } from "~/ca/keys.server";
import { toPem } from "~/ca/pem.server";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { AT, createHierarchy, createResponder, NOW, POLICY, ROOT_URLS } from "./hierarchy";

const { file } = useOpenssl();
const certificateFile = (der: Uint8Array): string => file("pem", toPem("CERTIFICATE", der));
const textOf = (der: Uint8Array): string => openssl(["x509", "-in", certificateFile(der), "-noout", "-text"]);

test("[CAL-01] the hierarchies are those of the decision records", () => {
  expect(HIERARCHIES).toEqual({
    sha2: { hash: "sha256", keyBits: 4096, rootYears: 20, issuingYears: 10 },
    g3: { hash: "sha512", keyBits: 4096, rootYears: 25, issuingYears: 10 },
  });
});

describe.each([
  ["sha256", "sha256WithRSAEncryption", 4096],
  ["sha512", "sha512WithRSAEncryption", 2048],
] as const)("hierarchy signed with %s", (hash, algorithm, bits) => {
  const made = createHierarchy(hash, bits);

  test("[CAL-01] [CAL-02] openssl verifies the issuing CA up to its root in strict mode", async () => {
    const { root, issuing } = await made;
    const rootFile = certificateFile(root.certificateDer);
    const args = ["verify", "-x509_strict", "-check_ss_sig", "-attime", AT, "-CAfile", rootFile];
    expect(openssl([...args, rootFile, certificateFile(issuing.certificateDer)]).match(/: OK$/gm)).toHaveLength(2);
  });

  test("[CAL-01] [CAL-02] the root is a self-signed CA with critical basicConstraints and keyUsage, valid for 20 years", async () => {
    const { root } = await made;
    const text = textOf(root.certificateDer);
    expect(text).toContain("Version: 3 (0x2)");
    expect(text.match(new RegExp(`Signature Algorithm: ${algorithm}`, "g"))).toHaveLength(2);
    expect(text).toContain("Issuer: C = GB, O = Example Association, CN = Example Root");
    expect(text).toContain("Subject: C = GB, O = Example Association, CN = Example Root");
    expect(text).toContain(`Public-Key: (${bits} bit)`);
    expect(text).toMatch(/Not Before: Mar {2}1 10:00:00 2026 GMT\s+Not After : Mar {2}1 10:00:00 2046 GMT/);
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE\n/);
    expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
    const description = describeCertificate(root.certificateDer);
    expect(description.authorityKeyIdentifier).toBe(description.subjectKeyIdentifier);
    expect(extensionCount(text)).toBe(4);
  });

  test("[CAL-01] [CAL-02] the issuing CA has path length 0 and the CRL, issuer and policy addresses, and is valid for 10 years", async () => {
    const { root, issuing } = await made;
    const text = textOf(issuing.certificateDer);
    expect(text.match(new RegExp(`Signature Algorithm: ${algorithm}`, "g"))).toHaveLength(2);
    expect(text).toContain("Issuer: C = GB, O = Example Association, CN = Example Root");
    expect(text).toMatch(/Not Before: Mar {2}1 10:00:00 2026 GMT\s+Not After : Mar {2}1 10:00:00 2036 GMT/);
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0\n/);
    expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
    expect(text).toContain(`CA Issuers - URI:${ROOT_URLS.caIssuers}`);
    expect(text).toMatch(new RegExp(`CRL Distribution Points: \\s+Full Name:\\s+URI:${ROOT_URLS.crl}`));
    expect(text).toMatch(new RegExp(`Policy: ${POLICY.oid}\\s+CPS: ${POLICY.cpsUri}`));
    expect(extensionCount(text)).toBe(7);
    expect(describeCertificate(issuing.certificateDer)).toMatchObject({
      isCa: true,
      pathLength: 0,
      authorityKeyIdentifier: Buffer.from(root.keyIdentifier).toString("hex"),
      subjectKeyIdentifier: Buffer.from(issuing.keyIdentifier).toString("hex"),
    });
  });

  test("[CAL-02] openssl refuses a CA under the issuing CA because of the path length", async () => {
    const { root, issuing, signer } = await made;
    const pair = await generateRsaKey(2048);
    const spkiDer = spkiDerOf(pair.publicKey);
    const request = {
      issuer: issuing,
      signer,
      subject: { commonName: "Too deep" },
      spkiDer,
      years: 1,
      now: NOW,
      random: randomBytes,
    };
    const deep = await createIssuingCertificate(request);
    const { certificateDer: leaf } = await createResponder({ issuing: readIssuer(deep), signer });
    const untrusted = file("pem", toPem("CERTIFICATE", issuing.certificateDer) + toPem("CERTIFICATE", deep));
    const rootFile = certificateFile(root.certificateDer);
    expect(
      opensslFailure(["verify", "-attime", AT, "-CAfile", rootFile, "-untrusted", untrusted, certificateFile(leaf)]),
    ).toContain("path length constraint exceeded");
  });
});

test("[CAL-01] a subordinate CA never outlives its issuer, and an expired CA issues none", async () => {
  const { root, rootSigner } = await createHierarchy();
  const { publicKey } = await generateRsaKey(2048);
  const request = {
    issuer: root,
    signer: rootSigner,
    subject: { commonName: "Late" },
    spkiDer: spkiDerOf(publicKey),
    random: randomBytes,
    years: 10,
  };
  const late = await createIssuingCertificate({ ...request, now: new Date("2044-01-01T00:00:00Z") });
  expect(describeCertificate(late).endDate).toBe(root.notAfter.toISOString());
  const tooLate = createIssuingCertificate({ ...request, now: new Date("2047-01-01T00:00:00Z") });
  await expect(tooLate).rejects.toMatchObject({ code: "invalid-argument" });
});

test("[CAL-02] an OCSP responder certificate has OCSPSigning and nocheck and is no CA", async () => {
  const { root, issuing, signer } = await createHierarchy();
  const { certificateDer: der } = await createResponder({ issuing, signer });
  const text = textOf(der);
  expect(text).toMatch(/Extended Key Usage: \s+OCSP Signing\n/);
  expect(text).toMatch(/OCSP No Check/);
  expect(text).toMatch(/Key Usage: critical\s+Digital Signature\n/);
  const chain = [
    "-CAfile",
    certificateFile(root.certificateDer),
    "-untrusted",
    certificateFile(issuing.certificateDer),
  ];
  expect(openssl(["verify", "-attime", AT, "-purpose", "ocsphelper", ...chain, certificateFile(der)])).toContain(
    ": OK\n",
  );
});

test("[CAL-02] an end-entity certificate is not accepted as an issuer", async () => {
  const { certificateDer: der } = await createResponder(await createHierarchy());
  expect(() => readIssuer(der)).toThrow("not that of a certificate authority");
  expect(() => readIssuer(Uint8Array.of(0x30, 0))).toThrow("not a DER certificate");
});

test("[CAL-02] the key identifier of a CA is the one in its certificate, however it was calculated", () => {
  const [key, path, der] = [file("key"), file("crt"), file("der")];
  const identifier = ["-addext", "subjectKeyIdentifier=0102030405", "-addext", "authorityKeyIdentifier=none"];
  openssl([
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-noenc",
    "-keyout",
    key,
    "-subj",
    "/CN=Old CA",
    ...identifier,
    "-out",
    path,
  ]);
  openssl(["x509", "-in", path, "-outform", "DER", "-out", der]);
  const { keyIdentifier } = readIssuer(readFileSync(der));
  expect(Buffer.from(keyIdentifier).toString("hex")).toBe("0102030405");
});

/** Returns the number of extensions in OpenSSL's text, which are the lines with this indentation. */
const extensionCount = (text: string): number => text.match(/^ {12}\S.*: ?(critical)?$/gm)?.length ?? 0;
