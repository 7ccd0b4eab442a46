import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, describe, expect, test, vi } from "vitest";
import { getConnection, getDb } from "~db/connection.server";
import { listOfKeyQuery } from "~db/repositories/listed-keys.server";
import { keysCommand } from "../../cli/commands/keys";
import { createCertificateOrder } from "../support/certificates";
import { runCommand } from "../support/command";
import { createUser } from "../support/factories";
import { preparedKey } from "../support/keys";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

const portal = usePortal();
const { makeCsr } = useOpenssl();
const folder = mkdtempSync(join(tmpdir(), "marque-keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const write = (content: string | Buffer, name = `list-${(count += 1)}`): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const digits = (length: 20 | 64) => randomBytes(length / 2).toString("hex");

/** Runs the command in this process, as `npm run portal` does. Returns what it printed. */
async function keys(...args: string[]): Promise<{ out: string[]; err: string }> {
  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const run = keysCommand().parseAsync(args, { from: "user" });
  const err = await run.then(
    () => "",
    (error: Error) => error.message,
  );
  const out = print.mock.calls.map(([line]) => String(line));
  print.mockRestore();
  return { out, err };
}

const listed = async (fingerprint: string) =>
  getDb()
    .selectFrom("listedKeys")
    .innerJoin("keyLists", "keyLists.id", "listedKeys.listId")
    .select("keyLists.name")
    .where("fingerprint", "=", Buffer.from(fingerprint, "hex"))
    .execute();
const countKeys = async () => (await getDb().selectFrom("listedKeys").select("fingerprint").execute()).length;

describe("keys import", () => {
  test.each(["", "   ", "two\nlines", "bell\u0007", "tab\there", "\u202eback"])(
    "[PUR-11] refuses the name %j and imports nothing",
    async (name) => {
      const before = await countKeys();
      const { out, err } = await keys("import", "--name", name, write(digits(20)));
      expect(err).toBe("The list's name must be visible characters in one line: give another one by --name.");
      expect(out).toEqual([]);
      expect(await countKeys()).toBe(before);
    },
  );

  test("[PUR-11] reads both kinds of fingerprint, comments, blank lines, CRLF, capitals, a byte order mark, and a missing last line end", async () => {
    const [debian, spki, last] = [digits(20), digits(64), digits(20)];
    const text = `\ufeff# keys\r\n#\r\n\r\n${debian}\r\n  ${spki.toUpperCase()}  \n\t\n# end\n${last}`;
    const file = write(text, "blacklist.RSA-2048");
    expect(await keys("import", file, "--operator", "Olga")).toEqual({
      out: ["Keys: 3, new: 3, listed as 'blacklist.RSA-2048'."],
      err: "",
    });
    for (const fingerprint of [debian, spki, last])
      expect(await listed(fingerprint)).toEqual([{ name: "blacklist.RSA-2048" }]);
    const entry = await getDb()
      .selectFrom("auditEntries")
      .select(["event", "actorName", "message", "reference"])
      .orderBy("id", "desc")
      .executeTakeFirst();
    expect(entry).toEqual({
      event: "keys.imported",
      actorName: "command line (Olga)",
      message: "Known bad keys imported from a list of 3: 3 new.",
      reference: "blacklist.RSA-2048",
    });
  });

  test("[PUR-11] repeated adds nothing, nor does another blocklist; repetitions in a file count once; a blocklist can grow", async () => {
    const [one, two] = [digits(20), digits(64)];
    const file = write(`${one}\n${two}\n${one}\n`);
    expect((await keys("import", file, "--name", "first")).out).toEqual(["Keys: 3, new: 2, listed as 'first'."]);
    const before = await countKeys();
    expect((await keys("import", file, "--name", "first")).out).toEqual(["Keys: 3, new: 0, listed as 'first'."]);
    expect((await keys("import", file, "--name", "second")).out).toEqual(["Keys: 3, new: 0, listed as 'second'."]);
    expect(await countKeys()).toBe(before);
    expect(await listed(one)).toEqual([{ name: "first" }]);
    await keys("import", write(`${one}\n${digits(20)}`), "--name", "first");
    expect((await keys("list")).out.join("\n")).toMatch(
      /^LIST +KEYS +LAST IMPORT\n[^]*first +3 +\d{4}-[^]*second +0 +/,
    );
  });

  test("[PUR-11] names bad lines by number and then imports nothing", async () => {
    const good = digits(20);
    const bad = [
      "zz",
      good.slice(1),
      `${good}0`,
      digits(64).slice(1),
      `${digits(64)}0`,
      digits(20) + digits(20),
      `${good} #`,
    ];
    const before = await countKeys();
    const { out, err } = await keys("import", write([good, ...bad, "# fine", good].join("\n")));
    expect(out).toEqual([
      "line 2: other characters than hexadecimal digits",
      "line 3: 19 hexadecimal digits instead of 20 or 64",
      "line 4: 21 hexadecimal digits instead of 20 or 64",
      "line 5: 63 hexadecimal digits instead of 20 or 64",
      "line 6: 65 hexadecimal digits instead of 20 or 64",
      "line 7: 40 hexadecimal digits instead of 20 or 64; openssl-blacklist has the last 20 of the 40 digits of SHA-1",
      "line 8: other characters than hexadecimal digits",
    ]);
    expect(err).toBe("Bad lines: 7, keys: 2. Nothing was changed.");
    expect(await countKeys()).toBe(before);
  });

  test("[PUR-11] with a dry run says what is already blocked and changes nothing", async () => {
    const one = digits(20);
    await keys("import", write(one));
    const file = write(`${one}\n${digits(20)}\n${digits(64)}\n`);
    const before = await countKeys();
    expect((await keys("import", file, "--dry-run")).out).toEqual(["Keys: 3, listed already: 1. Nothing was changed."]);
    expect(await countKeys()).toBe(before);
    expect((await keys("import", write("x"), "--dry-run")).err).toBe("Bad lines: 1, keys: 0. Nothing was changed.");
  });

  test("[PUR-11] refuses other files with few messages: an endless line, no keys, no file", async () => {
    const flood = await keys("import", write("-----BEGIN CERTIFICATE-----\n".repeat(30)));
    expect(flood.out).toHaveLength(21);
    expect(flood.out.at(-1)).toBe("… and 10 more");
    expect(flood.err).toBe("Bad lines: 30, keys: 0. Nothing was changed.");
    const endless = await keys("import", write(Buffer.alloc(3_000_000, "a")));
    expect(endless.out).toEqual(["line 1: too many hexadecimal digits instead of 20 or 64"]);
    expect((await keys("import", write("# nothing\n\n"))).err).toMatch(/lists no keys\.$/);
    expect((await keys("import", write(""))).err).toMatch(/lists no keys\.$/);
    expect((await keys("import", join(folder, "missing"))).err).toMatch(
      /missing cannot be read: there is no such file\.$/,
    );
    expect((await keys("import", folder)).err).toMatch(/cannot be read: it is a folder\.$/);
  });

  test("[PUR-11] imports more keys than one transaction or statement holds, with progress", async () => {
    const all = Array.from({ length: 100_050 }, (_, index) =>
      createHash("sha1").update(String(index)).digest("hex").slice(20),
    );
    const before = await countKeys();
    const file = write(all.join("\n"), "many");
    expect(await keys("import", file)).toEqual({
      out: ["100000 lines", "Keys: 100050, new: 100050, listed as 'many'."],
      err: "",
    });
    expect(await countKeys()).toBe(before + 100_050);
    for (const fingerprint of [all[0], all[4_999], all[5_000], all[20_000], all[100_049]])
      expect(await listed(fingerprint ?? "")).toEqual([{ name: "many" }]);
  });

  test("[PUR-11] uses an index to look up a key on both databases", async () => {
    const lookUp = listOfKeyQuery(getDb(), [randomBytes(32), randomBytes(10)]);
    if (getConnection().dialect === "sqlite") {
      const plan = await lookUp.explain<{ detail: string }>(undefined, sql`query plan`);
      expect(plan.map(({ detail }) => detail)).toEqual([
        expect.stringMatching(/^SEARCH listed_keys USING PRIMARY KEY/),
        expect.stringMatching(/^SEARCH key_lists USING INTEGER PRIMARY KEY/),
      ]);
    } else {
      await sql`analyze listed_keys`.execute(getDb());
      const plan = JSON.stringify(await lookUp.explain("json"));
      expect(plan).toMatch(/listed_keys_pkey/);
      expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^}]*"Relation Name":"listed_keys"/);
    }
  });

  test("[PUR-11] reads Debian's file by openssl's own fingerprint, and keys check finds users of a blocked key", async () => {
    const { keyFile, der } = makeCsr();
    const { id } = await createCertificateOrder(await createUser(), der);
    const environment = portal.env;
    expect(await runCommand(["keys", "check"], environment)).toMatchObject({ code: 0, err: "" });
    const line = createHash("sha1")
      .update(openssl(["rsa", "-in", keyFile, "-noout", "-modulus"]))
      .digest("hex")
      .slice(20);
    const file = write(`# openssl-blacklist\n${line}\n`, "blacklist.RSA-own");
    expect(await runCommand(["keys", "import", file], environment)).toMatchObject({
      code: 0,
      out: "Keys: 1, new: 1, listed as 'blacklist.RSA-own'.\n",
    });
    const { code, out, err } = await runCommand(["keys", "check"], environment);
    expect(out).toBe(
      `certificate ${id} (Pending, oftp.acme.example): The key is on the list 'blacklist.RSA-own' of known bad keys.\n`,
    );
    expect([code, err]).toEqual([1, "portal: Bad keys: 1 of 1. Revoke or reject them.\n"]);
    const weak = makeCsr({ keyFile: preparedKey("2048-prime-modulus") });
    await createCertificateOrder(await createUser(), weak.der);
    expect((await runCommand(["keys", "check"], environment)).out).toContain("the modulus is itself a prime");
  });
});
