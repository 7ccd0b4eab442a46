import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { getAuthority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { keyKindOf, PASSPHRASE_VARIABLES } from "~/domain/authorities/passphrases.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { type Header, type Manifest } from "~/domain/backup/manifest.server";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb, getConnection, getDb } from "~db/connection.server";
import { countRows, listTables } from "~db/copy-in.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { inTransaction } from "~db/transaction.server";
import { saidOf, useBackups } from "../support/backups";
import { issueCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { readSchema } from "../support/schema";

const portal = usePortal();
const { file, makeCsr } = useOpenssl();
const { place, recipient, machine, backup, restore, leftOn, write, path, unpacked, jsonIn } = useBackups(
  () => portal.env,
);
const archive = path("marque.age");

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

/** Makes this process use another portal. */
async function serve(env: Record<string, string>): Promise<void> {
  await closeDb();
  clearMemoized();
  Object.assign(process.env, env);
}

/** Gives a customer a session, links, an invitation and tokens, as they are in the middle of a day. */
async function giveAccess(): Promise<void> {
  const { id: userId, email, companyId } = await createUser({});
  const db = getDb();
  const [now, later] = [new Date(), new Date(Date.now() + 86_400_000)];
  const session = { kind: "browser" as const, userId, epoch: 0, startedAt: now, lastUsedAt: now };
  await db
    .insertInto("sessions")
    .values({ ...session, id: "a session", address: "192.0.2.7", userAgent: "Firefox", expiresAt: later })
    .execute();
  for (const purpose of ["reset-password", "verify-email", "authorise-order", "stop-contact"] as const)
    await db
      .insertInto("tokens")
      .values({ tokenHash: `hash of ${purpose}`, purpose, userId, email, createdAt: now, expiresAt: later })
      .execute();
  await db
    .insertInto("invitations")
    .values({ companyId, invitedBy: userId, createdAt: now, expiresAt: later, email, role: "reader", tokenHash: "i" })
    .execute();
  await db
    .insertInto("apiTokens")
    .values({ userId, epoch: 0, expiresAt: later, tokenHash: "t", kind: "bearer" })
    .execute();
  const owner = { companyId, responsibleId: userId, createdAt: now, endsAt: later };
  const { id: apiClientId } = await db
    .insertInto("apiClients")
    .values({ ...owner, name: "Store", scopes: "certificates:read", networks: "", clientId: "mc_1", lastUsedAt: null })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: secretId } = await db
    .insertInto("apiClientSecrets")
    .values({ apiClientId, secretHash: "s", createdAt: now, createdBy: userId, endsAt: null, lastUsedAt: null })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("apiClientTokens")
    .values({ tokenHash: "c", secretId, scopes: "certificates:read", createdAt: now, expiresAt: later })
    .execute();
}

/** Returns what of it can still be used. */
async function accessLeft() {
  const db = getDb();
  const open = await db.selectFrom("sessions").select("id").where("endedAt", "is", null).execute();
  const links = await db.selectFrom("tokens").select("purpose").where("usedAt", "is", null).execute();
  const invitations = await db.selectFrom("invitations").select("id").where("endedAt", "is", null).execute();
  const ofPeople = await db.selectFrom("apiTokens").select("tokenHash").execute();
  const ofPrograms = await db.selectFrom("apiClientTokens").select("tokenHash").execute();
  const secrets = await db.selectFrom("apiClientSecrets").select("secretHash").where("endsAt", "is", null).execute();
  const epochs = await db.selectFrom("users").select("sessionEpoch").distinct().execute();
  return {
    sessions: open.length,
    links: links.map(({ purpose }) => purpose).sort(),
    invitations: invitations.length,
    tokens: ofPeople.length + ofPrograms.length,
    clientSecrets: secrets.length,
    epochs: epochs.map(({ sessionEpoch }) => sessionEpoch),
  };
}

describe("backup and restore", () => {
  let written = 0;
  let serialNumber = "";
  let restored: Record<string, string> = {};
  let manifest: Manifest;
  let header: Header;

  beforeAll(async () => {
    ({ serialNumber } = await issueCertificate());
    await giveAccess();
    await publishCrls("issuing-sha2", new Date());
    expect(saidOf(await runCommand(["audit", "checkpoint"], portal.env))).toMatch(/^0 /);
    const running = backup(archive, "--recipient", recipient);
    let isDone = false;
    void running.finally(() => (isDone = true));
    while (!isDone) {
      await writeBoth((written += 1));
      await setImmediate(); // SQLite answers synchronously, so this process can only receive messages of the other one here
    }
    expect(saidOf(await running)).toMatch(/^0 Backed up \d+ rows and \d+ files to .*, encrypted for age1/);
    const folder = unpacked(archive);
    [header, manifest] = [jsonIn<Header>(folder, "backup.json"), jsonIn<Manifest>(folder, "manifest.json")];
    restored = await machine("restored");
  });

  test("[CAL-04] is one file for its owner only, which age and tar open, without the secrets that open its keys", () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    expect(readdirSync(place).filter((name) => name.endsWith(".part"))).toEqual([]);
    const folder = unpacked(archive);
    expect(readdirSync(folder).sort()).toEqual(["backup.json", "database", "files", "manifest.json"]);
    expect(readdirSync(join(folder, "files/ca"))).toEqual(readdirSync(join(portal.dataDir, "ca")));
    const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    for (const name of ["ROOT_PASSPHRASE", "CA_PASSPHRASE", "RESPONDER_PASSPHRASE", "AUDIT_KEYS", "SESSION_SECRETS"])
      expect(texts.filter((text) => text.includes(portal.env[name] ?? "-"))).toEqual([]);
  });

  test("[CAL-04] 'restore --check' proves it on a machine that has no database, and keeps nothing", async () => {
    const { DATABASE_URL: _, ...env } = await machine("check only");
    const said = saidOf(await restore({ ...env, DATABASE_URL: "" }, archive, "--check"));
    expect(said).toMatch(/^0 Made .*SHA-256 of the manifest.*every table has its rows/s);
    for (const name of ["root", "issuing-sha2", "root-g3", "issuing-g3"] as const)
      expect(said).toContain(
        `${PASSPHRASE_VARIABLES[keyKindOf(name)]} opens the key of '${name}', and it belongs to its certificate.`,
      );
    expect(said).toMatch(/The audit trail is sound\. Entries: \d+, checkpoints: [1-9]/);
    expect(leftOn(env)).toEqual([]);
  });

  test("[CAL-04] a backup taken while the portal writes is consistent and restores the same rows", async () => {
    const said = saidOf(await restore(restored, archive));
    expect(said).toMatch(/^0 Restored \d+ rows.*The audit trail is sound/s);
    await serve(restored);
    const count = (table: "settings" | "auditEntries") =>
      getDb()
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as("n"));
    const settings = await count("settings").where("name", "like", "load-%").executeTakeFirstOrThrow();
    const entries = await count("auditEntries").where("event", "=", "load.written").executeTakeFirstOrThrow();
    expect(settings.n).toBe(entries.n);
    expect(settings.n).toBeGreaterThan(0);
    expect(settings.n).toBeLessThan(written);
    const all = await count("auditEntries").executeTakeFirstOrThrow();
    expect(all.n).toBe((manifest.rows.audit_entries ?? 0) + 1);
    expect(readdirSync(join(restored.DATA_DIR ?? "", "ca"))).toEqual(readdirSync(join(portal.dataDir, "ca")));
  });

  test("[AUD-02] the restore is recorded with the operator's name and what it ended; the backup in the portal only", async () => {
    const last = (event: string) =>
      getDb()
        .selectFrom("auditEntries")
        .selectAll()
        .where("event", "=", event)
        .orderBy("id", "desc")
        .executeTakeFirst();
    await serve(restored);
    expect(await last("portal.backed-up")).toBeUndefined();
    const entry = await last("portal.restored");
    expect(entry?.actorName).toBe("command line (Olga)");
    expect(entry?.message).toContain(`Backup 'marque.age' of ${header.madeAt} restored: `);
    expect(entry?.message).toMatch(/Ended: 1 sessions, 3 links, 1 invitations, 2 access tokens\.$/);
    await serve(portal.env);
    const taken = await last("portal.backed-up");
    expect(taken?.actorName).toBe("command line (Olga)");
    expect(taken?.message).toMatch(/^Backup 'marque\.age' taken: \d+ rows and \d+ files, encrypted for age1/);
  });

  test("[CAL-04] sessions, links, invitations and tokens of the copy have ended; the portal's go on", async () => {
    await serve(restored);
    expect(await accessLeft()).toEqual({
      sessions: 0,
      links: ["stop-contact"],
      invitations: 0,
      tokens: 0,
      clientSecrets: 1,
      epochs: [1],
    });
    await serve(portal.env);
    expect(await accessLeft()).toMatchObject({ sessions: 1, invitations: 1, tokens: 2, epochs: [0] });
  });

  test("[AUD-02] a later checkpoint of the lost portal shows how much is missing", async () => {
    const verify = (...args: string[]) => runCommand(["audit", "verify", ...args], restored);
    expect(saidOf(await verify())).toMatch(/^0 The audit trail is sound\. Entries: \d+, checkpoints: [1-9]/);
    expect(saidOf(await runCommand(["audit", "checkpoint"], portal.env))).toMatch(/^0 /);
    expect(saidOf(await verify("--checkpoints", join(portal.dataDir, "audit", "checkpoints.jsonl")))).toMatch(/^1 /);
  });

  test("[CAL-04] the restored portal knows its certificates, issues new ones, and publishes CRLs with unused numbers", async () => {
    await serve(portal.env);
    const issuer = await getAuthority(getDb(), "issuing-sha2");
    const last = await findLatestCrl(getDb(), issuer.id, false);
    await serve(restored);
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

  test("[CAL-04] a database restored by other tools is settled by a command of its own, except the roots' numbers", async () => {
    const copy = await machine("other tools");
    expect(saidOf(await restore(copy, archive))).toMatch(/^0 /);
    await serve(copy);
    const numbers = async () =>
      Object.fromEntries((await listAuthorities(getDb())).map(({ name, crlNumber }) => [name, crlNumber]));
    const before = await numbers();
    expect(saidOf(await runCommand(["ca", "pass-over-numbers"], copy))).toMatch(/^1 .*--operator/);
    const settling = ["ca", "pass-over-numbers", "--operator", "Olga"];
    expect(saidOf(await runCommand(settling, copy))).toMatch(/^1 .*--yes.*All sessions, links and tokens .* end/);
    expect(saidOf(await runCommand([...settling, "--yes"], copy))).toMatch(/^0 Ended: 0 sess/);
    const after = await numbers();
    for (const name of ["root", "root-g3"]) expect(after[name]).toBe(before[name]);
    for (const name of ["issuing-sha2", "issuing-g3"]) expect(after[name]).toBe((before[name] ?? NaN) + 1_000_000);
    await serve(portal.env);
  });

  test("[CAL-04] a restore never overwrites existing data", async () => {
    const again = saidOf(await restore(restored, archive));
    expect(again).toMatch(/^1 portal: .* is not empty/);
    const filled: Record<string, string> = { ...restored, DATA_DIR: path("another data folder") };
    if (filled.DATABASE_URL)
      expect(saidOf(await restore(filled, archive))).toMatch(/^1 portal: The database of DATABASE_URL is not empty/);
    await serve(restored);
    expect(await getDb().selectFrom("certificates").select("id").execute()).toHaveLength(2);
    await serve(portal.env);
  });

  test("[CAL-04] a backup never replaces another file and is never written to DATA_DIR", async () => {
    const before = readFileSync(archive);
    expect(saidOf(await backup(archive, "--recipient", recipient))).toMatch(/^1 portal: .* exists already/);
    expect(readFileSync(archive).equals(before)).toBe(true);
    const inside = join(portal.dataDir, "backup.age");
    expect(saidOf(await backup(inside, "--recipient", recipient))).toMatch(/^1 portal: .*must not lie in DATA_DIR/);
    expect(readdirSync(portal.dataDir).filter((name) => name.includes("backup"))).toEqual([]);
  });

  test("[AUD-02] a backup that cannot be recorded is not kept", async () => {
    const headless = await machine("headless");
    expect(saidOf(await restore(headless, archive))).toMatch(/^0 /);
    await serve(headless);
    await getDb().deleteFrom("auditHead").execute();
    await serve(portal.env);
    const copy = path("unrecorded.age");
    const made = await runCommand(["backup", copy, "--recipient", recipient, "--operator", "Olga"], headless);
    expect(saidOf(made)).toMatch(/^1 portal: The audit trail's head is missing/);
    expect(readdirSync(place).filter((name) => name.includes("unrecorded"))).toEqual([]);
  });

  test("[CAL-04] with one byte changed it is refused, and the machine stays empty", async () => {
    const bytes = readFileSync(archive);
    bytes[bytes.length - 40] = (bytes.at(-40) ?? 0) ^ 1; // in the last piece, when all rows were read before
    const env = await machine("one byte");
    expect(saidOf(await restore(env, write("one byte.age", bytes)))).toMatch(/^1 portal: .* is damaged, cut off/);
    expect(leftOn(env)).toEqual([]);
    await serve(env);
    expect(await listTables(getConnection())).toEqual([]);
    await serve(portal.env);
  });

  test("[CAL-04] moves to SQLite and back with the same rows, from either database", async () => {
    const onSqlite = { ...(await machine("on SQLite")), DATABASE_URL: "" };
    expect(saidOf(await restore(onSqlite, archive))).toMatch(/^0 /);
    const copy = path("from SQLite.age");
    const args = ["backup", copy, "--recipient", recipient, "--operator", "Olga"];
    expect(saidOf(await runCommand(args, onSqlite))).toMatch(/^0 /);
    const back = await machine("back again");
    expect(saidOf(await restore(back, copy))).toMatch(/^0 Restored .*The audit trail is sound/s);
    const rowsOn = async (env: Record<string, string>) => {
      await serve(env);
      const { tables } = await readSchema(getConnection());
      return countRows(
        getDb() as never,
        tables.map(({ name }) => ({ name, columns: [] })),
      );
    };
    const [one, other] = [await rowsOn(onSqlite), await rowsOn(back)];
    await serve(portal.env);
    expect(other).toEqual(one); // one has the entry of its backup, the other that of its restore
  });

  test("[CAL-04] without the portal's secrets nothing is restored, and the command says how to give them", async () => {
    const env = await machine("no secrets");
    const without = async (name: string, value = "") => saidOf(await restore({ ...env, [name]: value }, archive));
    expect(await without("AUDIT_KEYS")).toMatch(/^1 portal: AUDIT_KEYS is missing.*--secrets FILE/);
    expect(await without("CA_PASSPHRASE")).toMatch(
      /^1 portal: CA_PASSPHRASE is missing, which opens the key of 'issuing-sha2'.*--secrets FILE/,
    );
    expect(await without("CA_PASSPHRASE", "another passphrase")).toMatch(
      /^1 portal: CA_PASSPHRASE does not open the key of 'issuing-sha2'/,
    );
    expect(leftOn(env)).toEqual([]);
    expect(saidOf(await restore(env, archive))).toMatch(/^0 /); // the database is still empty
  });
});
