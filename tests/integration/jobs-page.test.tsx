import { load } from "cheerio";
import { afterEach, describe, expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { runJobByHand } from "~/domain/jobs/by-hand.service.server";
import { type JobDefinition, JOBS } from "~/domain/jobs/catalogue.server";
import { prepareJobs, runDueJobs } from "~/domain/jobs/run.service.server";
import { getSession } from "~/http/session.server";
import * as page from "~/routes/home.jobs";
import { getDb } from "~db/connection.server";
import { claimJob, listJobs } from "~db/repositories/jobs.server";
import { createAdmin } from "../support/factories";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const MINUTE = 60_000;
const LONG = { timeout: 30_000 };

afterEach(() => getDb().deleteFrom("jobs").execute());

const rowOf = async (name: string) => (await listJobs(getDb())).find((row) => row.name === name);

const started = () =>
  getDb()
    .selectFrom("auditEntries")
    .select(["actorName", "actorId", "message", "reference"])
    .where("event", "=", "job.started")
    .execute();

/** Returns the texts in the row of a job, by column. `button` is present when the job can be run. */
function rowIn(html: string, name: string) {
  const $ = load(html);
  const row = $('th[scope="row"]')
    .filter((_, heading) => $(heading).contents().first().text() === name)
    .closest("tr");
  const cell = (label: string) => pageText(row.find(`td[data-l="${label}"]`).html() ?? "").trim();
  return {
    schedule: cell("Schedule (UTC)"),
    last: cell("Last run"),
    next: cell("Next run"),
    failure: cell("Last failure"),
    button: row.find('button[name="job"]').length > 0,
  };
}

const open = async (admin: Visitor, fields?: Record<string, string>) =>
  openPage(page, admin, "/home/jobs", fields && { fields });

const post = async (admin: Visitor, job: string) => run(page.action, await admin.post("/home/jobs", { job }));

/** Returns the message that is shown after the redirect. */
async function toastOf(answer: Response) {
  const [cookie = ""] = (answer.headers.get("Set-Cookie") ?? "").split(";");
  return (await getSession(new Request("http://portal.test", { headers: { Cookie: cookie } }))).get("toast");
}

/** A job that runs until the test ends it. */
function lasting() {
  let end: (result: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => (end = resolve));
  const job: JobDefinition & { runs: number } = {
    name: "lasting",
    about: "lasts",
    schedule: "0 0 0 1 1 *",
    runs: 0,
    run: () => {
      job.runs += 1;
      return ended;
    },
  };
  return { job, end };
}

const failing = (message: string): JobDefinition => ({
  name: "root-lists",
  about: "fails",
  schedule: "0 0 0 1 1 *",
  run: () => Promise.reject(new Error(message)),
});

describe("the page of the jobs", () => {
  test("[CAL-03] names every job, its task and schedule, and says that it has not run yet", async () => {
    const { html } = await open(await signedInAs(await createAdmin()));
    const headings = textsOf(html, 'th[scope="row"][role="rowheader"]:has(> span.sub)');
    for (const { name, about } of JOBS) {
      expect(headings).toContain(name + about);
      expect(rowIn(html, name)).toMatchObject({ last: "Not run yet", next: "", failure: "", button: true });
    }
    expect(rowIn(html, "audit-whole").schedule).toBe("At 02:40");
    expect(rowIn(html, "mail").schedule).toBe("Every 5 seconds");
  });

  test("[CAL-03] runs the job by 'Run now', shows the outcome, and audits who asked for it", async () => {
    const staff = await createAdmin();
    const admin = await signedInAs(staff);
    const before = (await started()).length;
    const answer = await post(admin, "clean-up");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/jobs"]);
    expect(await toastOf(answer)).toEqual({
      kind: "ok",
      text: "The job 'clean-up' has run: 0 rows and 0 CRLs removed.",
    });
    expect((await started()).slice(before)).toEqual([
      {
        actorName: staff.email,
        actorId: staff.id,
        message: "Started the job 'clean-up' by hand.",
        reference: "clean-up",
      },
    ]);
    const row = rowIn((await open(admin)).html, "clean-up");
    expect(row.last).toMatch(
      /^Succeeded \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d UTC , took \d+(\.\d)? m?s 0 rows and 0 CRLs removed$/,
    );
    expect(row.next).toMatch(/^\d\d\/\d\d\/\d{4} 03:20:00 UTC$/);
    expect(await rowOf("clean-up")).toMatchObject({ leasedBy: null, leasedUntil: null, failures: 0 });
  });

  test("[CAL-03] shows a failed job, and its last failure also after a success", async () => {
    const admin = await signedInAs(await createAdmin());
    const { status, html } = await open(admin, { job: "root-lists" }); // the roots of the trial CA have no CRLs yet, so the job fails
    expect(status).toBe(422);
    expect(pageText(html)).toContain("The job 'root-lists' failed: The CRL of 'root' is missing");
    expect(textsOf(html, "h2")).toEqual(["There is a problem", "Alerts"]);
    const failed = rowIn(html, "root-lists");
    expect(failed.last).toMatch(/^Failed .* is missing/);
    expect(failed.failure).toMatch(/^\d\d\/\d\d\/\d{4} .* is missing/);
    expect(await rowOf("root-lists")).toMatchObject({ failures: 1, lastSucceededAt: null });

    const sound: JobDefinition = { ...failing(""), run: () => Promise.resolve("all current") };
    await runJobByHand("root-lists", systemActor("test"), { jobs: [sound] });
    const mended = rowIn((await open(admin)).html, "root-lists");
    expect(mended.last).toMatch(/^Succeeded .* all current$/);
    expect(mended.failure).toBe(failed.failure);
    expect(await rowOf("root-lists")).toMatchObject({ failures: 1, lastError: null });
  });

  test("[CAL-03] shows a failure text safely, whatever its markup and length", async () => {
    const admin = await signedInAs(await createAdmin());
    const message = `<script>alert(1)</script>${"x".repeat(600)}`;
    await expect(runJobByHand("root-lists", systemActor("test"), { jobs: [failing(message)] })).rejects.toThrow(
      message,
    );
    expect((await rowOf("root-lists"))?.lastFailure).toBe(message.slice(0, 500));
    expect((await open(admin)).html).not.toContain("<script>alert(1)");
  });

  test("[CAL-03] does not run a job twice that another process runs, neither by a click nor by schedule", async () => {
    const admin = await signedInAs(await createAdmin());
    const now = new Date();
    await prepareJobs(now);
    const lease = { name: "clean-up", owner: "another", now, until: new Date(now.getTime() + MINUTE) };
    await claimJob(getDb(), lease);
    const before = (await started()).length;
    const { status, html } = await open(admin, { job: "clean-up" });
    expect(status).toBe(409);
    expect(pageText(html)).toContain("The job 'clean-up' is already running. Try again when it has ended.");
    expect(rowIn(html, "clean-up")).toMatchObject({ button: false });
    expect(rowIn(html, "clean-up").last).toMatch(/^Running began \d\d\//);
    expect(await started()).toHaveLength(before);
    expect(await rowOf("clean-up")).toMatchObject({ leasedBy: "another", lastFinishedAt: null });
  });

  test("[CAL-03] runs the job once for many clicks and a due schedule", async () => {
    const { job, end } = lasting();
    await prepareJobs(new Date(), [job]);
    let settled = 0;
    const clicks = ["a", "b", "c", "d"].map((name) => runJobByHand(job.name, systemActor(name), { jobs: [job] }));
    const all = [...clicks, runDueJobs(new Date(), "runner", [job])].map((one) =>
      Promise.resolve<unknown>(one)
        .catch((error: Error) => error.message)
        .finally(() => (settled += 1)),
    );
    await expect.poll(() => settled, LONG).toBe(4); // the fifth one is running the job
    end("ended");
    const busy = (await Promise.all(all)).filter((outcome) => String(outcome).includes("already running"));
    expect(busy.length).toBeGreaterThanOrEqual(3);
    expect(job.runs).toBe(1);
  });

  test("[CAL-03] shows a long job as running, and it ends by itself", async () => {
    const admin = await signedInAs(await createAdmin());
    const { job, end } = lasting();
    const jobs = [{ ...job, name: "clean-up" }];
    const said = runJobByHand("clean-up", systemActor("test"), { jobs });
    await expect.poll(async () => rowIn((await open(admin)).html, "clean-up").last, LONG).toMatch(/^Running/);
    end("nothing to remove");
    expect(await said).toBe("The job 'clean-up' has run: nothing to remove.");
    await expect.poll(async () => (await rowOf("clean-up"))?.lastResult, LONG).toBe("nothing to remove");
  });

  test("[CAL-04] shows the job of a killed process as interrupted, and it can run once the lease has ended", async () => {
    const admin = await signedInAs(await createAdmin());
    const past = new Date(Date.now() - 2 * MINUTE);
    await prepareJobs(past);
    await claimJob(getDb(), { name: "clean-up", owner: "killed", now: past, until: new Date(Date.now() - MINUTE) });
    expect(rowIn((await open(admin)).html, "clean-up")).toMatchObject({ button: true });
    expect(rowIn((await open(admin)).html, "clean-up").last).toMatch(/^Interrupted began \d\d\//);
    expect((await post(admin, "clean-up")).status).toBe(303);
    expect(rowIn((await open(admin)).html, "clean-up").last).toMatch(/^Succeeded/);
  });

  test("[AUD-02] does not run a job when the audit trail cannot be written", async () => {
    const { job } = lasting();
    await getDb().schema.alterTable("audit_entries").renameTo("audit_entries_away").execute();
    try {
      await expect(runJobByHand(job.name, systemActor("test"), { jobs: [job] })).rejects.toThrow();
    } finally {
      await getDb().schema.alterTable("audit_entries_away").renameTo("audit_entries").execute();
    }
    expect(job.runs).toBe(0);
    expect(await rowOf(job.name)).toMatchObject({ leasedBy: null });
  });

  test.each(["", "nothing", "mail ", "MAIL", "<b>mail</b>😀"])("[CAL-03] knows no job %j", async (name) => {
    const before = (await started()).length;
    expect((await post(await signedInAs(await createAdmin()), name)).status).toBe(404);
    expect(await started()).toHaveLength(before);
  });
});
