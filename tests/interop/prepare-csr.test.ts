import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { importCsr, readCsrInput } from "~/domain/certificates/request/csr-import.service.server";
import { prepareCsr, readPreparation } from "~/domain/certificates/request/preparation/preparation.service.server";
import { rarePaths } from "~/lib/rare-paths";
import { loader as fileLoader } from "~/routes/prepare-csr.request[.]cnf";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { COMPLETE, PLAIN } from "../support/preparation";
import { run } from "../support/visitor";

usePortal();
const { directory } = useOpenssl();

const PASSPHRASE = "correct horse battery";
/** Names that shells, the options or configuration file of OpenSSL, or keytool could misread. */
const NASTY: Record<string, Record<string, string>> = {
  plain: PLAIN,
  complete: COMPLETE,
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

async function commandsFor(fields: Record<string, string>) {
  const result = await prepareCsr(readPreparation(new URLSearchParams(fields)).values);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.prepared.commands;
}

let folders = 0;
function folder(): string {
  const path = join(directory, `work-${(folders += 1)}`);
  mkdirSync(path);
  return path;
}

/** Runs commands in a shell without a terminal. Types the passphrase whenever the shell asks for it. */
function inShell(commands: string, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-ec", commands], {
      cwd,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
      // keytool spends most of its time on its start
      env: { ...process.env, JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" },
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += String(text)));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(printed) : reject(new Error(`${commands}\nended with ${code}:\n${printed}`)),
    );
    child.stdin.end(`${PASSPHRASE}\n`.repeat(12));
  });
}

/** Runs each command in its own shell, because the passphrase is read line by line. */
async function runCommands(commands: string, cwd: string): Promise<void> {
  for (const command of commands.replaceAll("\\\n", "").split("\n")) await inShell(command, cwd);
}

/** Expects that the portal reads the typed values from the CSR. */
async function expectImported(pem: string, fields: Record<string, string>, keySize = "2048") {
  const imported = await importCsr(readCsrInput(pem), { userId: 0, companyId: 0, actor: systemActor("test") });
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

describe("the commands of the page, run with the real tools", () => {
  test.each(cases)("[PUR-03] openssl in a shell: %s", async (_, fields) => {
    const cwd = folder();
    const { key, request } = await commandsFor(fields);
    await runCommands(`${key}\n${request}`, cwd);
    const made = readFileSync(join(cwd, "private.key.pem"), "utf8");
    expect(made).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    const publicKey = openssl([
      "pkey",
      "-in",
      join(cwd, "private.key.pem"),
      "-passin",
      `pass:${PASSPHRASE}`,
      "-pubout",
    ]);
    expect(openssl(["req", "-in", join(cwd, "request.csr"), "-noout", "-pubkey"])).toBe(publicKey);
    await expectImported(readFileSync(join(cwd, "request.csr"), "utf8"), fields);
  });

  test.each(cases)("[PUR-03] openssl with the file for all systems: %s", async (_, fields) => {
    const cwd = folder();
    const answer = await run(fileLoader, new Request(`http://portal.test${rarePaths.prepareCsrFile(fields)}`));
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="request.cnf"');
    writeFileSync(join(cwd, "request.cnf"), Buffer.from(await answer.arrayBuffer()));
    const { key, requestFromFile } = await commandsFor(fields);
    // No character that any shell could misread.
    for (const command of [key, requestFromFile]) expect(command).toMatch(/^[\w .:-]+$/);
    await runCommands(`${key}\n${requestFromFile}`, cwd);
    await expectImported(readFileSync(join(cwd, "request.csr"), "utf8"), fields);
  });

  test.each(cases)("[PUR-03] keytool: %s", async (_, fields) => {
    const cwd = folder();
    const { keytool } = await commandsFor(fields);
    const [makeKey = "", makeRequest = ""] = keytool.split("\n");
    // Between the double quotes there are only characters without a meaning in sh, cmd and PowerShell.
    for (const command of [makeKey, makeRequest])
      for (const [, quoted = ""] of command.matchAll(/"([^"]*)"/g))
        expect(quoted).toMatch(/^([\w .:,=*-]|\\[0-9A-F]{2})*$/);
    expect(keytool.replace(/"[^"]*"/g, "")).toMatch(/^[\w .:\n-]*$/);
    await runCommands(keytool, cwd);
    await expectImported(readFileSync(join(cwd, "request.csr"), "utf8"), fields);
  });

  test.each(["2048", "3072", "4096"])("[PUR-03] make a key of %s bits", async (keySize) => {
    const cwd = folder();
    const fields = { ...PLAIN, keySize };
    const { key, request } = await commandsFor(fields);
    await runCommands(`${key}\n${request}`, cwd);
    await expectImported(readFileSync(join(cwd, "request.csr"), "utf8"), fields, keySize);
  });
});
