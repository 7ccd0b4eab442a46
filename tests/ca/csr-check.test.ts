import { describe, expect, test } from "vitest";
import { OID } from "~/ca/oids.server";
import { contextTag, element, objectIdentifier, sequence } from "../support/der";
import { preparedKey } from "../support/keys";
import { useForgedCsrs, withEc } from "./csr-forging";

const { codes, codesOf, curve, keyFile, makeCsr, makeRsaKey, refusals, signed } = useForgedCsrs();

describe("[PUR-11] sound CSRs are accepted", () => {
  test.each(["sha256", "sha384", "sha512"])("[PUR-11] signed with %s", (digest) => {
    expect(codesOf({ keyFile, digest })).toEqual([]);
  });

  test.each([3072, 4096])("[PUR-11] RSA of %i bits", (bits) => {
    expect(codesOf({ keyFile: preparedKey(`${bits}`) })).toEqual([]);
  });

  test.each(["sha256", "sha384", "sha512"])("[PUR-11] RSASSA-PSS with %s", (digest) => {
    for (const salt of ["digest", "max", "20"]) {
      const args = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", `rsa_pss_saltlen:${salt}`];
      expect(codesOf({ keyFile, digest, args })).toEqual([]);
    }
  });

  test.each(["P-256", "P-384"])("[PUR-11] EC %s, when EC keys are enabled", (name) => {
    for (const digest of ["sha256", "sha384", "sha512"])
      expect(codesOf({ keyFile: curve(name), digest }, withEc)).toEqual([]);
  });

  test("[PUR-11] values as long as X.520 allows, and every kind of name", () => {
    const subject = `/C=DE/ST=${"ä".repeat(128)}/L=${"l".repeat(128)}/O=${"ö".repeat(64)}/OU=${"u".repeat(64)}/CN=${"n".repeat(64)}/serialNumber=${"1".repeat(64)}`;
    expect(codesOf({ keyFile, subject })).toEqual([]);
    const san = [
      "DNS:a.example",
      "DNS:*.a.example",
      "IP:10.0.0.1",
      "IP:2001:db8::1",
      "email:a@b.example",
      "URI:urn:x:y",
      "URI:https://a.example/",
    ];
    expect(codesOf({ keyFile, san: [...san, "RID:1.2.3"] })).toEqual([]);
  });
});

describe("[PUR-11] the self-signature", () => {
  const { der } = makeCsr({ keyFile });

  test("[PUR-11] does not verify after a change of the subject, and the message says so", () => {
    const changed = Buffer.from(der);
    changed.write("Evil", changed.indexOf("Acme"));
    expect(refusals(changed)).toMatchObject([
      {
        code: "signature-invalid",
        message:
          "CSR signature: it does not match the public key in the CSR, so the CSR was changed or damaged after it was made. Create the CSR again with your private key.",
      },
    ]);
  });

  test("[PUR-11] does not verify after a change of its octets: RSA, PSS and ECDSA", () => {
    const pss = makeCsr({ keyFile, args: ["-sigopt", "rsa_padding_mode:pss"] });
    for (const made of [der, pss.der, makeCsr({ keyFile: curve("P-256") }).der]) {
      const changed = Buffer.from(made);
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
      expect(codes(changed, withEc)).toEqual(["signature-invalid"]);
    }
  });

  test("[PUR-11] does not verify with the key of somebody else", () => {
    const [info] = [makeCsr({ keyFile: makeRsaKey() }).der];
    const [own, foreign] = [Buffer.from(der), Buffer.from(info)];
    // Both CSRs have the same length: this is the foreign request with the signature of the own one.
    const forged = Buffer.concat([foreign.subarray(0, -256), own.subarray(-256)]);
    expect(codes(forged)).toEqual(["signature-invalid"]);
  });

  test("[PUR-11] is refused when its algorithm belongs to another kind of key", () => {
    expect(codes(signed([]))).toEqual([]);
    const ecdsaWithSha256 = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
    expect(codes(signed([], { algorithm: ecdsaWithSha256 }))).toEqual(["signature-invalid"]);
  });

  test.each(["sha1", "md5", "sha224"])("[PUR-11] %s is refused by name, although the signature verifies", (digest) => {
    const [refusal] = refusals(makeCsr({ keyFile, digest }).der);
    expect(refusal?.code).toBe("signature-algorithm");
    expect(refusal?.message).toContain(`${digest}WithRSAEncryption`);
  });

  test("[PUR-11] RSASSA-PSS with SHA-1 as hash or by default, or with a different mask hash, is refused", () => {
    const pss = ["-sigopt", "rsa_padding_mode:pss"];
    expect(codesOf({ keyFile, digest: "sha1", args: pss })).toEqual(["signature-algorithm"]);
    expect(codesOf({ keyFile, args: [...pss, "-sigopt", "rsa_mgf1_md:sha512"] })).toEqual(["signature-algorithm"]);
  });
});

describe("[PUR-11] the subject", () => {
  test.each([
    ["/C=DE/O=Acme", "common name (CN)"],
    ["/C=DE/CN=Acme", "organisation (O)"],
    ["/O=Acme/CN=Acme", "country (C)"],
    ["/C=DE/O= /CN=Acme", "organisation (O)"],
  ])("[PUR-11] is refused when %s lacks its %s", (subject, label) => {
    const found = refusals(makeCsr({ keyFile, subject }).der);
    expect(found.map(({ code }) => code)).toEqual(["subject-required"]);
    expect(found[0]?.message).toBe(`Subject: the ${label} is missing. Create the CSR again and state it.`);
  });

  test("[PUR-11] is refused with an unknown or lower-case country", () => {
    for (const country of ["XX", "de", "UK"]) {
      expect(codesOf({ keyFile, subject: `/C=${country}/O=Acme/CN=Acme` })).toEqual(["subject-country"]);
    }
  });

  // `openssl req` refuses long values itself, so these subjects are encoded here and signed by OpenSSL.
  test.each([
    ["CN", OID.commonName, 64],
    ["O", OID.organizationName, 64],
    ["OU", OID.organizationalUnitName, 64],
    ["L", OID.localityName, 128],
    ["ST", OID.stateOrProvinceName, 128],
    ["serialNumber", OID.serialNumber, 64],
  ])("[PUR-11] is refused when %s is longer than X.520 allows", (type, oid, max) => {
    expect(codes(signed([{ oid, value: "x".repeat(max) }]))).toEqual([]);
    const [refusal, ...others] = refusals(signed([{ oid, value: "x".repeat(max + 1) }]));
    expect(others).toEqual([]);
    expect(refusal?.code).toBe("subject-length");
    expect(refusal?.message).toMatch(new RegExp(`\\(${type}\\) is longer than ${max} characters`));
  });

  test("[PUR-11] is refused with an email address that is invalid or longer than 255 characters", () => {
    const long = `a@${"b.".repeat(130)}example`;
    expect(codes(signed([{ oid: OID.emailAddress, value: long }]))).toContain("subject-length");
    for (const value of ["acme", "a@b@c.example", "ä@acme.example", "a b@acme.example", "@acme.example"]) {
      expect(codes(signed([{ oid: OID.emailAddress, value }]))).toEqual(["email-invalid"]);
    }
  });

  test("[PUR-11] is refused with control, invisible, direction-changing or NUL characters", () => {
    for (const value of [
      "Acme\u0000.evil.example",
      "Ac\u0007me",
      "Ac\u0085me",
      "Ac\u2028me",
      "Acme\n",
      "example\u202e.gpj",
      "exa\u200bmple",
      "\ue000",
    ]) {
      expect(codes(signed([{ oid: OID.commonName, value }]))).toEqual(["subject-characters"]);
    }
  });

  test("[PUR-11] is refused with a serial number outside PrintableString", () => {
    expect(codes(signed([{ oid: OID.serialNumber, value: "O0177_Ä" }]))).toEqual(["serial-number-characters"]);
  });

  test("[PUR-11] is refused when it states an attribute twice", () => {
    expect(codesOf({ keyFile, subject: "/C=DE/O=Acme/O=Other/CN=Acme" })).toEqual(["subject-repeated"]);
  });

  test("[PUR-11] every broken rule is reported, not only the first", () => {
    expect(codesOf({ bits: 1024, subject: "/C=XX/CN=Acme", san: ["DNS:a_b.example"] })).toEqual([
      "key-size",
      "subject-required",
      "subject-country",
      "dns-invalid",
    ]);
  });
});

describe("[PUR-11] the alternative names", () => {
  const name = (number: number, text: string): Uint8Array => element(contextTag(number), Buffer.from(text, "latin1"));

  test.each<[string, Uint8Array]>([
    ["dns-invalid", name(2, "")],
    ["dns-invalid", name(2, "a_b.example")],
    ["dns-invalid", name(2, "-a.example")],
    ["dns-invalid", name(2, "a..example")],
    ["dns-trailing-dot", name(2, "a.example.")],
    ["dns-wildcard", name(2, "b.*.example")],
    ["dns-wildcard", name(2, "*.example")],
    ["dns-invalid", name(2, "10.0.0.1")],
    ["dns-ascii", name(2, "münchen.example")],
    ["dns-ascii", element(contextTag(2), Buffer.from("münchen.example"))],
    ["dns-length", name(2, `${"a".repeat(64)}.example`)],
    ["dns-length", name(2, `${"a.".repeat(130)}example`)],
    ["name-characters", name(2, "a.example\0.evil.example")],
    ["ip-invalid", element(contextTag(7), Uint8Array.of(10, 0, 0))],
    ["ip-invalid", element(contextTag(7), new Uint8Array(8))],
    ["rfc822-invalid", name(1, "acme")],
    ["uri-invalid", name(6, "no uri")],
    ["uri-invalid", name(6, "javascript:alert(1)")],
    ["uri-invalid", name(6, "data:text/html,x")],
    ["uri-invalid", name(6, "relative/path")],
    ["uri-invalid", name(6, "https://*.acme.com/")],
    ["uri-invalid", name(6, "https://a_b.acme.com/")],
    ["uri-invalid", name(6, "ftp://acme.com./")],
    ["ssid-invalid", name(6, "oftp://")],
    ["ssid-invalid", name(6, "oftp://O0177_\xe4")],
    ["ssid-invalid", name(6, "oftp://O0177ABC")],
    ["ssid-invalid", name(6, `oftp://O0177${"A".repeat(21)}`)],
    ["ssid-invalid", name(6, "oftp://O017ABCDEF")],
    ["ssid-invalid", name(6, "oftp://X0177ABCDEF")],
    ["ssid-invalid", name(6, "oftp://O0177ABCD/1")],
    ["ssid-invalid", name(6, "oftp://oftp.acme.example")],
  ])("[PUR-11] %s", (code, encoded) => {
    expect(codes(signed([], { names: [encoded] }))).toEqual([code]);
  });

  test.each(["O0177ABCD", `O0177${"A".repeat(20)}`, "o0177abcd", "O0177-AB%201"])(
    "[PUR-11] oftp://%s is a valid OFTP ID",
    (id) => expect(codes(signed([], { names: [name(6, `oftp://${id}`)] }))).toEqual([]),
  );

  test("[PUR-11][REN-03] another form of ID is accepted only as serial number, or when the renewed certificate has it", () => {
    const serial = [{ oid: OID.serialNumber, value: "SN-4711" }];
    const both = signed(serial, { names: [name(6, "oftp://sn-4711")] });
    expect(codes(signed(serial))).toEqual([]);
    expect(codes(both)).toEqual(["ssid-invalid"]);
    expect(codes(both, { ...withEc, keptSsid: "SN-4711" })).toEqual([]);
    expect(codes(both, { ...withEc, keptSsid: "SN-4712" })).toEqual(["ssid-invalid"]);
  });
});
