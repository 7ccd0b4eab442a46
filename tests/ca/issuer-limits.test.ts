import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { type CertificateRequest, prepareCertificate } from "~/ca/certificate/prepare.server";
import { createIssuingCertificate, type IssuingRequest } from "~/ca/hierarchies.server";
import { generateRsaKey, spkiDerOf } from "~/ca/keys.server";
import { lintCaCertificate } from "~/ca/lint/ca-lints.server";
import { LIMIT_LINTS } from "~/ca/lint/end-entity-lints.server";
import { lintPrepared } from "~/ca/lint/prepared.server";
import { issuerLimits, limitTexts } from "~/ca/names/issuer-limits.server";
import { toPem } from "~/ca/pem.server";
import { softwareSigner } from "~/ca/signer.server";
import { type AlternateName } from "~/ca/x509/general-names.server";
import { directoryTree, type NameTree, networkTree } from "~/ca/x509/name-constraints.server";
import { type SubjectFields } from "~/ca/x509/name.server";
import { openssl, opensslFailure } from "../support/openssl";
import { runTool } from "../support/tool";
import { AT, NOW, POLICY, ROOT_URLS } from "./hierarchy";
import { textOf, useIssuing } from "./issuing";

const { ca, file, requestOf } = await useIssuing();
const { privateKey, publicKey } = await generateRsaKey(2048);
const signer = softwareSigner(privateKey, "sha256");
const rootFile = file("pem", toPem("CERTIFICATE", ca.root.certificateDer));

type Limits = Pick<IssuingRequest, "nameConstraints" | "extendedKeyUsage">;

const dns = (text: string): NameTree => ({ kind: "dns", text });
const email = (text: string): NameTree => ({ kind: "email", text });
const uri = (text: string): NameTree => ({ kind: "uri", text });
function ip(text: string): NameTree {
  const tree = networkTree(text);
  if (!tree) throw new Error(`${text} is no network`);
  return tree;
}
const permitted = (...trees: NameTree[]): Limits => ({ nameConstraints: { permitted: trees, excluded: [] } });
const excluded = (...trees: NameTree[]): Limits => ({ nameConstraints: { permitted: [], excluded: trees } });

/** Creates an issuing CA with these limits. */
const limitedCa = (limits: Limits) =>
  createIssuingCertificate({
    now: NOW,
    random: randomBytes,
    signer: ca.rootSigner,
    issuer: ca.root,
    subject: { country: "GB", organisation: "Example Association", commonName: "Example Limited CA" },
    spkiDer: spkiDerOf(publicKey),
    years: 10,
    policy: POLICY,
    urls: ROOT_URLS,
    ...limits,
  });

interface Leaf {
  names?: AlternateName[];
  subject?: SubjectFields;
  usage?: Partial<CertificateRequest["usage"]>;
  ssid?: string;
}

const TLS = { hasSecureSession: true, hasEmail: false, hasEncryption: false, hasFileSigning: false };
const SUBJECT: SubjectFields = { country: "DE", organisation: "Acme GmbH", commonName: "Station 7" };

/** Signs a certificate, whether the CA may certify it or not. Returns what the lints say of its limits, and both files. */
async function certify(limits: Limits, { names = [], subject = SUBJECT, usage = TLS, ssid }: Leaf) {
  const caDer = await limitedCa(limits);
  const prepared = prepareCertificate(
    requestOf(undefined, {
      issuer: readIssuer(caDer),
      subject,
      ssid: ssid ?? null,
      requestedNames: names,
      usage: { ...TLS, ...usage },
    }),
  );
  const der = assembleCertificate(prepared.tbs, await signer.sign(prepared.tbs), "sha256");
  const found = lintPrepared(prepared, caDer, "sha256").filter(({ lint }) => LIMIT_LINTS.includes(lint));
  return {
    texts: found.map(({ text }) => text),
    caFile: file("pem", toPem("CERTIFICATE", caDer)),
    leafFile: file("pem", toPem("CERTIFICATE", der)),
  };
}

type Certified = Awaited<ReturnType<typeof certify>>;

const chainArgs = ({ caFile, leafFile }: Certified, ...options: string[]) => [
  ...["verify", "-x509_strict", "-attime", AT, ...options, "-CAfile", rootFile, "-untrusted", caFile, leafFile],
];

/** Returns what certtool says about the chain. */
async function certtool({ caFile, leafFile }: Certified): Promise<string> {
  const chain = file("pem", openssl(["x509", "-in", leafFile]) + openssl(["x509", "-in", caFile]));
  const { text } = await runTool("certtool", ["--verify", "--load-ca-certificate", rootFile, "--infile", chain]);
  return /Chain verification output: (.*)/.exec(text)?.[1] ?? text;
}

const d = (value: string): AlternateName => ({ type: "dns", value });
const m = (value: string): AlternateName => ({ type: "rfc822", value });
const a = (value: string): AlternateName => ({ type: "ip", value });
const u = (value: string): AlternateName => ({ type: "uri", value });

const ORGANISATION = directoryTree({ country: "DE", organisation: "Acme GmbH" });

/** Certificates that the CA may issue by RFC 5280 §4.2.1.10. */
const INSIDE: [string, Limits, Leaf][] = [
  ["a DNS name that is the base", permitted(dns("acme.example")), { names: [d("ACME.example")] }],
  ["a DNS name below the base", permitted(dns("acme.example")), { names: [d("a.b.acme.example")] }],
  ["a wildcard below the base", permitted(dns("acme.example")), { names: [d("*.acme.example")] }],
  ["one of several bases", permitted(dns("other.example"), dns("acme.example")), { names: [d("a.acme.example")] }],
  ["a name that only looks excluded", excluded(dns("acme.example")), { names: [d("notacme.example")] }],
  ["a mailbox at the host", permitted(email("acme.example")), { names: [m("edi@ACME.example")] }],
  ["a mailbox at a host below", permitted(email(".acme.example")), { names: [m("edi@mail.acme.example")] }],
  ["the mailbox itself", permitted(email("edi@acme.example")), { names: [m("edi@acme.example")] }],
  ["an IPv4 address in the network", permitted(ip("203.0.112.0/22")), { names: [a("203.0.115.255")] }],
  ["an IPv6 address in the network", permitted(ip("2001:db8:1::/48")), { names: [a("2001:db8:1:2::3")] }],
  [
    "an address beside permitted DNS names",
    permitted(dns("acme.example")),
    { names: [d("acme.example"), a("203.0.113.7")] },
  ],
  ["a URI at the host", permitted(uri("acme.example")), { names: [u("https://acme.example:8443/x")] }],
  ["a URI at a host below", permitted(uri(".acme.example")), { names: [u("https://a.acme.example/x")] }],
  ["a subject below the directory name", permitted(ORGANISATION), {}],
  ["a subject in other letters", permitted(directoryTree({ country: "DE", organisation: "ACME  gmbh" })), {}],
];

/** Certificates that the CA may not issue. */
const OUTSIDE: [string, Limits, Leaf, string][] = [
  [
    "another DNS name",
    permitted(dns("acme.example"), dns("acme.test")),
    { names: [d("a.acme.example"), d("a.other.example")] },
    "Alternative names: the DNS name 'a.other.example' is not among the DNS names that the issuing CA may certify: acme.example and names below it, acme.test and names below it.",
  ],
  [
    "a DNS name that only ends alike",
    permitted(dns("acme.example")),
    { names: [d("notacme.example")] },
    "'notacme.example' is not among the DNS names",
  ],
  [
    "an excluded DNS name",
    excluded(dns("secret.acme.example")),
    { names: [d("a.secret.acme.example")] },
    "Alternative names: the DNS name 'a.secret.acme.example' is excluded from the names that the issuing CA may certify, by secret.acme.example and names below it.",
  ],
  ["any DNS name", excluded(dns("")), { names: [d("acme.example")] }, "is excluded from the names"],
  [
    "a common name that is a host",
    permitted(dns("acme.example")),
    { subject: { ...SUBJECT, commonName: "edi_1.other.example" } },
    "Subject: the common name 'edi_1.other.example' is not among the DNS names",
  ],
  [
    "a mailbox at a host below a host",
    permitted(email("acme.example")),
    { names: [m("edi@mail.acme.example")] },
    "the email address 'edi@mail.acme.example' is not among the email addresses that the issuing CA may certify: the host acme.example.",
  ],
  [
    "a mailbox at the host for those below it",
    permitted(email(".acme.example")),
    { names: [m("edi@acme.example")] },
    "may certify: hosts below acme.example.",
  ],
  ["another mailbox", permitted(email("edi@acme.example")), { names: [m("it@acme.example")] }, "edi@acme.example."],
  [
    "the email address of the subject",
    permitted(email("acme.example")),
    { subject: { ...SUBJECT, email: "edi@other.example" } },
    "Subject: the email address 'edi@other.example' is not among",
  ],
  [
    "an IPv4 address outside the network",
    permitted(ip("203.0.112.0/22")),
    { names: [a("203.0.116.0")] },
    "the IP address '203.0.116.0' is not among the IP addresses that the issuing CA may certify: 203.0.112.0/22.",
  ],
  ["IPv6 when only IPv4 is permitted", permitted(ip("203.0.113.0/24")), { names: [a("2001:db8::1")] }, "2001:db8::1"],
  ["an excluded address", excluded(ip("0.0.0.0/0"), ip("::/0")), { names: [a("203.0.113.1")] }, "by 0.0.0.0/0."],
  ["a URI at another host", permitted(uri("acme.example")), { names: [u("https://a.acme.example/")] }, "the URI"],
  [
    "a subject of another organisation",
    permitted(ORGANISATION),
    { subject: { ...SUBJECT, organisation: "Other GmbH" } },
    "Subject: the name 'CN=Station 7, O=Other GmbH, C=DE' is not among the subjects that the issuing CA may certify: 'O=Acme GmbH, C=DE' and names below it.",
  ],
  [
    "a subject with a part between",
    permitted(ORGANISATION),
    { subject: { ...SUBJECT, state: "Bayern" } },
    "is not among the subjects",
  ],
];

/** Certificates that this CA does not issue although OpenSSL accepts them: another program, or RFC 5280, does not. */
const STRICTER: [string, Limits, Leaf, string][] = [
  [
    "a wildcard for an excluded host",
    excluded(dns("a.acme.example")),
    { names: [d("*.acme.example")] },
    "*.acme.example",
  ],
  [
    "other letters of an excluded mailbox",
    excluded(email("EDI@acme.example")),
    { names: [m("edi@acme.example")] },
    "edi@",
  ],
];

describe("[CAL-02] what the issuing CA may certify", () => {
  test.each(INSIDE)("[CAL-02] OpenSSL and certtool accept %s, and no lint objects", async (_, limits, leaf) => {
    const certified = await certify(limits, leaf);
    expect(certified.texts).toEqual([]);
    expect(openssl(chainArgs(certified))).toContain(": OK\n");
    expect(await certtool(certified)).toMatch(/^Verified\./);
  });

  test("[CAL-02] without a DNS name, a common name that is no host is not looked at; only GnuTLS takes it for a DNS name", async () => {
    const certified = await certify(permitted(dns("acme.example")), { names: [a("203.0.113.7")] });
    expect(certified.texts).toEqual([]);
    expect(openssl(chainArgs(certified))).toContain(": OK\n");
    expect(await certtool(certified)).toMatch(/^Not verified\./);
  });

  test.each(OUTSIDE)("[CAL-02] OpenSSL refuses %s, and so does a lint", async (_, limits, leaf, sentence) => {
    const certified = await certify(limits, leaf);
    expect(certified.texts).toEqual([expect.stringContaining(sentence)]);
    expect(opensslFailure(chainArgs(certified))).toMatch(/(permitted|excluded) subtree violation/);
  });

  test.each(STRICTER)("[CAL-02] a lint refuses %s", async (_, limits, leaf, part) => {
    expect((await certify(limits, leaf)).texts).toEqual([expect.stringContaining(part)]);
  });

  test("[CAL-02] with limits for URIs, an OFTP ID is refused, because its URI has no domain name (RFC 5280)", async () => {
    const leaf = { ssid: "O0177ABCD000000" };
    expect((await certify(permitted(uri(".acme.example")), leaf)).texts).toEqual([
      expect.stringContaining("the URI of the OFTP ID 'oftp://O0177ABCD000000' is not among the URIs"),
    ]);
    expect((await certify(permitted(dns("acme.example")), leaf)).texts).toEqual([]);
  });

  test("[CAL-02] certtool refuses a DNS name outside, too", async () => {
    const certified = await certify(permitted(dns("acme.example")), { names: [d("a.other.example")] });
    expect(await certtool(certified)).toMatch(/^Not verified\./);
  });

  test("[CAL-02] purposes outside those of the CA are refused, and a certificate for every purpose, as OpenSSL does", async () => {
    const limits: Limits = { extendedKeyUsage: ["serverAuth", "clientAuth"] };
    const tls = await certify(limits, {});
    expect(tls.texts).toEqual([]);
    expect(openssl(chainArgs(tls, "-purpose", "sslserver"))).toContain(": OK\n");
    const mail = await certify(limits, { usage: { hasEmail: true } });
    expect(mail.texts).toEqual([
      "Certificate usage: the issuing CA may issue certificates only for TLS servers (serverAuth), TLS clients (clientAuth), not for email (emailProtection).",
    ]);
    expect(opensslFailure(chainArgs(mail, "-purpose", "smimesign"))).toMatch(/purpose/);
    const files = await certify(limits, { usage: { hasSecureSession: false, hasFileSigning: true } });
    expect(files.texts).toEqual([expect.stringContaining("good for every purpose")]);
    expect(opensslFailure(chainArgs(files, "-purpose", "smimesign"))).toMatch(/purpose/);
  });

  test("[CAL-01] OpenSSL reads the extensions of the CA as they were meant, and people read them in words", async () => {
    const der = await limitedCa({
      nameConstraints: {
        permitted: [dns("acme.example"), email(".acme.example"), ip("203.0.113.0/24"), ORGANISATION],
        excluded: [dns("x.acme.example"), ip("2001:db8::/32")],
      },
      extendedKeyUsage: ["emailProtection"],
    });
    const text = textOf(der).replace(/\s+/g, " ");
    expect(text).toContain(
      "X509v3 Name Constraints: critical Permitted: DNS:acme.example email:.acme.example IP:203.0.113.0/255.255.255.0 DirName:C = DE, O = Acme GmbH Excluded: DNS:x.acme.example IP:2001:DB8:0:0:0:0:0:0/FFFF:FFFF:0:0:0:0:0:0",
    );
    expect(text).toContain("X509v3 Extended Key Usage: E-mail Protection");
    expect(limitTexts(issuerLimits(der))).toEqual([
      "Only these DNS names: acme.example and names below it",
      "Only these email addresses: hosts below acme.example",
      "Only these IP addresses: 203.0.113.0/24",
      "Only these subjects: 'O=Acme GmbH, C=DE' and names below it",
      "None of these DNS names: x.acme.example and names below it",
      "None of these IP addresses: 2001:db8::/32",
      "Only for email (emailProtection)",
    ]);
  });
});

describe("[CAL-01] the certificate of a CA with limits", () => {
  const lint = async (limits: Limits) =>
    lintCaCertificate(await limitedCa(limits), {
      kind: "issuing",
      issuer: ca.root.certificateDer,
      existing: null,
      hasUnknownKey: false,
    })
      .filter(({ lint: name }) => !["ca-key-length", "ca-life"].includes(name))
      .map(({ severity, lint: name, text }) => `${severity} ${name}: ${text}`);

  test("[CAL-01] has no finding when its limits leave nothing open", async () => {
    const names = [dns("acme.example"), email("acme.example")];
    const closed = { permitted: names, excluded: [ip("0.0.0.0/0"), ip("::/0")] };
    expect(await lint({ nameConstraints: closed })).toEqual([]);
    expect(await lint({ extendedKeyUsage: ["serverAuth", "clientAuth"] })).toEqual([]);
  });

  test("[CAL-01] is warned about for what its names leave open, and for URIs, which keep OFTP IDs out", async () => {
    expect(await lint({ ...permitted(dns("acme.example")), extendedKeyUsage: ["serverAuth"] })).toEqual([
      "warning open-names: The name constraints permit no particular IP addresses, so this CA can certify all that are not excluded.",
    ]);
    expect((await lint(permitted(uri("acme.example")))).map((text) => text.split(":")[0])).toEqual([
      "warning open-names",
      "warning open-names",
      "warning open-names",
      "warning uris-of-oftp-ids",
    ]);
  });

  test.each<[string, Limits, string]>([
    ["OCSP signing", { extendedKeyUsage: ["OCSPSigning"] }, "A CA must not have the extended key usage OCSPSigning"],
    ["no name", permitted(), "must have at least one name"],
    ["a DNS name with a dot", permitted(dns(".acme.example")), "'.acme.example', which is permitted, must be a domain"],
    ["a wildcard", permitted(dns("*.acme.example")), "must be a domain name"],
    ["a wrong mailbox", permitted(email("a@b@c")), "must be a mailbox, a host"],
    ["a URI in place of a host", permitted(uri("https://acme.example/")), "must be a host"],
  ])("[CAL-01] is refused with %s", async (_, limits, part) => {
    const errors = (await lint(limits)).filter((text) => text.startsWith("error"));
    expect(errors).toEqual([expect.stringContaining(part)]);
  });
});
