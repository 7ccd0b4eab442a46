import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KeyFileError, makePkcs12 } from "~/domain/certificates/catalogue/pkcs12/make-pkcs12";
import { openssl } from "../support/openssl-command";

const NEW = "Harbour lantern 42";
const OLD = "old passphrase";
let folder = "";
const at = (name: string) => join(folder, name);
const read = (name: string) => new Uint8Array(readFileSync(at(name)));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pkcs12-"));
  const ca = ["-keyout", at("ca.key"), "-out", at("ca.pem"), "-subj", "/CN=Issuing"];
  openssl(["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...ca]);
  for (const [name, algorithm] of [
    ["rsa", ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"]],
    ["other", ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"]],
    ["ec", ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]],
  ] as const) {
    openssl(["genpkey", "-algorithm", ...algorithm, "-out", at(`${name}.pem`)]);
    openssl(["req", "-new", "-key", at(`${name}.pem`), "-subj", `/CN=${name}.acme.example`, "-out", at("csr")]);
    const issued = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-out", at(`${name}.crt`)];
    openssl(["x509", "-req", "-in", at("csr"), ...issued]);
  }
  const key = ["pkcs8", "-topk8", "-in", at("rsa.pem"), "-passout", `pass:${OLD}`, "-out"];
  openssl([...key, at("aes256.pem"), "-v2", "aes-256-cbc"]);
  openssl([...key, at("sha1.der"), "-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1", "-outform", "DER"]);
  openssl([...key, at("triple.pem"), "-v2", "des3"]);
  openssl(["rsa", "-in", at("rsa.pem"), "-traditional", "-out", at("pkcs1.pem")]);
  openssl([
    "rsa",
    "-in",
    at("rsa.pem"),
    "-traditional",
    "-aes256",
    "-passout",
    `pass:${OLD}`,
    "-out",
    at("legacy.pem"),
  ]);
  openssl(["ec", "-in", at("ec.pem"), "-out", at("sec1.pem")]);
  openssl(["pkcs8", "-topk8", "-nocrypt", "-in", at("rsa.pem"), "-outform", "DER", "-out", at("plain.der")]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const make = (file: Uint8Array, { of = "rsa", keyPassphrase = "" } = {}) =>
  makePkcs12({
    file,
    keyPassphrase,
    passphrase: NEW,
    chain: readFileSync(at(`${of}.crt`), "utf8") + readFileSync(at("ca.pem"), "utf8"),
  });

describe("[CER-07] a PKCS #12 file that the browser makes", () => {
  test.each([
    ["rsa.pem", {}],
    ["plain.der", {}],
    ["aes256.pem", { keyPassphrase: OLD }],
    ["sha1.der", { keyPassphrase: OLD }],
    ["pkcs1.pem", {}],
    ["ec.pem", { of: "ec" }],
    ["sec1.pem", { of: "ec" }],
  ])("from %s has its key, the certificate and the issuer for OpenSSL", async (name, given) => {
    const file = at(`${name}.p12`);
    writeFileSync(file, await make(read(name), given));
    const open = (...args: string[]) => openssl(["pkcs12", "-in", file, "-passin", `pass:${NEW}`, ...args]);
    const own = "of" in given ? given.of : "rsa";
    expect(openssl(["pkey", "-pubout"], open("-nocerts", "-noenc"))).toBe(
      openssl(["pkey", "-in", at(`${own}.pem`), "-pubout"]),
    );
    const certificates = open("-nokeys").replace(/ = /g, "=");
    expect(certificates.match(/^subject=.*/gm)).toEqual([`subject=CN=${own}.acme.example`, "subject=CN=Issuing"]);
    const info = execFileSync(
      "sh",
      ["-c", `openssl pkcs12 -in "$1" -passin "pass:$2" -info -noout 2>&1`, "sh", file, NEW],
      {
        encoding: "utf8",
      },
    );
    expect(info).toContain("MAC: sha256");
    expect(info.match(/PBES2, PBKDF2, AES-256-CBC, Iteration 600000, PRF hmacWithSHA256/g)).toHaveLength(2);
  });

  test("has one entry with its chain for Java", async ({ skip }) => {
    const java = ["/usr/bin/keytool", `${process.env.JAVA_HOME}/bin/keytool`].find((path) => existsSync(path));
    if (java === undefined) return skip("keytool is not installed");
    writeFileSync(at("java.p12"), await make(read("rsa.pem")));
    const args = ["-list", "-v", "-storetype", "PKCS12", "-keystore", at("java.p12"), "-storepass", NEW];
    const text = execFileSync(java, args, { encoding: "utf8" });
    expect(text).toContain("PrivateKeyEntry");
    expect(text).toContain("Certificate chain length: 2");
  });

  test.each<[string, () => Uint8Array, object, KeyFileError["field"], string]>([
    ["another key", () => read("other.pem"), {}, "key", "does not belong to the certificate"],
    ["a key of another kind", () => read("ec.pem"), {}, "key", "does not belong to the certificate"],
    ["no passphrase", () => read("aes256.pem"), {}, "passphrase", "Enter its passphrase"],
    ["a wrong passphrase", () => read("aes256.pem"), { keyPassphrase: "wrong" }, "passphrase", "does not open the key"],
    ["an encryption of the past", () => read("legacy.pem"), { keyPassphrase: OLD }, "key", "openssl pkey"],
    ["an encryption that browsers lack", () => read("triple.pem"), { keyPassphrase: OLD }, "key", "openssl pkey"],
    ["a certificate", () => read("rsa.crt"), {}, "key", "not a private key"],
    ["a text", () => new TextEncoder().encode("hello"), {}, "key", "not a private key"],
    ["nothing", () => new Uint8Array(), {}, "key", "not a private key"],
    ["half a key", () => read("plain.der").subarray(0, 300), {}, "key", "not a private key"],
  ])("is refused for %s with a sentence", async (_, file, given, field, text) => {
    const error = await make(file(), given).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(KeyFileError);
    expect(error).toMatchObject({ field, message: expect.stringContaining(text) as string });
  });
});
