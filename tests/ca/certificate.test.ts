import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkIssuedCertificate } from "~/ca/certificate/check.server";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { type CertificateRequest, prepareCertificate } from "~/ca/certificate/prepare.server";
import { profileOf } from "~/ca/certificate/profile.server";
import { type UsageFlags } from "~/ca/certificate/usage.server";
import { type Csr, readCsr } from "~/ca/csr/read.server";
import { toPem } from "~/ca/pem.server";
import { colonHex, sha256Hex } from "~/ca/thumbprint.server";
import { namesByKind } from "~/ca/x509/general-names.server";
import { type CsrOptions, openssl, useOpenssl } from "../support/openssl";
import { AT, createHierarchy, NOW, POLICY, type TestCa, URLS, YEAR_LATER } from "./hierarchy";

const { file, makeCsr, makeKey, makeRsaKey } = useOpenssl();
const keyFile = makeRsaKey();
const ca = await createHierarchy();
const g3 = await createHierarchy("sha512");

const ALL: UsageFlags = { hasSecureSession: true, hasEmail: true, hasEncryption: true, hasFileSigning: true };

const SUBJECT =
  "/C=DE/ST=Bayern/L=München/O=Acme GmbH/OU=EDI/CN=oftp.acme.example/serialNumber=O0177ABCD000000/emailAddress=edi@acme.example";
const SAN = [
  "DNS:OFTP.acme.example",
  "DNS:b.acme.example",
  "DNS:b.acme.example",
  "IP:10.0.0.1",
  "IP:2001:db8::ff",
  "email:edi@acme.example",
  "URI:https://acme.example/x",
  "URI:oftp://O0177ABCD000000",
  "RID:1.2.3.4",
];

function csrOf(options: CsrOptions = {}): Csr {
  const result = readCsr(makeCsr({ keyFile, subject: SUBJECT, san: SAN, ...options }).der);
  if (!result.ok) throw new Error(result.message);
  return result.csr;
}

const full = csrOf();

function requestOf(csr: Csr = full, changes: Partial<CertificateRequest> = {}): CertificateRequest {
  return {
    issuer: ca.issuing,
    hash: "sha256",
    subject: csr.subject,
    ssid: csr.ssid,
    requestedNames: csr.subjectAlternateName,
    spkiDer: csr.spkiDer,
    usage: ALL,
    policy: POLICY,
    urls: URLS,
    notAfter: YEAR_LATER,
    now: NOW,
    random: randomBytes,
    ...changes,
  };
}

async function issue(request: CertificateRequest = requestOf(), { signer, issuing }: TestCa = ca) {
  const prepared = prepareCertificate(request);
  const der = assembleCertificate(prepared.tbs, await signer.sign(prepared.tbs), signer.hash);
  checkIssuedCertificate(der, issuing, prepared);
  return { der, prepared };
}

const certificateFile = (der: Uint8Array): string => file("pem", toPem("CERTIFICATE", der));
const textOf = (der: Uint8Array): string =>
  openssl(["x509", "-noout", "-text", "-nameopt", "oneline,utf8,-esc_msb"], toPem("CERTIFICATE", der));

/** Name, criticality and value of every extension in openssl's text, with white space folded. */
function extensionsOf(der: Uint8Array): Record<string, string> {
  const [, block = ""] = /X509v3 extensions:\n([\s\S]*?)\n {4}Signature Algorithm/.exec(textOf(der)) ?? [];
  const parts = block.split(/^ {12}(?=\S)/m).slice(1);
  return Object.fromEntries(
    parts.map((part) => {
      const [, name = "", critical = "", value = ""] = /^(.*?): ?(critical)?\s*\n([\s\S]*)$/.exec(part) ?? [];
      return [name, `${critical} ${value}`.replace(/\s+/g, " ").trim()];
    }),
  );
}

describe.each([
  ["sha256", ca],
  ["sha512", g3],
] as const)("[CAL-02] certificates signed with %s", (hash, { root, issuing, signer }) => {
  test("[CAL-02] openssl verifies the chain to the root, strictly, for every purpose that was asked for", async () => {
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

test("[CAL-02] the profile, field by field, as openssl reads it", async () => {
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
    "[PUR-05] secure session $hasSecureSession, e-mail $hasEmail, encryption $hasEncryption, file signing $hasFileSigning",
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

  test("[PUR-05] none at all is no certificate", () => {
    const none = { hasSecureSession: false, hasEmail: false, hasEncryption: false, hasFileSigning: false };
    expect(() => prepareCertificate(requestOf(full, { usage: none }))).toThrow("No certificate usage is chosen.");
  });

  test("[PUR-05] an EC key agrees on keys where an RSA key enciphers them", async () => {
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

  test("[CAL-02] a common name that is a host is added once; one that is not is left out", async () => {
    expect(await sanOf(csrOf({ subject: "/C=DE/O=Acme/CN=a.example", san: [] }))).toBe("DNS:a.example");
    expect(await sanOf(csrOf({ subject: "/C=DE/O=Acme/CN=a.example", san: ["DNS:A.EXAMPLE"] }))).toBe("DNS:A.EXAMPLE");
    for (const name of ["Acme Ltd", "localhost", "10.0.0.1", "v1.2 of Acme", "münchen.example"]) {
      expect(await sanOf(csrOf({ subject: `/C=DE/O=Acme/CN=${name}`, san: [] }))).toBeUndefined();
    }
  });

  test("[PUR-04] [CAL-02] an SSID from the form becomes serial number and oftp:// name", async () => {
    const { der } = await issue(requestOf(plain, { ssid: "O0177 AB-1" }));
    expect(textOf(der)).toContain("Subject: C = DE, O = Acme, CN = Acme Ltd, serialNumber = O0177 AB-1\n");
    expect(extensionsOf(der)["X509v3 Subject Alternative Name"]).toBe("URI:oftp://O0177%20AB-1");
    expect(namesByKind(describeCertificate(der).subjectAlternateName).ssid).toEqual(["O0177 AB-1"]);
  });

  test("[CAL-02] an SSID from the CSR's oftp:// name alone", async () => {
    const csr = csrOf({ subject: "/C=DE/O=Acme/CN=Acme", san: ["URI:oftp://O0177AB/"] });
    expect(await sanOf(csr)).toBe("URI:oftp://O0177AB");
  });

  test("[CAL-02] nothing else of the CSR's extensions is copied", async () => {
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

  test("[CAL-02] blank fields are left out and blanks around a value go", async () => {
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

  test("[CAL-02] from five minutes ago, never past the issuer's end", () => {
    expect(validityOf({})).toEqual(["2026-03-01T09:55:00.000Z", "2027-03-01T10:00:00.000Z"]);
    const later = new Date("2026-06-01T00:00:00.900Z");
    expect(validityOf({ now: later })).toEqual(["2026-05-31T23:55:00.000Z", "2027-03-01T10:00:00.000Z"]);
    expect(validityOf({ notAfter: new Date("2050-01-01T00:00:00Z") })[1]).toBe(ca.issuing.notAfter.toISOString());
  });

  test("[CAL-02] an end that has passed is refused", () => {
    expect(() => validityOf({ notAfter: NOW })).toThrow("already have ended");
    expect(() =>
      validityOf({ now: new Date("2040-01-01T00:00:00Z"), notAfter: new Date("2041-01-01T00:00:00Z") }),
    ).toThrow();
  });
});

describe("[CAL-04] serial numbers", () => {
  const serialFrom = (bytes: Uint8Array) => prepareCertificate(requestOf(full, { random: () => bytes })).serial;

  test("[CAL-04] are the 16 bytes of the random source with the top bit cleared", () => {
    const sizes: number[] = [];
    const random = (size: number): Uint8Array => {
      sizes.push(size);
      return Buffer.alloc(size, 0xff);
    };
    const { serial, tbs } = prepareCertificate(requestOf(full, { random }));
    expect(sizes).toEqual([16]);
    expect(serial).toBe(`7F${"FF".repeat(15)}`);
    expect(Buffer.from(tbs).toString("hex")).toContain(`02107f${"ff".repeat(15)}`);
    expect(serialFrom(Buffer.from("80000000000000000000000000000001", "hex"))).toBe("01");
  });

  test("[CAL-04] are never zero and never from a source that fails", () => {
    expect(() => serialFrom(new Uint8Array(16))).toThrow("random source");
    expect(() => serialFrom(randomBytes(15))).toThrow("random source");
  });

  test("[CAL-04] differ from certificate to certificate and never are negative", () => {
    const serials = Array.from({ length: 300 }, () => serialFrom(randomBytes(16)));
    expect(new Set(serials).size).toBe(300);
    expect(serials.every((serial) => BigInt(`0x${serial}`) < 1n << 127n)).toBe(true);
    expect(serials.filter((serial) => serial.length >= 28)).toHaveLength(300);
  });
});

describe("[CAL-04] the last check before a certificate is stored", () => {
  test("[CAL-04] a recorded TBS, signed again after a crash, gives the same certificate, from JSON too", async () => {
    const { der, prepared } = await issue();
    const recorded = {
      tbs: Buffer.from(prepared.tbs),
      profile: JSON.parse(JSON.stringify(prepared.profile)) as typeof prepared.profile,
    };
    const again = assembleCertificate(recorded.tbs, await ca.signer.sign(recorded.tbs), "sha256");
    checkIssuedCertificate(again, ca.issuing, recorded);
    expect(again).toEqual(der);
  });

  test("[CAL-04] a wrong signature, issuer, key, hash or content is never passed", async () => {
    const { der, prepared } = await issue();
    const reject = (
      bytes: Uint8Array,
      issuer = ca.issuing,
      intended: Pick<typeof prepared, "tbs" | "profile"> = prepared,
    ) => expect(() => checkIssuedCertificate(bytes, issuer, intended)).toThrow();

    const broken = Buffer.from(der);
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
    expect(() => checkIssuedCertificate(broken, ca.issuing, prepared)).toThrow("its order: signature");
    expect(() => checkIssuedCertificate(der, g3.issuing, prepared)).toThrow("its order: issuer");
    reject(assembleCertificate(prepared.tbs, await ca.rootSigner.sign(prepared.tbs), "sha256"));
    reject(assembleCertificate(prepared.tbs, await ca.signer.sign(prepared.tbs), "sha512"));
    reject(Buffer.concat([der, Uint8Array.of(0)]));
    reject(prepared.tbs);
    const other = await issue();
    expect(() => checkIssuedCertificate(other.der, ca.issuing, prepared)).toThrow("to-be-signed part");
  });

  test("[CAL-04] a certificate that names another issuer, or is a CA's, is never passed", async () => {
    const { der, prepared } = await issue();
    const renamed = { ...ca.issuing, subjectDer: ca.root.subjectDer };
    expect(() => checkIssuedCertificate(der, renamed, prepared)).toThrow("its order: issuer");
    const { certificateDer } = ca.issuing;
    const itself = {
      tbs: parseCertificate(certificateDer).tbsView,
      profile: profileOf(describeCertificate(certificateDer)),
    };
    expect(() => checkIssuedCertificate(certificateDer, ca.root, itself)).toThrow("its order: basicConstraints");
  });

  test("[CAL-04] every field of the profile is compared", async () => {
    const { der, prepared } = await issue();
    const { profile } = prepared;
    const changes: Partial<typeof profile>[] = [
      { serial: "01" },
      { signatureAlgorithm: "sha512WithRSAEncryption" },
      { notBefore: NOW.toISOString() },
      { notAfter: NOW.toISOString() },
      { subject: { ...profile.subject, commonName: "other" } },
      { alternateNames: profile.alternateNames.slice(1) },
      { keyUsage: ["digitalSignature"] },
      { extendedKeyUsage: [] },
      { spkiSha256: sha256Hex(randomBytes(1)) },
      { issuerKeyIdentifier: "" },
      { policy: { oid: POLICY.oid } },
      { urls: { ...profile.urls, crl: "http://other.example" } },
    ];
    expect(changes.flatMap(Object.keys).toSorted()).toEqual(Object.keys(profile).toSorted());
    for (const change of changes) {
      expect(() =>
        checkIssuedCertificate(der, ca.issuing, { tbs: prepared.tbs, profile: { ...profile, ...change } }),
      ).toThrow(`differs from its order: ${Object.keys(change)[0]}`);
    }
  });
});

describe("[CER-06] what the details page shows", () => {
  test("[CER-06] agrees with openssl", async () => {
    const { der, prepared } = await issue();
    const pem = toPem("CERTIFICATE", der);
    const described = describeCertificate(der);
    const fingerprint = (hash: string): string =>
      openssl(["x509", "-noout", "-fingerprint", `-${hash}`], pem)
        .split("=")[1]
        ?.trim() ?? "";
    expect(colonHex(described.thumbprint)).toBe(fingerprint("sha1"));
    expect(colonHex(described.thumbprintSha256)).toBe(fingerprint("sha256"));
    expect(described).toMatchObject({
      serialNumber: prepared.serial,
      startDate: prepared.profile.notBefore,
      endDate: "2027-03-01T10:00:00.000Z",
      formatVersion: 3,
      keyUsage: ["digitalSignature", "nonRepudiation", "keyEncipherment"],
      enhancedKeyUsage: ["serverAuth", "clientAuth", "emailProtection"],
      keyAlgorithm: "RSA",
      keySize: 2048,
      signatureAlgorithm: "sha256WithRSAEncryption",
      issuerName: "CN=Example Issuing CA, O=Example Association, C=GB",
      subject: full.subject,
      spkiSha256: full.spkiSha256,
      isCa: false,
      pathLength: null,
      policies: [POLICY],
      crlUrls: [URLS.crl],
      freshestCrlUrls: [URLS.freshestCrl],
      ocspUrls: [URLS.ocsp],
      caIssuersUrls: [URLS.caIssuers],
    });
    expect(`issuer=${described.issuerName.replaceAll(", ", ",")}`).toBe(
      openssl(["x509", "-noout", "-issuer", "-nameopt", "RFC2253"], pem).trim(),
    );
    expect(namesByKind(described.subjectAlternateName)).toEqual({
      dns: ["OFTP.acme.example", "b.acme.example"],
      ip: ["10.0.0.1", "2001:db8::ff"],
      rfc822: ["edi@acme.example"],
      uri: ["https://acme.example/x"],
      ssid: ["O0177ABCD000000"],
      other: [],
      x400: [],
      ediParty: [],
      directory: [],
      registeredId: [],
    });
  });

  test("[CER-06] a certificate of another CA is read too, and other bytes are refused", () => {
    const path = file("crt");
    openssl([
      "req",
      "-x509",
      "-key",
      keyFile,
      "-subj",
      "/CN=a\\, b",
      "-set_serial",
      "0x00ff",
      "-days",
      "30000",
      "-out",
      path,
    ]);
    const der = file("der");
    openssl(["x509", "-in", path, "-outform", "DER", "-out", der]);
    const described = describeCertificate(Buffer.from(openssl(["base64", "-in", der]), "base64"));
    expect(described).toMatchObject({
      serialNumber: "FF",
      isCa: true,
      keyUsage: [],
      crlUrls: [],
      issuerName: "CN=a\\, b",
    });
    expect(() => describeCertificate(randomBytes(100))).toThrow("not a DER certificate");
    expect(() => describeCertificate(full.der)).toThrow("not a DER certificate");
  });
});
