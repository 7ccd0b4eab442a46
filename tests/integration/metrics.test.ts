import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { verifyAndSign, verifyWhole } from "~/domain/audit/checkpoint.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { runJobByHand } from "~/domain/jobs/by-hand.service.server";
import { JOBS } from "~/domain/jobs/catalogue.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { lastFigures, portalMetrics } from "~/domain/metrics/portal-metrics.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { loader } from "~/routes/metrics";
import { getDb } from "~db/connection.server";
import { findAuthority } from "~db/repositories/authorities.server";
import { findLatestCrlSummary } from "~db/repositories/crls.server";
import { updateUser } from "~db/repositories/users.server";
import { CERTIFICATE_STATUSES } from "~db/tables/certificates";
import { inTransaction } from "~db/transaction.server";
import { record } from "../support/audit";
import { createCertificateOrder } from "../support/certificates";
import { labelsIn, readExposition } from "../support/exposition";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { TEST_ORIGIN } from "../support/variables";
import { run } from "../support/visitor";

const TOKEN = "the token of the tests for metrics, long enough";
usePortal({ METRICS_TOKEN: TOKEN });

afterEach(() => lastFigures.clear());

const ask = (authorization?: string, query = "") =>
  run(
    loader,
    new Request(`${TEST_ORIGIN}/metrics${query}`, { headers: authorization ? { Authorization: authorization } : {} }),
  );

/** Returns the current metrics. */
async function measured() {
  lastFigures.clear();
  return readExposition(await (await ask(`Bearer ${TOKEN}`)).text());
}

const valueOf = async (name: string, labels = "") => (await measured()).get(`marque_${name}`)?.samples.get(labels);

describe("access to the metrics", () => {
  test("[GEN-02] needs the token as a bearer token", async () => {
    const answer = await ask(`Bearer ${TOKEN}`);
    expect([answer.status, answer.headers.get("Content-Type"), answer.headers.get("Cache-Control")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "no-store",
    ]);
    const wrong = [
      "",
      "Bearer",
      "Bearer ",
      TOKEN,
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(0, -1)}`,
    ];
    for (const authorization of wrong) {
      const refused = await ask(authorization);
      expect([authorization, refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([
        authorization,
        401,
        /^Bearer +\S/.test(authorization) ? 'Bearer error="invalid_token"' : "Bearer",
      ]);
      expect(await refused.text()).not.toContain("marque_");
    }
    expect((await ask(undefined, `?access_token=${encodeURIComponent(TOKEN)}`)).status).toBe(401);
  });
});

describe("the metrics show", () => {
  test("whether the database answers", async () => {
    expect(await valueOf("database_up")).toBe(1);
  });

  test("[CAL-03] certificates by status, including statuses without any", async () => {
    const before = (await measured()).get("marque_certificates")?.samples;
    expect([...(before?.keys() ?? [])].sort()).toEqual(CERTIFICATE_STATUSES.map((one) => `{status="${one}"}`).sort());
    await createCertificateOrder(await createUser());
    expect(await valueOf("certificates", '{status="Pending"}')).toBe((before?.get('{status="Pending"}') ?? NaN) + 1);
  });

  test("[MAI-03] messages that wait and fail, and the age of the oldest", async () => {
    await getDb().deleteFrom("mails").execute();
    expect(await valueOf("mail_queue_messages", '{state="waiting"}')).toBe(0);
    expect(await valueOf("mail_queue_oldest_timestamp_seconds")).toBeUndefined();
    const mail = { subject: "Subject", text: "Text", html: "<p>Text</p>" };
    const queued = new Date("2026-11-20T10:00:00Z");
    for (const [key, at] of [
      ["reset-code:first", queued],
      ["reset-code:second", new Date("2026-11-21T10:00:00Z")],
      ["reset-code:rejected", new Date("2026-11-18T10:00:00Z")],
      ["reset-code:sent", new Date("2026-11-19T10:00:00Z")],
      ["reset-code:held", new Date("2026-11-17T10:00:00Z")],
    ] as const)
      await inTransaction((trx) => queueMail(trx, { dedupeKey: key, to: "anna@example.org", mail }, at));
    await getDb().updateTable("mails").set({ lastError: "421" }).where("dedupeKey", "=", "reset-code:second").execute();
    await getDb().updateTable("mails").set({ sentAt: queued }).where("dedupeKey", "=", "reset-code:sent").execute();
    const rejected = { lastError: "550", rejectedAt: queued };
    await getDb().updateTable("mails").set(rejected).where("dedupeKey", "=", "reset-code:rejected").execute();
    const { id: awaitsUserId } = await createUser({ emailVerifiedAt: null });
    await getDb().updateTable("mails").set({ awaitsUserId }).where("dedupeKey", "=", "reset-code:held").execute();
    for (const state of ["waiting", "failing", "rejected", "held"])
      expect(await valueOf("mail_queue_messages", `{state="${state}"}`)).toBe(1);
    expect(await valueOf("mail_queue_oldest_timestamp_seconds")).toBe(queued.getTime() / 1000);
    // The age of a released message is counted from its release, not from the insertion of its row.
    await updateUser(getDb(), awaitsUserId, { emailVerifiedAt: new Date("2026-11-20T11:00:00Z") });
    expect(await valueOf("mail_queue_messages", '{state="waiting"}')).toBe(2);
    expect(await valueOf("mail_queue_oldest_timestamp_seconds")).toBe(queued.getTime() / 1000);
  });

  test("[CAL-03] the last run, last success, next run, duration and failures of each job", async () => {
    const clean = '{job="clean-up"}';
    expect(await valueOf("job_last_run_timestamp_seconds", clean)).toBeUndefined();
    const job = JOBS.find(({ name }) => name === "clean-up") as (typeof JOBS)[number];
    await runJobByHand("clean-up", systemActor("test"));
    const failing = { ...job, run: () => Promise.reject(new Error("the disk is full")) };
    for (let tries = 0; tries < 2; tries += 1)
      await expect(runJobByHand("clean-up", systemActor("test"), { jobs: [failing] })).rejects.toThrow();
    const row = await getDb().selectFrom("jobs").selectAll().where("name", "=", "clean-up").executeTakeFirstOrThrow();
    const at = (moment: string | null) => Date.parse(moment ?? "") / 1000;
    expect(await valueOf("job_last_run_timestamp_seconds", clean)).toBe(at(row.lastFinishedAt));
    expect(await valueOf("job_last_success_timestamp_seconds", clean)).toBe(at(row.lastSucceededAt));
    expect(await valueOf("job_next_run_timestamp_seconds", clean)).toBe(at(row.nextRunAt));
    expect(await valueOf("job_last_duration_seconds", clean)).toBe((row.lastDurationMs ?? NaN) / 1000);
    expect(await valueOf("job_failures_total", clean)).toBe(2);
    expect((await measured()).get("marque_job_failures_total")?.type).toBe("counter");
  });

  test("[CAL-03] the expiry of the latest CRLs of each CA", async () => {
    await publishCrls("issuing-sha2");
    const authority = await findAuthority(getDb(), "issuing-sha2");
    for (const [kind, isDelta] of [
      ["base", false],
      ["delta", true],
    ] as const) {
      const latest = await findLatestCrlSummary(getDb(), authority?.id ?? 0, isDelta);
      const name = `{authority="issuing-sha2",kind="${kind}",level="issuing"}`;
      expect(await valueOf("crl_next_update_timestamp_seconds", name)).toBe(
        Date.parse(latest?.nextUpdate ?? "") / 1000,
      );
    }
  });

  test("[AUD-02] the latest checkpoint of the audit trail and the entries since", async () => {
    const now = new Date("2026-11-22T10:00:00Z");
    await record();
    await verifyAndSign(now);
    expect(await valueOf("audit_checkpoint_timestamp_seconds")).toBe(now.getTime() / 1000);
    expect(await valueOf("audit_unsigned_entries")).toBe(0);
    await record();
    await record();
    expect(await valueOf("audit_unsigned_entries")).toBe(2);
  });

  test("[GEN-02] every metric at which the rule file of Prometheus looks", async () => {
    await Promise.all([verifyAndSign(), verifyWhole(), renewResponders()]);
    await runJobByHand("clean-up", systemActor("test"));
    const named = new Set(readFileSync("deploy/prometheus/marque.rules.yml", "utf8").match(/\bmarque_\w+/g));
    expect(named.size).toBeGreaterThan(5);
    const families = await measured();
    expect([...named].filter((name) => !families.has(name))).toEqual([]);
    const empty = [...named].filter((name) => families.get(name)?.samples.size === 0);
    const [signer, tls] = [
      ["marque_signer_up", "marque_signer_ceiling_ratio"],
      "marque_tls_certificate_end_timestamp_seconds",
    ];
    expect(empty).toEqual([...signer, tls]); // this portal has neither a signer nor TLS // this portal has no https address
  });

  test("[GEN-02] no personal data: labels have few values that are known in advance", async () => {
    const someone = {
      email: "greta.secret@hidden.example",
      company: "Hidden Parts",
      firstName: "Greta",
      lastName: "Secret",
    };
    const user = await createUser(someone);
    await createCertificateOrder(user, undefined, { commonName: "hidden.example" });
    await inTransaction((trx) =>
      queueMail(trx, {
        dedupeKey: "reset-code:hidden",
        to: user.email,
        mail: { subject: "Hidden", text: "", html: "" },
      }),
    );
    await getDb().insertInto("jobs").values({ name: "greta", nextRunAt: new Date(), lastError: "hidden" }).execute();
    lastFigures.clear();
    const text = await portalMetrics();
    expect(text).not.toMatch(/hidden|greta|secret/i);
    const known: Record<string, readonly string[]> = {
      status: CERTIFICATE_STATUSES,
      state: ["waiting", "failing", "rejected", "held"],
      job: JOBS.map(({ name }) => name),
      authority: ["root", "issuing-sha2", "root-g3", "issuing-g3"],
      kind: ["base", "delta"],
      level: ["root", "issuing"],
      verification: ["latest", "whole"],
      folder: ["data", "audit"],
    };
    for (const { samples } of readExposition(text).values())
      for (const key of samples.keys())
        for (const [label, value] of labelsIn(key)) expect(known[label]).toContain(value);
  });
});

describe("the cost of the metrics", () => {
  test("is one count in the database every 15 seconds for all requests", async () => {
    const now = Date.now();
    const first = portalMetrics(now);
    await createCertificateOrder(await createUser());
    expect(await portalMetrics(now + 14_999)).toBe(await first);
    expect(await portalMetrics(now + 15_000)).not.toBe(await first);
  });

  test("stays the same after the clock was set back", async () => {
    const now = Date.now();
    const first = await portalMetrics(now + 3_600_000);
    await createCertificateOrder(await createUser());
    expect(await portalMetrics(now)).not.toBe(first);
  });

  test("is not paid when the database does not answer, which is reported", async () => {
    await sql`alter table certificates rename to certificates_away`.execute(getDb());
    try {
      const families = await measured();
      expect(families.get("marque_database_up")?.samples.get("")).toBe(0);
      const told = [...families].filter(([name, { samples }]) => name.startsWith("marque_") && samples.size > 0);
      expect(told.map(([name]) => name)).toEqual(["marque_database_up"]);
    } finally {
      await sql`alter table certificates_away rename to certificates`.execute(getDb());
    }
  });
});
