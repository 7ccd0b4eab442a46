import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { prepareCertificate } from "~/ca/certificate/prepare.server";
import { buildCrl, type CrlRequest } from "~/ca/crl/build.server";
import { describeCrl, verifyCrl } from "~/ca/crl/describe.server";
import { CrlEntries } from "~/ca/crl/entries.server";
import { revokedEntryDer } from "~/ca/crl/entry.server";
import { generateRsaKey, spkiDerOf } from "~/ca/keys.server";
import { toPem } from "~/ca/pem.server";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { AT, createHierarchy, NOW, POLICY, URLS, YEAR_LATER } from "./hierarchy";

const { file } = useOpenssl();
const ca = await createHierarchy();
const g3 = await createHierarchy("sha512");
const NEXT = new Date("2026-03-08T10:00:00Z");
const REVOKED_AT = new Date("2026-02-28T12:30:15.999Z");

function entriesOf(parts: readonly Uint8Array[]): CrlEntries {
  const entries = new CrlEntries();
  for (const part of parts) entries.append(part);
  return entries;
}

const build = ({ entries = [], ...changes }: Partial<Omit<CrlRequest, "entries">> & { entries?: Uint8Array[] } = {}) =>
  buildCrl({
    issuer: ca.issuing,
    signer: ca.signer,
    number: 7,
    thisUpdate: NOW,
    nextUpdate: NEXT,
    entries: entriesOf(entries),
    ...changes,
  });
const textOf = (der: Uint8Array): string => openssl(["crl", "-noout", "-text"], toPem("X509 CRL", der));
const crlFile = (der: Uint8Array): string => file("crl", toPem("X509 CRL", der));
const certificateFile = (der: Uint8Array): string => file("pem", toPem("CERTIFICATE", der));
const entry = (serial: string, reason = 1): Uint8Array =>
  revokedEntryDer({ serial, revocationDate: REVOKED_AT, reason });

async function issue(): Promise<{ serial: string; path: string }> {
  const { publicKey } = await generateRsaKey(2048);
  const { serial, tbs } = prepareCertificate({
    issuer: ca.issuing,
    hash: "sha256",
    subject: { country: "DE", organisation: "Acme", commonName: "a.example" },
    ssid: null,
    requestedNames: [],
    spkiDer: spkiDerOf(publicKey),
    usage: { hasSecureSession: true, hasEmail: false, hasEncryption: false, hasFileSigning: false },
    policy: POLICY,
    urls: URLS,
    notAfter: YEAR_LATER,
    now: NOW,
    random: randomBytes,
  });
  return { serial, path: certificateFile(assembleCertificate(tbs, await ca.signer.sign(tbs), "sha256")) };
}

describe("[REV-04] entries", () => {
  test("[REV-04] openssl reads the serial number, date, reason and invalidity date of each entry", async () => {
    const entries = [
      revokedEntryDer({
        serial: "80FF",
        revocationDate: REVOKED_AT,
        reason: 1,
        invalidityDate: new Date("2026-01-01T00:00:00Z"),
      }),
      revokedEntryDer({ serial: "0a", revocationDate: REVOKED_AT, reason: 0 }),
      revokedEntryDer({ serial: "0B", revocationDate: new Date("2051-01-01T00:00:00Z"), reason: 3 }),
      revokedEntryDer({ serial: "0C", revocationDate: REVOKED_AT, reason: 4, invalidityDate: null }),
    ];
    const [, ...blocks] = textOf(await build({ entries })).split("Serial Number: ");
    const folded = blocks.map((block) =>
      block
        .split(/ {4}Signature/)[0]
        ?.replace(/\s+/g, " ")
        .trim(),
    );
    expect(folded).toEqual([
      "80FF Revocation Date: Feb 28 12:30:15 2026 GMT CRL entry extensions: X509v3 CRL Reason Code: Key Compromise Invalidity Date: Jan 1 00:00:00 2026 GMT",
      "0A Revocation Date: Feb 28 12:30:15 2026 GMT",
      "0B Revocation Date: Jan 1 00:00:00 2051 GMT CRL entry extensions: X509v3 CRL Reason Code: Affiliation Changed",
      "0C Revocation Date: Feb 28 12:30:15 2026 GMT CRL entry extensions: X509v3 CRL Reason Code: Superseded",
    ]);
  });

  test("[REV-04] an unknown reason and a serial number that is not hexadecimal are refused", () => {
    for (const reason of [7, 11, -1, 1.5]) expect(() => entry("01", reason)).toThrow("revocation reason");
    for (const serial of ["", "xyz", "-1"]) expect(() => entry(serial)).toThrow("serial number");
  });
});

describe("[CAL-03] CRLs", () => {
  test("[CAL-03] a base CRL has version 2, a number, an authority key identifier and no other extension", async () => {
    const text = textOf(await build({ entries: [entry("0A")] }));
    expect(text).toContain("Version 2 (0x1)");
    expect(text.match(/Signature Algorithm: sha256WithRSAEncryption/g)).toHaveLength(2);
    expect(text).toContain("Issuer: C = GB, O = Example Association, CN = Example Issuing CA");
    expect(text).toMatch(/Last Update: Mar {2}1 10:00:00 2026 GMT\s+Next Update: Mar {2}8 10:00:00 2026 GMT/);
    const [, extensions = ""] = /CRL extensions:\s+([\s\S]*?)Revoked Certificates/.exec(text) ?? [];
    const keyId = (Buffer.from(ca.issuing.keyIdentifier).toString("hex").toUpperCase().match(/../g) ?? []).join(":");
    expect(extensions.replace(/\s+/g, " ").trim()).toBe(
      `X509v3 Authority Key Identifier: ${keyId} X509v3 CRL Number: 7`,
    );
  });

  test("[CAL-03] a delta CRL names its base in a critical extension", async () => {
    const der = await build({ number: 2n ** 70n, baseNumber: 7, entries: [entry("0A")] });
    const text = textOf(der);
    expect(text).toMatch(/X509v3 Delta CRL Indicator: critical\s+7\n/);
    expect(text).toMatch(new RegExp(`X509v3 CRL Number: \\s+${2n ** 70n}\n`));
    expect(describeCrl(der)).toMatchObject({ number: 2n ** 70n, baseNumber: 7n, entryCount: 1 });
  });

  test("[CAL-03] a CRL without entries omits the list of entries", async () => {
    const der = await build();
    expect(textOf(der)).toContain("No Revoked Certificates.");
    const members = openssl(["asn1parse"], toPem("X509 CRL", der)).match(
      /(?<=:d=2 .*(?:prim|cons): )\S+(?: \[ 0 \])?/g,
    );
    expect(members?.slice(0, 6)).toEqual(["INTEGER", "SEQUENCE", "SEQUENCE", "UTCTIME", "UTCTIME", "cont [ 0 ]"]);
    expect(describeCrl(der)).toMatchObject({ entryCount: 0, number: 7n, baseNumber: null });
  });

  test.each([
    ["sha256", ca],
    ["sha512", g3],
  ] as const)(
    "[CAL-03] openssl verifies CRLs signed with %s, and only with their own CA",
    async (hash, { issuing, signer }) => {
      const der = await build({ issuer: issuing, signer, entries: [entry("0A")] });
      expect(textOf(der)).toContain(`${hash}WithRSAEncryption`);
      expect(
        openssl(["crl", "-noout", "-verify", "-CAfile", certificateFile(issuing.certificateDer), "-in", crlFile(der)]),
      ).toBe("");
      const broken = Buffer.from(der);
      broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
      expect([verifyCrl(der, issuing), verifyCrl(broken, issuing), verifyCrl(der, ca.root)]).toEqual([
        true,
        false,
        false,
      ]);
    },
  );

  test("[CAL-03] [REV-04] openssl refuses a revoked certificate and accepts another by the base, delta and root CRLs", async () => {
    const [good, bad, late] = [await issue(), await issue(), await issue()];
    const chain = [
      "-CAfile",
      certificateFile(ca.root.certificateDer),
      "-untrusted",
      certificateFile(ca.issuing.certificateDer),
    ];
    const base = crlFile(await build({ entries: [entry(bad.serial)] }));
    const rootList = crlFile(await build({ issuer: ca.root, signer: ca.rootSigner }));
    const delta = crlFile(await build({ number: 8, baseNumber: 7, entries: [entry(late.serial)] }));
    const verify = [
      "verify",
      "-attime",
      AT,
      "-crl_check",
      "-crl_check_all",
      ...chain,
      "-CRLfile",
      base,
      "-CRLfile",
      rootList,
    ];
    const withDelta = [...verify, "-extended_crl", "-use_deltas", "-CRLfile", delta];

    expect(openssl([...verify, good.path])).toContain(": OK\n");
    expect(opensslFailure([...verify, bad.path])).toContain("certificate revoked");
    expect(openssl([...verify, late.path])).toContain(": OK\n");
    expect(openssl([...withDelta, good.path])).toContain(": OK\n");
    expect(opensslFailure([...withDelta, late.path])).toContain("certificate revoked");
  });

  test("[CAL-03] openssl refuses a CRL after its next update", async () => {
    const { path } = await issue();
    const chain = [
      "-CAfile",
      certificateFile(ca.root.certificateDer),
      "-untrusted",
      certificateFile(ca.issuing.certificateDer),
    ];
    const base = crlFile(await build());
    const later = String(NEXT.getTime() / 1000 + 1);
    expect(opensslFailure(["verify", "-attime", later, "-crl_check", ...chain, "-CRLfile", base, path])).toContain(
      "CRL has expired",
    );
  });

  test("[CAL-03] update times in the wrong order and entries that are not DER are refused", async () => {
    await expect(build({ nextUpdate: NOW })).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(build({ entries: [Uint8Array.of(2, 1, 1)] })).rejects.toMatchObject({ code: "invalid-argument" });
  });

  test("[CAL-03] a signer with a key of another size is refused", async () => {
    const sign = async (tbs: Uint8Array) => (await ca.signer.sign(tbs)).subarray(1);
    await expect(build({ signer: { hash: "sha256", sign } })).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

describe("[CAL-03] large CRLs", () => {
  test("[CAL-03] openssl and the portal find all 100,000 entries of ten chunks", async () => {
    const serialOf = (index: number): string => (0x40000000 + index).toString(16);
    // Entries that differ only in their serial numbers.
    const patterns = [0, 1, 3, 4].map((reason) => entry(serialOf(0), reason));
    const chunks = Array.from({ length: 10 }, (_, page) => {
      const entries = Array.from({ length: 10_000 }, (_, place) => {
        const der = Buffer.from(patterns[place % 4] ?? []);
        der.write(serialOf(page * 10_000 + place), 4, "hex");
        return der;
      });
      return Buffer.concat(entries);
    });
    const der = await build({ entries: chunks });
    const path = file("crl");
    writeFileSync(path, der);
    const serials = openssl(["crl", "-inform", "DER", "-in", path, "-noout", "-text"]).match(/Serial Number: \w+/g);
    expect(serials).toHaveLength(100_000);
    expect(serials?.at(-1)).toBe(`Serial Number: ${serialOf(99_999).toUpperCase()}`);
    const list = describeCrl(der);
    expect(list.entryCount).toBe(100_000);
    expect(list.find(serialOf(99_999))).toEqual({
      revocationDate: new Date("2026-02-28T12:30:15Z"),
      reason: 4,
      invalidityDate: null,
    });
    expect(list.find("3fffffff")).toBeNull();
    expect(verifyCrl(der, ca.issuing)).toBe(true);
  });
});

test("[REV-04] an entry is found with its reason and invalidity date, whatever the case of its serial number", async () => {
  const invalidityDate = new Date("2026-01-02T03:04:05Z");
  const der = await build({
    entries: [revokedEntryDer({ serial: "00ABCD", revocationDate: REVOKED_AT, reason: 1, invalidityDate })],
  });
  const { find, thisUpdate, nextUpdate, issuerName } = describeCrl(der);
  expect(find("abcd")).toEqual({ revocationDate: new Date("2026-02-28T12:30:15Z"), reason: 1, invalidityDate });
  expect([thisUpdate, nextUpdate]).toEqual([new Date("2026-03-01T10:00:00Z"), NEXT]);
  expect(issuerName).toBe("CN=Example Issuing CA, O=Example Association, C=GB");
  expect(() => describeCrl(randomBytes(50))).toThrow("Malformed");
  expect(() => describeCrl(ca.issuing.certificateDer)).toThrow("Malformed");
});
