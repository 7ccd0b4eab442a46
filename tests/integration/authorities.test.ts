import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { toPem } from "~/ca/pem.server";
import { findIssuer, findRoot, getAuthority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { getDb } from "~db/connection.server";
import { type AuthorityName, type Row } from "~db/tables";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { TEST_ROOT_PASSPHRASE } from "../support/template";

const portal = usePortal({ REPOSITORY_URL: "http://repository.test" });
const { file } = useOpenssl();

const NAMES: AuthorityName[] = ["root", "issuing-sha2", "root-g3", "issuing-g3"];
const folder = () => join(portal.dataDir, "ca");
const keyOf = (name: string) => join(folder(), `${name}.key.pem`);

/** Deletes the CAs with their keys, as before the first start. */
async function startFresh(): Promise<void> {
  await getDb().deleteFrom("crls").execute();
  await getDb().deleteFrom("ocspResponders").execute();
  await getDb().deleteFrom("authorities").execute();
  rmSync(folder(), { recursive: true, force: true });
}

const forget = (name: AuthorityName) => getDb().deleteFrom("authorities").where("name", "=", name).execute();
const pemFile = async (name: AuthorityName) =>
  file("pem", toPem("CERTIFICATE", (await getAuthority(getDb(), name)).certificate));

describe("creating the hierarchies", () => {
  // The CAs are created once. Every test starts from a copy.
  const kept = () => join(portal.dataDir, "kept");
  let rows: Row<"authorities">[] = [];
  beforeAll(async () => {
    await startFresh();
    await createAuthorities({ bits: 2048 });
    await cp(folder(), kept(), { recursive: true });
    rows = await getDb().selectFrom("authorities").selectAll().orderBy("id").execute();
  });
  beforeEach(async () => {
    await startFresh();
    // cpSync of Node 24 does not keep the permissions of folders.
    await cp(kept(), folder(), { recursive: true });
    await getDb().insertInto("authorities").values(rows).execute();
  });
  afterEach(() => NAMES.forEach((name) => setSigner(name, null)));

  test("[CAL-01] creates two hierarchies that openssl verifies, with the addresses of the repository", async () => {
    expect((await listAuthorities(getDb())).map(({ name }) => name)).toEqual(NAMES);
    for (const [root, issuing] of [
      ["root", "issuing-sha2"],
      ["root-g3", "issuing-g3"],
    ] as const) {
      const options = ["-x509_strict", "-CAfile", await pemFile(root)];
      expect(openssl(["verify", ...options, await pemFile(issuing)])).toContain(": OK\n");
      const { crlUrls, caIssuersUrls, pathLength, isCa } = describeCertificate(
        (await getAuthority(getDb(), issuing)).certificate,
      );
      expect({ crlUrls, caIssuersUrls, pathLength, isCa }).toEqual({
        crlUrls: [`http://repository.test/repository/${root}.crl`],
        caIssuersUrls: [`http://repository.test/repository/${root}.cer`],
        pathLength: 0,
        isCa: true,
      });
    }
    const g3 = openssl(["x509", "-in", await pemFile("issuing-g3"), "-noout", "-text"]);
    expect(g3).toContain("sha512WithRSAEncryption");
    expect((await findIssuer(getDb(), "g3"))?.name).toBe("issuing-g3");
    expect((await findRoot(getDb(), "sha2"))?.name).toBe("root");
    expect(authorityUrls("issuing-g3")).toEqual({
      crl: "http://repository.test/repository/issuing-g3.crl",
      deltaCrl: "http://repository.test/repository/issuing-g3-delta.crl",
      caIssuers: "http://repository.test/repository/issuing-g3.cer",
      ocsp: "http://repository.test/ocsp",
      cps: "http://repository.test/repository/certification-practice-statement.pdf",
    });
    expect(authorityUrls("root").deltaCrl).toBeNull();
  });

  test("[CAL-01] encrypts keys that only the owner can read; openssl opens them with the passphrase", () => {
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder()).sort()).toEqual(NAMES.map((name) => `${name}.key.pem`).sort());
    for (const name of NAMES) {
      expect(statSync(keyOf(name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(keyOf(name), "utf8")).toContain("BEGIN ENCRYPTED PRIVATE KEY");
    }
    expect(
      openssl(["pkey", "-in", keyOf("root"), "-passin", `pass:${TEST_ROOT_PASSPHRASE}`, "-noout", "-check"]),
    ).toContain("valid");
    expect(opensslFailure(["pkey", "-in", keyOf("root"), "-passin", "pass:wrong", "-noout"])).not.toBe("");
  });

  test("[CAL-01] keeps what exists when it is repeated", async () => {
    const before = await listAuthorities(getDb());
    expect(await createAuthorities({ bits: 2048 })).toEqual([]);
    expect(await listAuthorities(getDb())).toEqual(before);
  });

  test("[CAL-01] by several processes at once ends with one CA and key each", async () => {
    await startFresh();
    const created = await Promise.all([createAuthorities({ bits: 2048 }), createAuthorities({ bits: 2048 })]);
    expect(created.flat().sort()).toEqual([...NAMES].sort());
    expect(readdirSync(folder()).sort()).toEqual(NAMES.map((name) => `${name}.key.pem`).sort());
    for (const name of NAMES) await getSigner(name, { allowRoot: true });
  });

  test("[CAL-04] is finished by the next run after a crash that followed the key or the row", async () => {
    // A crash after the key was written: the key waits and the row is missing.
    const fingerprint = /SHA-256: ([0-9a-f]{16})/.exec(readFileSync(keyOf("issuing-g3"), "utf8"))?.[1];
    const waiting = join(folder(), `issuing-g3.${fingerprint}.waiting.pem`);
    renameSync(keyOf("issuing-g3"), waiting);
    const { certificate } = await getAuthority(getDb(), "issuing-g3");
    // A crash after the row was inserted: the key still waits.
    expect(await createAuthorities({ bits: 2048 })).toEqual([]);
    expect(existsSync(waiting)).toBe(false);
    expect((await getAuthority(getDb(), "issuing-g3")).certificate.equals(certificate)).toBe(true);
    await getSigner("issuing-g3");
    setSigner("issuing-g3", null);

    await forget("issuing-g3");
    renameSync(keyOf("issuing-g3"), waiting);
    expect(await createAuthorities({ bits: 2048 })).toEqual(["issuing-g3"]);
    expect(existsSync(waiting)).toBe(false);
    await getSigner("issuing-g3");
  });

  test("[CAL-01] refuses parts that do not match and overwrites nothing", async () => {
    await forget("issuing-g3");
    const key = readFileSync(keyOf("issuing-g3"));
    await expect(createAuthorities({ bits: 2048 })).rejects.toThrow(
      /issuing-g3.key.pem exists, but the database knows no CA/,
    );
    expect(readFileSync(keyOf("issuing-g3")).equals(key)).toBe(true);

    cpSync(keyOf("issuing-g3"), keyOf("issuing-sha2"));
    await expect(createAuthorities({ bits: 2048 })).rejects.toThrow(/is not the key of the CA 'issuing-sha2'/);
    await expect(getSigner("issuing-sha2")).rejects.toThrow(/does not belong to the stored certificate/);
    rmSync(keyOf("issuing-sha2"));
    await expect(createAuthorities({ bits: 2048 })).rejects.toThrow(/issuing-sha2.key.pem is missing/);
    await expect(getSigner("issuing-sha2")).rejects.toThrow(/is missing: put it back/);
  });

  test("[CAL-01] works without the root keys, which may be in a safe", async () => {
    for (const name of ["root", "root-g3"]) rmSync(keyOf(name));
    expect(await createAuthorities({ bits: 2048 })).toEqual([]);
    await expect(getSigner("root", { allowRoot: true })).rejects.toThrow(/root.key.pem is missing: put it back/);
  });

  test("[CAL-01] accepts the right key file of another tool", async () => {
    const plain = openssl(["pkey", "-in", keyOf("root"), "-passin", `pass:${TEST_ROOT_PASSPHRASE}`]);
    openssl(
      ["pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout", `pass:${TEST_ROOT_PASSPHRASE}`, "-out", keyOf("root")],
      plain,
    );
    expect(await createAuthorities({ bits: 2048 })).toEqual([]);
  });
});

describe("signers", () => {
  test("[CAL-01] the web process cannot open root keys; issuing keys are opened once", async () => {
    await expect(getSigner("root")).rejects.toThrow("The key of 'root' is opened by the command line only.");
    expect(await getSigner("issuing-sha2")).toBe(await getSigner("issuing-sha2"));
    expect(await getSigner("root", { allowRoot: true })).not.toBe(await getSigner("root", { allowRoot: true }));
    await expect(getSigner("root")).rejects.toThrow("command line only");
  });
});
