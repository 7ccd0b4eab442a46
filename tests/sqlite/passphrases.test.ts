import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { type ChangeableKind, changePassphrase } from "~/domain/authorities/change-passphrase.service.server";
import { takePassphrase } from "~/domain/authorities/passphrases.server";
import { getDb } from "~db/connection.server";
import { runCommand } from "../support/command";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { TEST_PASSPHRASE, TEST_RESPONDER_PASSPHRASE, TEST_ROOT_PASSPHRASE } from "../support/template";

useOpenssl();
const portal = usePortal();
const NEXT = "another passphrase of the tests";
const OPERATOR = ["--operator", "Olga"];

const caFolder = () => join(portal.dataDir, "ca");
const keyOf = (name: string) => join(caFolder(), `${name}.key.pem`);
const safe = () => join(portal.dataDir, "kept");

beforeEach(() => cpSync(caFolder(), safe(), { recursive: true }));
afterEach(() => {
  rmSync(caFolder(), { recursive: true });
  cpSync(safe(), caFolder(), { recursive: true });
  rmSync(safe(), { recursive: true });
});

/** Writes a file and returns its path. */
function file(name: string, text: string): string {
  const path = join(portal.dataDir, name);
  writeFileSync(path, text);
  return path;
}

const command = async (args: string[], env: Record<string, string> = {}) => {
  const { code, out, err } = await runCommand(args, { ...portal.env, ...env });
  return { code, said: out + err };
};
const change = (kind: string, args: string[], env: Record<string, string> = {}) =>
  command(["ca", "change-passphrase", kind, ...OPERATOR, ...args], env);

/** Returns whether openssl opens a key file with this passphrase. */
function opens(name: string, passphrase: string): boolean {
  try {
    return openssl(["pkey", "-in", keyOf(name), "-passin", `pass:${passphrase}`, "-noout", "-check"]).includes("valid");
  } catch {
    return false;
  }
}

describe("the keys of roots, issuing CAs and responders", () => {
  test("[CAL-01] each have a passphrase of their own", async () => {
    const passphrases = [TEST_ROOT_PASSPHRASE, TEST_PASSPHRASE, TEST_RESPONDER_PASSPHRASE];
    const opened = (name: string) => passphrases.map((passphrase) => opens(name, passphrase));
    for (const name of ["root", "root-g3"]) expect(opened(name)).toEqual([true, false, false]);
    for (const name of ["issuing-sha2", "issuing-g3"]) expect(opened(name)).toEqual([false, true, false]);
    const { privateKey } = await getDb().selectFrom("ocspResponders").select("privateKey").executeTakeFirstOrThrow();
    writeFileSync(keyOf("responder"), privateKey ?? "");
    expect(opened("responder")).toEqual([false, false, true]);
  });

  test("[CAL-01] a root is opened with ROOT_PASSPHRASE only: without it, or with another one, nothing is published", async () => {
    const publish = (env: Record<string, string>, ...args: string[]) =>
      command(["ca", "publish", "--roots", ...args], env);
    const missing = await publish({ ROOT_PASSPHRASE: "" });
    expect(missing).toEqual({
      code: 1,
      said: expect.stringMatching(/^portal: ROOT_PASSPHRASE is missing.*--passphrase-file/) as string,
    });
    expect(await publish({ ROOT_PASSPHRASE: TEST_PASSPHRASE })).toEqual({
      code: 1,
      said: `portal: ROOT_PASSPHRASE does not open ${keyOf("root")}.\n`,
    });
    const given = file("root.txt", `${TEST_ROOT_PASSPHRASE}\n`);
    expect((await publish({ ROOT_PASSPHRASE: "" }, "--passphrase-file", given)).said).toMatch(
      /^Published the CRLs of 'root'\n/,
    );
  });

  test("[CAL-03] the CRLs of the issuing CAs need no passphrase of the roots", async () => {
    expect(await command(["ca", "publish"], { ROOT_PASSPHRASE: "" })).toMatchObject({ code: 0 });
  });
});

describe("a change of a passphrase", () => {
  test.each([
    ["root", ["root", "root-g3"], TEST_ROOT_PASSPHRASE, "ROOT_PASSPHRASE"],
    ["issuing", ["issuing-sha2", "issuing-g3"], TEST_PASSPHRASE, "CA_PASSPHRASE"],
  ] as const)(
    "[CAL-01] of the keys '%s' encrypts them again, names the variable, and is in the audit trail",
    async (kind, names, old, variable) => {
      const { code, said } = await change(kind, ["--new-passphrase-file", file("next.txt", NEXT)]);
      expect([code, said]).toEqual([
        0,
        expect.stringContaining(`Set ${variable} to the new passphrase before the next start`),
      ]);
      for (const name of names) expect([opens(name, old), opens(name, NEXT)]).toEqual([false, true]);
      const entries = await getDb()
        .selectFrom("auditEntries")
        .select(["actorName", "message"])
        .where("event", "in", ["authority.passphrase-changing", "authority.passphrase-changed"])
        .where("reference", "in", [...names])
        .orderBy("id")
        .execute();
      expect(entries.map(({ actorName, message }) => `${actorName}: ${message}`)).toEqual(
        ["is being changed", "was changed"].flatMap((what) =>
          names.map((name) => `command line (Olga): The passphrase of the key of '${name}' ${what}.`),
        ),
      );
      const publish = kind === "root" ? ["ca", "publish", "--roots"] : ["ca", "publish"];
      expect((await command(publish, { [variable]: NEXT })).code).toBe(0);
    },
  );

  test("[CAL-01] is in the audit trail before the first file is written, so an interruption loses nothing", async () => {
    const before = readFileSync(keyOf("root"));
    await sql`create trigger full before insert on audit_entries begin select raise(abort, 'no space'); end`.execute(
      getDb(),
    );
    await expect(changePassphrase("root", NEXT, systemActor("test"))).rejects.toThrow("no space");
    await sql`drop trigger full`.execute(getDb());
    expect(readFileSync(keyOf("root"))).toEqual(before);
  });

  test("[CAL-01] that was interrupted between two keys is completed by the same command", async () => {
    const next = file("next.txt", NEXT);
    const untouched = readFileSync(keyOf("root-g3"));
    await change("root", ["--new-passphrase-file", next]);
    const changed = readFileSync(keyOf("root"));
    writeFileSync(keyOf("root-g3"), untouched);
    const { code, said } = await change("root", ["--new-passphrase-file", next]);
    expect([code, said]).toEqual([0, expect.stringMatching(/^Changed the passphrase of the key of 'root-g3'\nSet/)]);
    expect(readFileSync(keyOf("root"))).toEqual(changed);
    expect(opens("root-g3", NEXT)).toBe(true);
  });

  test("[CAL-01] is refused, and changes no file, when the present passphrase is wrong, a key belongs elsewhere, or the new one is no good", async () => {
    const files = () => readdirSync(caFolder()).map((name) => readFileSync(join(caFolder(), name), "utf8"));
    const refused = async (kind: ChangeableKind, next: string, message: RegExp) => {
      const before = files();
      await expect(changePassphrase(kind, next, systemActor("test"))).rejects.toThrow(message);
      expect(files()).toEqual(before);
    };
    await refused("root", "too short", /12 characters or more/);
    await refused("root", TEST_ROOT_PASSPHRASE, /must differ from ROOT_PASSPHRASE/);
    await refused("root", TEST_PASSPHRASE, /must differ from CA_PASSPHRASE/);
    await refused("root", TEST_RESPONDER_PASSPHRASE, /must differ from RESPONDER_PASSPHRASE/);
    takePassphrase("root", "none of theirs");
    await refused("root", NEXT, /ROOT_PASSPHRASE does not open/);
    takePassphrase("root", TEST_ROOT_PASSPHRASE);
    cpSync(keyOf("issuing-g3"), keyOf("issuing-sha2"));
    await refused("issuing", NEXT, /does not belong to the stored certificate of 'issuing-sha2'/);
    for (const name of ["issuing-sha2", "issuing-g3"]) rmSync(keyOf(name));
    await refused("issuing", NEXT, /has no key file for which CA_PASSPHRASE is/);
  });

  test.each([
    ["root", ["--shares", "5"], /--shares and --needed belong together/],
    ["root", ["--shares", "5", "--needed", "6"], /--needed one from 2 to --shares/],
    ["root", ["--shares", "3", "--needed", "2", "--new-passphrase-file", "x"], /leave --new-passphrase-file out/],
    ["responders", ["--new-passphrase-file", "x"], /must be one of: root, issuing/],
    ["root", ["--new-passphrase-file", "/nonexistent"], /nonexistent/],
    ["root", [], /There is no terminal/],
  ])("[CAL-01] of '%s' with %j is refused with the reason", async (kind, args, message) => {
    expect(await change(kind, args)).toEqual({ code: 1, said: expect.stringMatching(message) as string });
  });

  test("[CAL-01] to one that exists only in shares: the needed number of them opens the roots, and fewer do not", async () => {
    const { code, said } = await change("root", ["--shares", "3", "--needed", "2"]);
    const shares = said.match(/^SHARE-.+$/gm) ?? [];
    expect([code, shares.length]).toEqual([0, 3]);
    expect(said).toContain("Share 3 of 3. Any 2 of them open the keys:");
    expect(opens("root", TEST_ROOT_PASSPHRASE)).toBe(false);
    const publish = (text: string) =>
      command(["ca", "publish", "--roots", "--passphrase-file", file("shares.txt", text)], { ROOT_PASSPHRASE: "" });
    expect(await publish(`${shares[2]}\n\n${shares[0]}\n`)).toMatchObject({ code: 0 });
    expect((await publish(`${shares[1]}\n`)).said).toMatch(/has too few shares\. Missing: 1\./);
    expect((await publish(`${shares[1]}\n${shares[1]}`)).said).toMatch(/given already/);
  });

  test("[CAL-01] of a trial is kept in its secrets.json; one in shares is not", async () => {
    const stored = {
      rootPassphrase: TEST_ROOT_PASSPHRASE,
      caPassphrase: TEST_PASSPHRASE,
      auditKeys: [portal.env.AUDIT_KEYS],
    };
    const secrets = file("secrets.json", JSON.stringify(stored));
    const unset = { ROOT_PASSPHRASE: "", CA_PASSPHRASE: "" };
    const { said } = await change("root", ["--new-passphrase-file", file("next.txt", NEXT)], unset);
    expect(said).toContain("Changed ROOT_PASSPHRASE in secrets.json, too.");
    expect(JSON.parse(readFileSync(secrets, "utf8"))).toEqual({ ...stored, rootPassphrase: NEXT });
    expect((await command(["ca", "publish", "--roots"], unset)).code).toBe(0);
    const shared = await change("root", ["--shares", "2", "--needed", "2"], unset);
    expect(shared).toMatchObject({
      code: 0,
      said: expect.stringContaining("Removed ROOT_PASSPHRASE from secrets.json.") as string,
    });
    expect(JSON.parse(readFileSync(secrets, "utf8"))).not.toHaveProperty("rootPassphrase");
    rmSync(secrets);
  });
});
