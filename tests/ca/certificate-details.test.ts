import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { toPem } from "~/ca/pem.server";
import { namesByKind } from "~/ca/x509/general-names.server";
import { colonHex } from "~/lib/hex";
import { openssl } from "../support/openssl";
import { POLICY, URLS } from "./hierarchy";
import { useIssuing } from "./issuing";

const { file, full, issue, keyFile } = await useIssuing();

describe("[CER-06] the details of a certificate", () => {
  test("[CER-06] agree with openssl", async () => {
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

  test("[CER-06] are read from a certificate of another CA; other bytes are refused", () => {
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
