import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { assembleCertificate, encodeTbsCertificate } from "~/ca/certificate/encode.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { prepareCertificate } from "~/ca/certificate/prepare.server";
import { generateRsaKey, spkiDerOf } from "~/ca/keys.server";
import { CA_LINTS } from "~/ca/lint/ca-lints.server";
import { lintedIssuer } from "~/ca/lint/common-lints.server";
import { END_ENTITY_LINTS } from "~/ca/lint/end-entity-lints.server";
import { lintText, runLints } from "~/ca/lint/lint.server";
import { lintPrepared } from "~/ca/lint/prepared.server";
import { PROFILE_LINTS } from "~/ca/lint/profile-lints.server";
import { addresses } from "~/ca/x509/address-extensions.server";
import * as extension from "~/ca/x509/extensions.server";
import { encodeName } from "~/ca/x509/name.server";
import { keyIdentifierOf } from "~/ca/x509/public-key.server";
import { NOW } from "./hierarchy";
import { useIssuing } from "./issuing";

const { ca, full, requestOf } = await useIssuing();
const issuerDer = ca.issuing.certificateDer;
const spkiDer = spkiDerOf((await generateRsaKey(2048)).publicKey);

const SOUND = {
  serial: `7F${"AB".repeat(15)}`,
  hash: "sha256" as const,
  issuerDer: ca.issuing.subjectDer,
  notBefore: NOW,
  notAfter: new Date(NOW.getTime() + 86_400_000),
  subjectDer: encodeName({ country: "GB", organisation: "Example", commonName: "a.example" }),
  spkiDer,
  extensions: [
    extension.basicConstraints(false),
    extension.keyUsage(["digitalSignature", "keyEncipherment"]),
    extension.extKeyUsage(["serverAuth"]),
    extension.subjectAltName([{ type: "dns", value: "a.example" }]),
    extension.subjectKeyIdentifier(keyIdentifierOf(spkiDer)),
    extension.authorityKeyIdentifier(ca.issuing.keyIdentifier),
    extension.certificatePolicies("2.999.1"),
  ],
};
type Change = Partial<typeof SOUND>;

/** Returns what the lints find in a certificate, as 'name: sentence'. */
function lint(change: Change): string[] {
  const der = assembleCertificate(encodeTbsCertificate({ ...SOUND, ...change }), randomBytes(256), "sha256");
  const certificate = parseCertificate(der);
  const subject = { certificate, description: describeCertificate(der, certificate), issuer: lintedIssuer(issuerDer) };
  return runLints(END_ENTITY_LINTS, subject).map(({ lint: name, text }) => `${name}: ${text}`);
}

/** Returns the sound extensions with one replaced. */
const replaced = (index: number, ...others: typeof SOUND.extensions): Change => ({
  extensions: SOUND.extensions.flatMap((one, at) => (at === index ? others : [one])),
});

describe("[CAL-02] the lints", () => {
  test("[CAL-02] have unique names within each catalogue, and each names its source", () => {
    for (const lints of [END_ENTITY_LINTS, CA_LINTS, PROFILE_LINTS]) {
      const names = lints.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const { name, source } of lints) {
        expect(name).toMatch(/^[a-z][a-z-]+$/);
        expect(source).toMatch(/§|appendix/);
      }
    }
  });

  test("[CAL-02] find nothing wrong in the certificates that this CA prepares", () => {
    const prepared = prepareCertificate(requestOf(full));
    const errors = lintPrepared(prepared, issuerDer, "sha256").filter(({ severity }) => severity === "error");
    expect(errors).toEqual([]);
    expect(lint({})).toEqual([]);
  });

  test.each<[string, Change, string[]]>([
    [
      "a short serial number",
      { serial: "05" },
      ["serial-random: The serial number must come from at least 64 random bits."],
    ],
    [
      "a long serial number",
      { serial: `7F${"00".repeat(20)}` },
      ["serial-length: The serial number must have at most 20 octets."],
    ],
    [
      "another issuer",
      { issuerDer: ca.root.subjectDer },
      ["issuer-name: The issuer must be the subject of the CA that signs, byte for byte."],
    ],
    [
      "an end before the beginning",
      { notAfter: new Date(NOW.getTime() - 1000) },
      ["validity-order: The certificate must end after it begins."],
    ],
    [
      "no country",
      { subjectDer: encodeName({ organisation: "Example", commonName: "a" }) },
      ["subject-attributes: Subject: the country (C) is missing."],
    ],
    ["a CA", replaced(0, extension.basicConstraints(true)), ["not-a-ca: The certificate must not be that of a CA."]],
    ["no basicConstraints", replaced(0), ["extensions: The extension basicConstraints is missing."]],
    [
      "the usage of a CA",
      replaced(1, extension.keyUsage(["digitalSignature", "keyCertSign"])),
      ["key-usage: Only a CA may have the key usages keyCertSign and cRLSign."],
    ],
    [
      "keyAgreement with RSA",
      replaced(1, extension.keyUsage(["keyAgreement"])),
      ["key-usage-of-key: An RSA key must not have the usage keyAgreement."],
    ],
    [
      "OCSPSigning",
      replaced(2, extension.extKeyUsage(["OCSPSigning"])),
      ["extended-key-usage: This CA does not certify the extended key usage OCSPSigning."],
    ],
    [
      "a name that is no DNS name",
      replaced(3, extension.subjectAltName([{ type: "dns", value: "a..example" }])),
      [
        "alternative-names: Alternative names: the DNS name 'a..example' is not a valid DNS name: it has an empty part.",
      ],
    ],
    [
      "another subject key",
      replaced(4, extension.subjectKeyIdentifier(ca.root.keyIdentifier)),
      ["subject-key-identifier: The subject key identifier is not that of the key."],
    ],
    [
      "another authority key",
      replaced(5, extension.authorityKeyIdentifier(ca.root.keyIdentifier)),
      ["authority-key-identifier: The authority key identifier is not that of the issuer's key."],
    ],
    [
      "https addresses",
      replaced(6, extension.certificatePolicies("2.999.1"), ...addresses({ crl: "https://a.example/crl" })),
      ["plain-http-addresses: CRL and issuer addresses must begin with http://."],
    ],
    [
      "an extension twice",
      replaced(6, extension.certificatePolicies("2.999.1"), extension.certificatePolicies("2.999.1")),
      ["extensions: The extension certificatePolicies is there twice."],
    ],
    [
      "TLS and email",
      replaced(2, extension.extKeyUsage(["serverAuth", "emailProtection"])),
      [
        "tls-and-email: The certificate is for TLS servers and for email. Some mail programs refuse such certificates.",
        "email-without-address: The certificate is for email, but no alternative name is an email address. Mail programs may refuse it.",
      ],
    ],
    [
      "signing and encryption",
      replaced(1, extension.keyUsage(["digitalSignature", "nonRepudiation", "keyEncipherment"])),
      [
        "signing-and-encryption: The same key is for signing files and for encryption. Whoever keeps a copy of it to decrypt can also sign.",
      ],
    ],
    [
      "an email address only in the subject",
      { subjectDer: encodeName({ country: "GB", organisation: "E", commonName: "a", email: "a@b.example" }) },
      [
        "email-only-in-subject: The email address in the subject is not among the alternative names, where programs look for it.",
      ],
    ],
    [
      "a short key for long",
      { notAfter: new Date("2031-06-01T00:00:00Z") },
      [
        "short-key: The key has 2048 bits, and the certificate is valid after 2030, for which 3072 bits are recommended.",
      ],
    ],
  ])("[CAL-02] find %s", (_, change, expected) => {
    expect(lint(change)).toEqual(expected);
  });

  test("[CAL-02] compare what is to be signed with the profile, and say which rule is broken", () => {
    const prepared = prepareCertificate(requestOf(full));
    const profile = { ...prepared.profile, keyUsage: ["digitalSignature" as const] };
    const found = lintPrepared({ tbs: prepared.tbs, profile }, issuerDer, "sha256").filter(
      ({ severity }) => severity === "error",
    );
    expect(found.map(lintText)).toEqual([
      "The issued certificate differs from its order: keyUsage. (intended-key-usage, practice statement §7.1)",
    ]);
  });
});
