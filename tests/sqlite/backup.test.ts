import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { getAuthority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { makeBackup } from "~/domain/backup/backup.service.server";
import { type Manifest, sizeOf } from "~/domain/backup/manifest.server";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb, getDb } from "~db/connection.server";
import { FORMER_DATABASE } from "~db/migrate.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { readSnapshot } from "~db/snapshot.server";
import { inTransaction } from "~db/transaction.server";
import { issueCertificate } from "../support/certificates";
import { type CommandRun, runCommand } from "../support/command";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

const portal = usePortal();
const { file, makeCsr } = useOpenssl();
const place = mkdtempSync(join(tmpdir(), "marque-backup-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const folder = join(place, "backup");
const backup = (to: string) => runCommand(["backup", to], portal.env);
/** Restores a backup into a folder with this name, which need not exist. */
const restore = (from: string, name: string) =>
  runCommand(["restore", from], { ...portal.env, DATA_DIR: join(place, name) });

/** Returns the exit code of a command and everything that it printed. */
const saidOf = ({ code, out, err }: CommandRun) => `${code} ${out}${err}`;

/** Changes two tables in one transaction. A copy must contain both changes or neither. */
const writeBoth = (count: number) =>
  inTransaction(async (trx) => {
    await trx
      .insertInto("settings")
      .values({ name: `load-${count}`, userId: 0, value: "x".repeat(2000), updatedAt: new Date() })
      .execute();
    const message = `Wrote ${count}.`;
    await recordAudit(trx, { actor: systemActor("load"), event: "load.written", message });
  });

/** Returns the number of these changes in each of the two tables. */
async function countBoth(): Promise<[number, number]> {
  const count = (table: "settings" | "auditEntries") =>
    getDb()
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as("n"));
  const settings = await count("settings").where("name", "like", "load-%").executeTakeFirstOrThrow();
  const entries = await count("auditEntries").where("event", "=", "load.written").executeTakeFirstOrThrow();
  return [settings.n, entries.n];
}

/** Makes this process use another data folder. */
async function serve(dataDir: string): Promise<void> {
  await closeDb();
  clearMemoized();
  process.env.DATA_DIR = dataDir;
}

describe("backup and restore", () => {
  let written = 0;
  let serialNumber = "";

  beforeAll(async () => {
    ({ serialNumber } = await issueCertificate());
    await publishCrls("issuing-sha2", new Date());
    expect(saidOf(await runCommand(["audit", "checkpoint"], portal.env))).toMatch(/^0 /);
    const running = backup(folder);
    let isDone = false;
    void running.finally(() => (isDone = true));
    while (!isDone) {
      await writeBoth((written += 1));
      await setImmediate(); // SQLite answers synchronously, so this process can only receive messages of the other one here
    }
    expect(saidOf(await running)).toMatch(/^0 Backed up \d+ rows and \d+ files/);
  });

  test("[CAL-04] a backup taken while the portal writes is consistent and restores the same rows", async () => {
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;
    const done = await restore(folder, "restored");
    expect(saidOf(done)).toMatch(/^0 Restored \d+ rows/);
    const { tables } = readSnapshot(join(place, "restored", "marque.sqlite"));
    const { audit_entries: entries = 0, ...others } = manifest.tables;
    expect(tables).toEqual({ ...others, audit_entries: entries + 1 });
    await serve(join(place, "restored"));
    const [settings, audits] = await countBoth();
    expect(settings).toBe(audits);
    expect(settings).toBeGreaterThan(0);
    expect(settings).toBeLessThan(written);
    const restored = await getDb()
      .selectFrom("auditEntries")
      .selectAll()
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(restored).toMatchObject({ event: "portal.restored", actorName: "command line" });
    expect(restored.message).toBe(`Backup 'backup' of ${manifest.madeAt} restored: ${sizeOf(manifest)}.`);
    expect(readdirSync(join(place, "restored", "ca"))).toEqual(readdirSync(join(portal.dataDir, "ca")));
  });

  test("[AUD-02] a backup is recorded in the audit trail of the portal without its path, but not in the copy", async () => {
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;
    const taken = () =>
      getDb().selectFrom("auditEntries").selectAll().where("event", "=", "portal.backed-up").execute();
    await serve(join(place, "restored"));
    expect(await taken()).toEqual([]);
    await serve(portal.dataDir);
    const entries = await taken();
    const message = `Backup 'backup' taken: ${sizeOf(manifest)}.`;
    expect(entries).toMatchObject([{ actorId: null, actorName: "command line", message }]);
  });

  test("[AUD-02] a backup that cannot be recorded is not kept", async () => {
    const headless = join(place, "headless");
    cpSync(folder, headless, { recursive: true });
    await serve(headless);
    await getDb().deleteFrom("auditHead").execute();
    await serve(portal.dataDir);
    const copy = join(place, "unrecorded");
    const made = await runCommand(["backup", copy], { ...portal.env, DATA_DIR: headless });
    expect(saidOf(made)).toMatch(/^1 portal: The audit trail's head is missing/);
    expect(readdirSync(place).filter((name) => name.includes("unrecorded"))).toEqual([]);
  });

  test("[AUD-02] the restored audit trail is sound, and a later checkpoint of the lost portal shows how much is missing", async () => {
    const verify = (...args: string[]) =>
      runCommand(["audit", "verify", ...args], { ...portal.env, DATA_DIR: join(place, "restored") });
    expect(saidOf(await verify())).toMatch(/^0 The audit trail is sound\. Entries: \d+, checkpoints: [1-9]/);
    expect(saidOf(await runCommand(["audit", "checkpoint"], portal.env))).toMatch(/^0 /);
    const later = join(portal.dataDir, "audit", "checkpoints.jsonl");
    expect(saidOf(await verify("--checkpoints", later))).toMatch(/^1 /);
  });

  test("[CAL-04] the restored portal knows its certificates, issues new ones, and publishes CRLs with unused numbers", async () => {
    await serve(portal.dataDir);
    const issuer = await getAuthority(getDb(), "issuing-sha2");
    const last = await findLatestCrl(getDb(), issuer.id, false);
    await serve(join(place, "restored"));
    const known = await getDb().selectFrom("certificates").select("serialNumber").execute();
    expect(known).toEqual([{ serialNumber }]);
    const { der } = await issueCertificate({ csr: makeCsr().pem });
    const [leaf, authority] = [file("der", der), file("der", issuer.certificate)];
    const pem = file("pem", openssl(["x509", "-inform", "der", "-in", authority]));
    const certificate = file("pem", openssl(["x509", "-inform", "der", "-in", leaf]));
    expect(openssl(["verify", "-partial_chain", "-trusted", pem, certificate])).toMatch(/: OK/);
    await publishCrls("issuing-sha2", new Date());
    const next = await findLatestCrl(getDb(), issuer.id, false);
    expect(Number(describeCrl(next?.der ?? Buffer.of()).number)).toBeGreaterThan((last?.number ?? 0) + 900_000);
  });

  test("[CAL-04] the CRL numbers of a database restored by other tools continue too, except those of roots", async () => {
    await serve(portal.dataDir);
    const numbers = async () =>
      Object.fromEntries((await listAuthorities(getDb())).map(({ name, crlNumber }) => [name, crlNumber]));
    const before = await numbers();
    expect(saidOf(await runCommand(["ca", "pass-over-numbers"], portal.env))).toMatch(
      /^0 The issuing CAs' CRLs continue/,
    );
    const after = await numbers();
    for (const name of ["root", "root-g3"]) expect(after[name]).toBe(before[name]);
    for (const name of ["issuing-sha2", "issuing-g3"]) expect(after[name]).toBe((before[name] ?? NaN) + 1_000_000);
  });

  test("[CAL-04] a trial portal is restored with its own secrets, and nothing is restored without them", async () => {
    const unset = { SESSION_SECRETS: "", CA_PASSPHRASE: "", AUDIT_KEYS: "" };
    const trial = join(place, "trial");
    cpSync(folder, trial, { recursive: true });
    rmSync(join(trial, "manifest.json"));
    const { SESSION_SECRETS = "", CA_PASSPHRASE: caPassphrase, AUDIT_KEYS = "" } = portal.env;
    const secrets = { sessionSecrets: [SESSION_SECRETS], caPassphrase, auditKeys: [AUDIT_KEYS] };
    writeFileSync(join(trial, "secrets.json"), JSON.stringify(secrets));
    const copy = join(place, "trial backup");
    const made = await runCommand(["backup", copy], { ...portal.env, ...unset, DATA_DIR: trial });
    expect(saidOf(made)).toMatch(/^0 Backed up .*\nWarning: secrets\.json/);
    const at = (name: string) => ({ ...portal.env, ...unset, DATA_DIR: join(place, name) });
    expect(saidOf(await runCommand(["restore", copy], at("trial again")))).toMatch(/^0 Restored/);
    expect(saidOf(await runCommand(["audit", "verify"], at("trial again")))).toMatch(/^0 The audit trail is sound/);
    expect(saidOf(await runCommand(["restore", folder], at("no secrets")))).toMatch(/^1 portal: AUDIT_KEYS is missing/);
    expect(readdirSync(join(place, "no secrets"))).toEqual([]);
  });

  test("[CAL-04] a backup never replaces another and is never written to DATA_DIR", async () => {
    const before = readFileSync(join(folder, "manifest.json"), "utf8");
    expect(saidOf(await backup(folder))).toMatch(/^1 portal: .* exists already/);
    expect(readFileSync(join(folder, "manifest.json"), "utf8")).toBe(before);
    const inside = join(portal.dataDir, "backup");
    expect(saidOf(await backup(inside))).toMatch(/^1 portal: .*must not lie in DATA_DIR/);
    expect(existsSync(inside)).toBe(false);
  });

  test("[CAL-04] a restore never overwrites existing data", async () => {
    const kept = join(place, "kept");
    cpSync(folder, kept, { recursive: true });
    expect(saidOf(await restore(folder, "kept"))).toMatch(/^1 portal: .* is not empty/);
    expect(readdirSync(kept)).toEqual(readdirSync(folder));
  });

  /** Returns a copy of the backup that `spoil` has changed. */
  const spoilt = (name: string, spoil: (copy: string) => void) => {
    const copy = join(place, name);
    cpSync(folder, copy, { recursive: true });
    spoil(copy);
    return copy;
  };
  const inManifest = (change: Record<string, unknown>) => (copy: string) => {
    const path = join(copy, "manifest.json");
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify({ ...manifest, ...change }));
  };

  test.each<[string, (copy: string) => void, RegExp]>([
    [
      "a key changed",
      (copy) => appendFileSync(join(copy, "ca/issuing-g3.key.pem"), " "),
      /issuing-g3.key.pem differs from what was copied/,
    ],
    ["a key missing", (copy) => rmSync(join(copy, "ca/issuing-g3.key.pem")), /issuing-g3.key.pem is missing/],
    [
      "the database changed",
      (copy) => appendFileSync(join(copy, "marque.sqlite"), "x"),
      /marque.sqlite differs from what was copied/,
    ],
    ["the manifest missing", (copy) => rmSync(join(copy, "manifest.json")), /manifest.json cannot be read/],
    ["the manifest cut off", (copy) => writeFileSync(join(copy, "manifest.json"), '{"format":1'), /not the manifest/],
    ["other counts", inManifest({ tables: { users: 1 } }), /does not hold what manifest.json says/],
    ["a later version", inManifest({ migration: "9999-later" }), /made by a later version \(9999-later\)/],
  ])("[CAL-04] a damaged backup is refused by name and leaves nothing behind: %s", async (name, spoil, message) => {
    const copy = spoilt(name, spoil);
    const said = saidOf(await restore(copy, `${name} restored`));
    expect(said).toMatch(/^1 portal: /);
    expect(said).toMatch(message);
    expect(existsSync(join(place, `${name} restored`))).toBe(false);
  });

  test("[CAL-04] a backup from before the first release is refused and nothing of it is restored", async () => {
    await serve(portal.dataDir);
    await sql`update kysely_migration set name = '0002-certificates' where name = '0002-orders'`.execute(getDb());
    const former = join(place, "former");
    await makeBackup(former, systemActor("test"));
    expect(saidOf(await restore(former, "former restored"))).toBe(`1 portal: ${FORMER_DATABASE}\n`);
    expect(existsSync(join(place, "former restored"))).toBe(false);
  });
});
