import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { describeCrl, listRevocations } from "~/ca/crl/describe.server";
import { fromPem } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { readTransferFile } from "~/domain/ceremony/transfer-file.server";
import { ADDRESSES, crlStep, issuingStep, rootStep, subjectOf, useCeremonies } from "../support/ceremony";
import { openssl, opensslFailure } from "../support/openssl-command";
import { pdfText } from "../support/pdf";

const { dataDir, folder, formerRoot, input, keep, planOf, prepareRootKey, request, run, write } = useCeremonies();

/** An instant at which all certificates of the tests are valid. */
const AT = String(Date.parse("2027-02-01T00:00:00Z") / 1000);

const verified = (root: string, file: string, ...args: string[]) =>
  openssl(["verify", "-x509_strict", "-attime", AT, "-CAfile", root, ...args, file]);

const contents = (output: string) =>
  Object.fromEntries(
    readdirSync(output)
      .filter((name) => name !== "progress.json")
      .map((name) => [name, sha256Hex(readFileSync(join(output, name)))]),
  );

test("[CAL-01] a ceremony makes a root, an issuing CA from its CSR and a CRL, which OpenSSL verifies, and writes all of it down", async () => {
  const csr = request("Whole Issuing");
  const steps = [rootStep(), issuingStep("root-2027", csr, "Whole Issuing"), crlStep("root-2027")];
  const { file, output } = write(planOf(steps));
  await prepareRootKey(file, "root-2027");
  const { shown, transcript, transcriptSha256, transfer, transferSha256 } = await run(file);
  const root = join(output, "root-2027.pem");
  expect(verified(root, join(output, "issuing-2027.pem"))).toContain(": OK");
  const crl = join(output, "root-crl.crl.pem");
  expect(openssl(["crl", "-in", crl, "-CAfile", root, "-noout", "-crlnumber"])).toContain("crlNumber=0x01");
  const text = openssl(["x509", "-in", join(output, "issuing-2027.pem"), "-noout", "-text"]);
  expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0\n/);
  expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
  expect(text).toMatch(/Not Before: Jan 12 00:00:00 2027 GMT\s+Not After : Jan 12 00:00:00 2037 GMT/);
  const { spkiSha256, serialNumber } = describeCertificate(fromPem("CERTIFICATE", readFileSync(root, "utf8")));
  const spaced = (hex: string) => hex.toLowerCase().replace(/(.{4})(?=.)/g, "$1 ");
  for (const wanted of [spaced(spkiSha256), spaced(serialNumber), "Ben Example (Security officer)", csr.file])
    expect(shown).toContain(wanted);
  const markdown = readFileSync(transcript, "utf8");
  expect(sha256Hex(Buffer.from(markdown))).toBe(transcriptSha256);
  const pdf = pdfText(readFileSync(join(output, "transcript.pdf")));
  for (const wanted of [spaced(spkiSha256), "Ben Example", "2027-01-12 10:00:00 UTC", "Step 3: root-crl", "thisUpdate"])
    for (const written of [markdown, pdf]) expect(written).toContain(wanted);
  expect(pdf).toContain(spaced(transcriptSha256));
  expect(markdown).toContain(readFileSync(file, "utf8"));
  const { ceremony, certificates, crls } = await readTransferFile(transfer, transferSha256);
  expect(ceremony).toEqual({
    title: "Ceremony of a test",
    date: "2027-01-12",
    planSha256: sha256Hex(readFileSync(file)),
    transcriptSha256,
  });
  expect(certificates.map(({ kind, name }) => [kind, name])).toEqual([
    ["root", "root-2027"],
    ["issuing", "issuing-2027"],
  ]);
  expect(crls).toEqual([{ issuer: "root-2027", pem: readFileSync(crl, "utf8") }]);
  expect(readdirSync(join(dataDir, "ca")).filter((name) => name.startsWith("root-2027"))).toEqual([
    "root-2027.key.pem",
  ]);
  const before = contents(output);
  expect(await run(file, [])).toMatchObject({ transcriptSha256, transferSha256 }); // it has ended, so nothing is asked
  expect(contents(output)).toEqual(before);
});

test("[CAL-01] the limits of an issuing CA and of a cross-certificate are shown before the step, signed, and in the transcript", async () => {
  const [root, other] = [await formerRoot("limits-root"), await formerRoot("limits-other")];
  const nameConstraints = {
    permitted: {
      dns: ["example.com"],
      email: [".example.com"],
      directory: [{ country: "GB", organisation: "Example Association" }],
    },
    excluded: { ip: "all", dns: ["internal.example.com"] },
  };
  const limits = { nameConstraints, extendedKeyUsage: ["serverAuth", "clientAuth"] };
  const cross = { hash: "sha256", years: 5, pathLength: 1, ...ADDRESSES };
  const steps = [
    issuingStep(root, request("Limits Issuing"), "Limits Issuing", limits),
    {
      name: "crossed",
      kind: "cross-certificate",
      issuer: other,
      existing: root,
      certificate: { ...cross, nameConstraints: { excluded: { dns: "all", ip: "all", email: ["example.org"] } } },
    },
  ];
  const { file, output } = write(planOf(steps));
  const { shown, transcript } = await run(file);
  const written = readFileSync(transcript, "utf8");
  for (const text of [
    "critical; Only these DNS names: example.com and names below it",
    "critical; Only these email addresses: hosts below example.com",
    "critical; Only these subjects: 'O=Example Association, C=GB' and names below it",
    "critical; None of these DNS names: internal.example.com and names below it",
    "critical; None of these IP addresses: 0.0.0.0/0, ::/0",
    "serverAuth, clientAuth",
    "critical; None of these DNS names: all",
    "critical; None of these email addresses: the host example.org",
  ])
    for (const place of [shown, written]) expect(place.replace(/\s+/g, " ")).toContain(text);
  expect(shown).toContain(
    "Notice: The name constraints permit no particular email addresses, so this CA can certify all that are not excluded.",
  );
  const textOf = (name: string) =>
    openssl(["x509", "-in", join(output, `${name}.pem`), "-noout", "-text"]).replace(/\s+/g, " ");
  expect(textOf("issuing-2027")).toContain(
    "Name Constraints: critical Permitted: DNS:example.com email:.example.com DirName:C = GB, O = Example Association Excluded: DNS:internal.example.com IP:0.0.0.0/0.0.0.0 IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0",
  );
  expect(textOf("issuing-2027")).toContain("Extended Key Usage: TLS Web Server Authentication, TLS Web Client");
  expect(textOf("crossed")).toContain("Name Constraints: critical Excluded: DNS: email:example.org IP:0.0.0.0/0.0.0.0");
  expect(verified(join(folder, root.file), join(output, "issuing-2027.pem"))).toContain(": OK");
  expect(verified(join(folder, other.file), join(output, "crossed.pem"))).toContain(": OK");
});

test("[CAL-01] a cross-certificate has the subject, the key and the key identifier of the certificate that exists", async () => {
  const [root, other] = [await formerRoot("cross-root"), await formerRoot("cross-other", "sha512")];
  const step = {
    name: "crossed",
    kind: "cross-certificate",
    issuer: other,
    existing: root,
    certificate: { hash: "sha512", years: 5, pathLength: 1, ...ADDRESSES },
  };
  const { file, output } = write(planOf([step]));
  const { transfer, transferSha256 } = await run(file);
  const { certificates } = await readTransferFile(transfer, transferSha256);
  expect(certificates.map(({ issuerPem }) => issuerPem)).toEqual([readFileSync(join(folder, other.file), "utf8")]);
  const read = (path: string) => describeCertificate(fromPem("CERTIFICATE", readFileSync(path, "utf8")));
  const [made, existing] = [read(join(output, "crossed.pem")), read(join(folder, root.file))];
  for (const key of ["subjectName", "spkiSha256", "subjectKeyIdentifier"] as const)
    expect([key, made[key]]).toEqual([key, existing[key]]);
  expect(made).toMatchObject({ issuerName: "CN=Example cross-other, O=Example Association, C=GB", pathLength: 1 });
  expect(verified(join(folder, other.file), join(output, "crossed.pem"))).toContain(": OK");
});

test("[CAL-01] an OCSP responder's certificate is one that OpenSSL accepts for a signature about its CA", async () => {
  const root = await formerRoot("ocsp-root");
  const step = {
    name: "responder",
    kind: "ocsp-responder",
    issuer: root,
    request: request("Example OCSP"),
    certificate: { subject: subjectOf("Example OCSP"), hash: "sha256", days: 90 },
  };
  const { file, output } = write(planOf([step]));
  await run(file);
  const made = join(output, "responder.pem");
  expect(verified(join(folder, root.file), made, "-purpose", "ocsphelper")).toContain(": OK");
  const text = openssl(["x509", "-in", made, "-noout", "-text"]);
  expect(text).toMatch(/OCSP No Check/);
  expect(text).toMatch(/Not After : Apr 12 00:00:00 2027 GMT/);
});

test("[CAL-03] a root's CRL keeps every entry of the previous one byte for byte, adds those of the plan, and its number rises", async () => {
  const root = await formerRoot("crl-root");
  const csr = request("Crl Issuing");
  const revoked = [{ serial: "0A:0B 0c", date: "2026-05-05T05:05:05Z", reason: "keyCompromise" }];
  const first = write(planOf([issuingStep(root, csr, "Crl Issuing"), crlStep(root, { revoked })]));
  await run(first.file);
  const issuing = input("crl-issuing.pem", readFileSync(join(first.output, "issuing-2027.pem")));
  const previous = input("previous.crl.pem", readFileSync(join(first.output, "root-crl.crl.pem")));
  const added = [{ certificate: issuing, date: "2027-02-01T10:00:00Z", reason: "cessationOfOperation" }];
  const next = { number: 2, previous, thisUpdate: "2027-02-02T00:00:00Z", revoked: added };
  const second = write(planOf([crlStep(root, next)]));
  await run(second.file);
  const der = (output: string) => fromPem("X509 CRL", readFileSync(join(output, "root-crl.crl.pem"), "utf8"));
  const [before, after] = [listRevocations(der(first.output)), listRevocations(der(second.output))];
  expect(after.map(({ serial, reason }) => [serial, reason])).toEqual([
    ["0A0B0C", 1],
    [describeCertificate(fromPem("CERTIFICATE", readFileSync(join(folder, issuing.file), "utf8"))).serialNumber, 5],
  ]);
  expect(Buffer.from(after[0]?.der ?? [])).toEqual(Buffer.from(before[0]?.der ?? []));
  expect(describeCrl(der(second.output)).number).toBe(2n);
  const chain = ["-CAfile", join(folder, root.file), "-CRLfile", join(second.output, "root-crl.crl.pem"), "-crl_check"];
  const asked = ["verify", "-attime", String(Date.parse("2027-03-01T00:00:00Z") / 1000), ...chain];
  expect(opensslFailure([...asked, join(folder, issuing.file)])).toContain("certificate revoked");
});

test("[CAL-01] a ceremony that is stopped at any question goes on from there and signs the same", async () => {
  const csr = request("Stopped Issuing");
  const { file, output } = write(
    planOf([rootStep("root-stopped"), issuingStep("root-stopped", csr, "Stopped Issuing"), crlStep("root-stopped")]),
  );
  await prepareRootKey(file, "root-stopped");
  await expect(run(file, [])).rejects.toThrow("Stopped before the ceremony began. Nothing was changed.");
  await expect(run(file, ["0123456789"])).rejects.toThrow("Stopped before the ceremony began.");
  await expect(run(file, ["yes"])).rejects.toThrow("Stopped before the ceremony began.");
  const planSha256 = sha256Hex(readFileSync(file));
  await expect(run(file, [planSha256.slice(0, 8)])).rejects.toThrow(
    "Stopped. The key of 'root-stopped' was not made. Run the same command to go on from here.",
  );
  await expect(run(file, ["reviewed", "yes"])).rejects.toThrow("Stopped. 'root-stopped' was not signed.");
  const serials = () =>
    (JSON.parse(readFileSync(join(output, "progress.json"), "utf8")) as { steps: Record<string, { serial?: string }> })
      .steps;
  const { serial } = serials()["root-stopped"] ?? {};
  await expect(run(file, ["reviewed", "yes"])).rejects.toThrow("Stopped. 'issuing-2027' was not signed.");
  expect(
    describeCertificate(fromPem("CERTIFICATE", readFileSync(join(output, "root-stopped.pem"), "utf8"))).serialNumber,
  ).toBe(serial);
  await expect(run(file, ["reviewed", "yes", "no"])).rejects.toThrow("Stopped. 'root-crl' was not signed.");
  const { shown } = await run(file, ["reviewed", "yes"]);
  expect(shown).toContain("This ceremony was interrupted. Finished steps: 2 of 3.");
  expect(shown).toContain("'issuing-2027' is finished and was verified again.");
  expect(verified(join(output, "root-stopped.pem"), join(output, "issuing-2027.pem"))).toContain(": OK");
});

test("[CAL-01] a power cut after any write leads to the same bytes", async () => {
  const { file, output } = write(planOf([rootStep("root-cut"), crlStep("root-cut")]));
  await prepareRootKey(file, "root-cut");
  await run(file);
  const [progressFile, before] = [join(output, "progress.json"), contents(output)];
  const whole = JSON.parse(readFileSync(progressFile, "utf8")) as Record<string, unknown> & {
    steps: Record<string, Record<string, unknown>>;
  };
  const after = (change: (progress: typeof whole) => void) => {
    const progress = structuredClone(whole);
    delete progress.finishedAt;
    change(progress);
    writeFileSync(progressFile, JSON.stringify(progress));
  };
  const [final, waiting] = [
    "root-cut.key.pem",
    `root-cut.${sha256Hex(readFileSync(file)).slice(0, 16)}.ceremony.pem`,
  ].map((name) => join(dataDir, "ca", name)) as [string, string];
  const unfinished = (progress: typeof whole, ...names: string[]) => {
    for (const name of names) delete progress.steps[name]?.finished;
  };
  const cuts: [string, () => void][] = [
    ["the records were not written", () => after(() => rmSync(join(output, "transfer.json")))],
    ["the CRL was written but not noted", () => after((progress) => unfinished(progress, "root-crl"))],
    [
      "the CRL was noted, but neither signed nor written",
      () => after((progress) => (unfinished(progress, "root-crl"), rmSync(join(output, "root-crl.crl.pem")))),
    ],
    ["the root was written but not noted", () => after((progress) => unfinished(progress, "root-cut", "root-crl"))],
    [
      "the key was made, but has not its final name",
      () => after((progress) => (unfinished(progress, "root-cut", "root-crl"), renameSync(final, waiting))),
    ],
  ];
  for (const [cut, happen] of cuts) {
    happen();
    await run(file);
    const { "transcript.md": _, "transcript.pdf": __, "transfer.json": ___, ...signed } = contents(output);
    expect([cut, signed]).toEqual([
      cut,
      { "root-cut.pem": before["root-cut.pem"], "root-crl.crl.pem": before["root-crl.crl.pem"] },
    ]);
    expect([cut, readdirSync(join(dataDir, "ca")).filter((name) => name.startsWith("root-cut"))]).toEqual([
      cut,
      ["root-cut.key.pem"],
    ]);
  }
});

test("[CAL-01] a plan that was changed after the ceremony began is refused, and so is a folder with something else", async () => {
  const plan = planOf([rootStep("root-changed")]);
  const { file, output } = write(plan);
  await prepareRootKey(file, "root-changed");
  await expect(run(file, ["reviewed", "yes"])).rejects.toThrow("Stopped.");
  write({ ...plan, title: "Another title" });
  await expect(run(file)).rejects.toThrow(
    /^The output folder .* was begun with the plan [0-9a-f]{64}, but this plan is [0-9a-f]{64}: it was changed since, or is another one\. Go on with/,
  );
  writeFileSync(join(output, "progress.json"), "{}");
  await expect(run(file)).rejects.toThrow(/progress\.json is damaged\. Put its copy back/);
  rmSync(join(output, "progress.json"));
  writeFileSync(join(output, "notes.txt"), "x");
  await expect(run(file)).rejects.toThrow(/is not empty, but has no progress\.json\. Name a new folder/);
});

test("[CAL-01] a finished result that was changed, replaced or lost is refused", async () => {
  const root = await formerRoot("kept-root");
  const { file, output } = write(planOf([crlStep(root)]));
  await run(file);
  const made = join(output, "root-crl.crl.pem");
  const pem = readFileSync(made, "utf8");
  for (const changed of ["nothing", `${pem}\n`, readFileSync(join(folder, root.file), "utf8")]) {
    writeFileSync(made, changed);
    await expect(run(file)).rejects.toThrow(/root-crl\.crl\.pem was changed after the step 'root-crl' had made it\./);
  }
  rmSync(made);
  await expect(run(file)).rejects.toThrow(/root-crl\.crl\.pem cannot be read: there is no such file/);
  writeFileSync(made, pem);
  await run(file);
  const progressFile = join(output, "progress.json");
  const progress = readFileSync(progressFile, "utf8");
  const other = write(planOf([crlStep(root, { number: 9 })]));
  await run(other.file);
  const foreign = readFileSync(join(other.output, "root-crl.crl.pem"), "utf8");
  writeFileSync(made, foreign);
  const hash = (text: string) => sha256Hex(fromPem("X509 CRL", text));
  writeFileSync(progressFile, progress.replace(hash(pem), hash(foreign)));
  await expect(run(file)).rejects.toThrow(
    "The result of the finished step 'root-crl' says something else than the plan.",
  );
  const bytes = Buffer.from(fromPem("X509 CRL", pem));
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  const unsigned = openssl(["crl", "-inform", "DER"], bytes);
  writeFileSync(made, unsigned);
  writeFileSync(progressFile, progress.replace(hash(pem), hash(unsigned)));
  await expect(run(file)).rejects.toThrow("has a signature that the issuer's key did not make");
});

test("[CAL-01] a key that is missing, of another CA or closed by another passphrase signs nothing", async () => {
  const root = await formerRoot("keyless");
  const { file, output } = write(planOf([crlStep(root)]));
  const key = join(dataDir, "ca", "keyless.key.pem");
  const text = readFileSync(key, "utf8");
  rmSync(key);
  await expect(run(file)).rejects.toThrow(
    /^The key of 'keyless' is missing: .* does not hold the key with the public key SHA-256 [0-9a-f]{64}\./,
  );
  const other = await formerRoot("keyless-other");
  const foreign = readFileSync(join(dataDir, "ca", "keyless-other.key.pem"), "utf8");
  const noted = /Public key SHA-256: \S+/;
  writeFileSync(key, foreign.replace(noted, noted.exec(text)?.[0] ?? ""));
  await expect(run(file)).rejects.toThrow(
    /keyless\.key\.pem says that it holds the key of the certificate, but holds another one/,
  );
  writeFileSync(key, text.replace(noted, "").replace(/^.*\n/, ""));
  expect(readdirSync(output)).toEqual(["progress.json"]);
  await run(file); // a file of another tool does not say whose key it holds
  const { file: closed } = write(planOf([crlStep(other)]));
  const pem = openssl([
    "pkcs8",
    "-in",
    join(dataDir, "ca", "keyless-other.key.pem"),
    "-passin",
    "pass:the passphrase of a ceremony",
  ]);
  await keep("keyless-other.key.pem", pem, "another passphrase");
  expect(readFileSync(join(dataDir, "ca", "keyless-other.key.pem"), "utf8")).not.toBe(foreign);
  await expect(run(closed)).rejects.toThrow(
    /^ROOT_PASSPHRASE, or what was typed, does not open .*keyless-other\.key\.pem\.$/,
  );
});

test("[CAL-01] a root whose name has a key already is not made", async () => {
  await formerRoot("taken");
  const { file } = write(planOf([rootStep("taken")]));
  await expect(run(file)).rejects.toThrow(
    /^There is a key .*taken\.key\.pem already\. Choose another name for the step/,
  );
});

test("[CAL-01] a ceremony makes a real key, which is stored as the portal's keys are", async () => {
  const { file, output } = write(planOf([rootStep("root-made")]));
  await run(file);
  const text = readFileSync(join(dataDir, "ca", "root-made.key.pem"), "utf8");
  const root = join(output, "root-made.pem");
  const { spkiSha256 } = describeCertificate(fromPem("CERTIFICATE", readFileSync(root, "utf8")));
  expect(text).toContain(`CA key 'root-made', encrypted.`);
  expect(text).toContain(`Public key SHA-256: ${spkiSha256}\n-----BEGIN ENCRYPTED PRIVATE KEY-----`);
  const publicKey = openssl(["pkey", "-pubout", "-passin", "pass:the passphrase of a ceremony"], text);
  expect(openssl(["x509", "-in", root, "-noout", "-pubkey"])).toBe(publicKey);
});
