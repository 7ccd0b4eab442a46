import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { type CertificateRequest, prepareCertificate } from "~/ca/certificate/prepare.server";
import { type UsageFlags } from "~/ca/certificate/usage.server";
import { type Csr } from "~/ca/csr/read.server";
import { toPem } from "~/ca/pem.server";
import { namesByKind } from "~/ca/x509/general-names.server";
import { colonHex } from "~/lib/hex";
import { openssl } from "../support/openssl";
import { AT, createHierarchy, NOW, POLICY, type TestCa, URLS } from "./hierarchy";
import { extensionsOf, textOf, useIssuing } from "./issuing";

const { ca, csrOf, file, full, issue, makeKey, requestOf } = await useIssuing();
const g3 = await createHierarchy("sha512");

const certificateFile = (der: Uint8Array): string => file("pem", toPem("CERTIFICATE", der));

describe.each([
  ["sha256", ca],
  ["sha512", g3],
] as const)("[CAL-02] certificates signed with %s", (hash, { root, issuing, signer }) => {
  test("[CAL-02] openssl verifies the chain to the root in strict mode for every requested purpose", async () => {
    const { der } = await issue(requestOf(full, { issuer: issuing, hash }), { root, issuing, signer } as TestCa);
    const leaf = certificateFile(der);
    const chain = [
      "-CAfile",
      certificateFile(root.certificateDer),
      "-untrusted",
      certificateFile(issuing.certificateDer),
    ];
    for (const purpose of ["sslserver", "sslclient", "smimesign", "smimeencrypt"]) {
      expect(openssl(["verify", "-x509_strict", "-attime", AT, "-purpose", purpose, ...chain, leaf])).toBe(
        `${leaf}: OK\n`,
      );
    }
    for (const host of ["oftp.acme.example", "b.acme.example"]) {
      expect(openssl(["verify", "-attime", AT, "-verify_hostname", host, ...chain, leaf])).toContain(": OK\n");
    }
    expect(openssl(["verify", "-attime", AT, "-verify_ip", "2001:db8::ff", ...chain, leaf])).toContain(": OK\n");
    expect(openssl(["verify", "-attime", AT, "-verify_email", "edi@acme.example", ...chain, leaf])).toContain(": OK\n");
    expect(textOf(der).match(new RegExp(`Signature Algorithm: ${hash}WithRSAEncryption`, "g"))).toHaveLength(2);
  });
});

test("[CAL-02] openssl reads every field of the profile", async () => {
  const { der, prepared } = await issue();
  const text = textOf(der);
  expect(text).toContain("Version: 3 (0x2)");
  expect(openssl(["x509", "-noout", "-serial"], toPem("CERTIFICATE", der)).trim()).toBe(`serial=${prepared.serial}`);
  expect(text).toContain("Issuer: C = GB, O = Example Association, CN = Example Issuing CA\n");
  expect(text).toContain(
    "Subject: C = DE, ST = Bayern, L = München, O = Acme GmbH, OU = EDI, CN = oftp.acme.example, serialNumber = O0177ABCD000000, emailAddress = edi@acme.example\n",
  );
  expect(text).toMatch(/Not Before: Mar {2}1 09:55:00 2026 GMT\s+Not After : Mar {2}1 10:00:00 2027 GMT/);
  const structure = openssl(["asn1parse"], toPem("CERTIFICATE", der));
  expect(structure).toMatch(/OBJECT +:countryName\n.*PRINTABLESTRING +:DE/);
  expect(structure).toMatch(/OBJECT +:organizationName\n.*UTF8STRING +:Acme GmbH/);
  expect(structure).toMatch(/OBJECT +:serialNumber\n.*PRINTABLESTRING +:O0177ABCD000000/);
  expect(structure).toMatch(/OBJECT +:emailAddress\n.*IA5STRING +:edi@acme.example/);
  const keyId = (spkiDer: Uint8Array): string =>
    colonHex(createHash("sha1").update(spkiDer.subarray(24)).digest("hex").toUpperCase());
  expect(extensionsOf(der)).toEqual({
    "X509v3 Basic Constraints": "critical CA:FALSE",
    "X509v3 Key Usage": "critical Digital Signature, Non Repudiation, Key Encipherment",
    "X509v3 Extended Key Usage": "TLS Web Server Authentication, TLS Web Client Authentication, E-mail Protection",
    "X509v3 Subject Alternative Name":
      "DNS:OFTP.acme.example, DNS:b.acme.example, IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:FF, email:edi@acme.example, URI:https://acme.example/x, URI:oftp://O0177ABCD000000",
    "X509v3 Subject Key Identifier": keyId(full.spkiDer),
    "X509v3 Authority Key Identifier": colonHex(Buffer.from(ca.issuing.keyIdentifier).toString("hex").toUpperCase()),
    "X509v3 Certificate Policies": `Policy: ${POLICY.oid} CPS: ${POLICY.cpsUri}`,
    "X509v3 CRL Distribution Points": `Full Name: URI:${URLS.crl}`,
    "X509v3 Freshest CRL": `Full Name: URI:${URLS.freshestCrl}`,
    "Authority Information Access": `OCSP - URI:${URLS.ocsp} CA Issuers - URI:${URLS.caIssuers}`,
  });
});

describe("[PUR-05] [CAL-02] all 15 combinations of the usage flags", () => {
  const combinations = Array.from({ length: 15 }, (_, index): UsageFlags => {
    const bits = index + 1;
    return {
      hasSecureSession: Boolean(bits & 1),
      hasEmail: Boolean(bits & 2),
      hasEncryption: Boolean(bits & 4),
      hasFileSigning: Boolean(bits & 8),
    };
  });

  test.each(combinations)(
    "[PUR-05] secure session $hasSecureSession, email $hasEmail, encryption $hasEncryption, file signing $hasFileSigning",
    async (usage) => {
      const { hasSecureSession, hasEmail, hasEncryption, hasFileSigning } = usage;
      const { der } = await issue(requestOf(full, { usage }));
      const session = hasSecureSession || hasEmail;
      const keyUsage = [
        ...(session || hasFileSigning ? ["Digital Signature"] : []),
        ...(hasFileSigning ? ["Non Repudiation"] : []),
        ...(session || hasEncryption ? ["Key Encipherment"] : []),
      ];
      const purposes = [
        ...(hasSecureSession ? ["TLS Web Server Authentication", "TLS Web Client Authentication"] : []),
        ...(hasEmail ? ["E-mail Protection"] : []),
      ];
      const extensions = extensionsOf(der);
      expect(extensions["X509v3 Key Usage"]).toBe(`critical ${keyUsage.join(", ")}`);
      expect(extensions["X509v3 Extended Key Usage"]).toBe(purposes.length > 0 ? purposes.join(", ") : undefined);
      expect(extensions["X509v3 Basic Constraints"]).toBe("critical CA:FALSE");
      expect(Object.keys(extensions)).toHaveLength(purposes.length > 0 ? 10 : 9);
      const described = describeCertificate(der);
      expect(described.keyUsage).toHaveLength(keyUsage.length);
      expect(described.enhancedKeyUsage).toHaveLength(purposes.length);
    },
  );

  test("[PUR-05] without any usage no certificate is made", () => {
    const none = { hasSecureSession: false, hasEmail: false, hasEncryption: false, hasFileSigning: false };
    expect(() => prepareCertificate(requestOf(full, { usage: none }))).toThrow("No certificate usage is chosen.");
  });

  test("[PUR-05] an EC key gets key agreement where an RSA key gets key encipherment", async () => {
    const csr = csrOf({ keyFile: makeKey("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256") });
    const { der } = await issue(requestOf(csr));
    expect(extensionsOf(der)["X509v3 Key Usage"]).toBe("critical Digital Signature, Non Repudiation, Key Agreement");
    expect(describeCertificate(der)).toMatchObject({ keyAlgorithm: "EC", keySize: 256 });
  });
});

describe("[CAL-02] subject and names", () => {
  const sanOf = async (csr: Csr, changes: Partial<CertificateRequest> = {}): Promise<string | undefined> =>
    extensionsOf((await issue(requestOf(csr, changes))).der)["X509v3 Subject Alternative Name"];
  const plain = csrOf({ subject: "/C=DE/O=Acme/CN=Acme Ltd", san: [] });

  test("[CAL-02] a common name that is a host name is added to the DNS names once; another one is not added", async () => {
    expect(await sanOf(csrOf({ subject: "/C=DE/O=Acme/CN=a.example", san: [] }))).toBe("DNS:a.example");
    expect(await sanOf(csrOf({ subject: "/C=DE/O=Acme/CN=a.example", san: ["DNS:A.EXAMPLE"] }))).toBe("DNS:A.EXAMPLE");
    for (const name of ["Acme Ltd", "localhost", "10.0.0.1", "v1.2 of Acme", "münchen.example"]) {
      expect(await sanOf(csrOf({ subject: `/C=DE/O=Acme/CN=${name}`, san: [] }))).toBeUndefined();
    }
  });

  test("[PUR-04] [CAL-02] an SSID from the form becomes the serial number and an oftp:// name", async () => {
    const { der } = await issue(requestOf(plain, { ssid: "O0177 AB-1" }));
    expect(textOf(der)).toContain("Subject: C = DE, O = Acme, CN = Acme Ltd, serialNumber = O0177 AB-1\n");
    expect(extensionsOf(der)["X509v3 Subject Alternative Name"]).toBe("URI:oftp://O0177%20AB-1");
    expect(namesByKind(describeCertificate(der).subjectAlternateName).ssid).toEqual(["O0177 AB-1"]);
  });

  test("[CAL-02] an SSID is taken from the oftp:// name of the CSR", async () => {
    const csr = csrOf({ subject: "/C=DE/O=Acme/CN=Acme", san: ["URI:oftp://O0177AB/"] });
    expect(await sanOf(csr)).toBe("URI:oftp://O0177AB");
  });

  test("[CAL-02] no other extension of the CSR is copied", async () => {
    const args = [
      "-addext",
      "basicConstraints=critical,CA:TRUE",
      "-addext",
      "keyUsage=keyCertSign",
      "-addext",
      "1.2.3.4=ASN1:UTF8String:x",
    ];
    const { der } = await issue(requestOf(csrOf({ args })));
    expect(extensionsOf(der)["X509v3 Basic Constraints"]).toBe("critical CA:FALSE");
    expect(extensionsOf(der)["X509v3 Key Usage"]).not.toContain("Certificate Sign");
    expect(Object.keys(extensionsOf(der))).toHaveLength(10);
  });

  test("[CAL-02] blank fields are omitted and values are trimmed", async () => {
    const subject = { ...plain.subject, organisation: " Acme ", locality: "  ", state: "" };
    expect(textOf((await issue(requestOf(plain, { subject }))).der)).toContain(
      "Subject: C = DE, O = Acme, CN = Acme Ltd\n",
    );
  });
});

describe("[CAL-02] validity", () => {
  const validityOf = (changes: Partial<CertificateRequest>) => {
    const { profile } = prepareCertificate(requestOf(full, changes));
    return [profile.notBefore, profile.notAfter];
  };

  test("[CAL-02] begins five minutes ago and never ends after the issuer", () => {
    expect(validityOf({})).toEqual(["2026-03-01T09:55:00.000Z", "2027-03-01T10:00:00.000Z"]);
    const later = new Date("2026-06-01T00:00:00.900Z");
    expect(validityOf({ now: later })).toEqual(["2026-05-31T23:55:00.000Z", "2027-03-01T10:00:00.000Z"]);
    expect(validityOf({ notAfter: new Date("2050-01-01T00:00:00Z") })[1]).toBe(ca.issuing.notAfter.toISOString());
  });

  test("[CAL-02] an end in the past is refused", () => {
    expect(() => validityOf({ notAfter: NOW })).toThrow("already have ended");
    expect(() =>
      validityOf({ now: new Date("2040-01-01T00:00:00Z"), notAfter: new Date("2041-01-01T00:00:00Z") }),
    ).toThrow();
  });
});
