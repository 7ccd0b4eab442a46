import { createPublicKey } from "node:crypto";
import { CertificationRequest } from "pkijs";
import { describe, expect, test } from "vitest";
import { type Csr, type CsrReadCode, readCsr } from "~/ca/csr/read.server";
import { OID } from "~/ca/oids.server";
import { fromPem, toPem } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { members, objectIdentifier, sequence } from "../support/der";
import { openssl, useOpenssl } from "../support/openssl";

const { requestCsr: makeCsr, makeKey, makeRsaKey, file } = useOpenssl();
const keyFile = makeRsaKey();
const made = makeCsr({ keyFile, san: ["DNS:oftp.acme.example", "URI:oftp://O0177ABCD000000"] });

function accept(input: string | Uint8Array): Csr {
  const result = readCsr(input);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.csr;
}

function refuse(input: string | Uint8Array): { code: CsrReadCode; message: string } {
  const result = readCsr(input);
  if (result.ok) throw new Error("was read");
  return result;
}

const part = (der: Uint8Array | undefined): Uint8Array => der ?? new Uint8Array();

describe("[PUR-03] reading a CSR", () => {
  test("[PUR-03] returns subject, names, key and fingerprints", () => {
    const { der } = makeCsr({
      keyFile,
      subject:
        "/C=DE/ST=Baden-Württemberg/L=Köln/O=Acme GmbH & Co. KG/OU=EDI/CN=oftp.acme.example/serialNumber=O0177ABCD000000/emailAddress=edi@acme.example",
      san: [
        "DNS:oftp.acme.example",
        "DNS:b.acme.example",
        "IP:10.0.0.1",
        "IP:2001:db8::1",
        "email:edi@acme.example",
        "URI:https://acme.example/a?b=c",
        "URI:oftp://O0177ABCD000000",
        "RID:1.2.3.4",
        "otherName:1.3.6.1.4.1.311.20.2.3;UTF8:user@acme.example",
      ],
    });
    const csr = accept(der);
    expect(csr.subject).toEqual({
      country: "DE",
      state: "Baden-Württemberg",
      locality: "Köln",
      organisation: "Acme GmbH & Co. KG",
      organisationUnit: "EDI",
      commonName: "oftp.acme.example",
      deviceSerialNumber: "O0177ABCD000000",
      email: "edi@acme.example",
    });
    expect(csr.subjectAttributes.map(({ type }) => type)).toEqual([
      "C",
      "ST",
      "L",
      "O",
      "OU",
      "CN",
      "serialNumber",
      "E",
    ]);
    expect(csr.subjectAlternateName.slice(0, 8)).toEqual([
      { type: "dns", value: "oftp.acme.example" },
      { type: "dns", value: "b.acme.example" },
      { type: "ip", value: "10.0.0.1" },
      { type: "ip", value: "2001:db8::1" },
      { type: "rfc822", value: "edi@acme.example" },
      { type: "uri", value: "https://acme.example/a?b=c" },
      { type: "ssid", value: "O0177ABCD000000" },
      { type: "registeredId", value: "1.2.3.4" },
    ]);
    expect(csr.subjectAlternateName[8]?.type).toBe("other");
    expect(csr.ssid).toBe("O0177ABCD000000");
    expect(csr.publicKey).toMatchObject({ algorithm: "RSA", bits: 2048, exponent: 65537n });
    expect(csr.signature.algorithm).toBe("sha256WithRSAEncryption");
    expect(csr.sha256).toBe(sha256Hex(der));
    expect(Buffer.from(csr.der)).toEqual(Buffer.from(der));
    expect(openssl(["req", "-noout", "-verify"], csr.pem)).toBe("");
    const spki = fromPem("PUBLIC KEY", openssl(["pkey", "-in", keyFile, "-pubout"]));
    expect(Buffer.from(csr.spkiDer)).toEqual(spki);
    expect(csr.spkiSha256).toBe(sha256Hex(spki));
  });

  test("[PUR-03] shows a directoryName and accepts unknown attributes and string types", () => {
    const config = file(
      "cnf",
      "[req]\ndistinguished_name=dn\nreq_extensions=ext\nstring_mask=nombstr\n[dn]\n[ext]\nsubjectAltName=dirName:dir\n[dir]\nC=DE\nCN=Acme\\, Inc\n",
    );
    const { der } = makeCsr({
      keyFile,
      subject: "/C=DE/O=M\u00fcller/CN=a.example/DC=acme/businessCategory=x",
      args: ["-config", config],
    });
    const csr = accept(der);
    expect(csr.subject).toMatchObject({ organisation: "Müller", commonName: "a.example" });
    expect(csr.subjectAttributes.map(({ type }) => type)).toContain("0.9.2342.19200300.100.1.25");
    expect(csr.subjectAlternateName).toEqual([{ type: "directory", value: "CN=Acme\\, Inc, C=DE" }]);
  });

  test("[PUR-03] takes the SSID from the serial number, then from the oftp:// name; a conflict is an error unless only case or escapes differ", () => {
    const ssidOf = (subject: string, san: string[]) => readCsr(makeCsr({ keyFile, subject, san }).der);
    const serial = "/C=DE/O=Acme/CN=Acme/serialNumber=O0177 AB-1";
    expect(ssidOf(serial, [])).toMatchObject({ ok: true, csr: { ssid: "O0177 AB-1" } });
    expect(ssidOf(serial, ["URI:OFTP://o0177%20ab-1/"])).toMatchObject({ ok: true, csr: { ssid: "O0177 AB-1" } });
    expect(ssidOf("/C=DE/O=Acme/CN=Acme", ["URI:oftp://O0177XY"])).toMatchObject({
      ok: true,
      csr: { ssid: "O0177XY" },
    });
    expect(ssidOf("/C=DE/O=Acme/CN=Acme", ["DNS:a.example"])).toMatchObject({ ok: true, csr: { ssid: null } });
    expect(ssidOf(serial, ["URI:oftp://O0177XY"])).toMatchObject({ ok: false, code: "ssid-conflict" });
    expect(ssidOf("/C=DE/O=Acme/CN=Acme", ["URI:oftp://O1", "URI:oftp://O2"])).toMatchObject({
      code: "ssid-conflict",
      message: expect.stringMatching(/^The CSR states more than one OFTP ID/) as string,
    });
  });

  test("[PUR-11] gives one key one fingerprint, whatever its encoding", () => {
    const { spkiDer, spkiSha256 } = accept(made.der);
    expect(accept(makeCsr({ keyFile, subject: "/C=FR/O=Other/CN=Other" }).der).spkiSha256).toBe(spkiSha256);

    const [info, algorithm, signature] = members(made.der);
    const [version, name, spki, attributes] = members(part(info));
    const [, key] = members(part(spki));
    const parts = [version, name, sequence(sequence(objectIdentifier(OID.rsaEncryption)), part(key)), attributes];
    const withoutNull = accept(sequence(sequence(...parts.map(part)), part(algorithm), part(signature)));
    expect(withoutNull.der.length).toBe(made.der.length - 2);
    expect(withoutNull.spkiSha256).toBe(spkiSha256);
    expect(withoutNull.spkiDer).toEqual(spkiDer);
  });

  test("[PUR-11] gives a compressed EC point the fingerprint of the uncompressed one", () => {
    const ec = makeKey("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256");
    const compressed = file("key");
    openssl(["ec", "-in", ec, "-conv_form", "compressed", "-out", compressed]);
    const [full, short] = [makeCsr({ keyFile: ec }), makeCsr({ keyFile: compressed })];
    expect(short.der.length).toBeLessThan(full.der.length - 20);
    expect(accept(short.der).spkiSha256).toBe(accept(full.der).spkiSha256);
    expect(accept(full.der).publicKey).toMatchObject({ algorithm: "EC", bits: 256, curve: "P-256" });
  });

  test("[PUR-03] agrees with another reader", () => {
    const other = CertificationRequest.fromBER(Uint8Array.from(made.der).buffer);
    const csr = accept(made.der);
    expect(other.subject.typesAndValues.map(({ value }) => value.valueBlock.value as unknown)).toEqual(
      csr.subjectAttributes.map(({ value }) => value),
    );
    expect(createPublicKey({ key: Buffer.from(csr.spkiDer), format: "der", type: "spki" }).asymmetricKeyType).toBe(
      "rsa",
    );
    expect(Buffer.from(other.tbsView)).toEqual(Buffer.from(csr.signature.tbs));
  });
});

describe("[PUR-03] every usual form of a CSR is accepted", () => {
  const { sha256 } = accept(made.der);
  const base64 = Buffer.from(made.der).toString("base64");
  const utf16 = Buffer.from(`\ufeff${made.pem}`, "utf16le");
  test.each<[string, string | Uint8Array]>([
    ["PEM", made.pem],
    ["PEM bytes", Buffer.from(made.pem)],
    ["DER bytes", made.der],
    ["DER followed by a newline", Buffer.concat([made.der, Buffer.from("\n")])],
    ["BOM", `\ufeff${made.pem}`],
    ["BOM in bytes", Buffer.from(`\ufeff${made.pem}`)],
    ["UTF-16 with BOM, little endian", utf16],
    ["UTF-16 with BOM, big endian", Buffer.from(utf16).swap16()],
    ["CRLF", made.pem.replaceAll("\n", "\r\n")],
    ["CR only", made.pem.replaceAll("\n", "\r")],
    ["indented lines", made.pem.replaceAll("\n", "  \n\t ")],
    ["lines joined by blanks", made.pem.replaceAll("\n", " ")],
    ["text around", `Subject: /C=DE\n\nHello,\n${made.pem}\nKind regards -----\n`],
    ["openssl's text before", openssl(["req", "-text"], made.pem)],
    ["NEW CERTIFICATE REQUEST", made.pem.replaceAll("CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST")],
    ["bare base64", base64],
    ["bare base64 in a file with BOM", Buffer.from(`\ufeff${base64}\n`)],
    ["a certificate before it", `${toPem("CERTIFICATE", made.der)}${made.pem}`],
  ])("[PUR-03] %s", (_, input) => {
    expect(accept(input).sha256).toBe(sha256);
  });
});

describe("[PUR-03] [PUR-11] anything that is not a CSR is refused with a reason", () => {
  const certificate = file("crt");
  openssl(["req", "-x509", "-key", keyFile, "-subj", "/CN=x", "-out", certificate]);
  const certificatePem = openssl(["x509", "-in", certificate]);
  const body = Buffer.from(made.der);

  test.each<[string, CsrReadCode, string | Uint8Array]>([
    ["nothing", "empty", ""],
    ["no bytes", "empty-file", new Uint8Array()],
    ["blanks", "empty", " \r\n\t\ufeff "],
    ["a certificate", "certificate", certificatePem],
    ["a certificate's DER", "certificate", fromPem("CERTIFICATE", certificatePem)],
    [
      "a certificate with a CSR's label",
      "certificate",
      certificatePem.replaceAll("CERTIFICATE", "CERTIFICATE REQUEST"),
    ],
    ["a public key", "label", openssl(["pkey", "-in", keyFile, "-pubout"])],
    ["prose", "not-a-csr", "Please send me a certificate."],
    ["words in base64", "not-a-csr", Buffer.from("no ASN.1 in here at all").toString("base64")],
    ["broken base64", "not-a-csr", made.pem.replace(/MII/, "M!I")],
    ["an empty block", "not-a-csr", "-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----"],
    ["no END line", "truncated", made.pem.slice(0, 300)],
    ["END before BEGIN", "truncated", made.pem.split("\n").toReversed().join("\n")],
    ["half of the lines", "truncated", toPem("CERTIFICATE REQUEST", body.subarray(0, 300))],
    ["cut DER", "truncated", body.subarray(0, -1)],
    ["two CSRs", "several", made.pem + made.pem],
    ["a SEQUENCE of nothing", "not-a-csr", toPem("CERTIFICATE REQUEST", sequence())],
    ["too much text", "too-large", made.pem + " ".repeat(64 * 1024)],
    ["too many bytes", "too-large", Buffer.concat([made.der, Buffer.alloc(64 * 1024)])],
  ])("[PUR-03] [PUR-11] %s", (_, code, input) => {
    const refusal = refuse(input);
    expect(refusal.code).toBe(code);
    expect(refusal.message).toMatch(/^[A-Z].{20,}\.$/);
  });
});

describe("[PUR-11] a private key is recognised in every form and never repeated in the answer", () => {
  const rsa = makeRsaKey();
  const ec = makeKey("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256");
  const ed25519 = makeKey("-algorithm", "ED25519");
  const convert = (...args: string[]): string => openssl(args);
  const certificate = file("crt");
  openssl(["req", "-x509", "-key", rsa, "-subj", "/CN=x", "-out", certificate]);
  const p12 = file("p12");
  openssl(["pkcs12", "-export", "-inkey", rsa, "-in", certificate, "-passout", "pass:x", "-out", p12]);
  const binary = (path: string, ...args: string[]): Uint8Array => {
    const out = file("der");
    openssl([...args, "-in", path, "-outform", "DER", "-out", out]);
    return Buffer.from(openssl(["base64", "-in", out]), "base64");
  };
  const pkcs8 = binary(rsa, "pkey");
  const openSsh = `-----BEGIN OPENSSH PRIVATE KEY-----\n${Buffer.from("openssh-key-v1\0none").toString("base64")}\n-----END OPENSSH PRIVATE KEY-----\n`;

  const forms: [string, string | Uint8Array][] = [
    ["PKCS #8", convert("pkey", "-in", rsa)],
    ["encrypted PKCS #8", convert("pkcs8", "-topk8", "-in", rsa, "-passout", "pass:x")],
    ["RSA PRIVATE KEY", convert("rsa", "-in", rsa, "-traditional")],
    ["RSA PRIVATE KEY, encrypted", convert("rsa", "-in", rsa, "-traditional", "-aes128", "-passout", "pass:x")],
    ["EC PRIVATE KEY", convert("ec", "-in", ec)],
    ["Ed25519", convert("pkey", "-in", ed25519)],
    ["OPENSSH PRIVATE KEY", openSsh],
    ["PuTTY", "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\n"],
    ["key and CSR in one text", `${made.pem}\n${convert("pkey", "-in", rsa)}`],
    ["key without its END line", convert("pkey", "-in", rsa).slice(0, 400)],
    ["DER PKCS #8", pkcs8],
    ["DER PKCS #8 of an EC key", binary(ec, "pkey")],
    ["DER PKCS #8 of an Ed25519 key", binary(ed25519, "pkey")],
    ["DER PKCS #1", binary(rsa, "rsa", "-traditional")],
    ["DER SEC 1", binary(ec, "ec")],
    ["DER encrypted PKCS #8", binary(rsa, "pkcs8", "-topk8", "-passout", "pass:x")],
    ["PKCS #12", Buffer.from(openssl(["base64", "-in", p12]), "base64")],
    ["cut DER", Buffer.from(pkcs8).subarray(0, 500)],
    ["bare base64", Buffer.from(pkcs8).toString("base64")],
    ["bare base64 of OpenSSH", Buffer.from("openssh-key-v1\0none").toString("base64")],
    ["under a CSR's label", toPem("CERTIFICATE REQUEST", pkcs8)],
    ["in UTF-16", Buffer.from(`\ufeff${convert("pkey", "-in", rsa)}`, "utf16le")],
  ];
  const message = refuse(convert("pkey", "-in", ed25519)).message;

  test.each(forms)("[PUR-11] %s", (_, input) => {
    // The message is the same for every key, so it cannot contain anything of the key.
    expect(refuse(input)).toEqual({ ok: false, code: "private-key", message });
  });
});
