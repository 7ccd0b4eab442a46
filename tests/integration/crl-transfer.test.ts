import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { describeCrl } from "~/ca/crl/describe.server";
import { decryptPrivateKey } from "~/ca/keys.server";
import { toPem } from "~/ca/pem.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { importCrl as importHere } from "~/domain/authorities/crl-transfer.service.server";
import { keyKindOf, passphraseOf } from "~/domain/authorities/passphrases.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { paths } from "~/lib/paths";
import { loader as repositoryFile } from "~/routes/repository.$file";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { type AuthorityName } from "~db/tables";
import { runCommand } from "../support/command";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { run } from "../support/visitor";

const portal = usePortal();
const { directory, file } = useOpenssl();

const importCrl = (name: string, path: string, ...options: string[]) =>
  runCommand(["ca", "import-list", name, path, "--operator", "Olga", ...options], portal.env);
const latestNumber = async (name: AuthorityName) => {
  const { id } = await getAuthority(getDb(), name);
  return (await findLatestCrl(getDb(), id, false))?.number;
};

interface ListOptions {
  /** The authority that issues and signs the list. */
  issuer?: AuthorityName;
  number?: number;
  /** Times in the format of OpenSSL, `YYYYMMDDHHMMSSZ`. */
  from?: string;
  until?: string;
  /** Further lines in the section of the extensions. */
  extensions?: string;
  /** Lines of OpenSSL's index, one for each revoked certificate. */
  index?: string;
  pem?: boolean;
}

const stamp = (date: Date) => date.toISOString().replace(/[-:T]|\.\d+/g, "");
const inDays = (days: number) => stamp(new Date(Date.now() + days * 86_400_000));

let lists = 0;

/** Makes a CRL with `openssl ca -gencrl`, as on the machine that has the key of the root. Returns its path. */
async function opensslList(options: ListOptions = {}): Promise<string> {
  const {
    issuer = "root",
    number = 100,
    from = inDays(-1),
    until = inDays(180),
    extensions = "",
    index = "",
  } = options;
  const { certificate } = await getAuthority(getDb(), issuer);
  const folder = join(directory, `ca-${(lists += 1)}`);
  mkdirSync(folder);
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const hex = number.toString(16);
  const key = decryptPrivateKey(
    readFileSync(join(portal.dataDir, "ca", `${issuer}.key.pem`), "utf8"),
    passphraseOf(keyKindOf(issuer)),
  );
  const config = `[ca]
default_ca = here
[here]
database = ${write("index.txt", index)}
crlnumber = ${write("number", `${hex.length % 2 ? "0" : ""}${hex}\n`)}
certificate = ${write("ca.pem", toPem("CERTIFICATE", certificate))}
private_key = ${write("key.pem", key.export({ type: "pkcs8", format: "pem" }).toString())}
default_md = sha256
crl_extensions = list
[list]
authorityKeyIdentifier = keyid
${extensions}
`;
  const out = file("crl");
  const times = ["-crl_lastupdate", from, "-crl_nextupdate", until];
  openssl(["ca", "-gencrl", "-config", write("ca.cnf", config), ...times, "-out", out]);
  if (!options.pem) openssl(["crl", "-in", out, "-outform", "DER", "-out", out]);
  return out;
}

describe("[CAL-03] CRLs of an offline root", () => {
  test("[CAL-03] that openssl made are checked, published at the root's address, and audited", async () => {
    const path = await opensslList({ number: 41 });
    const imported = await importCrl("root", path);
    expect(imported).toMatchObject({ code: 0, err: "" });
    expect(imported.out).toMatch(/^Published CRL 41 of 'root': entries: 0, valid until \d{4}-\d\d-\d\d \S+Z\n$/);

    const request = new Request(`http://portal.test${paths.repositoryFile("root.crl")}`);
    const answer = await run(repositoryFile, request, { file: "root.crl" });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(readFileSync(path));
    const entry = await getDb()
      .selectFrom("auditEntries")
      .select(["actorName", "message", "reference"])
      .where("event", "=", "authority.list-imported")
      .executeTakeFirst();
    expect(entry).toEqual({
      actorName: "command line (Olga)",
      message: "CRL 41 of 'root' was imported and published; entries: 0.",
      reference: "root",
    });
  });

  test("[CAL-03] have increasing numbers, whether imported as PEM or made here", async () => {
    expect(await importCrl("root", await opensslList({ number: 42, pem: true }))).toMatchObject({ code: 0 });
    expect(await latestNumber("root")).toBe(42);
    await publishCrls("root", new Date(), { allowRoot: true });
    expect(await latestNumber("root")).toBe(43);
  });

  test("[CAL-03] exported by one machine are published by another", async () => {
    await publishCrls("root-g3", new Date(), { allowRoot: true });
    const path = file("crl");
    const number = await latestNumber("root-g3");
    const exported = await runCommand(["ca", "export-list", "root-g3", path], portal.env);
    expect(exported).toEqual({ code: 0, err: "", out: `Wrote CRL ${number} of 'root-g3' to ${path}\n` });
    expect(Number(describeCrl(readFileSync(path)).number)).toBe(number);

    // The database of this portal has not changed in the meantime.
    await getDb()
      .deleteFrom("crls")
      .where("number", "=", number ?? 0)
      .execute();
    await getDb()
      .updateTable("authorities")
      .set({ crlNumber: (number ?? 0) - 1 })
      .where("name", "=", "root-g3")
      .execute();
    expect(await importCrl("root-g3", path)).toMatchObject({ code: 0 });
    expect(await latestNumber("root-g3")).toBe(number);
  });

  describe("an import that is refused changes nothing", () => {
    beforeAll(async () => {
      expect(await importCrl("root", await opensslList({ number: 200 }))).toMatchObject({ code: 0 });
    });

    const broken = async () => {
      const der = readFileSync(await opensslList({ number: 201 }));
      der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
      return file("crl", der);
    };
    const longer = async () =>
      file("crl", Buffer.concat([readFileSync(await opensslList({ number: 201 })), Buffer.of(0)]));

    test.each<[string, string, () => Promise<string>, RegExp]>([
      [
        "another root's",
        "root",
        () => opensslList({ issuer: "root-g3", number: 201 }),
        /The CRL names another issuer\./,
      ],
      ["an issuing CA's", "root", () => opensslList({ issuer: "issuing-sha2", number: 201 }), /names another issuer\./],
      ["a changed one", "root", broken, /The CRL is not signed with the CA's key, or was changed afterwards\./],
      ["one with bytes behind it", "root", longer, /Malformed DER/],
      [
        "an older number",
        "root",
        () => opensslList({ number: 199 }),
        /number 199, and 'root' had number 200 already\./,
      ],
      [
        "the same number",
        "root",
        () => opensslList({ number: 200 }),
        /number 200, and 'root' had number 200 already\./,
      ],
      ["a number that no column holds", "root", () => opensslList({ number: 2 ** 31 }), /number is above 2147483647\./],
      [
        "an ended one",
        "root",
        () => opensslList({ number: 201, until: "20260101000000Z", from: "20250101000000Z" }),
        /The CRL ended on 01\/01\/2026 00:00:00 UTC\./,
      ],
      [
        "one of the future",
        "root",
        () => opensslList({ number: 201, from: "20490101000000Z", until: "20490201000000Z" }),
        /The CRL is valid only from 01\/01\/2049 00:00:00 UTC\./,
      ],
      [
        "a delta CRL",
        "root",
        () => opensslList({ number: 201, extensions: "2.5.29.27 = critical,ASN1:INTEGER:200" }),
        /The CRL is a delta CRL\./,
      ],
      [
        "a list of a part",
        "root",
        () => opensslList({ number: 201, extensions: "2.5.29.28 = critical,DER:30038101ff" }),
        /The CRL has a critical extension\./,
      ],
      ["no list", "root", () => Promise.resolve(file("crl", "hello")), /Malformed DER/],
      ["nothing", "root", () => Promise.resolve(file("crl", "")), /Malformed DER/],
      [
        "another block",
        "root",
        () => Promise.resolve(file("crl", toPem("CERTIFICATE", Buffer.of(48, 0)))),
        /No PEM block X509 CRL/,
      ],
      [
        "no file",
        "root",
        () => Promise.resolve(join(directory, "none.crl")),
        /cannot be read: there is no such file\./,
      ],
      [
        "the list of an issuing CA",
        "issuing-sha2",
        () => opensslList(),
        /There is no root 'issuing-sha2'\. Roots: root, root-g3\./,
      ],
    ])("[CAL-03] for %s", async (_what, name, make, message) => {
      await expect(importHere(name, await make(), systemActor("command line"))).rejects.toThrow(message);
      expect(await latestNumber("root")).toBe(200);
      expect(await getAuthority(getDb(), "root")).toMatchObject({ crlNumber: 200 });
    });
  });

  test("[CAL-03] that are refused make the command say why in one line and exit with 1", async () => {
    const { code, out, err } = await importCrl("root", await opensslList({ number: 199 }));
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe("portal: The CRL has number 199, and 'root' had number 200 already.\n");
  });

  test("[CAL-03] that lack an issuing CA revoked by an earlier one are not published", async () => {
    const index = `R\t351231235959Z\t${stamp(new Date()).slice(2)},keyCompromise\t0ABC\tunknown\t/CN=Issuing\n`;
    const imported = await importCrl("root-g3", await opensslList({ issuer: "root-g3", number: 300, index }));
    expect(imported).toMatchObject({ code: 0, out: expect.stringContaining("entries: 1") as string });
    const published = await runCommand(["ca", "publish", "--roots"], portal.env);
    expect(published.code).toBe(1);
    expect(published.err).toMatch(/The CRL of 'root-g3' has entries from elsewhere: make the next CRL there/);
    expect(await latestNumber("root-g3")).toBe(300);
  });

  test("[CAL-01] that revoke an issuing CA are asked about first, because it never issues again", async () => {
    const issuing = describeCertificate((await getAuthority(getDb(), "issuing-g3")).certificate);
    const index = `R\t351231235959Z\t${stamp(new Date()).slice(2)},superseded\t${issuing.serialNumber}\tunknown\t/CN=Issuing\n`;
    const path = await opensslList({ issuer: "root-g3", number: 401, index });
    const unanswered = await importCrl("root-g3", path);
    expect(unanswered).toMatchObject({ code: 1, out: "" });
    expect(unanswered.err).toContain("The CRL revokes 'issuing-g3': nothing more is ever issued with it.");
    expect((await getAuthority(getDb(), "issuing-g3")).revokedAt).toBeNull();
    expect(await importCrl("root-g3", path, "--yes")).toMatchObject({ code: 0, err: "" });
    expect((await getAuthority(getDb(), "issuing-g3")).revokedAt).not.toBeNull();
    const next = await opensslList({ issuer: "root-g3", number: 402, index });
    expect(await importCrl("root-g3", next)).toMatchObject({ code: 0, err: "" }); // it is revoked already
  });
});
