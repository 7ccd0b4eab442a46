import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findAlertRule } from "~/domain/alerts/catalogue.server";
import { type AlertRule, isFault, valueText } from "~/domain/alerts/rule.policy";
import { systemActor } from "~/domain/audit/audit.service.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { takeOver } from "~/domain/authorities/life.service.server";
import { publishCrls, publishDelta } from "~/domain/authorities/publishing.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { runJobByHand } from "~/domain/jobs/by-hand.service.server";
import { JOBS } from "~/domain/jobs/catalogue.server";
import { prepareJobs, runDueJobs, runJob } from "~/domain/jobs/run.service.server";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { listDisks } from "~/domain/metrics/disks.server";
import { lastTlsReading } from "~/domain/metrics/tls-certificate.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { addDays, addYears, DAY } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { after, faultsAt, HOUR, makeSound, MINUTE } from "../support/alerts";
import { entryAt, record, tamperWith } from "../support/audit";
import { plainMail } from "../support/mails";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { useSmtpServer } from "../support/smtp-server";
import { installSuccessor, OPERATOR } from "../support/successors";
import { setVariable, setVariables } from "../support/variables";

const portal = usePortal();
const smtp = useSmtpServer();
const { file } = useOpenssl();

const now = new Date(Math.floor(Date.now() / 1000) * 1000);

/** Returns the faults at this time that belong to one of these rules. */
const faultsOf = async (at: Date, ...rules: string[]) =>
  (await faultsAt(at)).filter((fault) => rules.includes(fault.split(" ")[0] ?? ""));

beforeAll(() => makeSound(now));

beforeEach(async () => {
  await getDb().deleteFrom("alerts").execute();
  await getDb().deleteFrom("jobs").execute();
});

describe("an alert about CRLs and responders", () => {
  test("begins half-way between the renewal and the end of a CRL, and ends with the next one", async () => {
    const crls = ["crl-base-ends", "crl-delta-ends"];
    const delta = after(now, 12.5 * HOUR);
    expect(await faultsOf(delta, ...crls)).toEqual([]);
    expect(await faultsOf(after(delta, 1), ...crls)).toEqual([
      "crl-delta-ends issuing-g3",
      "crl-delta-ends issuing-sha2",
    ]);
    await publishDelta("issuing-sha2", delta);
    expect(await faultsOf(after(delta, 2), ...crls)).toEqual(["crl-delta-ends issuing-g3"]);

    const base = addDays(now, 4);
    for (const name of ["issuing-sha2", "issuing-g3"] as const) await publishDelta(name, base);
    expect(await faultsOf(base, ...crls)).toEqual([]);
    expect(await faultsOf(after(base, 1), ...crls)).toEqual(["crl-base-ends issuing-g3", "crl-base-ends issuing-sha2"]);
    await publishCrls("issuing-g3", base);
    expect(await faultsOf(after(base, 2), ...crls)).toEqual(["crl-base-ends issuing-sha2"]);
  });

  test("begins 30 days before the end of a root's CRL, or when there is none", async () => {
    const at = addDays(now, 153);
    expect(await faultsOf(at, "crl-root-ends")).toEqual([]);
    expect(await faultsOf(after(at, 1), "crl-root-ends")).toEqual(["crl-root-ends root", "crl-root-ends root-g3"]);
    await publishCrls("root", at, { allowRoot: true });
    expect(await faultsOf(after(at, 1), "crl-root-ends")).toEqual(["crl-root-ends root-g3"]);
    const second = getDb().selectFrom("authorities").select("id").where("name", "=", "root-g3");
    await getDb().deleteFrom("crls").where("authorityId", "in", second).execute();
    expect(await faultsOf(now, "crl-root-ends")).toEqual(["crl-root-ends root-g3"]);
    await publishCrls("root-g3", now, { allowRoot: true });
    expect(await faultsOf(now, "crl-root-ends")).toEqual([]);
  });

  test("begins five days before the end of a responder's certificate, or when there is none, and ends with a new one", async () => {
    const at = addDays(now, 25);
    expect(await faultsOf(after(at, -1), "ocsp-responder-ends")).toEqual([]);
    const both = ["ocsp-responder-ends issuing-g3", "ocsp-responder-ends issuing-sha2"];
    expect(await faultsOf(after(at, 1), "ocsp-responder-ends")).toEqual(both);
    expect(await faultsOf(addDays(at, 30), "ocsp-responder-ends")).toEqual(both);
    await renewResponders(at);
    expect(await faultsOf(after(at, 1), "ocsp-responder-ends")).toEqual([]);
  });
});

describe("an alert about a CA key", () => {
  const keyFile = (name: string) => join(portal.dataDir, "ca", `${name}.key.pem`);
  const keys = () => faultsOf(now, "key-unusable");

  test("begins when its file is missing, although this process still signs with it, and ends when it is back", async () => {
    await getSigner("issuing-sha2");
    expect(await keys()).toEqual([]);
    renameSync(keyFile("issuing-sha2"), `${keyFile("issuing-sha2")}.away`);
    expect(await keys()).toEqual(["key-unusable issuing-sha2"]);
    expect((await getSigner("issuing-sha2")).hash).toBe("sha256");
    renameSync(`${keyFile("issuing-sha2")}.away`, keyFile("issuing-sha2"));
    expect(await keys()).toEqual([]);
  });

  test.each([
    ["is empty", () => ""],
    ["is damaged", (pem: string) => pem.replace(/[A-F]/g, "x")],
    ["belongs to another CA", () => readFileSync(keyFile("issuing-sha2"), "utf8")],
  ])("begins when its file %s", async (_what, change) => {
    const pem = readFileSync(keyFile("issuing-g3"), "utf8");
    writeFileSync(keyFile("issuing-g3"), change(pem));
    try {
      expect(await keys()).toEqual(["key-unusable issuing-g3"]);
      expect(await keys()).toEqual(["key-unusable issuing-g3"]);
    } finally {
      writeFileSync(keyFile("issuing-g3"), pem);
    }
    expect(await keys()).toEqual([]);
  });
});

describe("an alert about a job", () => {
  /** The faults that hold, without making the portal forget its jobs. */
  async function lateAt(at: Date): Promise<string[]> {
    await runJob("alerts", "test", at);
    const rows = await getDb().selectFrom("alerts").selectAll().where("lastHeldAt", "=", at.toISOString()).execute();
    return rows
      .filter(({ rule }) => rule === "job-late")
      .map(({ subject }) => subject)
      .sort();
  }
  const only = (name: string) => JOBS.filter((job) => job.name === name);

  test("begins when no process has run it for a quarter of an hour, or as long as its interval, and ends when it has run", async () => {
    const start = new Date("2026-11-27T10:00:00Z");
    await prepareJobs(start);
    expect(await lateAt(after(start, 15 * MINUTE))).toEqual([]);
    const late = await lateAt(after(start, 15 * MINUTE + 1));
    expect(late).toContain("crl-base");
    expect(late).not.toContain("reminders"); // runs every hour
    expect(late).not.toContain("alerts");
    await runDueJobs(after(start, 16 * MINUTE), "test", only("crl-base"));
    expect(await lateAt(after(start, 16 * MINUTE))).not.toContain("crl-base");
    expect(await lateAt(after(start, HOUR + 1))).toContain("reminders");
  });

  test("begins when it fails at its time, and ends when it succeeds", async () => {
    const start = new Date("2026-11-27T03:00:00Z");
    const [job] = only("clean-up");
    if (!job) throw new Error("There is no such job.");
    const failing = { ...job, run: () => Promise.reject(new Error("the disk is full")) };
    await prepareJobs(start, [job]);
    await runDueJobs(start, "test", [job]);
    await runDueJobs(new Date("2026-11-27T03:20:00Z"), "test", [failing]);
    expect(await lateAt(new Date("2026-11-27T04:20:00Z"))).toEqual([]);
    expect(await lateAt(new Date("2026-11-27T04:20:01Z"))).toEqual(["clean-up"]);
    await runDueJobs(new Date("2026-11-28T03:20:00Z"), "test", [job]);
    expect(await lateAt(new Date("2026-11-28T04:20:01Z"))).not.toContain("clean-up");
  });

  test("begins at once when it has failed and never succeeded", async () => {
    const failing = only("clean-up").map((job) => ({ ...job, run: () => Promise.reject(new Error("no")) }));
    await expect(runJobByHand("clean-up", systemActor("test"), { jobs: failing })).rejects.toThrow();
    expect(await lateAt(after(new Date(), MINUTE))).toEqual(["clean-up"]);
  });
});

describe("an alert about the audit trail", () => {
  test("begins when a verification finds a changed entry, and ends when the trail is sound again", async () => {
    const audit = () => faultsOf(now, "audit-unsound");
    await record();
    await runJob("audit", "test");
    await runJob("audit-whole", "test");
    expect(await audit()).toEqual([]);
    const { sequence } = await getDb().selectFrom("auditHead").select("sequence").executeTakeFirstOrThrow();
    const { message } = await entryAt(sequence);
    await tamperWith(sequence, { message: "Nothing happened." });
    expect((await runJob("audit-whole", "test"))?.error?.message).toContain("The audit trail is not sound");
    expect(await audit()).toEqual(["audit-unsound whole"]);
    await tamperWith(sequence, { message });
    await runJob("audit-whole", "test");
    expect(await audit()).toEqual([]);

    await record();
    await tamperWith(sequence + 1, { message: "Nothing happened." });
    await runJob("audit", "test");
    expect(await audit()).toEqual(["audit-unsound latest"]);
    await tamperWith(sequence + 1, { message: "Something happened." });
    await runJob("audit", "test");
    expect(await audit()).toEqual([]);
  });
});

describe("an alert about messages", () => {
  const mail = plainMail("Hello", "A message.");
  const queue = (name: string) =>
    inTransaction((trx) => queueMail(trx, { dedupeKey: `reset-code:${name}`, to: "anna@example-parts.com", mail }));
  const refused = (at: Date) => faultsOf(at, "mail-refused");

  beforeAll(async () => setVariable("SMTP_URL", await smtp.start()));
  beforeEach(async () => {
    await getDb().deleteFrom("mails").execute();
    smtp.faults = {};
  });
  afterEach(() => (smtp.faults = {}));

  test.each(["550 no such user", "451 try again later"] as const)(
    "begins when a server has refused more than ten within an hour with '%s', and ends an hour later",
    async (answer) => {
      smtp.faults = { RCPT: answer };
      for (let count = 1; count <= 10; count += 1) await queue(`${count}`);
      await deliverDueMail();
      expect(await refused(new Date())).toEqual([]);
      await queue("11");
      await deliverDueMail();
      const at = new Date();
      expect(await refused(at)).toEqual(["mail-refused"]);
      expect(await refused(after(at, HOUR + 1))).toEqual([]);
    },
  );

  test("ends when the messages are delivered, and does not begin for one that is refused again and again", async () => {
    smtp.faults = { RCPT: "451 try again later" };
    for (let count = 1; count <= 11; count += 1) await queue(`${count}`);
    await deliverDueMail();
    expect(await refused(new Date())).toEqual(["mail-refused"]);
    smtp.faults = {};
    expect(await deliverDueMail(after(new Date(), 7 * HOUR))).toEqual({ sent: 11, failed: 0 });
    expect(await refused(new Date())).toEqual([]);
  });
});

describe("an alert about the TLS certificate of the portal", () => {
  const tls = () => faultsOf(now, "tls-certificate-ends");

  /** Makes a certificate of so many days that is not for the portal's name, as the portal does not verify it. */
  function certificateOf(days: number) {
    const [key, cert] = [file("key"), file("cer")];
    const subject = ["-subj", "/CN=other.example", "-days", String(days)];
    openssl(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject]);
    return { key: readFileSync(key), cert: readFileSync(cert) };
  }

  const listen = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as { port: number }).port;
  };

  /** Makes the portal believe that it is reached with TLS at this address. `0.0.0.0` is this machine, but not by the name of the loopback. */
  const servedAt = (url: string) => {
    setVariables({ PUBLIC_URL: url });
    lastTlsReading.clear();
  };

  afterEach(() => servedAt(portal.env.PUBLIC_URL ?? ""));

  test("begins 21 days before its end and ends when another one is served, which is read again after hours", async () => {
    const server = createTlsServer(certificateOf(20));
    const port = await listen(server);
    try {
      servedAt(`https://127.0.0.1:${port}`);
      expect(await tls()).toEqual([]); // a trial on this machine
      servedAt(`https://0.0.0.0:${port}`);
      expect(await tls()).toEqual(["tls-certificate-ends"]);
      server.setSecureContext(certificateOf(22));
      expect(await tls()).toEqual(["tls-certificate-ends"]);
      lastTlsReading().due = performance.now();
      await tls(); // reads in the background
      await expect.poll(tls).toEqual([]);
    } finally {
      server.close();
    }
  });

  test.each([
    ["refuses connections", null],
    ["speaks no TLS", createServer((socket) => socket.end("220 test\r\n"))],
    ["never answers", createServer()],
  ])("does not begin when the server %s", async (_what, server) => {
    const port = server ? await listen(server) : 9;
    servedAt(`https://0.0.0.0:${port}`);
    expect(await tls()).toEqual([]);
    expect(lastTlsReading().latest).toMatchObject({ problem: expect.stringMatching(/./) as string });
    server?.close();
  });
});

test("a disk that is not nearly full begins no alert, also when the folder of the checkpoints does not exist yet", async () => {
  mkdirSync(join(portal.dataDir, "audit"), { recursive: true });
  renameSync(join(portal.dataDir, "audit"), join(portal.dataDir, "audit.away"));
  expect((await faultsAt(new Date(now.getTime() + DAY))).filter((fault) => fault === "disk-low audit")).toEqual([]);
  renameSync(join(portal.dataDir, "audit.away"), join(portal.dataDir, "audit"));
});

test("a disk is nearly full below 10 % of what this process can still fill, as df counts it", async () => {
  const rule = findAlertRule("disk-low") as AlertRule;
  expect([isFault(rule, 0.0999, now), isFault(rule, 0.1, now)]).toEqual([true, false]);
  expect(valueText(rule, 0.0625)).toBe("6.3 % free");
  const [, free = "", used = ""] =
    /\n *(\d+) +(\d+)/.exec(execFileSync("df", ["--output=avail,used", portal.dataDir], { encoding: "utf8" })) ?? [];
  const [disk] = await listDisks();
  expect(disk?.folder).toBe("data");
  expect(disk?.free).toBeCloseTo(Number(free) / (Number(free) + Number(used)), 1);
});

describe("an alert about an issuing CA that another one must follow", () => {
  test("begins 180 days before four years do not fit any more, and ends when a successor is to take over before", async () => {
    const { notAfter } = await getAuthority(getDb(), "issuing-sha2");
    const until = addYears(new Date(notAfter), -4);
    const at = addDays(until, -180);
    const short = () => faultsOf(after(at, 1), "issuing-ca-short");
    expect(await faultsOf(at, "issuing-ca-short")).toEqual([]);
    expect(await short()).toEqual(["issuing-ca-short issuing-sha2"]);
    await installSuccessor("issuing-sha2-2031", { years: 14 });
    expect(await short()).toEqual(["issuing-ca-short issuing-sha2"]);
    await takeOver("issuing-sha2-2031", after(until, 1000), OPERATOR);
    expect(await short()).toEqual(["issuing-ca-short issuing-sha2"]);
    await takeOver("issuing-sha2-2031", addDays(at, 90), OPERATOR);
    expect(await short()).toEqual([]);
    const next = addYears(new Date((await getAuthority(getDb(), "issuing-sha2-2031")).notAfter), -4);
    expect(await faultsOf(addDays(next, -179), "issuing-ca-short")).toEqual(["issuing-ca-short issuing-sha2-2031"]);
  });
});
