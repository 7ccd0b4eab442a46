import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "cheerio";
import { beforeAll, describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { makeOcspRequest } from "~/ca/ocsp/make-request.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { auditEverything } from "~/domain/certificate-audit/audit.service.server";
import { runJob } from "~/domain/jobs/run.service.server";
import { recordAlive } from "~/domain/status/alive.server";
import { writeStatusFiles } from "~/domain/status/files.server";
import { statusSchema } from "~/domain/status/status.schema";
import { lastStatus, readStatus } from "~/domain/status/status.service.server";
import { formatDateTime } from "~/lib/dates";
import * as page from "~/routes/_public.status";
import { loader as callLoader } from "~/routes/api.$";
import { loader as feedLoader } from "~/routes/status[.]atom";
import { loader as jsonLoader } from "~/routes/status[.]json";
import { getDb } from "~db/connection.server";
import { findUsableResponder } from "~db/repositories/ocsp-responders.server";
import { after, HOUR, makeSound, MINUTE } from "../support/alerts";
import { createCertificateOrder, issueCertificate, setCertificate, storeRevocation } from "../support/certificates";
import { createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { bytesOf, getFile } from "../support/repository";
import { openPage } from "../support/route-page";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, run } from "../support/visitor";
import { confirmed, useRevoking } from "./revoking";

const { issue, send } = useRevoking();
const { file } = useOpenssl();

beforeAll(() => makeSound(new Date()));

/** Runs the job that measures, and makes the portal forget when its jobs ran. Returns the status of this time. */
async function measuredAt(now: Date) {
  const report = await runJob("status", "test", now);
  if (report?.error) throw report.error;
  await getDb().deleteFrom("jobs").execute();
  lastStatus.clear();
  return readStatus(now);
}

const listOf = ({ lists }: Awaited<ReturnType<typeof readStatus>>, authority: string, kind: "base" | "delta") => {
  const found = lists.find((list) => list.authority === authority && list.kind === kind);
  if (!found) throw new Error(`no list of ${authority}`);
  return found;
};

const request = (path: string, headers: Record<string, string> = {}) => new Request(TEST_ORIGIN + path, { headers });

describe("what the status says of CRLs", () => {
  test("[REP-05] number, age and end of each CRL are those that openssl reads in the published file", async () => {
    const { lists } = await readStatus();
    expect(lists.map(({ authority, kind }) => `${authority} ${kind}`).sort()).toEqual(
      [
        "root base",
        "root-g3 base",
        ...["issuing-sha2", "issuing-g3"].flatMap((ca) => [`${ca} base`, `${ca} delta`]),
      ].sort(),
    );
    for (const { url, ...list } of lists) {
      const bytes = await bytesOf(await getFile(url.split("/").at(-1) ?? ""));
      const text = openssl(["crl", "-inform", "DER", "-noout", "-crlnumber", "-lastupdate", "-nextupdate"], bytes);
      const instant = (field: string) => new Date(new RegExp(`${field}=(.*)`).exec(text)?.[1] ?? "").toISOString();
      expect(list).toMatchObject({
        state: "fresh",
        number: Number.parseInt(/crlNumber=0x([\dA-F]+)/i.exec(text)?.[1] ?? "", 16),
        thisUpdate: instant("lastUpdate"),
        nextUpdate: instant("nextUpdate"),
      });
      expect(list.ageSeconds).toBeLessThan(600);
    }
  });

  test("[REP-05] [REV-04] a revocation changes them at once, without another measurement", async () => {
    const { id } = await issue();
    const before = listOf(await readStatus(), "issuing-sha2", "base");
    await send(id, confirmed());
    const now = listOf(await readStatus(), "issuing-sha2", "base");
    expect(now.number).toBeGreaterThan(before.number ?? 0);
    expect(now.entries).toBe((before.entries ?? 0) + 1);
  });

  test("[REP-05] a CRL is late a quarter of an hour after the next one was due, and ends later", async () => {
    const now = new Date("2027-03-01T00:00:00Z");
    await publishCrls("issuing-g3", now);
    const statesAt = async (ms: number) => {
      const status = await readStatus(after(now, ms));
      return (["base", "delta"] as const).map((kind) => listOf(status, "issuing-g3", kind).state);
    };
    expect(await statesAt(HOUR + 14 * MINUTE)).toEqual(["fresh", "fresh"]);
    expect(await statesAt(HOUR + 16 * MINUTE)).toEqual(["fresh", "late"]);
    expect(await statesAt(24 * HOUR + 14 * MINUTE)).toEqual(["fresh", "ended"]);
    expect(await statesAt(24 * HOUR + 16 * MINUTE)).toEqual(["late", "ended"]);
    expect(await statesAt(7 * 24 * HOUR)).toEqual(["ended", "ended"]);
    const { problems } = await readStatus(after(now, 25 * HOUR));
    expect(problems).toContain("The revocation list of Issuing G3 (SHA512) is late, but still valid.");
    expect(problems).toContain("The delta revocation list of Issuing G3 (SHA512) is no longer valid.");
    await getDb().deleteFrom("crls").where("thisUpdate", ">=", now.toISOString()).execute();
    await publishCrls("issuing-g3");
  });
});

describe("what the status measures", () => {
  test("[REP-05] it asks each OCSP responder, with a request that openssl reads, about the responder's own certificate", async () => {
    const now = new Date();
    const { responders, measuredAt: at, state } = await measuredAt(now);
    expect([at, state]).toEqual([now.toISOString(), "fresh"]);
    expect(responders.map(({ authority, state: answer }) => [authority, answer])).toEqual([
      ["issuing-sha2", "fresh"],
      ["issuing-g3", "fresh"],
    ]);
    for (const { thisUpdate, nextDue, nextUpdate } of responders) {
      const signed = Date.parse(thisUpdate ?? "");
      expect(now.getTime() - signed).toBeLessThan(HOUR);
      expect([Date.parse(nextDue ?? "") - signed, Date.parse(nextUpdate ?? "") - signed]).toEqual([HOUR, 24 * HOUR]);
    }
    const authority = await getAuthority(getDb(), "issuing-sha2");
    const responder = await findUsableResponder(getDb(), authority.id, now);
    const { serialNumber } = describeCertificate(responder?.certificate ?? Buffer.alloc(0));
    const der = makeOcspRequest(readIssuer(authority.certificate), serialNumber);
    const text = openssl(["ocsp", "-reqin", file("req", der), "-req_text", "-noverify"]);
    expect(text).toContain(`Serial Number: ${serialNumber}`);
  });

  test("[REP-05] a responder that gives no answer is named, and the event lasts until it answers again", async () => {
    const now = new Date();
    const { id } = await getAuthority(getDb(), "issuing-g3");
    const rows = await getDb().selectFrom("ocspResponders").selectAll().where("authorityId", "=", id).execute();
    await getDb().updateTable("ocspResponders").set({ privateKey: null }).where("authorityId", "=", id).execute();
    const without = await measuredAt(after(now, MINUTE));
    expect(without.problems).toContain("The answer of the OCSP responder of Issuing G3 (SHA512) is not there.");
    expect(without.events[0]).toMatchObject({ kind: "responder", authority: "issuing-g3", endedAt: null });
    for (const { id: row, privateKey } of rows)
      await getDb().updateTable("ocspResponders").set({ privateKey }).where("id", "=", row).execute();
    const again = await measuredAt(after(now, 2 * MINUTE));
    expect(again.state).toBe("fresh");
    expect(again.events[0]).toMatchObject({ kind: "responder", endedAt: after(now, 2 * MINUTE).toISOString() });
  });

  test("[REP-05] [REV-04] how long a revocation took from the click to the published CRLs", async () => {
    await getDb().deleteFrom("revocationPublications").execute();
    const { id } = await issue();
    const begun = Date.now();
    await send(id, confirmed());
    const tookMs = Date.now() - begun;
    const { revocations } = await measuredAt(new Date());
    expect(revocations).toMatchObject({ count: 1, waiting: 0, waitingSince: null });
    expect(revocations?.medianSeconds).toBeGreaterThan(0);
    expect(revocations?.medianSeconds).toBeLessThanOrEqual(tookMs / 1000);
    expect(revocations?.p99Seconds).toBe(revocations?.medianSeconds);
  });

  test("[REP-05] a revocation whose publication failed waits, and counts with its whole time once a CRL contains it", async () => {
    await getDb().deleteFrom("revocationPublications").execute();
    const { id } = await issue();
    const signer = await getSigner("issuing-sha2");
    setSigner("issuing-sha2", { ...signer, sign: () => Promise.reject(new Error("The token is gone.")) });
    await send(id, confirmed());
    setSigner("issuing-sha2", signer);
    const later = after(new Date(), 5 * MINUTE);
    const waiting = await measuredAt(later);
    expect(waiting.revocations).toMatchObject({ count: 0, waiting: 1 });
    expect(waiting.problems).toContain("Revocations wait to be published.");
    await publishCrls("issuing-sha2");
    const { revocations } = await measuredAt(later);
    expect(revocations).toMatchObject({ count: 1, waiting: 0 });
    expect(revocations?.longestSeconds).toBeGreaterThan(290);
  });

  test("[REP-05] whether database, CRLs and OCSP agree, by the nightly audit", async () => {
    const now = new Date();
    const { id, serialNumber } = await issueCertificate({ customer: await createUser() });
    await storeRevocation({ id, serialNumber });
    await publishCrls("issuing-sha2", now);
    await auditEverything(now);
    const sound = await measuredAt(now);
    expect(sound.audit).toMatchObject({ finishedAt: now.toISOString(), contradictions: 0 });
    await setCertificate(id, { status: "Issued" });
    await auditEverything(after(now, MINUTE));
    const wrong = await measuredAt(after(now, MINUTE));
    expect(wrong.audit?.contradictions).toBeGreaterThan(0);
    expect([wrong.state, wrong.events[0]?.kind]).toEqual(["attention", "audit"]);
    await setCertificate(id, { status: "Revoked" });
    await auditEverything(after(now, 2 * MINUTE));
    const again = await measuredAt(after(now, 2 * MINUTE));
    expect([again.audit?.contradictions, again.events[0]?.endedAt]).toEqual([0, after(now, 2 * MINUTE).toISOString()]);
    expect((await readStatus(after(now, 40 * HOUR))).problems).toContain(
      "The nightly comparison of database, revocation lists and answers is late.",
    );
  });

  test("[REP-05] how long orders take and how many wait, without names", async () => {
    const now = new Date();
    const owner = await createUser({ company: "Silent Castings Ltd" });
    const { id } = await issueCertificate({ customer: owner });
    await setCertificate(id, { requestedAt: after(now, -49 * HOUR), issuedAt: now });
    const pending = await createCertificateOrder(owner);
    await setCertificate(pending.id, { requestedAt: after(now, -3 * HOUR) });
    const { orders } = await measuredAt(now);
    expect(orders?.byStaff.count).toBeGreaterThan(0);
    expect(orders?.byStaff.p90Seconds).toBeGreaterThanOrEqual(0);
    expect(orders?.standing).toEqual({ count: 0, medianSeconds: null, p90Seconds: null });
    expect(orders).toMatchObject({ waiting: 1, oldestAt: after(now, -3 * HOUR).toISOString() });
    const { html } = await openPage(page, await anonymous(), "/status");
    expect(pageText(html)).toContain("1 order waits now, the oldest for 3 hours.");
    expect(html).not.toContain("Silent Castings");
  });

  test("[REP-05] the portal is up while one of its processes works, and down when none did for two minutes", async () => {
    await getDb().deleteFrom("settings").where("name", "like", "status.%").execute();
    await getDb().deleteFrom("statusEvents").execute();
    const start = new Date("2027-01-31T23:00:00Z");
    const alive = (minutes: number) => recordAlive(after(start, minutes * MINUTE));
    // Two processes, of which one ends. The other goes on.
    for (const minute of [0, 0.1, 0.5, 0.6, 1, 1.5, 2, 3.9]) await alive(minute);
    expect(await getDb().selectFrom("statusEvents").selectAll().execute()).toEqual([]);
    // Down from 23:50 until 00:20 of the next month.
    for (let minute = 4; minute <= 50; minute += 0.5) await alive(minute);
    await Promise.all([alive(80), alive(80)]);
    for (let minute = 80.5; minute <= 90; minute += 0.5) await alive(minute);
    const { uptime, events } = await measuredAt(after(start, 2 * HOUR));
    expect(events.filter(({ kind }) => kind === "down")).toMatchObject([
      { title: "The portal was down", begunAt: "2027-01-31T23:50:00.000Z", endedAt: "2027-02-01T00:20:00.000Z" },
    ]);
    expect(uptime).toEqual({
      since: start.toISOString(),
      months: [
        { month: "2027-02", percent: 66.666, downSeconds: 1200, interruptions: 1 },
        { month: "2027-01", percent: 83.333, downSeconds: 600, interruptions: 1 },
      ],
    });
  });

  test("[REP-05] a clock that was far ahead does not stop the records", async () => {
    const now = new Date("2027-04-01T00:00:00Z");
    await recordAlive(after(now, 400 * 24 * HOUR));
    const before = await getDb().selectFrom("statusEvents").selectAll().where("kind", "=", "down").execute();
    await recordAlive(now);
    await recordAlive(after(now, MINUTE));
    const stored = await getDb()
      .selectFrom("settings")
      .select("value")
      .where("name", "=", "status.last-alive")
      .executeTakeFirstOrThrow();
    expect(stored.value).toBe(after(now, MINUTE).toISOString());
    expect(await getDb().selectFrom("statusEvents").selectAll().where("kind", "=", "down").execute()).toEqual(before);
  });
});

describe("the status is shown", () => {
  test("[REP-05] as a page in words, with links for programs", async () => {
    const now = new Date();
    await measuredAt(now);
    const { html } = await openPage(page, await anonymous(), "/status");
    const text = pageText(html);
    expect(textsOf(html, "h1")).toEqual(["Status"]);
    expect(text).toContain("Everything is published on time");
    const { number, thisUpdate } = listOf(await readStatus(), "issuing-sha2", "delta");
    const row = textsOf(html, "tr:contains('Delta revocation list of Issuing CA (SHA2)')")[0] ?? "";
    expect(row).toContain(String(number));
    expect(row).toContain(`${formatDateTime(thisUpdate)} UTC`);
    for (const path of ["/status.json", "/status.atom", "/api/docs"])
      expect(select(html, `main a[href="${path}"], a[href="${path}"]`).length).toBeGreaterThan(0);
  });

  test("[REP-05] [API-05] as JSON without the wrapper and as a documented call, with the same content", async () => {
    const answer = await run(jsonLoader, request("/status.json"));
    expect([answer.headers.get("Content-Type"), answer.headers.get("Cache-Control")]).toEqual([
      "application/json; charset=utf-8",
      "public, max-age=30",
    ]);
    const status = statusSchema.strict().parse(await answer.json());
    const called = await run(callLoader, request("/api/Status/GetStatus"), { "*": "Status/GetStatus" });
    const { success, responseContent } = (await called.json()) as { success: boolean; responseContent: unknown };
    expect(success).toBe(true);
    const told = statusSchema.strict().parse(responseContent);
    const withoutAges = ({ readAt: _, lists, responders, ...rest }: typeof status) => ({
      ...rest,
      lists: lists.map((list) => ({ ...list, ageSeconds: 0 })),
      responders: responders.map((one) => ({ ...one, ageSeconds: 0 })),
    });
    expect(withoutAges(told)).toEqual(withoutAges(status));
  });

  test("[REP-05] as an Atom feed whose entries keep their ids when an event ends", async () => {
    const now = new Date("2027-06-01T00:00:00Z");
    await getDb().deleteFrom("statusEvents").execute();
    const insert = { kind: "list" as const, subject: "issuing-sha2", begunAt: now };
    const { id } = await getDb().insertInto("statusEvents").values(insert).returning("id").executeTakeFirstOrThrow();
    const feed = async () => {
      lastStatus.clear();
      const answer = await run(feedLoader, request("/status.atom"));
      expect(answer.headers.get("Content-Type")).toBe("application/atom+xml; charset=utf-8");
      const $ = load(await answer.text(), { xml: true });
      expect($("feed").attr("xmlns")).toBe("http://www.w3.org/2005/Atom");
      expect($("feed > link[rel=self]").attr("href")).toBe(`${TEST_ORIGIN}/status.atom`);
      const part = (name: string) => $(`entry > ${name}`).text();
      return { id: part("id"), title: part("title"), updated: part("updated"), all: $("feed > updated").text() };
    };
    const title = "The revocation list of Issuing CA (SHA2) was late";
    const entry = `${TEST_ORIGIN}/status#event-${id}`;
    const begun = now.toISOString();
    expect(await feed()).toEqual({ id: entry, title, updated: begun, all: begun });
    const ended = after(now, HOUR);
    await getDb().updateTable("statusEvents").set({ endedAt: ended }).execute();
    const over = ended.toISOString();
    expect(await feed()).toEqual({ id: entry, title: `Over: ${title}`, updated: over, all: over });
    const tag = (await run(feedLoader, request("/status.atom"))).headers.get("ETag") ?? "";
    expect((await run(feedLoader, request("/status.atom", { "If-None-Match": tag }))).status).toBe(304);
  });

  test("[REP-05] as unmeasured when the job has not run for ten minutes", async () => {
    const now = new Date();
    await measuredAt(now);
    const status = await readStatus(after(now, 11 * MINUTE));
    expect([status.state, status.problems[0]]).toEqual([
      "unmeasured",
      "The portal has not measured itself for 11 minutes.",
    ]);
    await getDb().updateTable("settings").set({ value: '{"at":1}' }).where("name", "=", "status.measurement").execute();
    expect(await readStatus(now)).toMatchObject({ state: "unmeasured", measuredAt: null, uptime: null, orders: null });
  });

  test("[REP-05] as files that another user may read and that need nothing of the portal", async () => {
    const folder = mkdtempSync(join(tmpdir(), "marque-status-"));
    const now = new Date();
    await measuredAt(now);
    const mask = process.umask(0o077); // as systemd starts the portal
    await writeStatusFiles(join(folder, "status"), now);
    process.umask(mask);
    const read = (name: string) => readFileSync(join(folder, "status", name), "utf8");
    expect(readdirSync(join(folder, "status")).sort()).toEqual(["status.atom", "status.html", "status.json"]);
    const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777;
    expect([modeOf("status"), modeOf("status/status.html")]).toEqual([0o755, 0o644]);
    expect(statusSchema.parse(JSON.parse(read("status.json")))).toEqual(await readStatus(now));
    expect(load(read("status.atom"), { xml: true })("feed > entry").length).toBe((await readStatus(now)).events.length);
    const html = read("status.html");
    expect(select(html, "script, link, img").length).toBe(0);
    expect(pageText(html)).toContain("The portal does not answer now");
    expect(pageText(html)).toContain(`${formatDateTime(now.toISOString())} UTC`);
    const { number } = listOf(await readStatus(now), "issuing-sha2", "base");
    expect(textsOf(html, "tr:contains('Revocation list of Issuing CA (SHA2)') td")).toContain(String(number));
    rmSync(folder, { recursive: true });
  });
});
