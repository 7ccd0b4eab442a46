import { createPrivateKey, createPublicKey, randomBytes, verify } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Extension } from "pkijs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeTbsCertificate, type TbsParts } from "~/ca/certificate/encode.server";
import { type Issuer, readIssuer } from "~/ca/certificate/issuer.server";
import { type CertificateRequest, prepareCertificate } from "~/ca/certificate/prepare.server";
import { buildCrl, type CrlRequest } from "~/ca/crl/build.server";
import { CrlEntries } from "~/ca/crl/entries.server";
import { revokedEntryDer } from "~/ca/crl/entry.server";
import { createIssuingCertificate, createRootCertificate } from "~/ca/hierarchies.server";
import { encryptPrivateKey, kdfRounds, spkiDerOf } from "~/ca/keys.server";
import { prepareResponderCertificate, type ResponderRequest } from "~/ca/ocsp/responder-certificate.server";
import { softwareSigner } from "~/ca/signer.server";
import * as extension from "~/ca/x509/extensions.server";
import { encodeName, type SubjectFields } from "~/ca/x509/name.server";
import { keyIdentifierOf } from "~/ca/x509/public-key.server";
import { askForSignature, askForState } from "~/domain/authorities/signer-client.server";
import { addDays, addYears, DAY } from "~/lib/dates";
import { POLICY, URLS } from "../ca/hierarchy";
import { nextRsaKey, preparedKey } from "../support/keys";
import { signerIn, startSigner, stopSigner, useSigners } from "../support/signer";
import { TEST_PASSPHRASE } from "../support/template";
import { setVariables } from "../support/variables";

useSigners();
const folder = mkdtempSync(join(tmpdir(), "marque-signer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const signer = signerIn(folder, { SIGNER_DAILY_CEILING: "8" });
const [rootKey, caKey, limitedKey] = [nextRsaKey(), nextRsaKey(), nextRsaKey()].map((pem) => createPrivateKey(pem));
const spkiDer = spkiDerOf(createPublicKey(nextRsaKey()));
const SUBJECT = { country: "DE", organisation: "Acme GmbH", commonName: "oftp.acme.example" };
const CA_NAME = { country: "GB", organisation: "Example Association" };

let issuer: Issuer;
/** A CA that may certify only some names and purposes. */
let limited: Issuer;
let child: Awaited<ReturnType<typeof startSigner>>;

beforeAll(async () => {
  if (!rootKey || !caKey || !limitedKey) throw new Error("There are no keys.");
  const signs = { signer: softwareSigner(rootKey, "sha256"), now: addDays(new Date(), -1), random: randomBytes };
  const root = readIssuer(
    await createRootCertificate({
      ...signs,
      subject: { ...CA_NAME, commonName: "Root" },
      spkiDer: spkiDerOf(rootKey),
      years: 20,
    }),
  );
  const subject = { ...CA_NAME, commonName: "Issuing CA" };
  const certificate = await createIssuingCertificate({
    ...signs,
    issuer: root,
    subject,
    spkiDer: spkiDerOf(caKey),
    years: 10,
  });
  issuer = readIssuer(certificate);
  const limitedCertificate = await createIssuingCertificate({
    ...signs,
    issuer: root,
    subject: { ...CA_NAME, commonName: "Limited CA" },
    spkiDer: spkiDerOf(limitedKey),
    years: 10,
    nameConstraints: { permitted: [{ kind: "dns", text: "acme.example" }], excluded: [] },
    extendedKeyUsage: ["serverAuth", "clientAuth"],
  });
  limited = readIssuer(limitedCertificate);
  kdfRounds.replace(2048);
  for (const name of ["certificates", "keys"]) mkdirSync(join(signer.directory, name));
  writeFileSync(join(signer.directory, "certificates/issuing-one.cer"), certificate);
  writeFileSync(join(signer.directory, "certificates/issuing-limited.cer"), limitedCertificate);
  const keys = { "issuing-one": caKey, "issuing-limited": limitedKey };
  for (const [name, key] of Object.entries(keys))
    writeFileSync(
      join(signer.directory, `keys/${name}.key.pem`),
      await encryptPrivateKey(key, TEST_PASSPHRASE, randomBytes),
    );
  child = await startSigner(signer.env);
  setVariables({ SIGNER_SOCKET: signer.env.SIGNER_SOCKET, DATA_DIR: folder });
});

const sign = (tbs: Uint8Array, name = "issuing-one") => askForSignature(name, tbs);

/** Expects the signer to refuse the bytes for good with this sentence, and to write nothing. */
async function refused(tbs: Uint8Array, sentence: RegExp | string, name?: string): Promise<void> {
  const { length } = signer.lines();
  const message = expect.stringMatching(sentence) as string;
  await expect(sign(tbs, name)).rejects.toMatchObject({ code: "signer-refused", message });
  expect(signer.lines()).toHaveLength(length);
}

const prepared = (change: Partial<CertificateRequest> = {}) =>
  prepareCertificate({
    issuer,
    hash: "sha256",
    subject: SUBJECT,
    ssid: "O0177ABCD000000",
    requestedNames: [
      { type: "dns", value: "b.acme.example" },
      { type: "ip", value: "10.0.0.1" },
      { type: "rfc822", value: "edi@acme.example" },
    ],
    spkiDer,
    usage: { hasSecureSession: true, hasEmail: true, hasEncryption: false, hasFileSigning: false },
    policy: POLICY,
    urls: URLS,
    notAfter: addYears(new Date(), 1),
    now: new Date(),
    random: randomBytes,
    ...change,
  }).tbs;

/** The extensions of a simple certificate. */
const EXTENSIONS = () => ({
  basic: extension.basicConstraints(false),
  usage: extension.keyUsage(["digitalSignature", "keyEncipherment"]),
  extended: extension.extKeyUsage(["serverAuth", "clientAuth"]),
  subjectKey: extension.subjectKeyIdentifier(keyIdentifierOf(spkiDer)),
  authorityKey: extension.authorityKeyIdentifier(issuer.keyIdentifier),
  policies: extension.certificatePolicies(POLICY.oid, POLICY.cpsUri),
});

/** Returns a TBS certificate that no code of the portal makes. */
const forged = (parts: Partial<TbsParts> = {}, extensions: Partial<Record<string, Extension>> = {}) =>
  encodeTbsCertificate({
    serial: `4${randomBytes(16).toString("hex").slice(1)}`.toUpperCase(),
    hash: "sha256",
    issuerDer: issuer.subjectDer,
    notBefore: new Date(),
    notAfter: addYears(new Date(), 1),
    subjectDer: encodeName(SUBJECT),
    spkiDer,
    extensions: Object.values({ ...EXTENSIONS(), ...extensions }).filter((one) => one !== undefined),
    ...parts,
  });

const named = (subject: SubjectFields) => forged({ subjectDer: encodeName(subject) });
const withName = (type: "dns" | "rfc822", value: string) =>
  forged({}, { subjectKey: undefined, names: extension.subjectAltName([{ type, value }]) });

test("[CAL-02] the signer refuses names and purposes that the CA's own certificate does not let it certify", async () => {
  const usage = { hasSecureSession: true, hasEmail: false, hasEncryption: false, hasFileSigning: false };
  const within = { issuer: limited, usage };
  const other = [{ type: "dns", value: "oftp.other.example" }] as const;
  await refused(prepared({ ...within, requestedNames: other }), "'oftp.other.example' is not among", "issuing-limited");
  const mail = { ...usage, hasEmail: true };
  await refused(prepared({ ...within, usage: mail }), /only for .* not for email/, "issuing-limited");
});

test("[CAL-02] the signer names its variable when it refuses a class of names that the portal may allow", async () => {
  await refused(
    prepared({ requestedNames: [{ type: "dns", value: "localhost" }] }),
    /'localhost' is .*\. The signer certifies such names only when its SIGNER_ALLOW_NAMES lists their class\.$/,
  );
});

describe("[CAL-02] the signer signs a certificate", () => {
  test("with the profile of this CA, and the same again without another line", async () => {
    const tbs = prepared();
    const signature = await sign(tbs);
    expect(verify("sha256", tbs, issuer.publicKey, signature)).toBe(true);
    const { length } = signer.lines();
    expect(Buffer.compare(await sign(tbs), signature)).toBe(0);
    expect(await Promise.all([sign(tbs), sign(tbs)])).toHaveLength(2);
    expect(signer.lines()).toHaveLength(length);
    expect(signer.lines().at(-1)).toMatchObject({
      kind: "certificate",
      issuer: "issuing-one",
      subject: "serialNumber=O0177ABCD000000, CN=oftp.acme.example, O=Acme GmbH, C=DE",
      authority: "small-office: the word of the portal",
    });
  });

  test("once, when the same is asked for twice at the same time", async () => {
    const tbs = prepared();
    const { length } = signer.lines();
    await Promise.all([sign(tbs), sign(tbs), sign(tbs)]);
    expect(signer.lines()).toHaveLength(length + 1);
  });

  test("but no other with the same serial number, also after a restart", async () => {
    const serial = `5${randomBytes(16).toString("hex").slice(1)}`.toUpperCase();
    const [first, second] = [forged({ serial }), forged({ serial, notAfter: addDays(new Date(), 9) })];
    await sign(first);
    await refused(second, `has signed another certificate with the serial number ${serial}`);
    await stopSigner(child);
    child = await startSigner(signer.env);
    await refused(second, `has signed another certificate with the serial number ${serial}`);
    await sign(first);
  });
});

describe("[CAL-02] the signer refuses a certificate", () => {
  test.each<[string, () => Uint8Array, RegExp]>([
    ["of a CA", () => forged({}, { basic: extension.basicConstraints(true) }), /CA:TRUE/],
    ["of another issuer", () => forged({ issuerDer: encodeName({ commonName: "Other" }) }), /names another issuer/],
    [
      "with another authority key identifier",
      () => forged({}, { authorityKey: extension.authorityKeyIdentifier(randomBytes(20)) }),
      /authorityKeyIdentifier is not that of the CA/,
    ],
    ["with another signature algorithm", () => forged({ hash: "sha512" }), /signature algorithm is not that of the CA/],
    ["that ends after its CA", () => forged({ notAfter: addYears(new Date(), 11) }), /ends after the CA's own/],
    [
      "of more than five years",
      () => forged({ notAfter: addDays(addYears(new Date(), 5), 2) }),
      /later than in 5 years/,
    ],
    [
      "that begins more than a day ago",
      () => forged({ notBefore: new Date(Date.now() - DAY - 60_000) }),
      /begins more than a day ago/,
    ],
    ["that begins tomorrow", () => forged({ notBefore: addDays(new Date(), 1) }), /begins in the future/],
    [
      "that has ended",
      () => forged({ notBefore: addDays(new Date(), -0.5), notAfter: addDays(new Date(), -0.1) }),
      /has ended already/,
    ],
    ["with a short serial number", () => forged({ serial: "41AB" }), /has 2 bytes; it must be 16 random bytes/],
    ["with a long serial number", () => forged({ serial: `41${"AB".repeat(16)}` }), /has 17 bytes/],
    ["without a country", () => named({ ...SUBJECT, country: "" }), /The subject has no C/],
    ["without an organisation", () => named({ ...SUBJECT, organisation: " " }), /The subject has no O/],
    ["with a control character", () => named({ ...SUBJECT, commonName: "a\u202Eb" }), /CN holds control characters/],
    ["with a wrong DNS name", () => withName("dns", "a..example"), /'a\.\.example' is not a valid DNS name/],
    ["with a wrong email address", () => withName("rfc822", "edi"), /'edi' is not a valid email address/],
    [
      "with usages that cannot be ordered",
      () => forged({}, { usage: extension.keyUsage(["digitalSignature", "dataEncipherment"]) }),
      /key usages are not those of a usage that can be ordered/,
    ],
    [
      "with the usage of a CA",
      () => forged({}, { usage: extension.keyUsage(["digitalSignature", "keyEncipherment", "keyCertSign"]) }),
      /key usages are not those/,
    ],
    ["without an extension of the profile", () => forged({}, { policies: undefined }), /differs from the profile/],
    [
      "with another extension",
      () => forged({}, { more: extension.extension("1.2.3.4", extension.ocspNoCheck().toSchema()) }),
      /differs from the profile/,
    ],
    [
      "with another criticality",
      () =>
        forged(
          {},
          { extended: Object.assign(extension.extKeyUsage(["serverAuth", "clientAuth"]), { critical: true }) },
        ),
      /differs from the profile/,
    ],
    [
      "with a subject key identifier of another key",
      () => forged({}, { subjectKey: extension.subjectKeyIdentifier(randomBytes(20)) }),
      /differs from the profile/,
    ],
    [
      "of an EC key, which its settings do not allow",
      () =>
        forged({
          spkiDer: spkiDerOf(createPublicKey(readFileSync(preparedKey("x").replace("rsa-x", "ec-p256-rfc9500")))),
        }),
      /the key is of type EC, this certificate authority accepts RSA/,
    ],
    ["with a byte behind it", () => Buffer.concat([forged(), Buffer.alloc(1)]), /neither a certificate nor a CRL/],
    ["that is cut off", () => forged().subarray(0, 300), /neither a certificate nor a CRL/],
    ["that is no DER at all", () => randomBytes(200), /neither a certificate nor a CRL/],
  ])("%s", (_, make, sentence) => refused(make(), sentence));

  test.each(["issuer", "validity", "extensions"])("with one changed byte in its %s", async (part) => {
    const tbs = Buffer.from(prepared());
    const at = {
      issuer: tbs.indexOf(Buffer.from(issuer.subjectDer)) + 20,
      validity: tbs.indexOf(Buffer.from("170d", "hex")) + 2,
      extensions: tbs.length - 3,
    }[part];
    tbs[at ?? 0] = (tbs[at ?? 0] ?? 0) ^ 0x80;
    await refused(tbs, /./);
  });

  test("for a CA that it does not have", async () => {
    await expect(askForSignature("issuing-two", prepared())).rejects.toThrow("The signer has no CA 'issuing-two'.");
  });
});

const responder = (change: Partial<ResponderRequest> = {}) =>
  prepareResponderCertificate({
    issuer,
    hash: "sha256",
    subject: { ...CA_NAME, commonName: "Issuing CA OCSP" },
    spkiDer,
    notBefore: addDays(new Date(), -1 / 24),
    notAfter: addDays(new Date(), 30),
    random: randomBytes,
    ...change,
  }).tbs;

describe("[REP-03] the certificate of an OCSP responder", () => {
  test("must not be valid for longer than 30 days, nor say more", async () => {
    await refused(responder({ notAfter: addDays(new Date(), 31) }), /valid for longer than 30 days/);
    const extended = extension.extKeyUsage(["OCSPSigning", "serverAuth"]);
    await refused(
      forged({ notAfter: addDays(new Date(), 9) }, { extended }),
      /differs from the profile of a responder/,
    );
    expect(signer.lines().some(({ kind }) => kind === "responder")).toBe(false);
  });

  test("is signed ten times a day for each CA, and no more", async () => {
    for (let count = 0; count < 10; count += 1) await sign(responder());
    await expect(sign(responder())).rejects.toMatchObject({
      code: "signer-ceiling",
      message: expect.stringMatching(/10 responder certificates of 'issuing-one' today.* 00:00 UTC\.$/) as string,
    });
  });
});

/** Returns the TBS of a CRL with two entries. */
async function crl(change: Partial<CrlRequest> = {}): Promise<Uint8Array> {
  const entries = new CrlEntries();
  for (const serial of ["4A01", "4A02"])
    entries.append(revokedEntryDer({ serial, revocationDate: new Date(), reason: 4 }));
  let tbs: Uint8Array = new Uint8Array();
  await buildCrl({
    issuer,
    signer: {
      hash: "sha256",
      sign: (bytes) => {
        tbs = Uint8Array.from(bytes);
        return Promise.resolve(new Uint8Array(256));
      },
    },
    number: 10,
    thisUpdate: new Date(),
    nextUpdate: addDays(new Date(), 1),
    entries,
    ...change,
  });
  return tbs;
}

describe("[CAL-03] a CRL", () => {
  test("is signed with its delta CRL under the same number, and its line has the number of entries", async () => {
    const [base, delta] = [await crl(), await crl({ baseNumber: 9, nextUpdate: addDays(new Date(), 0.9) })];
    for (const tbs of [base, delta, base]) expect(verify("sha256", tbs, issuer.publicKey, await sign(tbs))).toBe(true);
    expect(signer.lines().slice(-2)).toMatchObject([
      { kind: "crl", serial: "10", entries: 2 },
      { kind: "delta-crl", serial: "10", entries: 2 },
    ]);
    const { issuers } = await askForState();
    expect(issuers.find(({ name }) => name === "issuing-one")).toMatchObject({ lastCrlNumber: "10" });
  });

  test("with a lower number is refused with a code of its own, because the next number will be signed", async () => {
    const message = "The CRL has the number 9, but the signer has signed number 10 of 'issuing-one'.";
    await expect(sign(await crl({ number: 9 }))).rejects.toMatchObject({ code: "signer-older-crl", message });
    expect(signer.lines().at(-1)).toMatchObject({ serial: "10" });
  });

  test.each<[string, () => Promise<Uint8Array>, RegExp]>([
    ["of an hour ago", () => crl({ number: 11, thisUpdate: addDays(new Date(), -1 / 24) }), /the clock of the signer/],
    [
      "of tomorrow",
      () => crl({ number: 11, thisUpdate: addDays(new Date(), 1), nextUpdate: addDays(new Date(), 2) }),
      /clock/,
    ],
    [
      "of two minutes before the last one",
      () => crl({ number: 11, thisUpdate: new Date(Date.now() - 120_000) }),
      /has signed one of 'issuing-one' of/,
    ],
    ["of more than seven days", () => crl({ number: 11, nextUpdate: addDays(new Date(), 7.01) }), /longer than 7 days/],
    [
      "that is a delta CRL of more than a day",
      () => crl({ number: 11, baseNumber: 10, nextUpdate: addDays(new Date(), 1.01) }),
      /longer than 24 hours/,
    ],
    [
      "of another issuer",
      () => crl({ number: 11, issuer: { ...issuer, subjectDer: encodeName({ commonName: "Other" }) } }),
      /differs from one of this CA/,
    ],
    [
      "with another authority key identifier",
      () => crl({ number: 11, issuer: { ...issuer, keyIdentifier: randomBytes(20) } }),
      /differs from one of this CA/,
    ],
    [
      "with a damaged entry",
      async () => {
        const tbs = Buffer.from(await crl({ number: 11 }));
        tbs[tbs.indexOf(Buffer.from("02024a02", "hex")) + 1] = 3;
        return tbs;
      },
      /not an entry of a CRL/,
    ],
    ["with a byte behind it", async () => Buffer.concat([await crl({ number: 11 }), Buffer.alloc(1)]), /neither/],
  ])("%s is refused", async (_, make, sentence) => refused(await make(), sentence));
});

test("[CAL-04] the ceiling of a day counts certificates only", async () => {
  const { ceiling } = await askForState();
  expect(ceiling).toMatchObject({
    perDay: 8,
    used: signer.lines().filter(({ kind }) => kind === "certificate").length,
  });
  for (let { used } = ceiling; used < 8; used += 1) await sign(prepared());
  await expect(sign(prepared())).rejects.toMatchObject({ code: "signer-ceiling" });
});

describe("[CAL-02] a signer whose operators have pinned the repository and the policy", () => {
  const HOME = "http://ca.association.example";
  const urls = {
    crl: `${HOME}/repository/issuing-one.crl`,
    freshestCrl: `${HOME}/repository/issuing-one-delta.crl`,
    caIssuers: `${HOME}/repository/issuing-one.cer`,
    ocsp: `${HOME}/ocsp`,
  };
  const policy = { oid: "2.999.7", cpsUri: `${HOME}/repository/certification-practice-statement.pdf` };
  const pinned = (change: Partial<CertificateRequest> = {}) => prepared({ urls, policy, ...change });

  beforeAll(async () => {
    await stopSigner(child);
    const more = { REPOSITORY_URL: HOME, SIGNER_POLICY_OID: policy.oid, SIGNER_DAILY_CEILING: "100" };
    child = await startSigner({ ...signer.env, ...more });
  });

  test("signs a certificate that leads there", async () => {
    const tbs = pinned();
    expect(verify("sha256", tbs, issuer.publicKey, await sign(tbs))).toBe(true);
    expect((await askForState()).pinned).toEqual({ repositoryUrl: HOME, policyOid: policy.oid });
  });

  test.each(Object.keys(urls))("refuses another address: %s", async (name) => {
    const elsewhere = { ...urls, [name]: `${HOME}.elsewhere.example/repository/issuing-one.crl` };
    await refused(pinned({ urls: elsewhere }), /an address that is not the one of 'issuing-one' at http:\/\/ca\.assoc/);
  });

  test("refuses the CRL of another CA, another practice statement and another policy", async () => {
    const ofOther = { ...urls, crl: `${HOME}/repository/issuing-two.crl` };
    await refused(pinned({ urls: ofOther }), /an address that is not the one of 'issuing-one'/);
    const cpsUri = "http://elsewhere.example/cps.pdf";
    await refused(pinned({ policy: { ...policy, cpsUri } }), /an address that is not the one of 'issuing-one'/);
    const message = /^The certificate names the policy 2\.999\.8, and SIGNER_POLICY_OID is 2\.999\.7\.$/;
    await refused(pinned({ policy: { ...policy, oid: "2.999.8" } }), message);
  });
});
