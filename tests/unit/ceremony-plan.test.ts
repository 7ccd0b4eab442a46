import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fromPem, toPem } from "~/ca/pem.server";
import { checkCeremony } from "~/domain/ceremony/check.server";
import { lintCertificate } from "~/domain/ceremony/lint-certificate.server";
import { ConfigError } from "~/lib/config-error";
import {
  ADDRESSES,
  crlStep,
  issuingStep,
  rootStep,
  subjectOf,
  type TestPlan,
  useCeremonies,
} from "../support/ceremony";
import { signCsr } from "../support/csr";
import { nextRsaKey } from "../support/keys";
import { openssl } from "../support/openssl-command";

const { folder, formerRoot, input, planOf, request, run, write } = useCeremonies();

/** Returns everything that is wrong with a plan, without the name of its file. */
async function problemsIn(plan: TestPlan | string): Promise<string[]> {
  const { file } = write(plan);
  try {
    await checkCeremony(file);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.problems.every((problem) => problem.startsWith(`${file}: `))).toBe(true);
    return error.problems.map((problem) => problem.slice(file.length + 2));
  }
}

test("[CAL-01] every wrong value of a plan is named with its place and the rule, all at once", async () => {
  const problems = await problemsIn({
    title: " ",
    date: "2027-02-30",
    place: "two\nlines",
    operator: 7,
    witnesses: [],
    more: true,
    steps: [
      { ...rootStep("Root"), key: { store: "paper", bits: 1024, more: 1 } },
      { name: "other", kind: "leaf" },
      issuingStep("later", { file: "" }, "Example", { hash: "sha1", notAfter: "tomorrow", years: 0, crl: "https://x" }),
      crlStep(3, { number: 0, previous: "nothing", revoked: [{ serial: 12, date: "2027-01-01", reason: "lost" }] }),
      { ...rootStep("twice"), certificate: { subject: { country: "gb", commonName: "x".repeat(65) }, hash: "sha256" } },
      { ...crlStep("twice"), name: "twice" },
    ],
  });
  expect(problems).toEqual([
    "title must not be empty",
    "date must be a day such as 2027-01-12",
    "place must be one line without control characters",
    "operator must be text; put it in quotation marks",
    "witnesses must name at least one witness",
    "output is missing",
    "steps[0].name must have small letters, digits and hyphens, at most 40, and begin with a letter",
    "steps[0].key.store must be one of file, token",
    "steps[0].key.bits must be one of 2048, 3072, 4096, 8192",
    "steps[0].key.more is not known here",
    "steps[1].kind must be one of root, issuing, cross-certificate, ocsp-responder, crl",
    "steps[2].request.file must not be empty",
    "steps[2].certificate.hash must be one of sha256, sha512",
    "steps[2].certificate.years must be from 1 to 30",
    "steps[2].certificate.notAfter must be a time in UTC such as 2027-01-12T10:00:00Z",
    "steps[2].certificate.crl must be an address that begins with http://",
    "steps[3].issuer must be the name of an earlier step, or have 'name', 'file' and 'sha256'",
    "steps[3].crl.number must be a whole number from 1 to 2147483647",
    "steps[3].crl.previous must be none for the first CRL, or have 'file' and 'sha256'",
    "steps[3].crl.revoked[0].serial must be text; put it in quotation marks",
    "steps[3].crl.revoked[0].date must be a time in UTC such as 2027-01-12T10:00:00Z",
    expect.stringMatching(/^steps\[3\]\.crl\.revoked\[0\]\.reason must be one of unspecified, keyCompromise, /),
    "steps[4].certificate.subject.country must be the two capital letters of a country, such as DE",
    "steps[4].certificate.subject.organisation is missing",
    "steps[4].certificate.subject.commonName must have at most 64 characters",
    "more is not known here",
    "steps[2].issuer names 'later', which is no earlier step",
    "steps[5].name is 'twice', as that of an earlier step",
  ]);
});

test("[CAL-01] each wrong limit of a CA is named with its place and the rule", async () => {
  const limited = (limits: Record<string, unknown>) =>
    issuingStep("root-2027", request("Limits Issuing"), "Limits Issuing", limits);
  const problemsOf = (limits: Record<string, unknown>) => problemsIn(planOf([rootStep(), limited(limits)]));
  const domain =
    "must be a domain name such as example.com, without a dot or wildcard at its beginning: it stands for all names below it, too";
  const network =
    "must be a network such as 192.0.2.0/24 or 2001:db8::/32, with no bits of the address behind the prefix";
  const permitted = {
    dns: [".example.com", "*.example.com", "", 7],
    email: ["edi@", "example.com"],
    uri: ["https://example.com/"],
    ip: ["192.0.2.1/24", "192.0.2.0/33", "192.0.2.0"],
    directory: [{}, { country: "gb" }, { country: "GB", street: "Mill Lane" }],
    ssid: ["O0177"],
  };
  expect(
    await problemsOf({
      nameConstraints: { permitted, excluded: { dns: [], ip: "every" } },
      extendedKeyUsage: ["serverAuth", "OCSPSigning"],
    }),
  ).toEqual(
    [
      `nameConstraints.permitted.dns[0] ${domain}`,
      `nameConstraints.permitted.dns[1] ${domain}`,
      `nameConstraints.permitted.dns[2] ${domain}`,
      "nameConstraints.permitted.dns[3] must be text; put it in quotation marks",
      "nameConstraints.permitted.email[0] must be a mailbox, a host such as example.com, or .example.com for the hosts below it",
      "nameConstraints.permitted.uri[0] must be a host such as example.com, or .example.com for the hosts below it",
      `nameConstraints.permitted.ip[0] ${network}`,
      `nameConstraints.permitted.ip[1] ${network}`,
      `nameConstraints.permitted.ip[2] ${network}`,
      "nameConstraints.permitted.directory[0] must have at least one attribute, such as 'country'",
      "nameConstraints.permitted.directory[0] must have 'country', because every subject of this CA begins with it",
      "nameConstraints.permitted.directory[1].country must be the two capital letters of a country, such as DE",
      "nameConstraints.permitted.directory[2].street is not known here",
      "nameConstraints.permitted.ssid is not known here",
      "nameConstraints.excluded.dns must not be empty",
      "nameConstraints.excluded.ip must be a list, whose items begin with '- '",
      "extendedKeyUsage[1] must be one of serverAuth, clientAuth, emailProtection",
    ].map((problem) => `steps[1].certificate.${problem}`),
  );
  expect(await problemsOf({ nameConstraints: {}, extendedKeyUsage: ["clientAuth", "clientAuth"] })).toEqual([
    "steps[1].certificate.nameConstraints must have 'permitted', 'excluded' or both",
    "steps[1].certificate.extendedKeyUsage must name each purpose once",
  ]);
  expect(await problemsOf({ nameConstraints: { permitted: { dns: "all" } }, extendedKeyUsage: [] })).toEqual([
    "steps[1].certificate.nameConstraints.permitted.dns must be a list, whose items begin with '- '",
    "steps[1].certificate.extendedKeyUsage must not be empty: leave it out for a CA that may certify every purpose",
  ]);
});

test("[CAL-01] a certificate has exactly one end, and an entry of a CRL one certificate", async () => {
  const life = (change: object) => ({ ...rootStep(), certificate: { ...rootStep().certificate, ...change } });
  const oneEnd = "steps[0].certificate must have exactly one of 'years', 'days' and 'notAfter'";
  expect(await problemsIn(planOf([life({ years: undefined })]))).toEqual([oneEnd]);
  expect(await problemsIn(planOf([life({ notAfter: "2030-01-01T00:00:00Z" })]))).toEqual([oneEnd]);
  const revoked = [{ date: "2027-01-01T00:00:00Z", reason: "superseded" }];
  const either = "steps[1].crl.revoked[0] must have either 'certificate' or 'serial'";
  expect(await problemsIn(planOf([rootStep(), crlStep("root-2027", { revoked })]))).toEqual([either]);
});

test("[CAL-01] a file that is not YAML, has a key twice or hides values behind aliases is refused with its line", async () => {
  expect(await problemsIn("title: [")).toEqual([expect.stringMatching(/^line 1: Flow sequence in block collection/)]);
  expect(await problemsIn("title: a\ntitle: b\n")).toEqual(["line 2: Map keys must be unique"]);
  expect(await problemsIn("title: &a b\nplace: *a\n")).toEqual([
    "must not use aliases (*name): write each value where it belongs",
  ]);
  expect(await problemsIn("")).toEqual(["The plan must have keys and values below it"]);
  const bytes = join(folder, "latin1.yaml");
  writeFileSync(bytes, Buffer.from("title: Zürich", "latin1"));
  await expect(checkCeremony(bytes)).rejects.toThrow(`${bytes}: must be text in UTF-8`);
  await expect(checkCeremony(join(folder, "none.yaml"))).rejects.toThrow(
    /none\.yaml cannot be read: there is no such file/,
  );
});

test("[CAL-01] each file that a plan names must be the one that was reviewed, and must fit the step", async () => {
  const root = await formerRoot("files-root");
  const csr = request("Files Issuing");
  const check = (step: Record<string, unknown>) => problemsIn(planOf([step]));
  const issuing = (source: unknown, file: unknown, name = "Files Issuing") => check(issuingStep(source, file, name));
  const compare = "Compare this with what its owner tells you by another way";
  expect(await issuing(root, { file: csr.file })).toEqual([
    `steps[0].request.sha256 is missing: ${csr.file} has ${csr.sha256}. ${compare}`,
  ]);
  expect(await issuing({ ...root, sha256: csr.sha256 }, csr)).toEqual([
    `steps[0].issuer.sha256 is that of another file: ${root.file} has ${root.sha256}. ${compare}`,
  ]);
  expect(await issuing({ ...root, file: "none.pem" }, csr)).toEqual([
    expect.stringMatching(/^steps\[0\]\.issuer\.file names a file that does not help: .*none\.pem cannot be read/),
  ]);
  expect(await issuing({ ...csr, name: "root" }, { file: root.file, sha256: root.sha256 })).toEqual([
    `steps[0].issuer.file must be the certificate of a CA, as DER or PEM: ${csr.file} is not`,
    `steps[0].request.file must be a CSR, as DER or PEM: ${root.file} is not`,
  ]);
  expect(await issuing(root, csr, "Another Name")).toEqual([
    "steps[0].certificate.subject must be that of the CSR, CN=Files Issuing, O=Example Association, C=GB: the plan has CN=Another Name, O=Example Association, C=GB",
  ]);
  const made = signCsr({
    subject: "/C=GB/O=Example Association/CN=Broken",
    san: [],
    digest: "sha256",
    key: nextRsaKey(),
  });
  const broken = Buffer.from(made.der);
  broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
  expect(await issuing(root, input("broken.csr.pem", toPem("CERTIFICATE REQUEST", broken)), "Broken")).toEqual([
    expect.stringMatching(/^steps\[0\]\.request\.file is refused\. CSR signature: it does not match the public key/),
  ]);
  const stranger = await formerRoot("files-stranger");
  const date = "2027-01-01T00:00:00Z";
  const revoked = [{ certificate: { file: stranger.file, sha256: stranger.sha256 }, date, reason: "superseded" }];
  expect(await check(crlStep(root, { revoked }))).toEqual([
    "steps[0].crl.revoked[0].certificate is a certificate that 'files-root' did not issue",
  ]);
});

test("[CAL-01] [CAL-03] the rules of RFC 5280 and of the portal's CAs are checked before a key is opened", async () => {
  const root = await formerRoot("rules-root");
  const csr = request("Rules Issuing");
  const found = (...steps: Record<string, unknown>[]) => problemsIn(planOf(steps));
  expect(await found(issuingStep(root, csr, "Rules Issuing", { years: 20 }))).toEqual([
    "steps[0] 'issuing-2027': The certificate must not end after its issuer, which ends 2040-03-02.",
  ]);
  const early = { notBefore: "2019-01-01T00:00:00Z", years: undefined, notAfter: "2018-01-01T00:00:00Z" };
  expect(await found(issuingStep(root, csr, "Rules Issuing", early))).toEqual([
    "steps[0] 'issuing-2027': The certificate must end after it begins.",
    "steps[0] 'issuing-2027': The certificate must not begin before its issuer.",
  ]);
  const deep = { ...issuingStep("issuing-2027", csr, "Rules Issuing"), name: "deeper" };
  expect(await found(issuingStep(root, csr, "Rules Issuing"), deep)).toEqual([
    "steps[1] 'deeper': The issuer has the path length 0, so it must not sign CAs.",
  ]);
  const cross = {
    name: "crossed",
    kind: "cross-certificate",
    issuer: root,
    existing: "issuing-2027",
    certificate: { hash: "sha256", years: 5, pathLength: "none", ...ADDRESSES },
  };
  expect(await found(issuingStep(root, csr, "Rules Issuing"), cross)).toEqual([
    "steps[1] 'crossed': The path length must not be above 0, that of the certificate that exists.",
  ]);
  expect(await found({ ...cross, existing: root })).toEqual([
    "steps[0] 'crossed': A cross-certificate must be signed by another CA than the one that it is for.",
  ]);
  const responder = {
    name: "responder",
    kind: "ocsp-responder",
    issuer: root,
    request: csr,
    certificate: { subject: subjectOf("Rules Issuing"), hash: "sha256", notAfter: "2041-01-01T00:00:00Z" },
  };
  expect(await found(responder)).toEqual([
    "steps[0] 'responder': The certificate must not end after its issuer, which ends 2040-03-02.",
  ]);
  expect(await found(crlStep(root, { nextUpdate: "2027-01-11T00:00:00Z" }))).toEqual([
    "steps[0] 'root-crl': A CRL must end after it begins.",
  ]);
  const entry = { serial: "0F", date: "2027-01-13T00:00:00Z", reason: "superseded" };
  expect(await found(crlStep(root, { nextUpdate: "2041-01-01T00:00:00Z", revoked: [entry, entry] }))).toEqual([
    "steps[0] 'root-crl': The CRL must not end after its root, which ends 2040-03-02.",
    "steps[0] 'root-crl': 0F is revoked twice: an entry stays as it is once it is published.",
    "steps[0] 'root-crl': 0F is revoked after the CRL begins.",
    "steps[0] 'root-crl': 0F is revoked after the CRL begins.",
  ]);
  expect(await found(crlStep(root), { ...crlStep(root), name: "second" })).toEqual([
    "steps[1].issuer has a CRL in an earlier step already: put all entries into one CRL",
  ]);
  expect(await found(issuingStep(root, csr, "Rules Issuing"), crlStep("issuing-2027"))).toEqual([
    "steps[1] 'root-crl': The issuer of a CRL must be a root; the portal makes the CRLs of issuing CAs.",
  ]);
});

test("[CAL-03] the previous CRL must be the root's own, and its number and its entries bind the next one", async () => {
  const root = await formerRoot("bound-root");
  const entry = { serial: "0A0B", date: "2026-05-05T05:05:05Z", reason: "keyCompromise" };
  const first = write(planOf([crlStep(root, { number: 5, revoked: [entry] })]));
  await run(first.file);
  const previous = input("bound.crl.pem", readFileSync(join(first.output, "root-crl.crl.pem")));
  const found = (source: unknown, change: object) => problemsIn(planOf([crlStep(source, { previous, ...change })]));
  expect(await found(root, { number: 6 })).toEqual([]);
  expect(await found(root, { number: 5, thisUpdate: "2027-01-11T00:00:00Z" })).toEqual([
    "steps[0] 'root-crl': The number must be above 5, that of the previous CRL.",
    "steps[0] 'root-crl': The CRL must not begin before the previous one.",
  ]);
  expect(await found(root, { number: 6, revoked: [{ ...entry, reason: "superseded" }] })).toEqual([
    "steps[0] 'root-crl': 0A0B is revoked twice: an entry stays as it is once it is published.",
    "steps[0] 'root-crl': The entry of 0A0B differs from that in the previous CRL.",
  ]);
  const other = await formerRoot("bound-other");
  expect(await found(other, { number: 6 })).toEqual([
    "steps[0].crl.previous must be the latest CRL of 'bound-other', but this one names another issuer",
  ]);
  const made = planOf([rootStep(), crlStep("root-2027", { previous })]);
  expect(await problemsIn(made)).toEqual([
    "steps[1].crl.previous must be none, because the root is made by an earlier step",
  ]);
});

test("[CAL-01] what is allowed but unusual is shown as a notice", async () => {
  const root = await formerRoot("notice-root", "sha512");
  const csr = request("Notice OCSP");
  const certificate = { subject: subjectOf("Notice OCSP"), hash: "sha256", days: 200 };
  const responder = { name: "responder", kind: "ocsp-responder", issuer: root, request: csr, certificate };
  const long = rootStep("root-long", { certificate: { subject: subjectOf("Long"), hash: "sha256", years: 30 } });
  const { file } = write(planOf([long, responder, crlStep(root, { nextUpdate: "2028-01-12T00:00:00Z" })]));
  const { previews } = await checkCeremony(file);
  expect(previews.map(({ findings }) => findings.notices)).toEqual([
    ["The certificate is valid for more than 25 years.", "The key has 2048 bits. The portal's own CAs have 4096."],
    [
      "A responder cannot be revoked, and this one is valid for more than 100 days.",
      "The issuer's own certificate is signed with sha512WithRSAEncryption, this one with sha256WithRSAEncryption.",
    ],
    ["The CRL is valid for more than 190 days, so clients learn of a revocation late."],
  ]);
});

test("[CAL-01] the rules find what other tools write into certificates of CAs", () => {
  const key = join(folder, "lint.key");
  writeFileSync(key, nextRsaKey());
  const lint = (subject: string, ...args: string[]) => {
    const pem = openssl(["req", "-x509", "-new", "-key", key, "-subj", subject, "-days", "10", ...args]);
    const context = { kind: "root" as const, issuer: null, existing: null, hasUnknownKey: false };
    return lintCertificate(fromPem("CERTIFICATE", pem), context).errors;
  };
  const good = "/C=GB/O=Example/CN=Root";
  const extension = (...values: string[]) => values.flatMap((value) => ["-addext", value]);
  const usual = extension("basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign");
  expect(lint(good, ...usual)).toEqual([]);
  expect(lint(good, ...usual, "-sha1", "-set_serial", "1")).toEqual([
    "The serial number must come from at least 64 random bits.",
    "The signature must be RSA with SHA-256 or SHA-512.",
  ]);
  expect(lint(good, ...usual, "-set_serial", `0x7f${"00".repeat(20)}`)).toEqual([
    "The serial number must have at most 20 octets.",
  ]);
  const loose = extension(
    "basicConstraints=CA:TRUE,pathlen:3",
    "keyUsage=keyCertSign,digitalSignature",
    "subjectAltName=DNS:a.example",
  );
  expect(lint(good, ...loose)).toEqual([
    "The extension basicConstraints must be critical.",
    "The extension keyUsage must be critical.",
    "The extension subjectAltName does not belong in this certificate.",
    "A root must have no path length.",
    "The key usage must be exactly keyCertSign and cRLSign.",
  ]);
  expect(lint(good, ...extension("basicConstraints=critical,CA:FALSE", "authorityKeyIdentifier=none"))).toEqual([
    "The extension keyUsage is missing.",
    "The extension authorityKeyIdentifier is missing.",
    "The certificate must be that of a CA.",
    "The key usage must be exactly keyCertSign and cRLSign.",
    "The authority key identifier is not that of the issuer's key.",
  ]);
  const [config, latin] = [join(folder, "t61.cnf"), "[req]\ndistinguished_name=dn\nstring_mask=MASK:0x4\n[dn]\n"];
  writeFileSync(config, latin);
  expect(lint(good, ...usual, "-config", config)).toContain(
    "The attribute organizationName must be a PrintableString or a UTF8String.",
  );
  expect(lint("/C=gb/CN=Root", ...usual)).toEqual([
    "Subject: the organisation (O) is missing.",
    "Subject: the country (C) must be a two-letter ISO 3166 code in capitals, for example DE.",
  ]);
});
