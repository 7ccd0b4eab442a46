import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { expireCertificates, reviveCertificates } from "~/domain/certificates/catalogue/expiry.service.server";
import { isApproving } from "~/domain/certificates/issuing/groups.server";
import { JOBS, type JobDefinition } from "~/domain/jobs/catalogue.server";
import { jobOwner, startJobs } from "~/domain/jobs/jobs.service.server";
import { listJobStates, prepareJobs, runDueJobs, runJob } from "~/domain/jobs/run.service.server";
import { nextRun } from "~/domain/jobs/timetable.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { claimJob, finishJob, insertMissingJobs, listJobs } from "~db/repositories/jobs.server";
import { deleteEndedRows } from "~db/repositories/upkeep.server";
import { issueCertificate, setCertificate } from "../support/certificates";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();
const MINUTE = 60_000;
const later = (ms: number, from: Date) => new Date(from.getTime() + ms);

afterEach(() => getDb().deleteFrom("jobs").execute());

/** Returns a job that counts its runs. */
function counter(change: Partial<JobDefinition> = {}) {
  const job: JobDefinition & { runs: number } = {
    name: "counter",
    about: "counts",
    schedule: "0 * * * * *",
    runs: 0,
    run: () => Promise.resolve(`run ${(job.runs += 1)}`),
    ...change,
  };
  return job;
}

/** Issues a certificate and then changes its row. */
async function issuedThen(change: Parameters<typeof setCertificate>[1]) {
  const certificate = await issueCertificate();
  await setCertificate(certificate.id, change);
  return certificate;
}

const rowOf = async (name: string) => (await listJobs(getDb())).find((row) => row.name === name);

describe("jobs", () => {
  test("[CAL-03] run once when due and record the outcome", async () => {
    const job = counter();
    const now = new Date("2026-11-21T10:00:30Z");
    await prepareJobs(now, [job]);
    expect(await runDueJobs(now, "a", [job])).toEqual([{ name: "counter", result: "run 1", error: null }]);
    expect(await rowOf("counter")).toMatchObject({
      nextRunAt: "2026-11-21T10:01:00.000Z",
      leasedUntil: null,
      leasedBy: null,
      lastResult: "run 1",
      lastError: null,
    });
    expect(await runDueJobs(later(10_000, now), "a", [job])).toEqual([]);
    expect(await runDueJobs(later(MINUTE, now), "a", [job])).toHaveLength(1);
    expect(job.runs).toBe(2);
  });

  test("[CAL-03] run in one of many processes", async () => {
    const job = counter();
    job.run = async () => {
      await sleep(50);
      return `run ${(job.runs += 1)}`;
    };
    const now = new Date();
    await prepareJobs(now, [job]);
    await Promise.all(["a", "b", "c", "d"].map((owner) => runDueJobs(now, owner, [job])));
    expect(job.runs).toBe(1);
  });

  test("[CAL-03] that fail are recorded and tried again at the next turn", async () => {
    const now = new Date("2026-11-21T10:00:30Z");
    const job = counter({ run: () => Promise.reject(new Error("the disk is full")) });
    await prepareJobs(now, [job]);
    const [report] = await runDueJobs(now, "a", [job]);
    expect(report?.error?.message).toBe("the disk is full");
    expect(await rowOf("counter")).toMatchObject({
      lastError: "the disk is full",
      nextRunAt: "2026-11-21T10:01:00.000Z",
    });
  });

  test("[CAL-03] that may give way wait for approvals of the same process, but not for long", async () => {
    const [waits, runs] = [counter({ name: "waits", givesWayMs: 10_000 }), counter({ name: "runs" })];
    const now = new Date();
    await prepareJobs(now, [waits, runs]);
    const issued = issueCertificate();
    await vi.waitUntil(isApproving, { interval: 1 });
    expect(await runDueJobs(now, "a", [waits, runs])).toMatchObject([{ name: "runs" }]);
    expect(await runDueJobs(later(9999, now), "a", [waits])).toEqual([]);
    expect(await runDueJobs(later(10_000, now), "a", [waits])).toMatchObject([{ name: "waits" }]);
    await issued;
  });

  test("[CAL-03] that may give way wait for approvals of other processes", async () => {
    const waits = counter({ name: "waits", givesWayMs: 10_000 });
    const { id } = await issueCertificate();
    const row = await getDb().selectFrom("certificates").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const now = new Date("2026-11-21T10:00:30Z");
    await prepareJobs(now, [waits]);
    const { tbsCertificate } = row;
    await vi.waitUntil(() => !isApproving(), { timeout: 5000 });
    const begun = {
      status: "Pending",
      tbsCertificate: Buffer.from("a TBS certificate"),
      der: null,
      decidedAt: now,
    } as const;
    await getDb().updateTable("certificates").set(begun).where("id", "=", id).execute();
    expect(await runDueJobs(now, "a", [waits])).toEqual([]);
    expect(await runDueJobs(later(5001, now), "a", [waits])).toMatchObject([{ name: "waits" }]); // it waits for the signer
    const ended = { status: row.status, tbsCertificate, der: row.der, decidedAt: row.decidedAt };
    await getDb().updateTable("certificates").set(ended).where("id", "=", id).execute();
  });

  test("[CAL-04] of a killed process are taken over when the lease ends, and the old run cannot finish", async () => {
    const job = counter();
    const now = new Date("2026-11-21T10:00:30Z");
    await insertMissingJobs(getDb(), [job.name], now);
    await claimJob(getDb(), { name: job.name, owner: "killed", now, until: later(MINUTE, now) });
    expect(await runDueJobs(later(MINUTE - 1, now), "b", [job])).toEqual([]);
    expect(await runDueJobs(later(MINUTE, now), "b", [job])).toHaveLength(1);
    const before = await rowOf("counter");
    await finishJob(getDb(), {
      name: job.name,
      owner: "killed",
      now,
      nextRunAt: now,
      durationMs: 1,
      result: "late",
      error: null,
    });
    expect(await rowOf("counter")).toEqual(before);
  });

  test("[CAL-04] run in spite of a next run or lease by a clock that was years ahead", async () => {
    const job = counter();
    const now = new Date("2026-11-21T10:00:30Z");
    const wrong = addDays(now, 1000);
    await prepareJobs(wrong, [job]);
    await runDueJobs(wrong, "a", [job]);
    expect(await runDueJobs(now, "a", [job])).toHaveLength(1);
    expect((await rowOf("counter"))?.nextRunAt).toBe("2026-11-21T10:01:00.000Z");

    await claimJob(getDb(), { name: job.name, owner: "killed", now: wrong, until: later(MINUTE, wrong) });
    expect(await runDueJobs(later(MINUTE, now), "a", [job])).toHaveLength(1);
    expect(job.runs).toBe(3);
  });

  test("[CAL-04] do not run early when clocks differ by minutes", async () => {
    const job = counter({ schedule: "0 0 * * * *" });
    const now = new Date("2026-11-21T09:58:00Z");
    await prepareJobs(now, [job]);
    // the next run is at 11:00; without tolerance, that would be too far ahead at 09:58
    await runDueJobs(later(4 * MINUTE, now), "fast", [job]);
    expect(await runDueJobs(now, "slow", [job])).toEqual([]);
  });

  test.each([
    ["back an hour", -60 * MINUTE],
    ["forward a year", 365 * 24 * 60 * MINUTE],
  ])("[CAL-04] continue when the clock of a portal jumps %s", async (_way, ms) => {
    const setClock = (now: Date) => vi.useFakeTimers({ toFake: ["Date"], now, shouldAdvanceTime: true });
    const lastRun = async () => (await rowOf("mail"))?.lastFinishedAt ?? "";
    const runs = (isSo: (at: string) => boolean) =>
      vi.waitFor(async () => expect(isSo(await lastRun())).toBe(true), { timeout: 30_000, interval: 200 });
    const jobs = startJobs({ onError: () => undefined });
    try {
      await runs((at) => at !== "");
      setClock(later(ms, new Date()));
      await runs((at) => Math.abs(Date.parse(at) - Date.now()) < 10_000);
      const first = await lastRun();
      await runs((at) => at > first);
    } finally {
      await jobs.stop();
      vi.useRealTimers();
    }
  });

  test("have valid schedules and are found only by their names", async () => {
    const now = new Date("2026-11-21T10:00:30Z");
    for (const { schedule } of JOBS) expect(nextRun(schedule, now).getTime()).toBeGreaterThan(now.getTime());
    await expect(runJob("nothing", "a")).rejects.toThrow(/There is no job 'nothing'/);
    expect(await runJob("clean-up", "a")).toMatchObject({ error: null });
    expect((await listJobStates()).find(({ job }) => job.name === "clean-up")?.row?.lastResult).toContain("removed");
  });

  test("[CAL-03] publish what is missing when the portal starts, and finish before it stops", async () => {
    const failures = new Set<string>(); // the job for the roots' CRLs runs twice, at 6 o'clock
    const jobs = startJobs({ onError: (name) => failures.add(name) });
    const until = Date.now() + 45_000;
    const isPublished = async () =>
      (await getDb().selectFrom("crls").select("id").where("isDelta", "=", true).execute()).length >= 2;
    while (!(await isPublished()) && Date.now() < until) await sleep(100);
    await jobs.stop();
    expect(await isPublished()).toBe(true);
    expect([...failures]).toEqual(["root-lists"]); // only the command line publishes the CRLs of the roots
    for (const row of await listJobs(getDb())) expect(row.leasedBy).toBeNull();
    expect(jobOwner()).not.toBe(jobOwner());
  });
});

describe("the expiry of certificates", () => {
  test("[CER-10] sets Expired after the end, with an audit entry, without opening them", async () => {
    const now = new Date("2027-06-01T00:00:00Z");
    const issue = (status: "Issued" | "Downloaded" | "Revoked" | "RequestRevoke" | "Renewed", days: number) =>
      issuedThen({ expiryDate: addDays(now, days), status });
    const ended = [await issue("Issued", -1), await issue("Downloaded", 0)];
    const kept = [
      await issue("Issued", 1),
      await issue("Revoked", -1),
      await issue("RequestRevoke", -1),
      await issue("Renewed", -1),
    ];
    const statusOf = async ({ id }: { id: number }) =>
      (await getDb().selectFrom("certificates").select("status").where("id", "=", id).executeTakeFirstOrThrow()).status;

    expect(await Promise.all([expireCertificates(now), expireCertificates(now)]).then(([a, b]) => a + b)).toBe(2);
    for (const certificate of ended) expect(await statusOf(certificate)).toBe("Expired");
    expect(await Promise.all(kept.map(statusOf))).toEqual(["Issued", "Revoked", "RequestRevoke", "Renewed"]);
    const entries = await getDb()
      .selectFrom("auditEntries")
      .selectAll()
      .where("event", "=", "certificate.expired")
      .execute();
    expect(entries.map(({ certificateId }) => certificateId).sort()).toEqual(ended.map(({ id }) => id).sort());
    expect(entries[0]).toMatchObject({ actorName: "expiry", at: now.toISOString() });
    expect(await expireCertificates(now)).toBe(0);
  });
});

describe("expiry by a wrong clock", () => {
  test("[CER-10] a certificate marked Expired too early gets its former status back, with an audit entry", async () => {
    const now = new Date("2032-06-01T00:00:00Z");
    const end = (days: number) => ({ expiryDate: addDays(now, days) });
    const issued = await issuedThen(end(100));
    const downloaded = await issuedThen({ ...end(100), status: "Downloaded", downloadedAt: now });
    const ended = await issuedThen(end(-1));
    const justEnded = await issuedThen({ expiryDate: later(MINUTE, now), status: "Expired" });
    const all = [issued, downloaded, ended, justEnded];
    const statuses = async () => {
      const rows = await getDb().selectFrom("certificates").select(["id", "status"]).execute();
      return all.map(({ id }) => rows.find((row) => row.id === id)?.status);
    };

    await expireCertificates(addDays(now, 1000));
    expect(await statuses()).toEqual(["Expired", "Expired", "Expired", "Expired"]);
    const runs = await Promise.all([reviveCertificates(now), reviveCertificates(now)]);
    expect(runs[0] + runs[1]).toBe(2);
    expect(await statuses()).toEqual(["Issued", "Downloaded", "Expired", "Expired"]);
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select(["certificateId", "actorName"])
      .where("event", "=", "certificate.expiry-withdrawn")
      .orderBy("certificateId")
      .execute();
    expect(entries).toEqual([issued, downloaded].map(({ id }) => ({ certificateId: id, actorName: "expiry" })));
    expect(await reviveCertificates(now)).toBe(0);
    expect((await runJob("expiry", "a", now))?.result).toBe("0 expired, 0 corrected");
  });
});

describe("the clean-up", () => {
  test("removes drafts, links and rate limits a day after their end", async () => {
    const { id: userId } = await createUser();
    const now = new Date();
    for (const [name, days] of [
      ["old", -1],
      ["new", 1],
    ] as const) {
      const expiresAt = addDays(now, days);
      const draft = { id: name, userId, kind: "certificate-purchase" as const, data: "{}" };
      await getDb()
        .insertInto("drafts")
        .values({ ...draft, createdAt: now, updatedAt: now, expiresAt })
        .execute();
      const token = { tokenHash: name, purpose: "verify-email" as const, email: "a@example.com" };
      await getDb()
        .insertInto("tokens")
        .values({ ...token, createdAt: now, expiresAt })
        .execute();
      await getDb().insertInto("rateLimits").values({ key: name, points: 1, expire: expiresAt.getTime() }).execute();
    }
    expect(await deleteEndedRows(getDb(), now)).toBe(3);
    expect(await getDb().selectFrom("drafts").select("id").execute()).toEqual([{ id: "new" }]);
    expect(await getDb().selectFrom("tokens").select("tokenHash").execute()).toEqual([{ tokenHash: "new" }]);
  });

  test("removes messages 400 days after they were sent or dismissed, and none that waits", async () => {
    const now = new Date();
    const [long, short] = [addDays(now, -401), addDays(now, -399)];
    await getDb().deleteFrom("mails").execute();
    const common = { recipient: "a@example.com", subject: "S", text: "", html: "", nextAttemptAt: long };
    for (const [dedupeKey, times] of Object.entries({
      "sent long ago": { sentAt: long },
      "sent lately": { sentAt: short },
      "dismissed long ago": { dismissedAt: long },
      "dismissed lately": { dismissedAt: short },
      "still waiting": {},
    }))
      await getDb()
        .insertInto("mails")
        .values({ ...common, ...times, dedupeKey, createdAt: long })
        .execute();
    expect((await runJob("old-mail", "a", now))?.result).toBe("2 removed");
    const left = await getDb().selectFrom("mails").select("dedupeKey").orderBy("id").execute();
    expect(left.map(({ dedupeKey }) => dedupeKey)).toEqual(["sent lately", "dismissed lately", "still waiting"]);
  });
});
