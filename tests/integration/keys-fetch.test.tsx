import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { listFingerprints } from "~/ca/csr/key-fingerprints.server";
import { readCsr } from "~/ca/csr/read.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { checkAllKeys } from "~/domain/keys/nightly-check.service.server";
import { listPublishedKeys, missingListNotice } from "~/domain/keys/published-keys.service.server";
import * as overview from "~/routes/home.overview";
import { getDb } from "~db/connection.server";
import { keysCommand } from "../../cli/commands/keys";
import { checksDone, createCertificateOrder, setCertificate } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { preparedKey } from "../support/keys";
import { useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, signedInAs } from "../support/visitor";
import { newBuyer } from "./purchase-journey";

usePortal();
const { makeCsr, makeKey } = useOpenssl();
const folder = mkdtempSync(join(tmpdir(), "marque-fetch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** Runs the command in this process, as `npm run portal` does. Returns what it printed. */
async function fetchKeys(...args: string[]): Promise<string> {
  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const said = await keysCommand()
    .parseAsync(["fetch", ...args], { from: "user" })
    .then(
      () => print.mock.calls.map(([line]) => String(line)).join("\n"),
      (error: Error) => error.message,
    );
  print.mockRestore();
  return said;
}

/**
 * Returns the fingerprint of a key as badkeys describes it: the first 15 bytes of the SHA-256 of the modulus, or of the x coordinate of the
 * point, without leading zero bytes.
 */
function bkhash(csr: { der: Uint8Array }): Buffer {
  const read = readCsr(csr.der);
  if (!read.ok) throw new Error(read.message);
  const { publicKey, spkiDer } = read.csr;
  const hex =
    publicKey.algorithm === "RSA"
      ? publicKey.modulus.toString(16)
      : Buffer.from(spkiDer.slice(-64, -32))
          .toString("hex")
          .replace(/^(00)+/, "");
  return createHash("sha256").update(Buffer.from(hex, "hex")).digest().subarray(0, 15);
}

/** Returns the content of a blocklist.dat: sorted entries of 15 bytes, each with the id of a subset. */
const blocklist = (...entries: [Buffer, number][]): Buffer =>
  Buffer.concat(entries.map(([hash, id]) => Buffer.concat([hash, Buffer.of(id)])).sort((a, b) => Buffer.compare(a, b)));

const catalogue = (list: Buffer, url: string, change: object = {}) =>
  JSON.stringify({
    bkformat: 0,
    date: "2026-11-01T00:00:00+00:00",
    blocklist_url: url,
    blocklist_sha256: createHash("sha256").update(list).digest("hex"),
    blocklists: [
      { id: 1, name: "debianssl", type: "github", repo: "badkeys/debianopenssl", path: "main" },
      { id: 2, name: "kompromat", type: "github", repo: "SecurityFail/kompromat", path: "master" },
    ],
    ...change,
  });

const importing = async (pem: string) => {
  const buyer = await newBuyer();
  await buyer.contact();
  const answer = await buyer.order({ csr: pem, intent: "import" });
  return answer.status === 422 ? ((await errorsOf(answer)).errors.csr ?? "") : "";
};
const onList = (name: string) => `Public key: this key is on the list '${name}' of known bad keys`;

describe("[PUR-11] without Debian's blocklist", () => {
  test("[PUR-11] [MAN-03] the start and the overview say so until it is imported", async () => {
    const told = "No list of the keys of Debian's weak OpenSSL (CVE-2008-0166) is imported";
    expect(await missingListNotice()).toContain(told);
    const staff = await signedInAs(await createAdmin());
    const text = async () => pageText((await openPage(overview, staff, "/home/overview")).html);
    expect(await text()).toContain(told);
    await listPublishedKeys(); // the portal's own list is not one of Debian's lists
    expect(await text()).toContain(told);
    expect(await fetchKeys(write("blacklist.RSA-2048", `# openssl-blacklist\n${"0".repeat(20)}\n`))).toBe(
      "Keys: 1, new: 1, listed as 'blacklist.RSA-2048'.",
    );
    expect(await text()).not.toContain(told);
    expect(await missingListNotice()).toBeNull();
  });
});

describe("[PUR-11] published test keys", () => {
  test("[PUR-11] are built in: keys of RFC 9500 are refused at import and approval, and listing them again changes nothing", async () => {
    await listPublishedKeys();
    expect(await listPublishedKeys()).toBe(0);
    const csr = makeCsr({ keyFile: preparedKey("2048-rfc9500") });
    expect(await importing(csr.pem)).toContain(onList("published test keys"));
    const { id } = await createCertificateOrder(await createUser(), csr.der, checksDone());
    const approver = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
    if (!approver) throw new Error("no administrator");
    await expect(approveOrder(id, approver)).rejects.toThrow("published test keys");
    const ec = readCsr(makeCsr({ keyFile: preparedKey("p256-rfc9500").replace("rsa-", "ec-"), args: [] }).der);
    if (!ec.ok) throw new Error(ec.message);
    const fingerprints = listFingerprints(ec.csr).map((each) => each.toString("hex"));
    expect(readFileSync("config/published-test-keys.txt", "utf8").split("\n")).toContain(fingerprints[0]);
  });

  test("[PUR-11] are valid fingerprints without duplicates", () => {
    const lines = readFileSync("config/published-test-keys.txt", "utf8").split("\n");
    const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
    for (const key of keys) expect(key).toMatch(/^[\da-f]{64}$/);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(40);
  });
});

describe("[PUR-11] keys fetch", () => {
  let server: Server;
  const served = new Map<string, Buffer | string>();
  const redirects = new Map<string, string>();
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const target = redirects.get(request.url ?? "");
      if (target) return void response.writeHead(302, { Location: target }).end();
      const content = served.get(request.url ?? "");
      response.statusCode = content === undefined ? 404 : 200;
      response.end(content);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test("[PUR-11] reads the catalogue of badkeys at an address with a compressed blocklist: each subset is a blocklist for RSA and EC keys", async () => {
    const [rsa, other] = [makeCsr(), makeCsr()];
    const ec = makeCsr({ keyFile: makeKey("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"), args: [] });
    const list = blocklist([bkhash(rsa), 1], [bkhash(ec), 2], [randomBytes(15), 1]);
    served.set("/list", gzipSync(list));
    served.set("/v0/badkeysdata.json", catalogue(list, `${base}/list`));
    expect(await fetchKeys(`${base}/v0/badkeysdata.json`)).toBe("Keys: 3, new: 3, listed as 'badkeys'.");
    expect(await importing(rsa.pem)).toContain(onList("badkeys debianssl"));
    expect(await importing(other.pem)).toBe("");
    const read = readCsr(ec.der);
    const hashes = read.ok ? listFingerprints(read.csr).map((each) => each.toString("hex")) : [];
    expect(hashes).toContain(bkhash(ec).toString("hex"));
    expect(await fetchKeys(`${base}/v0/badkeysdata.json`)).toBe("Keys: 3, new: 0, listed as 'badkeys'.");
    expect(await missingListNotice()).toBeNull();
  });

  const hasXz = spawnSync("xz", ["--version"]).status === 0;
  test.skipIf(!hasXz)("[PUR-11] reads a blocklist of badkeys with its catalogue, compressed by xz", async () => {
    const csr = makeCsr();
    const list = blocklist([bkhash(csr), 2]);
    const place = mkdtempSync(join(folder, "xz-"));
    const { stdout } = spawnSync("xz", ["--compress", "--stdout"], { input: list });
    writeFileSync(join(place, "blocklist.dat.xz"), stdout);
    writeFileSync(join(place, "badkeysdata.json"), catalogue(list, "https://update.badkeys.invalid/list"));
    expect(await fetchKeys(join(place, "badkeysdata.json"))).toBe("Keys: 1, new: 1, listed as 'badkeys'.");
    expect(await importing(csr.pem)).toContain(onList("badkeys kompromat"));
  });

  test("[PUR-11] numbers the subsets of a blocklist.dat without a catalogue", async () => {
    const csr = makeCsr();
    expect(await fetchKeys(write("blocklist.dat", blocklist([bkhash(csr), 7], [randomBytes(15), 7])))).toBe(
      "Keys: 2, new: 2, listed as 'badkeys'.",
    );
    expect(await importing(csr.pem)).toContain(onList("badkeys subset 7"));
  });

  test("[PUR-11] names a blocklist at an address after its file; a dry run changes nothing", async () => {
    const { der, pem } = makeCsr();
    const read = readCsr(der);
    served.set("/lists/own.txt", `# own\n${read.ok ? read.csr.spkiSha256 : ""}\n`);
    expect(await fetchKeys(`${base}/lists/own.txt`, "--dry-run")).toBe(
      "Keys: 1, listed already: 0. Nothing was changed.",
    );
    expect(await importing(pem)).toBe("");
    expect(await fetchKeys(`${base}/lists/own.txt`)).toBe("Keys: 1, new: 1, listed as 'own.txt'.");
    expect(await importing(pem)).toContain(onList("own.txt"));
  });

  test("[PUR-11] follows redirects to safe addresses only, at most five, and never through an unsafe one", async () => {
    served.set("/moved.txt", "0".repeat(64));
    redirects.set("/old.txt", "/moved.txt");
    redirects.set("/unsafe.txt", "http://lists.example/keys.txt");
    redirects.set("/loop.txt", "/loop.txt");
    expect(await fetchKeys(`${base}/old.txt`, "--dry-run")).toMatch(/^Keys: 1,/);
    expect(await fetchKeys(`${base}/unsafe.txt`)).toBe("http://lists.example/keys.txt is not an https address.");
    expect(await fetchKeys(`${base}/loop.txt`)).toBe(`${base}/loop.txt redirects more than 5 times.`);
  });

  test("[PUR-11] names every problem and imports nothing", async () => {
    const count = async () => (await getDb().selectFrom("listedKeys").select("fingerprint").execute()).length;
    const before = await count();
    const list = blocklist([randomBytes(15), 1]);
    served.set("/other", Buffer.concat([list, list]));
    served.set("/wrong.json", catalogue(list, `${base}/other`));
    served.set("/format.json", catalogue(list, `${base}/other`, { bkformat: 1 }));
    const unsorted = Buffer.concat([Buffer.alloc(16, 0xff), Buffer.alloc(16, 0x80)]);
    expect(await fetchKeys(`${base}/wrong.json`)).toMatch(/its SHA-256 is another one\.$/);
    expect(await fetchKeys(`${base}/format.json`)).toMatch(/its format is not 0/);
    expect(await fetchKeys(`${base}/missing`)).toMatch(/\/missing answers 404\.$/);
    expect(await fetchKeys(write("broken.json", "{"))).toMatch(/it is not JSON\.$/);
    expect(await fetchKeys("http://lists.example/keys.txt")).toBe(
      "http://lists.example/keys.txt is not an https address.",
    );
    expect(await fetchKeys(write("unsorted.dat", unsorted))).toMatch(/^Bad lines: 1, keys: 1\. Nothing was changed\.$/);
    expect(await fetchKeys(write("odd.dat", randomBytes(33)))).toMatch(/neither text nor the blocklist of badkeys\.$/);
    expect(await fetchKeys(write("list.deb", "!<arch>\ndebian"))).toMatch(/unpack it by 'dpkg-deb -x FILE FOLDER'/);
    expect(await fetchKeys(write("cut.gz", gzipSync(list).subarray(0, 15)))).toMatch(/it is damaged\.$/);
    expect(await fetchKeys(join(folder, "nothing"))).toMatch(/there is no such file\.$/);
    expect(await count()).toBe(before);
  });
});

describe("[PUR-11] keys that are blocked later", () => {
  test("[PUR-11] the nightly check reports valid certificates to staff by mail and in the job's outcome", async () => {
    const admin = await createAdmin();
    const { der } = makeCsr();
    const { id } = await createCertificateOrder(await createUser(), der);
    await setCertificate(id, { status: "Issued" });
    await checkAllKeys(new Date()).catch(() => undefined);
    const read = readCsr(der);
    await fetchKeys(write("later.txt", read.ok ? read.csr.spkiSha256 : ""));
    const message = `Certificate ${id} (Issued): The key is on the list 'later.txt' of known bad keys.`;
    await expect(checkAllKeys(new Date())).rejects.toThrow(message);
    await checkAllKeys(new Date()).catch(() => undefined); // the same problem is reported only once
    const mails = await getDb()
      .selectFrom("mails")
      .selectAll()
      .where("recipient", "=", admin.email)
      .where("subject", "=", "Bad keys are in use")
      .execute();
    const texts = await Promise.all(mails.map((mail) => textOf(mail)));
    expect(texts.filter((text) => text.replace(/\s+/g, " ").includes(message))).toHaveLength(1);
  });
});
