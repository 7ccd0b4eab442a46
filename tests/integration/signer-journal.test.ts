import { once } from "node:events";
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { askForState } from "~/domain/authorities/signer-client.server";
import { setSigner } from "~/domain/authorities/signers.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { getDb } from "~db/connection.server";
import { deleteCrlFile, findLatestCrl, insertCrl } from "~db/repositories/crls.server";
import { inTransaction } from "~db/transaction.server";
import {
  checksDone,
  createCertificateOrder,
  readCertificate,
  setCertificate,
  storeRevocation,
} from "../support/certificates";
import { runCommand } from "../support/command";
import { createAdmin, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { signerIn, startSigner, stopSigner, useSigners } from "../support/signer";
import { setVariables } from "../support/variables";

useSigners();
const portal = usePortal();
const { makeCsr } = useOpenssl();

let signer: ReturnType<typeof signerIn>;
let child: Awaited<ReturnType<typeof startSigner>>;
let approver: NonNullable<Awaited<ReturnType<typeof findSessionUser>>>;
/** The ids of certificates that the signer signed. */
const ids: number[] = [];
/** A copy of the sound journal. */
let sound: string;

/** Orders a certificate and approves it. Returns its row. */
async function issue() {
  const { id } = await createCertificateOrder(await createUser(), makeCsr().der, checksDone());
  await approveOrder(id, approver);
  return readCertificate(id);
}

beforeAll(async () => {
  const user = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
  if (!user) throw new Error("The administrator cannot be found.");
  approver = user;
  await issue(); // before there is a signer
  signer = signerIn(portal.dataDir);
  const { code } = await runCommand(["signer", "adopt", "--operator", "Olga", "--yes"], {
    ...portal.env,
    SIGNER_DIR: signer.directory,
  });
  expect(code).toBe(0);
  child = await startSigner(signer.env);
  setVariables({ SIGNER_SOCKET: signer.env.SIGNER_SOCKET, CA_PASSPHRASE: "" });
  setSigner("issuing-sha2", null); // as after a restart of the portal
  for (let count = 0; count < 3; count += 1) ids.push((await issue()).id);
  await renewResponders(new Date(), { force: true });
  const [{ id, serialNumber }] = [await readCertificate(ids[2] ?? 0)];
  await storeRevocation({ id, serialNumber: serialNumber ?? "" }, { reason: 4, at: new Date() });
  await publishCrls("issuing-sha2");
  sound = `${signer.journal}.sound`;
  copyFileSync(signer.journal, sound);
});

/** Ends the signer and puts these bytes in the place of its journal. */
async function replaceJournal(change: (text: string) => string): Promise<void> {
  await stopSigner(child, "SIGKILL");
  writeFileSync(signer.journal, change(readFileSync(sound, "utf8")));
}

async function restart(): Promise<void> {
  await stopSigner(child);
  child = await startSigner(signer.env);
}

const auditVerify = (socket = signer.env.SIGNER_SOCKET) =>
  runCommand(["audit", "verify"], { ...portal.env, CA_PASSPHRASE: "", SIGNER_SOCKET: socket });

/** Listens on a socket that leads to the signer. Before the first page of the journal is handed over, `work` is done. */
async function slowJournal(work: () => Promise<void>) {
  let isFirst = true;
  const handOver = async ({ url: path = "" }: IncomingMessage, response: ServerResponse) => {
    const asked = request({ socketPath: signer.env.SIGNER_SOCKET, path });
    asked.end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    const body = await buffer(answer);
    if (isFirst && path.startsWith("/journal")) {
      isFirst = false;
      await work();
    }
    response.writeHead(answer.statusCode ?? 500, { "content-length": body.length }).end(body);
  };
  const server = createServer((asked, response) => void handOver(asked, response));
  const path = `${signer.env.SIGNER_SOCKET}.slow`;
  server.listen(path);
  await once(server, "listening");
  return { path, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe("audit verify", () => {
  beforeEach(async () => {
    await replaceJournal((text) => text);
    await restart();
  });

  test("[CAL-04] compares the journal of the signer with the database, and finds both the same", async () => {
    const { code, out } = await auditVerify();
    const last = signer.lines().at(-1);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        `The signer's journal was compared with the database. Lines: ${last?.number}, hash ${last?.hash}\n`,
      ),
    ]);
  });

  test("[CAL-04] does not report what was issued after the journal was read", async () => {
    let serial = "";
    const slow = await slowJournal(async () => {
      serial = (await issue()).serialNumber ?? "";
    });
    const { code, out } = await auditVerify(slow.path);
    await slow.close();
    expect([code, out]).toEqual([0, expect.stringContaining("The signer's journal was compared with the database.")]);
    expect(signer.lines().at(-1)?.serial).toBe(serial);
    copyFileSync(signer.journal, sound);
  });

  test("[CAL-04] reports a certificate that the journal has and the database does not, and the reverse", async () => {
    const [{ id, serialNumber }] = [await readCertificate(ids[0] ?? 0)];
    expect(signer.lines().some(({ serial }) => serial === serialNumber)).toBe(true);
    await setCertificate(id, { serialNumber: "7777" });
    const { code, out, err } = await auditVerify();
    await setCertificate(id, { serialNumber });
    expect([code, out]).toEqual([1, expect.stringContaining("certificate 7777 is in the database, but not in the")]);
    expect(out).toContain(
      `The certificate ${serialNumber} of 'issuing-sha2' is in the signer's journal, but not in the d`,
    );
    expect(err).toMatch(/^portal: The audit trail is not sound\..*problems: 2\.\n$/);
  });

  test("[CAL-04] reports another certificate under the same serial number, and a responder that is missing", async () => {
    const [one, other] = [await readCertificate(ids[0] ?? 0), await readCertificate(ids[1] ?? 0)];
    await setCertificate(one.id, { der: other.der });
    const { id, serialNumber, ...row } = await getDb()
      .selectFrom("ocspResponders")
      .selectAll()
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    await getDb().deleteFrom("ocspResponders").where("id", "=", id).execute();
    const { out } = await auditVerify();
    await setCertificate(one.id, { der: one.der });
    await getDb()
      .insertInto("ocspResponders")
      .values({ ...row, id, serialNumber })
      .execute();
    expect(out).toContain(
      `The certificate ${one.serialNumber} is not what the signer's journal has under this number.`,
    );
    expect(out).toContain(`The responder certificate ${serialNumber} of '`);
  });

  test("[CAL-04] knows from the audit trail which issuings were undone", async () => {
    const { id, serialNumber } = await readCertificate(ids[1] ?? 0);
    await setCertificate(id, { serialNumber: null, authorityId: null });
    const unknown = await auditVerify();
    const entry = {
      id: 1_000_000,
      at: new Date(),
      actorName: "test",
      event: "certificate.issuing-undone",
      message: "",
      reference: serialNumber,
    };
    await getDb().insertInto("auditEntries").values(entry).execute();
    const known = await auditVerify();
    await getDb().deleteFrom("auditEntries").where("event", "=", "certificate.issuing-undone").execute();
    const issuing = await getDb()
      .selectFrom("authorities")
      .select("id")
      .where("name", "=", "issuing-sha2")
      .executeTakeFirst();
    await setCertificate(id, { serialNumber, authorityId: issuing?.id ?? null });
    expect(unknown.out).toContain(`The certificate ${serialNumber} of`);
    expect(known.out).not.toContain(`The certificate ${serialNumber} of`);
  });

  describe("of a CRL", () => {
    /** Returns the base CRL with the highest number. */
    async function latest() {
      const crl = await findLatestCrl(getDb(), (await getAuthority(getDb(), "issuing-sha2")).id, false);
      if (!crl) throw new Error("There is no CRL.");
      return crl;
    }

    /** Returns what the command says while the latest base CRL has this number, these bytes and this many entries. */
    async function verifyWith(row: Partial<Pick<Awaited<ReturnType<typeof latest>>, "number" | "der" | "entryCount">>) {
      const { size: _, etag: __, id: known, ...crl } = await latest();
      await getDb().deleteFrom("crls").where("id", "=", known).execute();
      await inTransaction((trx) => insertCrl(trx, { ...crl, ...row }));
      const forged = (await getDb().selectFrom("crls").select("id").orderBy("id", "desc").executeTakeFirstOrThrow()).id;
      if (row.der?.length === 0) await deleteCrlFile(getDb(), forged);
      const { code, out } = await auditVerify();
      await getDb().deleteFrom("crls").where("id", "=", forged).execute();
      await inTransaction((trx) => insertCrl(trx, crl));
      return { code, out };
    }

    test("[CAL-03] [CAL-04] reports one that the signer never signed", async () => {
      const { number } = await latest();
      expect(await verifyWith({ number: number + 1 })).toEqual({
        code: 1,
        out: expect.stringContaining(
          `The CRL ${number + 1} of 'issuing-sha2' is in the database, but not in the signer's journal.\n`,
        ) as string,
      });
    });

    test("[CAL-03] [CAL-04] reports another one under the same number", async () => {
      const { number, der } = await latest();
      const other = Buffer.from(der);
      other.writeUInt8((other[100] ?? 0) ^ 1, 100);
      expect((await verifyWith({ der: other })).out).toContain(
        `The CRL ${number} of 'issuing-sha2' is not what the signer's journal has under this number.\n`,
      );
    });

    test("[CAL-03] [CAL-04] reports fewer entries, also when its bytes are no longer kept", async () => {
      const { number, entryCount } = await latest();
      expect(entryCount).toBe(1);
      const sentence = `The CRL ${number} of 'issuing-sha2' has 0 entries in the database, but 1 in the signer's journal.\n`;
      expect((await verifyWith({ entryCount: 0 })).out).toContain(sentence);
      expect((await verifyWith({ entryCount: 0, der: Buffer.alloc(0) })).out).toContain(sentence);
      expect((await verifyWith({ der: Buffer.alloc(0) })).code).toBe(0);
    });

    test("[CAL-03] [CAL-04] accepts that one was signed and not stored, as after a crash", async () => {
      const { id, size: _, etag: __, ...crl } = await latest();
      await getDb().deleteFrom("crls").where("id", "=", id).execute();
      const { code } = await auditVerify();
      await inTransaction((trx) => insertCrl(trx, crl));
      expect(code).toBe(0);
    });
  });

  test("[CAL-04] names the line of the journal that was edited while the signer runs", async () => {
    writeFileSync(signer.journal, readFileSync(sound, "utf8").replace('"number":4,"time":"2', '"number":4,"time":"3'));
    const { code, err } = await auditVerify();
    expect([code, err]).toEqual([1, "portal: Line 4 of the journal was edited: its hash is another one.\n"]);
  });

  test("[CAL-04] finds what is missing at the end of a journal that was cut off", async () => {
    await replaceJournal((text) => text.split("\n").slice(0, 3).join("\n") + "\n");
    await restart();
    const { out } = await auditVerify();
    expect(out.match(/certificate \w+ is in the database, but not in the signer's journal\./g)?.length).toBeGreaterThan(
      2,
    );
  });
});

describe("the journal at the start of the signer", () => {
  test.each<[string, (text: string) => string, RegExp]>([
    ["was edited", (text) => text.replace("CN=", "CX="), /^portal: Line 1 of the journal was edited/],
    [
      "lacks a line",
      (text) => text.split("\n").toSpliced(2, 1).join("\n"),
      /^portal: Line 3 of the journal does not follow/,
    ],
    [
      "lacks its beginning",
      (text) => text.split("\n").slice(1).join("\n"),
      /^portal: Line 1 of the journal does not foll/,
    ],
    [
      "has lines in another order",
      (text) => {
        const [one = "", two = "", ...rest] = text.split("\n");
        return [two, one, ...rest].join("\n");
      },
      /^portal: Line 1 of the journal does not follow/,
    ],
    ["is damaged in the middle", (text) => text.replace("}\n", "\n"), /^portal: Line 1 of the journal is damaged/],
  ])("[CAL-04] %s: nothing is signed, and the line is named", async (_, change, sentence) => {
    await replaceJournal(change);
    await expect(startSigner(signer.env)).rejects.toThrow(sentence);
    expect((await runCommand(["signer", "verify"], signer.env)).err).toMatch(sentence);
  });

  test("[CAL-04] ends with a torn line: a crash left it, it is cut off, and the signer goes on", async () => {
    await replaceJournal((text) => `${text}{"number":99,"ti`);
    expect((await runCommand(["signer", "verify"], signer.env)).out).toContain("was torn by a crash: 16 bytes");
    child = await startSigner(signer.env);
    expect(readFileSync(signer.journal, "utf8")).toBe(readFileSync(sound, "utf8"));
    const { serialNumber } = await issue();
    expect(signer.lines().at(-1)).toMatchObject({ serial: serialNumber });
    copyFileSync(signer.journal, sound);
  });
});

test("[CAL-04] a journal that another program changes signs nothing, and goes on when it is put right", async () => {
  await restart();
  writeFileSync(signer.journal, `${readFileSync(sound, "utf8")}{}\n`);
  const { id } = await createCertificateOrder(await createUser(), makeCsr().der, checksDone());
  await expect(approveOrder(id, approver)).rejects.toThrow(
    "The journal cannot be written: another program has changed",
  );
  await expect(approveOrder(id, approver)).rejects.toThrow();
  copyFileSync(sound, `${signer.journal}.right`);
  renameSync(`${signer.journal}.right`, signer.journal);
  expect((await readCertificate(id)).der).toBeNull();
  expect((await askForState()).ceiling.used).toBe(signer.lines().filter(({ kind }) => kind === "certificate").length);
  expect(await finishInterruptedIssuing()).toBe(1); // without a new start
  expect((await readCertificate(id)).der).not.toBeNull();
  await restart();
  expect((await auditVerify()).code).toBe(0);
});
