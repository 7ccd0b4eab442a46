import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkIssuedCertificate } from "~/ca/certificate/check.server";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { prepareCertificate } from "~/ca/certificate/prepare.server";
import { profileOf } from "~/ca/certificate/profile.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { createHierarchy, NOW, POLICY } from "./hierarchy";
import { useIssuing } from "./issuing";

const { ca, full, issue, requestOf } = await useIssuing();
const g3 = await createHierarchy("sha512");

describe("[CAL-04] serial numbers", () => {
  const serialFrom = (bytes: Uint8Array) => prepareCertificate(requestOf(full, { random: () => bytes })).serial;

  test("[CAL-04] are 16 random bytes with the top bit cleared", () => {
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

  test("[CAL-04] are never zero, and are refused when the random source fails", () => {
    expect(() => serialFrom(new Uint8Array(16))).toThrow("random source");
    expect(() => serialFrom(randomBytes(15))).toThrow("random source");
  });

  test("[CAL-04] differ between certificates and are never negative", () => {
    const serials = Array.from({ length: 300 }, () => serialFrom(randomBytes(16)));
    expect(new Set(serials).size).toBe(300);
    expect(serials.every((serial) => BigInt(`0x${serial}`) < 1n << 127n)).toBe(true);
    expect(serials.filter((serial) => serial.length >= 24)).toHaveLength(300); // leading zero bytes are not written
  });
});

describe("[CAL-04] the last check before a certificate is stored", () => {
  test("[CAL-04] accepts the certificate that is signed from a recorded TBS after a crash, also when the TBS was stored as JSON", async () => {
    const { der, prepared } = await issue();
    const recorded = {
      tbs: Buffer.from(prepared.tbs),
      profile: JSON.parse(JSON.stringify(prepared.profile)) as typeof prepared.profile,
    };
    const again = assembleCertificate(recorded.tbs, await ca.signer.sign(recorded.tbs), "sha256");
    checkIssuedCertificate(again, ca.issuing, recorded);
    expect(again).toEqual(der);
  });

  test("[CAL-04] refuses a wrong signature, issuer, key, hash or content", async () => {
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

  test("[CAL-04] refuses a certificate that names another issuer or is a CA certificate", async () => {
    const { der, prepared } = await issue();
    const renamed = { ...ca.issuing, subjectDer: ca.root.subjectDer };
    expect(() => checkIssuedCertificate(der, renamed, prepared)).toThrow("its order: issuer");
    const { certificateDer } = ca.issuing;
    const itself = {
      tbs: parseCertificate(certificateDer).tbs,
      profile: profileOf(describeCertificate(certificateDer)),
    };
    expect(() => checkIssuedCertificate(certificateDer, ca.root, itself)).toThrow("its order: basicConstraints");
  });

  test("[CAL-04] compares every field of the profile", async () => {
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
