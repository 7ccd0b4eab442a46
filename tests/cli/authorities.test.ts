import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { login } from "~/domain/accounts/login.service.server";
import { getDb } from "~db/connection.server";
import { type CommandRun, runCommand } from "../support/command";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";

const portal = usePortal();
const fresh = mkdtempSync(join(tmpdir(), "marque-setup-"));
afterAll(() => rmSync(fresh, { recursive: true, force: true }));

/** `env` overrides the test portal's variables. Whoever runs the tests with sudo has another login than the process. */
const portalCommand = (args: string[], env: Record<string, string> = {}) =>
  runCommand(args, { ...portal.env, SUDO_USER: "", ...env });

const unset = {
  DATABASE_URL: "",
  ROOT_PASSPHRASE: "",
  CA_PASSPHRASE: "",
  RESPONDER_PASSPHRASE: "",
  SESSION_SECRETS: "",
  AUDIT_KEYS: "",
};
const trial = { ...unset, DATA_DIR: fresh, NODE_ENV: "production" };

describe("portal setup", () => {
  let first: CommandRun;
  beforeAll(async () => {
    first = await portalCommand(["setup"], trial);
  });

  test("[CAL-01] the first start of a trial creates secrets, database, CAs, CRLs and an administrator, with plain warnings", () => {
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(
      /Warning: These secrets were not set .*: SESSION_SECRETS, ROOT_PASSPHRASE, CA_PASSPHRASE, RESPONDER_PASSPHRASE, AUDIT_KEYS\n/,
    );
    expect(first.out).toMatch(/Creating the CA 'Root' \(RSA 4096 bits/);
    expect(first.out).toMatch(/Warning: these CAs are for a trial/);
    expect(first.out).toMatch(/Published the first CRLs of 'issuing-g3'/);
    expect(first.out).toMatch(/Listed \d+ published test keys, which are refused in requests/);
    expect(first.out).toMatch(/Created the administrator admin@example.org\nwith the password \S+ /);
    expect(statSync(fresh).mode & 0o777).toBe(0o700);
    for (const file of ["secrets.json", "marque.sqlite"]) expect(statSync(join(fresh, file)).mode & 0o777).toBe(0o600);
  });

  test("[CAL-01] [PUR-11] a second run keeps everything and only says that Debian's blocklist is missing", async () => {
    const secrets = readFileSync(join(fresh, "secrets.json"), "utf8");
    const { code, out, err } = await portalCommand(["setup"], trial);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Warning: No list of the keys of Debian's weak OpenSSL \(CVE-2008-0166\) is imported: .+\n$/);
    expect(readFileSync(join(fresh, "secrets.json"), "utf8")).toBe(secrets);
  });

  test("[CAL-01] secrets that keys or sessions depend on are never replaced", async () => {
    const file = join(fresh, "secrets.json");
    const secrets = readFileSync(file, "utf8");
    writeFileSync(file, "{}");
    const damaged = await portalCommand(["setup"], trial);
    expect(damaged.code).toBe(1);
    expect(damaged.err).toMatch(/^portal: .*secrets.json cannot be used\. .*\n$/);
    rmSync(file);
    const missing = await portalCommand(["setup"], trial);
    expect(missing.err).toMatch(/^portal: CA_PASSPHRASE is missing, but .* holds keys that need it\. Set it\.\n$/);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, secrets, { mode: 0o600 });
  });

  test("[CAL-03] ca status shows the CRLs and ca publish renews them", async () => {
    for (const [args, names] of [
      [["ca", "publish"], "'issuing-sha2'|'issuing-g3'"],
      [["ca", "publish", "--roots"], "'root'|'root-g3'"],
    ] as const) {
      const published = await portalCommand([...args], trial);
      expect(published).toMatchObject({ code: 0, err: "" });
      expect(published.out).toMatch(new RegExp(`^(Published the CRLs of (${names})\\n){2}$`));
    }
    const status = await portalCommand(["ca", "status"], trial);
    for (const line of [
      /^root-g3: CN=Example Association Root G3/m,
      /SHA-256 ([0-9A-F]{2}:){31}/,
      /^issuing-sha2-delta.crl +2 /m,
    ]) {
      expect(status.out).toMatch(line);
    }
  });
});

describe("portal", () => {
  test("has a help text, and so has each command", async () => {
    for (const args of [[], ["ca", "publish"]]) {
      const { code, out } = await portalCommand([...args, "--help"]);
      expect(code).toBe(0);
      expect(out).toMatch(/^Usage: portal/);
    }
  });

  test("an error is one line and the exit code is 1", async () => {
    const wrongName = await portalCommand(["jobs", "run", "nothing"]);
    expect(wrongName.code).toBe(1);
    expect(wrongName.err).toMatch(/^portal: There is no job 'nothing'\. Jobs: mail, .*\n$/);
    const wrongSetting = await portalCommand(["ca", "status"], { PORT: "many" });
    expect(wrongSetting).toMatchObject({ code: 1, err: "portal: PORT must be a whole number from 0 to 65535\n" });
    const noDatabase = await portalCommand(["mail", "list"], { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
    expect(noDatabase.code).toBe(1);
    expect(noDatabase.err).toMatch(/^portal: .*ECONNREFUSED.*\n$/);
    expect((await portalCommand(["nothing"])).code).toBe(1);
  });

  test("[LOG-03] unlocks the only administrator after somebody's wrong passwords", async () => {
    const admin = await createAdmin({ email: "only.admin@example.org" });
    for (let tries = 0; tries < 4; tries += 1)
      await expect(login(admin.email, "wrong")).rejects.toMatchObject({ code: "InvalidPassword" });
    for (const password of ["wrong", TEST_PASSWORD])
      await expect(login(admin.email, password)).rejects.toMatchObject({ code: "AccountLocked" });
    expect((await portalCommand(["users", "list"])).out).toMatch(
      /^only\.admin@example\.org +locked for unknown browsers until \S+ \S+Z +Admin +- +Example Association$/m,
    );

    expect(await portalCommand(["users", "unlock", "Only.Admin@example.org"])).toEqual({
      code: 0,
      out: "Unlocked only.admin@example.org; its wrong passwords and counted logins are forgotten\n",
      err: "",
    });
    expect(await login(admin.email, TEST_PASSWORD)).toMatchObject({ id: admin.id });
    const entry = await getDb()
      .selectFrom("auditEntries")
      .select(["actorId", "actorName", "userId"])
      .where("event", "=", "account.unlocked")
      .executeTakeFirst();
    expect(entry).toEqual({ actorId: null, actorName: `command line (${userInfo().username})`, userId: admin.id });
    expect(await portalCommand(["users", "unlock", "nobody@example.org"])).toEqual({
      code: 1,
      out: "",
      err: "portal: There is no account 'nobody@example.org'.\n",
    });
  });

  test("[MAN-02] locks an account everywhere", async () => {
    const { email, username, company } = await createUser();
    expect(await portalCommand(["users", "lock", email, "--reason", "Stolen laptop"])).toMatchObject({
      code: 0,
      out: `Locked ${username}\n`,
    });
    await expect(login(email, TEST_PASSWORD)).rejects.toMatchObject({ code: "AccountLocked" });
    expect((await portalCommand(["users", "list"])).out).toMatch(
      new RegExp(`^${username} +locked by an administrator since \\S+ \\S+Z +Applicant +- +${company}$`, "m"),
    );
  });

  test("[LOG-03] [CON-03] unlocking a merged account does not unlock the surviving one", async () => {
    const email = "shared@example.org";
    const lockedUntil = new Date(Date.now() + 600_000);
    const kept = await createUser({ email, username: email, lockedUntil });
    const merged = await createUser({
      email,
      username: "shared.old",
      mergedInto: kept.id,
      isDisabled: true,
      lockedUntil,
    });
    for (const name of [email, "shared.old"]) await portalCommand(["users", "unlock", name]);
    const unlocked = await getDb().selectFrom("users").select("id").where("lockedUntil", "is", null).execute();
    expect(unlocked.map(({ id }) => id).filter((id) => id === kept.id || id === merged.id)).toEqual([kept.id]);
    const audited = getDb().selectFrom("auditEntries").select("userId").where("event", "=", "account.unlocked");
    expect((await audited.execute()).map(({ userId }) => userId)).not.toContain(merged.id);
    expect(await portalCommand(["users", "unlock", "shared.old"])).toMatchObject({
      code: 1,
      err: "portal: There is no account 'shared.old'.\n",
    });
  });

  test("shows and runs jobs and mail", async () => {
    await getDb().deleteFrom("mails").execute(); // to the owners of accounts that were locked here
    expect(await portalCommand(["jobs", "run", "clean-up"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("removed") as string,
    });
    expect((await portalCommand(["jobs", "list"])).out).toMatch(/^clean-up .*rows and 0 CRLs removed/m);
    expect(await portalCommand(["mail", "list"])).toEqual({ code: 0, out: "No messages.\n", err: "" });
    expect(await portalCommand(["mail", "retry"])).toEqual({ code: 0, out: "0 sent, 0 failed\n", err: "" });
    expect(await portalCommand(["db", "migrate"])).toEqual({ code: 0, out: "The database is up to date.\n", err: "" });
  });
});
