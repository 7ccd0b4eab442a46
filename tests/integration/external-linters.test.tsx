import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { toPem } from "~/ca/pem.server";
import { auditEverything } from "~/domain/certificate-audit/audit.service.server";
import { askLinter } from "~/domain/certificate-audit/external-linters.server";
import { IGNORED_LINTS } from "~/domain/certificate-audit/ignored-lints";
import { getConfig } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import * as page from "~/routes/home.certificate-audit";
import { getDb } from "~db/connection.server";
import { issueCertificate, setCertificate } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { setVariable } from "../support/variables";
import { signedInAs } from "../support/visitor";

usePortal();

const folder = mkdtempSync(join(tmpdir(), "marque-linters-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A part of what zlint 2.0 answered in https://github.com/zmap/zlint/issues/209, with other results for some lints. */
const ZLINT_ANSWER = {
  e_sub_cert_province_must_not_appear: { result: "NA" },
  e_subject_common_name_max_length: { result: "pass" },
  e_subject_contains_reserved_ip: { result: "NE" },
  e_subject_dn_country_not_printable_string: { result: "pass" },
  e_ext_san_uri_host_not_fqdn_or_ip: { result: "error" },
  e_rsa_exp_negative: { result: "fatal", details: "the exponent is negative" },
  w_multiple_issuer_rdn: { result: "warn" },
  n_san_dns_name_duplicate: { result: "info" },
};

/** The answer that the tests of pkilint's JSON report expect, with codes of its linter for RFC 5280. */
const PKILINT_ANSWER = {
  results: [
    {
      node_path: "certificate.tbsCertificate.extensions.3.extnValue.subjectKeyIdentifier",
      validator: "SubjectKeyIdentifierValidator",
      finding_descriptions: [
        { severity: "INFO", code: "pkix.subject_key_identifier_method_1_identified", message: null },
        { severity: "ERROR", code: "pkix.duplicate_extension", message: "The error message" },
      ],
    },
    {
      node_path: "certificate.tbsCertificate.extensions.4",
      validator: "UriSyntaxValidator",
      finding_descriptions: [
        { severity: "WARNING", code: "pkix.certificate_skid_end_entity_missing", message: null },
        { severity: "ERROR", code: "pkix.invalid_uri_syntax", message: 'Invalid URI syntax: "oftp://O0177ABCD"' },
      ],
    },
  ],
};

/** Writes a program that keeps its arguments and its input beside it, prints an answer, and ends with a code. */
function install(command: string, answer: unknown, { code = 0, says = "" } = {}): void {
  const path = join(folder, command);
  const answerFile = `${path}.answer`;
  writeFileSync(answerFile, typeof answer === "string" ? answer : JSON.stringify(answer));
  const lines = [
    "#!/bin/sh",
    `echo "$@" >> '${path}.args'`,
    `env > '${path}.env'`,
    `cat > '${path}.input'`,
    `cat '${answerFile}'`,
    `echo '${says}' >&2`,
    `exit ${code}`,
  ];
  writeFileSync(path, `${lines.join("\n")}\n`);
  chmodSync(path, 0o755);
}

const seen = (command: string, what: "args" | "input" | "env") =>
  readFileSync(join(folder, `${command}.${what}`), "utf8");
const timesAsked = (command: string) => seen(command, "args").trim().split("\n").length;

beforeEach(() => {
  for (const name of ["zlint", "lint_pkix_cert"])
    for (const file of [name, ...["args", "input", "env", "answer"].map((one) => `${name}.${one}`)])
      rmSync(join(folder, file), { force: true });
  setVariable("PATH", `${folder}${delimiter}${process.env.PATH}`);
});

const DER = Uint8Array.of(0x30, 0);

describe("[CAL-02] a linter of others", () => {
  test("[CAL-02] zlint gets the certificate as PEM and none of the portal's secrets; its errors and warnings are findings", async () => {
    setVariable("A_PASSPHRASE", "a secret of the portal");
    install("zlint", ZLINT_ANSWER);
    expect(await askLinter("zlint", DER)).toEqual({
      state: "answered",
      findings: [
        {
          lint: "e_ext_san_uri_host_not_fqdn_or_ip",
          source: "zlint e_ext_san_uri_host_not_fqdn_or_ip",
          severity: "error",
          text: "No details are given.",
        },
        {
          lint: "e_rsa_exp_negative",
          source: "zlint e_rsa_exp_negative",
          severity: "error",
          text: "the exponent is negative",
        },
        {
          lint: "w_multiple_issuer_rdn",
          source: "zlint w_multiple_issuer_rdn",
          severity: "warning",
          text: "No details are given.",
        },
      ],
    });
    expect(seen("zlint", "input")).toBe(toPem("CERTIFICATE", DER));
    expect(seen("zlint", "args")).toContain("-includeSources RFC3279,RFC5280");
    expect(seen("zlint", "env")).not.toContain("a secret of the portal");
  });

  test("[CAL-02] pkilint ends with the number of its findings, which is no failure", async () => {
    install("lint_pkix_cert", PKILINT_ANSWER, { code: 3 });
    const answer = await askLinter("pkilint", DER);
    expect(answer).toMatchObject({ state: "answered" });
    expect("findings" in answer && answer.findings.map(({ source, severity }) => `${source} ${severity}`)).toEqual([
      "pkilint pkix.duplicate_extension error",
      "pkilint pkix.certificate_skid_end_entity_missing warning",
      "pkilint pkix.invalid_uri_syntax error",
    ]);
    expect(seen("lint_pkix_cert", "args")).toContain("lint --format JSON --severity WARNING --document-format PEM -");
  });

  test("[CAL-02] a program that is missing, fails, answers something else or takes too long is told apart", async () => {
    setVariable("PATH", folder);
    expect(await askLinter("zlint", DER)).toEqual({ state: "absent" });
    setVariable("PATH", `${folder}${delimiter}/usr/bin${delimiter}/bin`);
    expect(await askLinter("zlint", DER, join(folder, "none"))).toEqual({
      state: "failed",
      why: expect.stringMatching(/^It cannot be started: .*ENOENT/) as string,
    });
    install("zlint", "", { code: 1, says: "unable to parse PEM" });
    const failed = "It ended with 1 and without an answer. The log of the portal has what it says.";
    expect(await askLinter("zlint", DER)).toEqual({ state: "failed", why: failed });
    install("zlint", { results: [] });
    expect(await askLinter("zlint", DER)).toEqual({ state: "failed", why: failed.replace("1", "0") });
    writeFileSync(join(folder, "zlint"), "#!/bin/sh\nsleep 60\n"); // the shell waits for a process of its own
    const late = "It was ended because it took longer than 0.2 s.";
    expect(await askLinter("zlint", DER, undefined, 200)).toEqual({ state: "failed", why: late });
  });
});

const openFindings = async () =>
  (
    await getDb()
      .selectFrom("auditFindings")
      .selectAll()
      .where("settledAt", "is", null)
      .orderBy("rule")
      .orderBy("id")
      .execute()
  ).map(({ rule, subject, cause }) => `${rule}, ${subject}: ${cause}`);

// The tests tell one story, in this order.
describe("[CAL-04] the nightly audit asks the installed linters", () => {
  const first = new Date();
  let id = 0;

  test("[CAL-04] [AUD-02] about new certificates; lints that do not apply to this CA are left out, and the page shows the others", async () => {
    ({ id } = await issueCertificate({ customer: await createUser() }));
    install("zlint", ZLINT_ANSWER);
    install("lint_pkix_cert", PKILINT_ANSWER, { code: 3 });
    getConfig().lints.ignore.push({ lint: "zlint w_multiple_issuer_rdn", reason: "As our root has it." });
    await auditEverything(first);
    expect(await openFindings()).toEqual([
      `pkilint, certificate ${id}: It finds: pkix.duplicate_extension (error), pkix.certificate_skid_end_entity_missing (warning).`,
      `zlint, certificate ${id}: It finds: e_rsa_exp_negative (error).`,
    ]);
    const { html } = await openPage(page, await signedInAs(await createAdmin()), "/home/certificate-audit");
    for (const part of ["zlint objects to the certificate", "pkix.duplicate_extension (error)", "lints.ignore"])
      expect(pageText(html)).toContain(part);
    for (const [lint, reason] of Object.entries(IGNORED_LINTS)) {
      expect(lint).toMatch(/^(zlint|pkilint) \S+$/);
      expect(reason).toMatch(/\.$/);
    }
  });

  test("[CAL-04] not again about older certificates without a finding, until the program has nothing against one", async () => {
    const { id: other } = await issueCertificate({ customer: await createUser() });
    install("zlint", { e_rsa_exp_negative: { result: "pass" } });
    install("lint_pkix_cert", PKILINT_ANSWER, { code: 3 });
    await auditEverything(addDays(first, 1));
    expect(await openFindings()).toEqual([
      expect.stringContaining(`pkilint, certificate ${id}: `),
      expect.stringContaining(`pkilint, certificate ${other}: `),
    ]);
    await auditEverything(addDays(first, 10));
    rmSync(join(folder, "zlint.args"));
    rmSync(join(folder, "lint_pkix_cert.args"));
    install("lint_pkix_cert", { results: [] });
    await auditEverything(addDays(first, 18));
    expect(timesAsked("lint_pkix_cert")).toBe(2);
    expect(() => seen("zlint", "args")).toThrow();
    expect(await openFindings()).toEqual([]);
  });

  test("[CAL-04] while a program fails, what it has found stays open, and afterwards it is asked about what it missed", async () => {
    const day = (number: number) => addDays(first, 15 + number);
    const issued = async (at: Date) => (await issueCertificate({ customer: await createUser(), now: at })).id;
    const bad = await issued(day(4));
    install("zlint", { e_rsa_exp_negative: { result: "error" } });
    await auditEverything(day(4));
    const known = `zlint, certificate ${bad}: It finds: e_rsa_exp_negative (error).`;
    expect(await openFindings()).toEqual([known]);
    const later = await issued(day(5));
    install("zlint", "", { code: 2, says: "panic: out of memory" });
    await auditEverything(day(5));
    const why = "It ended with 2 and without an answer. The log of the portal has what it says.";
    expect(await openFindings()).toEqual([`linter, the program zlint: ${why}`, known]);
    rmSync(join(folder, "zlint"));
    await auditEverything(day(6)); // a program that is absent for a night does not end what it has found
    expect(await openFindings()).toContain(known);
    install("zlint", { e_rsa_exp_negative: { result: "error" } });
    await auditEverything(day(6));
    expect(await openFindings()).toEqual([known, known.replace(`certificate ${bad}`, `certificate ${later}`)]);
  });

  test("[CAL-04] about a certificate that waited for its signature until after the last audit", async () => {
    const { id: waited } = await issueCertificate({ customer: await createUser(), now: addDays(first, 30) });
    install("zlint", {});
    await auditEverything(addDays(first, 31));
    rmSync(join(folder, "zlint.args"));
    await auditEverything(addDays(first, 32));
    expect(() => seen("zlint", "args")).toThrow();
    await setCertificate(waited, { issuedAt: addDays(first, 33) });
    await auditEverything(addDays(first, 34));
    expect(timesAsked("zlint")).toBe(1);
  });
});
