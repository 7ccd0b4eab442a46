import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMAND_LINE } from "../../scripts/build.mjs";
import { makeAgeKey, saidOf, useBackups } from "../support/backups";
import { runCommand } from "../support/command";
import { usePortal } from "../support/portal";
import { TEST_SECRETS } from "../support/template";

const portal = usePortal();
const { place, identity, recipient, machine, backup, restore, leftOn, write, path, unpacked, jsonIn } = useBackups(
  () => portal.env,
);
const archive = path("marque.age");

beforeAll(async () => {
  expect(saidOf(await backup(archive, "--recipient", recipient))).toMatch(/^0 /);
});

describe("who can open a backup", () => {
  test("[CAL-04] several recipients open it, each with their own key; nobody else's key does", async () => {
    const [second, stranger] = [makeAgeKey(place, "second"), makeAgeKey(place, "stranger")];
    const both = path("both.age");
    const recipients = write("recipients.txt", `# the safe\n${second.recipient}\n`);
    const made = await backup(both, "--recipient", recipient, "--recipients-file", recipients);
    expect(saidOf(made)).toMatch(/^0 .*encrypted for age1\S+… and age1/);
    const env = await machine("second recipient");
    const check = (key: string) => runCommand(["restore", both, "--identity", key, "--check"], env);
    expect(saidOf(await check(second.identity))).toMatch(/^0 Made/);
    expect(saidOf(await check(stranger.identity))).toMatch(/^1 portal: These identities do not open .*both\.age/);
    expect(leftOn(env)).toEqual([]);
  });

  test("[CAL-04] an archive that age encrypted again with a passphrase is restored too, and one by this portal opens in age's format", async () => {
    const secret = write("passphrase.txt", "correct horse battery staple\n");
    const locked = path("locked.age");
    expect(saidOf(await backup(locked, "--passphrase-file", secret))).toMatch(/^0 .*encrypted with a passphrase/);
    expect(readFileSync(locked, "latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
    const env = await machine("passphrase");
    const withFile = ["restore", locked, "--passphrase-file", secret, "--check"];
    expect(saidOf(await runCommand(withFile, env))).toMatch(/^0 Made/);
    const wrong = write("wrong.txt", "correct horse battery stapler\n");
    expect(saidOf(await runCommand(["restore", locked, "--passphrase-file", wrong, "--check"], env))).toMatch(
      /^1 portal: This passphrase does not open/,
    );
    const again = path("again.age");
    execFileSync("age", ["-r", recipient, "-o", again], {
      input: execFileSync("age", ["-d", "-i", identity, archive], { maxBuffer: 2 ** 28 }),
    });
    expect(saidOf(await restore(env, again, "--check"))).toMatch(/^0 Made/);
  });

  test("[CAL-04] a backup needs recipients or a passphrase, an operator, and no secret that opens the keys in it", async () => {
    const copy = path("refused.age");
    const same = write("same.txt", `${portal.env.CA_PASSPHRASE}\n`);
    const refused = async (...args: string[]) => saidOf(await backup(copy, ...args));
    expect(await refused()).toMatch(/^1 portal: A backup is encrypted\. Name who can read it with --recipient/);
    expect(await refused("--passphrase")).toMatch(/^1 portal: There is no terminal .*--passphrase-file/);
    expect(await refused("--passphrase-file", same)).toMatch(/must not be CA_PASSPHRASE/);
    expect(await refused("--passphrase-file", write("short.txt", "short"))).toMatch(/12 characters or more/);
    expect(await refused("--recipient", "age1wrong")).toMatch(/'age1wrong' is not an age recipient/);
    const key = readFileSync(identity, "utf8").split("\n").at(-2) ?? "";
    const said = await refused("--recipient", key);
    expect(said).toMatch(/This is a secret identity/);
    expect(said).not.toContain(key);
    const unnamed = await runCommand(["backup", copy, "--recipient", recipient], portal.env);
    expect(saidOf(unnamed)).toMatch(/^1 error: required option '--operator <name>' not specified/);
    expect(readdirSync(place).filter((name) => name.includes("refused"))).toEqual([]);
  });

  test("[CAL-04] a trial portal's secrets are not in its backup; with a copy of them it is restored, with new ones for sessions", async () => {
    const { SESSION_SECRETS = "", AUDIT_KEYS = "" } = portal.env;
    const unset = Object.fromEntries(Object.keys(TEST_SECRETS).map((name) => [name, ""]));
    const passphrases = {
      rootPassphrase: portal.env.ROOT_PASSPHRASE,
      caPassphrase: portal.env.CA_PASSPHRASE,
      responderPassphrase: portal.env.RESPONDER_PASSPHRASE,
    };
    const secrets = { sessionSecrets: [SESSION_SECRETS], ...passphrases, auditKeys: [AUDIT_KEYS] };
    const kept = write("secrets.json", JSON.stringify(secrets));
    const trial = path("trial data");
    cpSync(portal.dataDir, trial, { recursive: true });
    cpSync(kept, join(trial, "secrets.json"));
    const copy = path("trial.age");
    const args = ["backup", copy, "--recipient", recipient, "--operator", "Olga"];
    const made = await runCommand(args, { ...portal.env, ...unset, DATA_DIR: trial });
    expect(saidOf(made)).toMatch(/^0 .*They are in .*secrets\.json: copy it to another place than the backup\./s);
    expect(readdirSync(join(unpacked(copy), "files"))).not.toContain("secrets.json");
    const env: Record<string, string> = { ...(await machine("trial")), ...unset };
    expect(saidOf(await restore(env, copy, "--secrets", kept))).toMatch(/^0 Restored/);
    expect(saidOf(await runCommand(["audit", "verify"], env))).toMatch(/^0 The audit trail is sound/);
    const again = jsonIn<typeof secrets>(env.DATA_DIR ?? "", "secrets.json");
    expect(again).toMatchObject({ ...passphrases, auditKeys: [AUDIT_KEYS] });
    expect(again.sessionSecrets).not.toContain(SESSION_SECRETS);
  });
});

describe("a backup that was changed", () => {
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ["a byte of the first line", (bytes) => flipped(bytes, 3)],
    ["a byte of the recipient", (bytes) => flipped(bytes, 60)],
    ["a byte of the header's seal", (bytes) => flipped(bytes, bytes.indexOf("\n---") + 8)],
    ["a byte in the middle", (bytes) => flipped(bytes, bytes.length >> 1)],
    ["the last byte", (bytes) => flipped(bytes, bytes.length - 1)],
    ["the second half missing", (bytes) => bytes.subarray(0, bytes.length >> 1)],
    ["the last byte missing", (bytes) => bytes.subarray(0, -1)],
    ["a byte more", (bytes) => Buffer.concat([bytes, Buffer.of(0)])],
    ["nothing in it", () => Buffer.of()],
  ])("[CAL-04] a damaged backup is refused with a sentence and leaves nothing behind: %s", async (name, spoil) => {
    const spoilt = write(`${name}.age`, spoil(readFileSync(archive)));
    const env = await machine(name);
    expect(saidOf(await restore(env, spoilt))).toMatch(
      /^1 portal: .*(is damaged, cut off|its first lines are damaged)[^\n]*\n$/,
    );
    expect(leftOn(env)).toEqual([]);
  });

  /** Returns an archive with changed contents, as only somebody could make it who has a recipient's name. */
  function packed(name: string, change: (folder: string) => void): string {
    const folder = unpacked(archive);
    change(folder);
    const others = readdirSync(folder).filter((one) => one !== "backup.json");
    const names = ["backup.json", ...others.filter((one) => one !== "manifest.json")];
    if (others.includes("manifest.json")) names.push("manifest.json");
    const tar = execFileSync("tar", ["cz", "-C", folder, ...names], { maxBuffer: 2 ** 28 });
    execFileSync("age", ["-r", recipient, "-o", path(name)], { input: tar });
    return path(name);
  }
  const inJson = (file: string, change: object) => (folder: string) =>
    writeFileSync(join(folder, file), JSON.stringify({ ...jsonIn<object>(folder, file), ...change }));

  test.each<[string, (folder: string) => void, RegExp]>([
    ["a key changed", (folder) => writeFileSync(join(folder, "files/ca/root.key.pem"), "x"), /root\.key\.pem differs/],
    [
      "a key missing",
      (folder) => rmSync(join(folder, "files/ca/root.key.pem")),
      /root\.key\.pem differs or is missing/,
    ],
    [
      "rows missing",
      (folder) => rmSync(join(folder, "database/countries"), { recursive: true }),
      /database\/countries\/000001\.jsonl differs or is missing/,
    ],
    ["no manifest", (folder) => rmSync(join(folder, "manifest.json")), /is not a backup of this portal/],
    ["other counts", inJson("manifest.json", { rows: { users: 1 } }), /does not have the rows of the backup/],
    [
      "a later version",
      inJson("backup.json", { migrations: ["9999-later"] }),
      /made by a later version \(9999-later\)/,
    ],
    ["a former version", inJson("backup.json", { migrations: ["0002-certificates"] }), /before the first release/],
    ["another format", inJson("backup.json", { format: 3 }), /a format that this version does not know/],
    [
      "a file elsewhere",
      (folder) => {
        mkdirSync(join(folder, "files/..hidden"));
        writeFileSync(join(folder, "files/..hidden/x"), "x");
      },
      /a file with the name 'files\/\.\.hidden\/x'/,
    ],
  ])("[CAL-04] a backup with wrong contents is refused and leaves nothing behind: %s", async (name, change, reason) => {
    const env = await machine(`contents ${name}`);
    const said = saidOf(await restore(env, packed(`${name} packed.age`, change)));
    expect(said).toMatch(/^1 portal: /);
    expect(said).toMatch(reason);
    expect(leftOn(env)).toEqual([]);
  });

  test("[CAL-04] a check that is asked to stop leaves nothing behind", async () => {
    const env = await machine("stopped");
    const temporary = env.TMPDIR ?? "";
    const args = [COMMAND_LINE, "restore", archive, "--identity", identity, "--check"];
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await expect.poll(() => readdirSync(temporary), { interval: 1, timeout: 20_000 }).toHaveLength(1);
    child.kill("SIGHUP");
    await ended;
    expect(leftOn(env)).toEqual([]);
  });

  test("[CAL-04] a folder of an earlier version's backup is refused with what to do", async () => {
    const env = await machine("folder");
    expect(saidOf(await restore(env, place))).toMatch(/^1 portal: .* is a folder, .*restore it with that version/);
  });
});

/** Returns the bytes with one of them changed. */
function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
