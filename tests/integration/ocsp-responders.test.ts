import { beforeEach, describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { decryptPrivateKey } from "~/ca/keys.server";
import { toPem } from "~/ca/pem.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { runJob } from "~/domain/jobs/run.service.server";
import { ocspResponder } from "~/domain/ocsp/answer.service.server";
import { listResponderEnds, renewResponders } from "~/domain/ocsp/responders.service.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { issueCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { openssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { TEST_RESPONDER_PASSPHRASE } from "../support/template";
import { errorOf, useOcsp } from "./ocsp-asking";

const portal = usePortal();
const { file, certificateFile, makeRequest, textOf } = useOcsp();
const BOTH = ["issuing-sha2", "issuing-g3"];

const rows = () => getDb().selectFrom("ocspResponders").selectAll().orderBy("id").execute();
const rowsOf = async (name: "issuing-sha2" | "issuing-g3") => {
  const { id } = await getAuthority(getDb(), name);
  return (await rows()).filter(({ authorityId }) => authorityId === id);
};
const auditMessages = async () =>
  (
    await getDb().selectFrom("auditEntries").select("message").where("event", "=", "ocsp.responder-certified").execute()
  ).map(({ message }) => message);

let now = new Date();
beforeEach(async () => {
  await getDb().deleteFrom("ocspResponders").execute();
  await getDb().deleteFrom("auditEntries").execute();
  now = new Date();
});

describe("OCSP responders", () => {
  test("[CAL-02] exist for each issuing CA: delegated, for OCSP only, with an encrypted key, for 30 days", async () => {
    expect(await renewResponders(now)).toEqual(BOTH);
    for (const [name, root, hash] of [
      ["issuing-sha2", "root", "sha256WithRSAEncryption"],
      ["issuing-g3", "root-g3", "sha512WithRSAEncryption"],
    ] as const) {
      const [row, ...others] = await rowsOf(name);
      expect(others).toEqual([]);
      const der = row?.certificate ?? Buffer.alloc(0);
      const pem = file("pem", toPem("CERTIFICATE", der));
      const trust = ["-CAfile", await certificateFile(root), "-untrusted", await certificateFile(name)];
      expect(openssl(["verify", "-purpose", "ocsphelper", "-x509_strict", ...trust, pem])).toContain(": OK\n");
      const text = openssl(["x509", "-in", pem, "-noout", "-text"]);
      expect(text).toMatch(/Extended Key Usage: \s+OCSP Signing\n/);
      expect(text).toContain("OCSP No Check");
      expect(text).toContain("Public-Key: (2048 bit)");
      expect(text).toContain(hash);
      const { serialNumber, endDate } = describeCertificate(der);
      expect(serialNumber).toBe(row?.serialNumber);
      expect(Date.parse(endDate)).toBe(Math.floor(addDays(now, 30).getTime() / 1000) * 1000);
      expect(row?.privateKey).toContain("BEGIN ENCRYPTED PRIVATE KEY");
      expect(() => decryptPrivateKey(row?.privateKey ?? "", "another passphrase")).toThrow("does not open");
      const key = file("key", row?.privateKey ?? "");
      const publicKey = openssl(["pkey", "-in", key, "-passin", `pass:${TEST_RESPONDER_PASSPHRASE}`, "-pubout"]);
      expect(openssl(["x509", "-in", pem, "-noout", "-pubkey"])).toBe(publicKey);
    }
    expect(await auditMessages()).toHaveLength(2);
  });

  test("[CAL-02] are not listed among customers' certificates", async () => {
    const count = async () => (await getDb().selectFrom("certificates").select("id").execute()).length;
    const before = await count();
    await renewResponders(now);
    expect(await count()).toBe(before);
  });

  test("[CAL-02] are renewed from ten days before their end and then used", async () => {
    await renewResponders(now);
    const end = new Date((await rowsOf("issuing-sha2"))[0]?.notAfter ?? "");
    expect(await renewResponders(addDays(end, -10))).toEqual([]);
    const due = new Date(addDays(end, -10).getTime() + 1);
    const { serialNumber } = await issueCertificate();
    const request = await makeRequest([serialNumber], { args: [] });
    const answer = ocspResponder();
    const signer = async () =>
      /Certificate:[^]*?Serial Number:\s+(\S+)/.exec(textOf((await answer(request, { now: due })).der))?.[1];
    const before = await signer();
    expect(await renewResponders(due)).toEqual(BOTH);
    expect(await signer()).not.toBe(before);
    expect(await renewResponders(due)).toEqual([]);
  });

  test("[CAL-02] begin with their CA at the earliest, as those of a CA that was signed a moment ago", async () => {
    const { certificate } = await getAuthority(getDb(), "issuing-sha2");
    const begins = parseCertificate(certificate).notBefore;
    await renewResponders(new Date(begins.getTime() + 60_000));
    expect((await rowsOf("issuing-sha2"))[0]?.notBefore).toBe(begins.toISOString());
  });

  test("[CAL-02] end with their CA at the latest, and are not renewed repeatedly before that", async () => {
    const { id, notAfter } = await getAuthority(getDb(), "issuing-sha2");
    const last = addDays(new Date(notAfter), -5);
    expect(await renewResponders(last)).toEqual(BOTH);
    expect((await rowsOf("issuing-sha2"))[0]?.notAfter).toBe(notAfter);
    expect(await renewResponders(addDays(last, 1))).toEqual([]);
    expect(await renewResponders(addDays(new Date(notAfter), 0.5))).not.toContain("issuing-sha2");
    expect((await rows()).filter(({ authorityId }) => authorityId === id)).toHaveLength(1);
  });

  test("[CAL-04] are created by one of several processes", async () => {
    const renewed = await Promise.all([renewResponders(now), renewResponders(now), renewResponders(now)]);
    expect(renewed.flat().sort()).toEqual([...BOTH].sort());
    expect((await rows()).map(({ generation, certificate }) => [generation, certificate !== null])).toEqual([
      [1, true],
      [1, true],
    ]);
    expect(await auditMessages()).toHaveLength(2);
  });

  test("[CAL-04] are signed, not created again, after a crash", async () => {
    const real = await getSigner("issuing-sha2");
    let signatures = 0;
    setSigner("issuing-sha2", {
      hash: real.hash,
      sign: async (tbs) => {
        await real.sign(tbs);
        signatures += 1;
        throw new Error("the power is off");
      },
    });
    await expect(renewResponders(now)).rejects.toThrow("the power is off");
    setSigner("issuing-sha2", null);
    const [recorded] = await rowsOf("issuing-sha2");
    expect([signatures, recorded?.certificate]).toEqual([1, null]);
    expect(await renewResponders(now)).toEqual(BOTH);
    const [finished, ...others] = await rowsOf("issuing-sha2");
    expect(others).toEqual([]);
    expect(finished?.serialNumber).toBe(recorded?.serialNumber);
    expect(describeCertificate(finished?.certificate ?? Buffer.alloc(0)).serialNumber).toBe(recorded?.serialNumber);
  });

  test("[CAL-04] with a wrong signature are not stored", async () => {
    setSigner("issuing-sha2", { hash: "sha256", sign: () => Promise.resolve(Buffer.alloc(256, 1)) });
    await expect(renewResponders(now)).rejects.toThrow("The signature of 'issuing-sha2'");
    setSigner("issuing-sha2", null);
    expect((await rowsOf("issuing-sha2"))[0]?.certificate).toBeNull();
  });

  test("[CAL-02] have their keys deleted a day after their end, and keep their rows", async () => {
    await renewResponders(now);
    const end = new Date((await rowsOf("issuing-sha2"))[0]?.notAfter ?? "");
    const keys = async () => (await rowsOf("issuing-sha2")).map(({ privateKey }) => privateKey !== null);
    await renewResponders(addDays(end, 1));
    expect(await keys()).toEqual([true, true]);
    await renewResponders(new Date(addDays(end, 1).getTime() + 1));
    expect(await keys()).toEqual([false, true]);
  });

  test("[CAL-02] dated ahead by a fast clock are ignored until their time", async () => {
    await renewResponders(addDays(now, 100));
    expect(await listResponderEnds(now)).toEqual(BOTH.map((name) => ({ name, notAfter: null })));
    expect(await renewResponders(now)).toEqual(BOTH);
    expect(await renewResponders(now)).toEqual([]);
  });
});

describe("without an OCSP responder", () => {
  test("[CAL-02] every request is answered tryLater until the job has created one", async () => {
    const { serialNumber } = await issueCertificate();
    const answer = ocspResponder();
    const request = await makeRequest([serialNumber]);
    expect(errorOf((await answer(request)).der)).toBe(3);
    const report = await runJob("ocsp-responders", "test");
    expect(report).toMatchObject({ error: null });
    expect(report?.result).toMatch(/^issuing-sha2 until \d\d\/\d\d\/\d{4}, issuing-g3 until \d\d\/\d\d\/\d{4}$/);
    expect(textOf((await answer(request)).der)).toContain("Cert Status: good");
  });

  test("[CAL-02] a key that cannot be opened is an internal error, and 'ca renew-ocsp' creates another", async () => {
    await renewResponders(now);
    const { serialNumber } = await issueCertificate();
    const [{ privateKey } = { privateKey: null }] = await rowsOf("issuing-g3");
    await getDb()
      .updateTable("ocspResponders")
      .set({ privateKey: privateKey?.replace(/[A-Z]/g, "x") ?? null })
      .execute();
    const answer = ocspResponder();
    const request = await makeRequest([serialNumber]);
    expect(errorOf((await answer(request)).der)).toBe(2);
    const { code, out } = await runCommand(["ca", "renew-ocsp", "--operator", "Olga"], portal.env);
    expect([code, out.match(/issuing-\w+/g)]).toEqual([0, BOTH]);
    const entries = getDb()
      .selectFrom("auditEntries")
      .select("actorName")
      .where("event", "=", "ocsp.responder-certified");
    expect((await entries.orderBy("id", "desc").executeTakeFirst())?.actorName).toBe("command line (Olga)");
    expect(textOf((await answer(request)).der)).toContain("Cert Status: good");
    const status = await runCommand(["ca", "status"], portal.env);
    expect(status.out).toMatch(/OCSP responder of issuing-sha2: until \S+/);
  });
});

describe("after a change of RESPONDER_PASSPHRASE", () => {
  const another = () => ({ ...portal.env, RESPONDER_PASSPHRASE: "a new one for the responders" });

  test("[CAL-03] the set-up replaces the responders, once; a process that still has the old one answers with its own until their end", async () => {
    await renewResponders(now);
    const { serialNumber } = await issueCertificate();
    const request = await makeRequest([serialNumber], { args: [] });
    const answer = ocspResponder();
    const before = textOf((await answer(request)).der);
    expect(before).toContain("Cert Status: good");
    const { out } = await runCommand(["setup"], another());
    for (const name of BOTH) expect(out).toContain(`Made a certificate for the OCSP responder of '${name}'`);
    expect((await rowsOf("issuing-sha2")).length).toBe(2);
    const later = { now: new Date(now.getTime() + 2000) };
    expect(textOf((await answer(request, later)).der)).toContain("Cert Status: good");
    const ended = { now: new Date((await rowsOf("issuing-sha2"))[0]?.notAfter ?? "") };
    expect(errorOf((await answer(request, ended)).der)).not.toBeNull();
    expect((await runCommand(["setup"], another())).out).not.toContain("OCSP responder");
  });
});
