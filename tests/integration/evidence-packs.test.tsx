import { createHash, generateKeyPairSync, sign } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { toPem } from "~/ca/pem.server";
import { recordAudits, systemActor } from "~/domain/audit/audit.service.server";
import { newestKey } from "~/domain/audit/chain-keys.server";
import { checkpointFile } from "~/domain/audit/checkpoint-file.server";
import { verifyAndSign } from "~/domain/audit/checkpoint.service.server";
import { signCheckpoint } from "~/domain/audit/seals.server";
import { HashTree, readLeaves, readRoot } from "~/domain/audit/tree.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { MOST_ENTRIES } from "~/domain/evidence/contents.server";
import * as trailPage from "~/routes/home.audit-trail";
import * as packPage from "~/routes/home.evidence-packs";
import * as packFile from "~/routes/home.evidence-packs_.file";
import { getDb } from "~db/connection.server";
import { findHead } from "~db/repositories/audit-chain.server";
import { inTransaction } from "~db/transaction.server";
import { apiClientOf } from "../support/api";
import { emptyTrail, entryAt, record, recordMany, tamperWith, verified } from "../support/audit";
import {
  createCertificateOrder,
  issueCertificate,
  type IssuedCertificate,
  storeRevocation,
} from "../support/certificates";
import { toastOf } from "../support/code-details";
import { createPerson, erase } from "../support/erasure";
import { createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { type UnpackedPack, useUnpacked, verifyPack } from "../support/packs";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();
const unpacked = useUnpacked();

type Query = Record<string, string>;

let auditor: Awaited<ReturnType<typeof createStaff>>;
let visitor: Visitor;
let customer: Awaited<ReturnType<typeof createUser>>;
let other: Awaited<ReturnType<typeof createUser>>;
let certificate: IssuedCertificate;
let others: IssuedCertificate;

const queryOf = (query: Query) => new URLSearchParams(query).toString();
const today = () => new Date().toISOString().slice(0, 10);
const open = async (query: Query) => {
  const page = await openPage(packPage, visitor, `/home/evidence-packs?${queryOf(query)}`);
  return { ...page, text: pageText(page.html) };
};
const ask = (query: Query, by = visitor) => run(packFile.loader, by.get(`/home/evidence-packs/file?${queryOf(query)}`));
const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());
const made = async (query: Query) => unpacked(await bytesOf(await ask(query)));
const textOf = ({ folder }: UnpackedPack, path: string) => readFileSync(join(folder, path), "utf8");
const jsonIn = (pack: UnpackedPack, path: string) => JSON.parse(textOf(pack, path)) as Record<string, unknown>;

interface Line extends Record<string, unknown> {
  sequence: number;
  event: string;
  message: string;
}
const entriesIn = (pack: UnpackedPack) =>
  textOf(pack, "audit/entries.ndjson")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
const packEntries = () =>
  getDb().selectFrom("auditEntries").selectAll().where("event", "=", "evidence.pack-made").orderBy("id").execute();

beforeAll(async () => {
  auditor = await createStaff(["auditor"]);
  visitor = await signedInAs(auditor);
  customer = await createUser({ email: "anna@example-parts.com" });
  other = await createUser({ email: "otto@other-parts.com", company: "Other Parts Ltd" });
  certificate = await issueCertificate({ customer, csr: makeCsr().der });
  others = await issueCertificate({ customer: other, csr: makeCsr().der });
  const client = await apiClientOf(customer.email, TEST_PASSWORD);
  const corrected = { orderId: certificate.orderId, purchaseOrderNumber: "PO-8" };
  expect((await client.post("certificates/CorrectOrder", corrected)).status).toBe(200);
  for (const name of ["root", "issuing-sha2"] as const) await publishCrls(name, new Date(), { allowRoot: true });
});

describe("the page 'Evidence packs'", () => {
  test("[AUD-03] says what a pack contains before it is made, and is linked from the audit trail", async () => {
    const trail = await openPage(trailPage, visitor, "/home/audit-trail");
    expect(select(trail.html, 'a[href="/home/evidence-packs"]')).toHaveLength(1);
    const narrowed = await openPage(trailPage, visitor, `/home/audit-trail?companyId=${customer.companyId}`);
    const company = `CO-${customer.companyId}`;
    expect(select(narrowed.html, `a[href="/home/evidence-packs?company=${company}"]`)).toHaveLength(1);
    const empty = await open({});
    expect(empty.status).toBe(200);
    expect(empty.text).toContain("at most 31 days");
    expect(select(empty.html, 'a[href*="/file"]')).toHaveLength(0);
    const { status, html, text } = await open({ company });
    expect(status).toBe(200);
    expect(text).toMatch(
      new RegExp(`Pack: company ${company}.*It contains 1 order of a certificate, \\d+ audit entr`, "s"),
    );
    expect(select(html, 'a[href*="/file"]').attr("href")).toBe(`/home/evidence-packs/file?company=${company}`);
    expect(await packEntries()).toEqual([]);
  });

  test.each([
    [{ certificate: "999999" }, "certificate", "There is no certificate with this ID or serial number."],
    [
      { certificate: "AB:CD:EF:01:23:45:67:89" },
      "certificate",
      "There is no certificate with this ID or serial number.",
    ],
    [{ certificate: "' or 1=1" }, "certificate", "There is no certificate with this ID or serial number."],
    [{ company: "999999" }, "company", "There is no company with this number or name."],
    [{ company: "Nobody GmbH" }, "company", "There is no company with this number or name."],
    [{ certificate: "1", company: "1" }, "company", "Enter either a certificate or a company."],
    [{ from: "2026-11-01" }, "to", "Enter both days of the period."],
    [{ to: "2026-11-01" }, "from", "Enter both days of the period."],
    [{ from: "2026-11-30", to: "2026-11-01" }, "to", "The last day is before the first one."],
    [{ from: "31/02/2026", to: "2026-03-01" }, "from", "31/02/2026 is not a day of the calendar."],
    [{ from: "2026-10-31", to: "2026-11-30" }, null, ""],
    [{ from: "2026-10-30", to: "2026-11-30" }, "to", "A period has at most 31 days."],
    [{ from: "0001-01-01", to: "9999-12-31" }, "to", "A period has at most 31 days."],
    [{ from: "9999-12-01", to: "9999-12-31" }, "to", "A period has at most 31 days."],
  ])("[AUD-03] %o is answered beside its field", async (query, field, message) => {
    const { status, html } = await open(query);
    if (field === null) return expect(status).toBe(200);
    expect(status).toBe(422);
    expect(select(html, `#pack-${field}-error`).text()).toContain(message);
    expect(textsOf(html, '[role="alert"] li')).toHaveLength(1);
    const answer = await ask(query);
    expect(answer.headers.get("Location")).toContain("/home/evidence-packs?");
    expect((await toastOf(answer))?.text).toContain(message);
  });

  test("[AUD-03] is for auditors; nobody else makes a pack", async () => {
    const rest = ["registration-officer", "approver", "finance", "user-administrator", "operator"] as const;
    for (const person of [await signedInAs(await createStaff(rest)), await signedInAs(customer)]) {
      expect((await ask({ certificate: String(certificate.id) }, person)).headers.get("Location")).toBe(
        "/home/dashboard",
      );
      expect((await run(packPage.loader, person.get("/home/evidence-packs"))).headers.get("Location")).toBe(
        "/home/dashboard",
      );
    }
    const old = await signedInAs({ ...auditor, proof: null });
    expect((await ask({ certificate: "1" }, old)).headers.get("Location")).toContain("/second-factors/confirm?");
    const head = new Request(visitor.get(`/home/evidence-packs/file?certificate=${certificate.id}`), {
      method: "HEAD",
    });
    await run(packFile.loader, head);
    expect(await packEntries()).toEqual([]);
  });
});

describe("a pack of a certificate", () => {
  let pack: UnpackedPack;
  let archive: Uint8Array;
  beforeAll(async () => {
    const answer = await ask({ certificate: certificate.serialNumber.replace(/..(?=.)/g, "$&:").toLowerCase() });
    expect(answer.headers.get("Content-Type")).toBe("application/zip");
    archive = await bytesOf(answer);
    pack = unpacked(archive);
  });

  /** Returns a copy of the pack, to change it. */
  const copied = (): UnpackedPack => {
    const empty = unpacked(new Uint8Array(Buffer.from("504b0506".padEnd(44, "0"), "hex")));
    cpSync(pack.folder, empty.folder, { recursive: true });
    return { ...pack, folder: empty.folder };
  };
  const change = ({ folder }: UnpackedPack, path: string, how: (text: string) => string) => {
    const before = readFileSync(join(folder, path), "utf8");
    const after = how(before);
    expect(after).not.toBe(before);
    writeFileSync(join(folder, path), after);
  };
  const withLines = (how: (lines: string[]) => string[]) => (text: string) =>
    how(text.trimEnd().split("\n")).join("\n") + "\n";

  test("[AUD-03] has order, checks, certificate, CRLs, OCSP answer, entries and policies, and nothing about others", () => {
    const folder = `certificates/${certificate.id}`;
    expect(pack.files).toEqual([
      "README.html",
      "SHA256SUMS",
      "audit/checkpoints.jsonl",
      "audit/entries.ndjson",
      `audit/keys/${newestKey().id}.pem`,
      "authorities/issuing-sha2.pem",
      "authorities/root.pem",
      `${folder}/certificate.pem`,
      `${folder}/ocsp.der`,
      `${folder}/order.json`,
      `${folder}/request.csr`,
      expect.stringMatching(/^crls\//),
      expect.stringMatching(/^crls\//),
      expect.stringMatching(/^crls\//),
      "manifest.json",
      "manifest.sig",
      "policies/certificate-policy.pdf",
      "policies/certification-practice-statement.pdf",
      "policies/subscriber-agreement.pdf",
      "verify.mjs",
    ]);
    expect(jsonIn(pack, `${folder}/order.json`)).toMatchObject({
      company: { id: customer.companyId, name: "Example Parts Ltd" },
      checks: [
        { check: "contact", outcome: "authorised", by: "bernd.boss@example-parts.com" },
        { check: "organisation", outcome: "checked", by: "olga@example.org", note: "Register extract" },
        { check: "csr", outcome: "checked", note: "Agrees" },
      ],
      issued: { serialNumber: certificate.serialNumber },
      salesOrder: { number: `SO-${certificate.orderId}`, purchaseOrderNumber: "PO-8", totalCents: 34800 },
    });
    expect(jsonIn(pack, `${folder}/order.json`)).toHaveProperty("salesOrder.corrections", [
      expect.objectContaining({
        number: expect.stringMatching(/^COR-\d{4}-\d{4}$/) as string,
        by: "Anna Müller",
        changes: [{ label: "Purchase order number", from: "PO-7", to: "PO-8" }],
      }),
    ]);
    const events = entriesIn(pack).map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(["certificate.issued", "order.corrected", "policy.published"]));
    const texts = pack.files.filter((path) => /json|html|SUMS/.test(path)).map((path) => textOf(pack, path));
    expect(texts.join("")).not.toContain(other.email);
    expect(texts.join("")).not.toContain(others.serialNumber);
  });

  test("[AUD-03] is verified without the portal, and the fingerprint of the key is the one on the page", async () => {
    const [, fingerprint = ""] = /fingerprint of the key: ([0-9A-F:]{95})/.exec((await open({})).text) ?? [];
    const { status, output } = verifyPack(pack, "--key", fingerprint, "--checkpoints", checkpointFile());
    expect(output).toContain("The pack is sound.");
    expect(output).toContain("OCSP answers: good 1, revoked 0, unknown 0");
    expect(output).toContain("Checkpoints that are in the copy too: ");
    expect(status).toBe(0);
    const count = entriesIn(pack).length;
    expect(output).toContain(`Audit entries: ${count}, proven by signed checkpoints: ${count}\n`);
    expect(verifyPack(pack, "--key", "00:11")).toMatchObject({
      status: 1,
      problems: [expect.stringContaining("signed with another key than the one given with --key")],
    });
  });

  test("[AUD-03] is recorded with what it is about and its hash", async () => {
    const sha256 = createHash("sha256").update(archive).digest("hex");
    const entry = (await packEntries()).at(-1);
    expect(entry).toMatchObject({
      actorId: auditor.id,
      certificateId: certificate.id,
      orderId: certificate.orderId,
      reference: `sha256:${sha256}`,
    });
    const count = entriesIn(pack).length;
    expect(entry?.message).toBe(
      `Evidence pack made: certificate ${certificate.id}. Certificates: 1, audit entries: ${count}. SHA-256 of the archive: ${sha256}.`,
    );
  });

  const folder = () => `certificates/${certificate.id}`;
  const issuedEntry = () => entriesIn(pack).find(({ event }) => event === "certificate.issued")?.sequence ?? 0;
  const inEntry = (how: (entry: Line) => object) =>
    withLines((lines) =>
      lines.map((line) => {
        const entry = JSON.parse(line) as Line;
        return entry.sequence === issuedEntry() ? JSON.stringify({ ...entry, ...how(entry) }) : line;
      }),
    );
  const ENTRIES = "audit/entries.ndjson";
  const CHANGED_ENTRIES = `${ENTRIES} is not what the manifest states: changed.`;

  test.each<[string, (copy: UnpackedPack) => void, () => string[]]>([
    [
      "the text of an entry",
      (copy) =>
        change(
          copy,
          ENTRIES,
          inEntry(({ message }) => ({ message: `${message} Not.` })),
        ),
      () => [
        CHANGED_ENTRIES,
        `Entry ${issuedEntry()}: its text, its actor or its address is not what was sealed: changed.`,
      ],
    ],
    [
      "the event of an entry",
      (copy) =>
        change(
          copy,
          ENTRIES,
          inEntry(() => ({ event: "certificate.downloaded" })),
        ),
      () => [CHANGED_ENTRIES, `Entry ${issuedEntry()}: it is not what was sealed: changed or inserted.`],
    ],
    [
      "the time of an entry",
      (copy) =>
        change(
          copy,
          ENTRIES,
          inEntry(() => ({ at: "2020-01-01T00:00:00.000Z" })),
        ),
      () => [CHANGED_ENTRIES, `Entry ${issuedEntry()}: it is not what was sealed: changed or inserted.`],
    ],
    [
      "the presence of an entry",
      (copy) =>
        change(
          copy,
          ENTRIES,
          withLines((lines) => lines.filter((line) => !line.includes(`"sequence":${issuedEntry()},`))),
        ),
      () => [CHANGED_ENTRIES, `Entry ${issuedEntry()}: it is missing: removed.`],
    ],
    [
      "an entry, which is there twice",
      (copy) =>
        change(
          copy,
          ENTRIES,
          withLines((lines) => [...lines, ...lines.slice(-1)]),
        ),
      () => [
        CHANGED_ENTRIES,
        `Entry ${entriesIn(pack).at(-1)?.sequence}: the manifest does not name it, or names it once: inserted.`,
      ],
    ],
    [
      "a checkpoint",
      (copy) =>
        change(copy, "audit/checkpoints.jsonl", (text) =>
          text.replaceAll('"keyId"', '"at":"2020-01-01T00:00:00.000Z","keyId"'),
        ),
      () => [
        "audit/checkpoints.jsonl is not what the manifest states: changed.",
        expect.stringMatching(
          /^The checkpoint at entry \d+ is not what the portal signed: changed or forged\.$/,
        ) as string,
      ],
    ],
    [
      "the certificate",
      (copy) =>
        writeFileSync(join(copy.folder, folder(), "certificate.pem"), toPem("CERTIFICATE", Buffer.from(others.der))),
      () => [
        `${folder()}/certificate.pem is not what the manifest states: changed.`,
        `${folder()}/certificate.pem is another certificate: changed.`,
        `${folder()}/ocsp.der is about another certificate.`,
      ],
    ],
    [
      "a byte of the certificate",
      (copy) => {
        const der = Buffer.from(certificate.der);
        der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
        writeFileSync(join(copy.folder, folder(), "certificate.pem"), toPem("CERTIFICATE", der));
      },
      () => [
        `${folder()}/certificate.pem is not what the manifest states: changed.`,
        `${folder()}/certificate.pem is not signed by authorities/issuing-sha2.pem.`,
        `${folder()}/certificate.pem is another certificate: changed.`,
      ],
    ],
    [
      "the order",
      (copy) => change(copy, `${folder()}/order.json`, (text) => text.replace("Register extract", "Nothing")),
      () => [`${folder()}/order.json is not what the manifest states: changed.`],
    ],
    [
      "the OCSP answer",
      (copy) => writeFileSync(join(copy.folder, folder(), "ocsp.der"), "nothing"),
      () => [`${folder()}/ocsp.der is not what the manifest states: changed.`, `${folder()}/ocsp.der cannot be read.`],
    ],
    [
      "a CRL",
      (copy) => cpSync(join(copy.folder, "crls/root.crl"), join(copy.folder, "crls/issuing-sha2.crl")),
      () => [
        "crls/issuing-sha2.crl is not what the manifest states: changed.",
        "crls/issuing-sha2.crl is not signed by authorities/issuing-sha2.pem.",
      ],
    ],
    [
      "the manifest",
      (copy) => change(copy, "manifest.json", (text) => text.replace('"orders": 1', '"orders": 2')),
      () => ["manifest.json is not what the portal signed: changed."],
    ],
    [
      "the manifest, which is no JSON",
      (copy) => writeFileSync(join(copy.folder, "manifest.json"), "{"),
      () => [expect.stringContaining("The pack cannot be read: ") as string],
    ],
    [
      "the files, of which one is missing and one is new",
      (copy) => {
        rmSync(join(copy.folder, "policies/subscriber-agreement.pdf"));
        writeFileSync(join(copy.folder, "policies/new.pdf"), "new");
      },
      () => [
        "policies/subscriber-agreement.pdf is missing: removed.",
        "policies/new.pdf is not in the manifest: added.",
      ],
    ],
  ])("[AUD-03] whoever changes %s is found", (_, tamper, expected) => {
    const copy = copied();
    tamper(copy);
    const { status, problems } = verifyPack(copy);
    expect(problems).toEqual(expected());
    expect(status).toBe(1);
  });

  test("[AUD-03] a pack that somebody forges with a key of their own is found by the fingerprint, a new trail by copied checkpoints", () => {
    const copy = copied();
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const key = `audit/keys/${newestKey().id}.pem`;
    writeFileSync(join(copy.folder, key), publicKey.export({ type: "spki", format: "pem" }));
    change(
      copy,
      "audit/checkpoints.jsonl",
      withLines((lines) =>
        lines.map((line) => {
          const { signature: _, ...one } = JSON.parse(line) as Record<string, string>;
          const signed = [
            "marque.audit.checkpoint.2",
            one.sequence,
            one.at,
            one.mac,
            one.keyId,
            one.firstSequence,
            one.root,
          ];
          return JSON.stringify({
            ...one,
            signature: sign(null, Buffer.from(JSON.stringify(signed)), privateKey).toString("hex"),
          });
        }),
      ),
    );
    const hashOf = (path: string) =>
      createHash("sha256")
        .update(readFileSync(join(copy.folder, path)))
        .digest("hex");
    const manifest = jsonIn(copy, "manifest.json") as { files: Record<string, string> };
    for (const path of [key, "audit/checkpoints.jsonl"]) manifest.files[path] = hashOf(path);
    writeFileSync(join(copy.folder, "manifest.json"), JSON.stringify(manifest));
    writeFileSync(
      join(copy.folder, "manifest.sig"),
      sign(null, readFileSync(join(copy.folder, "manifest.json")), privateKey),
    );
    expect(verifyPack(copy).problems).toEqual([]);
    const [, fingerprint = ""] = /Key of the portal: (\w+)/.exec(verifyPack(pack).output) ?? [];
    expect(verifyPack(copy, "--key", fingerprint).problems).toHaveLength(1);
    const elsewhere = mkdtempSync(join(tmpdir(), "marque-copy-"));
    const kept = join(elsewhere, "checkpoints.jsonl");
    const line = textOf(pack, "audit/checkpoints.jsonl").split("\n")[0] ?? "";
    appendFileSync(kept, `${line.replace(/"mac":"../, '"mac":"zz')}\n`);
    expect(verifyPack(pack, "--checkpoints", kept).problems).toEqual([
      expect.stringMatching(/^The checkpoint at entry \d+ differs from the copy that was kept elsewhere/),
    ]);
    rmSync(elsewhere, { recursive: true });
  });
});

describe("other packs", () => {
  test("[AUD-03] one of a company has all its orders, with and without a certificate, revoked or not", async () => {
    const owner = await createUser({ company: "Pack Owner Ltd" });
    const [good, revoked] = [
      await issueCertificate({ customer: owner, csr: makeCsr().der }),
      await issueCertificate({ customer: owner, csr: makeCsr().der }),
    ];
    await storeRevocation(revoked);
    const pending = await createCertificateOrder(owner, makeCsr().der);
    const pack = await made({ company: "pack owner ltd" });
    expect(pack.files.filter((path) => path.endsWith("order.json"))).toEqual(
      [good, revoked, pending].map(({ id }) => `certificates/${id}/order.json`),
    );
    expect(pack.files).not.toContain(`certificates/${pending.id}/certificate.pem`);
    const { output, problems } = verifyPack(pack);
    expect(problems).toEqual([]);
    expect(output).toContain("OCSP answers: good 1, revoked 1, unknown 0");
    expect((await packEntries()).at(-1)?.message).toContain(`company CO-${owner.companyId}. Certificates: 2,`);
  });

  test("[AUD-03] one of a period has what happened then, with the certificates that the entries name", async () => {
    const old = new Date("2026-03-05T12:00:00Z");
    await record({ message: "On that day", certificateId: certificate.id, orderId: null }, old);
    await record({ message: "A day later", certificateId: others.id, orderId: null }, new Date("2026-03-06T00:00:00Z"));
    const pack = await made({ from: "05/03/2026", to: "05/03/2026" });
    expect(entriesIn(pack).map(({ message }) => message)).toEqual(["On that day"]);
    expect(pack.files.filter((path) => path.endsWith("order.json"))).toEqual([
      `certificates/${certificate.id}/order.json`,
    ]);
    expect(verifyPack(pack).problems).toEqual([]);
    const none = await made({ from: "2026-03-01", to: "2026-03-02" });
    expect(verifyPack(none)).toMatchObject({ status: 0, problems: [] });
    expect(none.files.filter((path) => path.startsWith("authorities/"))).toHaveLength(4);
    const both = await made({ company: `CO-${other.companyId}`, from: "2026-03-01", to: today() });
    expect(both.files).toContain(`certificates/${others.id}/order.json`);
    expect(both.files).not.toContain(`certificates/${certificate.id}/order.json`);
    expect(verifyPack(both).problems).toEqual([]);
  });

  test("[AUD-03] the data of an erased person is in no pack, and the rest of the entries stays proven", async () => {
    const person = await createPerson();
    await record({
      userId: person.id,
      message: `Changed by ${person.email}.`,
      actor: { id: person.id, name: person.email },
    });
    await verifyAndSign();
    const from = today();
    await erase(person);
    const pack = await made({ from, to: today() });
    const text = textOf(pack, "audit/entries.ndjson");
    expect(text).not.toContain(person.email);
    expect(text).toContain(`Erased person ${person.id}`);
    expect(entriesIn(pack).filter(({ isErased }) => isErased).length).toBeGreaterThan(0);
    expect(verifyPack(pack).problems).toEqual([]);
  });

  test("[AUD-03] nothing of one stays on the disk, even when nobody reads it", async () => {
    const openFiles = () =>
      readdirSync("/proc/self/fd").filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).includes("marque-evidence");
        } catch {
          return false; // the folder itself was open while it was read
        }
      });
    const answer = await ask({ certificate: String(certificate.id) });
    expect(openFiles()).toHaveLength(1);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("marque-evidence"))).toEqual([]);
    await answer.body?.cancel();
    expect(openFiles()).toEqual([]);
    expect(verifyPack(await made({ certificate: String(certificate.id) })).problems).toEqual([]);
    expect(openFiles()).toEqual([]);
  });

  test("[AUD-03] a program of an auditor makes one, after a proof", async () => {
    const program = await apiClientOf(auditor.email, TEST_PASSWORD);
    const path = "Operations/DownloadEvidencePack";
    const answer = await program.send(`${path}?certificate=${certificate.id}`);
    expect(answer.headers.get("Content-Type")).toBe("application/zip");
    expect(verifyPack(unpacked(await bytesOf(answer))).problems).toEqual([]);
    expect(await program.get(path, { certificate: 999_999 })).toMatchObject({
      status: 422,
      errors: { certificate: "There is no certificate with this ID or serial number." },
    });
    expect((await program.get(path)).errors).toEqual({ certificate: "Enter a certificate, a company or a period." });
    expect((await program.get(path, { person: "1" })).status).toBe(422);
    expect((await (await apiClientOf(customer.email, TEST_PASSWORD)).get(path, { certificate: 1 })).status).toBe(403);
  });
});

describe("the trees of checkpoints", () => {
  test("[AUD-03] prove every entry, however many there are since the checkpoint before", async () => {
    await emptyTrail();
    for (let size = 1; size <= 9; size += 1) {
      await recordMany(size);
      await verifyAndSign();
    }
    expect((await HashTree.over(readLeaves(1, 21))).root).toEqual(await readRoot(1, 21));
    const pack = await made({ from: today(), to: today() });
    const { output, problems } = verifyPack(pack);
    expect(problems).toEqual([]);
    expect(entriesIn(pack).filter(({ checkpoint }) => checkpoint === null)).toEqual([]);
    expect(output).toContain(`proven by signed checkpoints: ${entriesIn(pack).length}\n`);
    expect((await verified()).problems).toEqual([]);
  });

  test("[AUD-03] entries from before them are stated by the portal, and the pack says so", async () => {
    await emptyTrail();
    await recordMany(2);
    const head = await findHead(getDb());
    const key = newestKey();
    const statement = {
      sequence: 2,
      mac: head?.mac ?? Buffer.alloc(0),
      at: "2026-11-30T00:00:00.000Z",
      keyId: key.id,
      firstSequence: null,
      root: null,
    };
    await getDb()
      .insertInto("auditCheckpoints")
      .values({ ...statement, signature: signCheckpoint(key, statement) })
      .execute();
    const pack = await made({ from: today(), to: today() });
    const { output, problems } = verifyPack(pack);
    expect(problems).toEqual([]);
    expect(output).toContain("older than the checkpoints with trees: 2\n");
  });

  test("[AUD-03] no pack is made of a trail that is not sound, and the reason is given", async () => {
    await emptyTrail();
    await recordMany(2);
    await verifyAndSign();
    await tamperWith(1, { message: "changed" });
    const before = await packEntries();
    const answer = await ask({ from: today(), to: today() });
    expect((await toastOf(answer))?.text).toMatch(
      /^No evidence pack can be made, because the audit trail is not sound\. Entry 1 /,
    );
    expect((await entryAt(1)).message).toBe("changed");
    expect(await packEntries()).toEqual(before);
    const program = await apiClientOf(auditor.email, TEST_PASSWORD);
    expect(await program.get("Operations/DownloadEvidencePack", { from: today(), to: today() })).toMatchObject({
      status: 409,
      code: "audit.unsound",
    });
  });

  test("[AUD-03] too many entries are refused with what to do", async () => {
    await emptyTrail();
    const entry = { actor: systemActor("test"), event: "test.happened", message: "Happened." };
    const entries = Array.from({ length: MOST_ENTRIES + 1 }, () => entry);
    await inTransaction((trx) => recordAudits(trx, entries, new Date("2026-02-01T12:00:00Z")));
    const { status, html } = await open({ from: "2026-02-01", to: "2026-02-03" });
    expect(status).toBe(422);
    expect(select(html, "#pack-to-error").text()).toBe(
      "A pack has at most 20,000 audit entries, and this one would have more. Enter a shorter period.",
    );
  });
});
