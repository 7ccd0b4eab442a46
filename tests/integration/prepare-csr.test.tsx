import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importCsr } from "~/domain/certificates/csr-import.service.server";
import { PREPARATION_FIELDS } from "~/domain/certificates/preparation/preparation.fields";
import { prepareCsr, readPreparation } from "~/domain/certificates/preparation/preparation.service.server";
import { paths } from "~/lib/paths";
import { loader as fileLoader } from "~/routes/prepare-csr.request[.]cnf";
import * as page from "~/routes/_public.prepare-csr";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { summaryOf } from "../support/summary";
import { anonymous, run } from "../support/visitor";

usePortal();
const { directory } = useOpenssl();

const PASSPHRASE = "correct horse battery";
const PLAIN = { commonName: "oftp.example.com", organisation: "Example Parts Ltd", country: "GB", keySize: "2048" };

/** Names that shells, openssl's options, its configuration file or keytool could misread. */
const NASTY: Record<string, Record<string, string>> = {
  plain: PLAIN,
  complete: {
    ...PLAIN,
    organisationUnit: "EDI",
    city: "Coventry",
    state: "West Midlands",
    email: "edi@example.com",
    oftpid: "O0013000123ACME-1",
    dnsNames: "a.example.com\nb.example.com, *.example.org",
    ipAddresses: "192.0.2.1 2001:db8::1",
  },
  "quotes and signs": {
    ...PLAIN,
    organisation: `Müller & "Söhne" 'GmbH' <x> $HOME %PATH% \`id\` !`,
    organisationUnit: "a/b+c=d,e;f#g\\h",
    city: "-rf",
    commonName: "-subj",
    state: "$(id) ${HOME} ~ * ? [x] {y} | ^ %%",
  },
  "quotes at the edges": {
    ...PLAIN,
    organisation: `"quoted"`,
    organisationUnit: "'",
    city: "\\",
    state: "#1 in Köln, Łódź, 東京",
    commonName: "a\\",
  },
  "openssl's own signs": {
    ...PLAIN,
    organisation: "CN=x/O=y",
    organisationUnit: "+",
    city: "[subject]",
    state: "ENV::HOME $ENV::HOME",
    commonName: ";rm",
  },
};

const query = (fields: Record<string, string>) => new URLSearchParams(fields);
const addressOf = (fields: Record<string, string>) => paths.prepareCsr(fields);

async function commandsFor(fields: Record<string, string>) {
  const result = await prepareCsr(readPreparation(query(fields)).values);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.prepared.commands;
}

let folders = 0;
function folder(): string {
  const path = join(directory, `work-${(folders += 1)}`);
  mkdirSync(path);
  return path;
}

/** Runs commands in a shell without a terminal, which types the passphrase whenever it is asked for. */
function inShell(commands: string, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-ec", commands], { cwd, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += String(text)));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(printed) : reject(new Error(`${commands}\nended with ${code}:\n${printed}`)),
    );
    child.stdin.end(`${PASSPHRASE}\n`.repeat(12));
  });
}

/** The passphrase is read line by line, so each command gets a shell of its own. */
async function runCommands(commands: string, cwd: string): Promise<void> {
  for (const command of commands.replaceAll("\\\n", "").split("\n")) await inShell(command, cwd);
}

/** What the portal reads from the CSR is what was typed. */
async function expectImported(pem: string, fields: Record<string, string>, keySize = "2048") {
  const imported = await importCsr(pem);
  if (!imported.ok) throw new Error(imported.messages.join("\n"));
  const { details } = imported;
  const asked = (name: string) => (fields[name] ?? "").trim();
  const names = (name: string) =>
    asked(name)
      .split(/[\s,]+/)
      .filter(Boolean);
  expect(details).toMatchObject({
    commonName: asked("commonName"),
    organisation: asked("organisation"),
    organisationUnit: asked("organisationUnit"),
    city: asked("city"),
    state: asked("state"),
    country: asked("country"),
    email: asked("email"),
    serialNumber: asked("oftpid"),
    ssid: asked("oftpid") || null,
    keyAlgorithm: "RSA",
    keySize: Number(keySize),
  });
  const found = (type: string) =>
    details.alternativeNames.filter((name) => name.type === type).map(({ value }) => value);
  expect(found("dns")).toEqual(names("dnsNames"));
  expect(found("ip").map((ip) => ip.toLowerCase())).toEqual(names("ipAddresses"));
  expect(details.alternativeNames).toHaveLength(names("dnsNames").length + names("ipAddresses").length);
}

const cases = Object.entries(NASTY);

describe("the commands, run for real", () => {
  test.each(cases)("[PUR-03] openssl in a shell: %s", async (_, fields) => {
    const cwd = folder();
    const { key, request } = await commandsFor(fields);
    await runCommands(`${key}\n${request}`, cwd);
    const made = readFileSync(join(cwd, "private.key"), "utf8");
    expect(made).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    const publicKey = openssl(["pkey", "-in", join(cwd, "private.key"), "-passin", `pass:${PASSPHRASE}`, "-pubout"]);
    expect(openssl(["req", "-in", join(cwd, "request.csr"), "-noout", "-pubkey"])).toBe(publicKey);
    await expectImported(readFileSync(join(cwd, "request.csr"), "utf8"), fields);
  });

  test.each(cases)("[PUR-03] openssl with the file for every system: %s", async (_, fields) => {
    const cwd = folder();
    const answer = await run(fileLoader, new Request(`http://portal.test${paths.prepareCsrFile(fields)}`));
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="request.cnf"');
    writeFileSync(join(cwd, "request.cnf"), Buffer.from(await answer.arrayBuffer()));
    const { key, requestFromFile } = await commandsFor(fields);
    // Nothing that a shell of any kind could misread.
    for (const command of [key, requestFromFile]) expect(command).toMatch(/^[\w .:-]+$/);
    await runCommands(`${key}\n${requestFromFile}`, cwd);
    await expectImported(readFileSync(join(cwd, "request.csr"), "utf8"), fields);
  });

  test.each(cases)("[PUR-03] keytool: %s", async (_, fields) => {
    const cwd = folder();
    const { keytool } = await commandsFor(fields);
    const [makeKey = "", makeRequest = ""] = keytool.split("\n");
    // Between its double quotes stand only signs that neither sh nor cmd nor PowerShell gives a meaning.
    for (const command of [makeKey, makeRequest])
      for (const [, quoted = ""] of command.matchAll(/"([^"]*)"/g))
        expect(quoted).toMatch(/^([\w .:,=*-]|\\[0-9A-F]{2})*$/);
    expect(keytool.replace(/"[^"]*"/g, "")).toMatch(/^[\w .:\n-]*$/);
    await runCommands(keytool, cwd);
    await expectImported(readFileSync(join(cwd, "request.csr"), "utf8"), fields);
  });

  test.each(["2048", "3072", "4096"])("[PUR-03] a key of %s bits", async (keySize) => {
    const cwd = folder();
    const fields = { ...PLAIN, keySize };
    const { key, request } = await commandsFor(fields);
    await runCommands(`${key}\n${request}`, cwd);
    await expectImported(readFileSync(join(cwd, "request.csr"), "utf8"), fields, keySize);
  });
});

describe("the page", () => {
  const open = async (fields: Record<string, string>) =>
    (await openPage(page, await anonymous(), addressOf(fields))).html;
  const valueOf = (html: string, name: string) => {
    const input = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html)?.[0];
    return /value="([^"]*)"/.exec(input ?? "")?.[1];
  };

  test("[PUR-03] before anything is sent: the form with its defaults, no message, no command", async () => {
    const html = await open({});
    expect(html).toMatch(/<form[^>]* method="get"[^>]* action="\/prepare-csr"/);
    for (const name of PREPARATION_FIELDS) expect(html).toContain(`name="${name}"`);
    expect(html).toMatch(/<option value="3072" selected="">/);
    expect(html).not.toMatch(/openssl genpkey|keytool -|There is a problem/);
    expect(html).not.toContain('type="password"');
  });

  test("[PUR-03] with the details: commands, the file's address with the same details, and the values kept", async () => {
    const fields = { ...NASTY.complete };
    const html = await open(fields);
    expect(html).toContain("openssl genpkey");
    expect(html).toContain("keytool -genkeypair");
    expect(html).toContain(
      `href="${paths.prepareCsrFile(readPreparation(query(fields)).values).replaceAll("&", "&amp;")}"`,
    );
    expect(valueOf(html, "commonName")).toBe(fields.commonName);
    expect(valueOf(html, "oftpid")).toBe(fields.oftpid);
  });

  test("[PUR-03] the fields of the passphrase have no name and no form, so they cannot be sent", async () => {
    const html = await open(PLAIN);
    const passwords = [...html.matchAll(/<input[^>]*type="password"[^>]*>/g)].map(([tag]) => tag);
    expect(passwords).toHaveLength(2);
    for (const tag of passwords) expect(tag).not.toMatch(/ name=| form=/);
    const forms = [...html.matchAll(/<form[\s\S]*?<\/form>/g)].map(([form]) => form);
    for (const form of forms) expect(form).not.toContain('type="password"');
  });

  const long = (length: number) => "x".repeat(length);
  test.each([
    ["commonName", "", "Common name: This field is required."],
    ["commonName", "   ", "Common name: This field is required."],
    ["commonName", long(65), "Common name: At most 64 characters are allowed."],
    ["organisation", "", "Organisation: This field is required."],
    ["organisation", "a\u202eb", "Organisation: Control characters and invisible characters are not allowed."],
    ["organisation", "a\u0000b", "Organisation: Control characters and invisible characters are not allowed."],
    ["organisationUnit", long(65), "Organisation unit: At most 64 characters are allowed."],
    ["city", long(129), "City: At most 128 characters are allowed."],
    ["country", "", "Country: This field is required."],
    ["country", "XX", "Country: The value is not part of the collection."],
    ["email", "nobody", "Email address is not valid."],
    ["oftpid", "O0013", "Valid OFTP ID should be between 9 and 25 characters."],
    ["dnsNames", "a.example.com\n-x.example.com", "DNS names: &#x27;-x.example.com&#x27; is not a valid DNS name."],
    ["dnsNames", "a.example.com,DNS:b", "DNS names: &#x27;DNS:b&#x27; is not a valid DNS name."],
    [
      "dnsNames",
      Array.from({ length: 101 }, (_, index) => `h${index}.example.com`).join(" "),
      "DNS names: At most 100 are allowed.",
    ],
    ["ipAddresses", "192.0.2.256", "IP addresses: &#x27;192.0.2.256&#x27; is not a valid IP address."],
    ["keySize", "1024", "Key size: The value is not part of the collection."],
  ])(
    "[PUR-03] %s '%s' is refused by field and rule, and nothing that was typed is lost",
    async (name, value, message) => {
      const fields = { ...NASTY.complete, [name]: value };
      const answer = await run(page.loader, new Request(`http://portal.test${addressOf(fields)}`));
      expect(answer.status).toBe(422);
      const html = await open(fields);
      const [line = ""] = summaryOf(html);
      expect(line.endsWith(message.replaceAll("&#x27;", "'"))).toBe(true);
      expect(html).not.toContain("openssl");
      for (const kept of ["commonName", "organisation", "city", "email"].filter((field) => field !== name))
        expect(valueOf(html, kept)).toBe(NASTY.complete?.[kept]);
      const file = await run(fileLoader, new Request(`http://portal.test${paths.prepareCsrFile(fields)}`));
      expect(file.status).toBe(404);
    },
  );

  test.each([
    ["commonName", long(64)],
    ["city", long(128)],
    ["organisation", "🚗".repeat(64)],
    ["oftpid", "O00130001"],
    ["dnsNames", Array.from({ length: 100 }, (_, index) => `h${index}.example.com`).join("\n")],
  ])("[PUR-03] %s at its limit is taken", async (name, value) => {
    const answer = await run(page.loader, new Request(`http://portal.test${addressOf({ ...PLAIN, [name]: value })}`));
    expect(answer.status).toBe(200);
  });
});
