import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ADMIN } from "../support/administrator";
import { HttpVisitor } from "../support/http-visitor";
import { startMachines, until } from "../support/machines";
import { valueOf } from "../support/page";
import { onServer } from "../support/postgres-client";

const PAGES = [
  "/prepare-csr",
  "/home/dashboard",
  "/home/jobs",
  "/repository/issuing-sha2.crl",
  "/certificate-repository",
];
const NEW_CODE = "/home/promotion-codes/new";

let portal: Awaited<ReturnType<typeof startMachines>>;
let database: pg.Client;
let visitor: HttpVisitor;

beforeAll(async () => {
  const name = `machines_${process.pid}`;
  await onServer(`create database ${name} template template`);
  const url = `${inject("postgresUrl")}/${name}`;
  database = new pg.Client(url);
  await database.connect();
  portal = await startMachines(inject("templateDir"), url);
  visitor = new HttpVisitor(portal.origin);
  await visitor.logIn(ADMIN);
});
afterAll(async () => {
  await portal.end();
  await database.end();
});

const rowsOf = async (text: string, values: readonly unknown[] = []) =>
  (await database.query<Record<string, unknown>>(text, [...values])).rows;

/** What visitors saw while they worked: each answer that was not the expected one. */
interface Seen {
  pages: number;
  forms: number;
  failures: string[];
}

let round = 0;

/** Creates a promotion code. A form that nginx could not deliver (502) is sent again, as people do. Returns how often it was sent. */
async function createCode(seen: Seen): Promise<void> {
  const code = `ROUND${String((round += 1)).padStart(5, "0")}`;
  const page = await (await visitor.get(NEW_CODE)).text();
  const fields = { code, value: "5", months: "12", validUntil: "", batch: valueOf(page, "batch") ?? "" };
  const { status } = await visitor.post(NEW_CODE, fields);
  if (status !== 303) seen.failures.push(`POST ${status}`);
  if (status === 502) expect((await visitor.post(NEW_CODE, fields)).status).toBe(303);
  seen.forms += 1;
}

/** Lets visitors work through nginx during `work`: some open pages, and one sends forms. */
async function whileWorking(work: (seen: Seen) => Promise<void>): Promise<Seen> {
  const seen: Seen = { pages: 0, forms: 0, failures: [] };
  let isOver = false;
  const reader = async (first: number) => {
    for (let index = first; !isOver; index += 1) {
      const path = PAGES[index % PAGES.length] ?? "";
      const answer = await visitor.get(path);
      await answer.arrayBuffer();
      if (answer.status !== 200) seen.failures.push(`${path} ${answer.status}`);
      seen.pages += 1;
    }
  };
  const writer = async () => {
    while (!isOver) await createCode(seen);
  };
  const visitors = [reader(0), reader(2), writer()];
  await work(seen);
  isOver = true;
  await Promise.all(visitors);
  return seen;
}

/** Returns once visitors have opened some more pages and sent some more forms. */
async function afterSomeWork(seen: Seen): Promise<void> {
  const { pages, forms } = seen;
  await until("visitors have worked", () => seen.pages > pages + 10 && seen.forms > forms);
}

const codesOfRounds = async () => {
  const rows = await rowsOf("select code from promotion_codes where code like 'ROUND%' order by code");
  return rows.map(({ code }) => code);
};
const allRounds = () => Array.from({ length: round }, (_, index) => `ROUND${String(index + 1).padStart(5, "0")}`);

const messages = () =>
  portal.machines.flatMap(({ dataDir }) => {
    const outbox = join(dataDir, "outbox");
    return existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith(".eml")) : [];
  });

const runOnce = (job: string) => database.query("update jobs set next_run_at = now() where name = $1", [job]);
const isIdle = async (job: string) => {
  const [row] = await rowsOf("select 1 from jobs where name = $1 and leased_by is null and next_run_at > now()", [job]);
  return row !== undefined;
};

describe("[GEN-02] four processes on two machines", () => {
  test("[GEN-02] share sessions, count rate limits together, and send each message once", async () => {
    for (const { origin } of portal.processes)
      expect((await visitor.at(origin).get("/home/dashboard")).status).toBe(200);
    const answers: number[] = [];
    for (let index = 0; index < 8; index += 1) {
      const origin = portal.processes[index % portal.processes.length]?.origin ?? "";
      answers.push((await new HttpVisitor(origin).post("/forgot-password", { email: ADMIN.email })).status);
    }
    expect(answers).toEqual([303, 303, 303, 303, 303, 429, 429, 429]);
    await until("every message is sent", async () => {
      const [row] = await rowsOf("select 1 from mails where sent_at is null");
      return row === undefined;
    });
    const [mails] = await rowsOf("select count(*)::int as count from mails");
    expect(messages()).toHaveLength(Number(mails?.count));
    expect(messages().length).toBeGreaterThanOrEqual(5);
  });

  test("[CAL-03] publish each CRL once", async () => {
    const count = async () =>
      rowsOf("select authority_id, count(*)::int as count from crls where not is_delta group by 1 order by 1");
    const before = await count();
    await database.query("update crls set this_update = this_update - interval '2 days'");
    await runOnce("crl-base");
    await until("the CRLs are published", async () => (await isIdle("crl-base")) && isIdle("crl-delta"));
    const roots = await rowsOf("select id from authorities where is_root");
    const isRoot = (id: unknown) => roots.some((root) => root.id === id);
    expect(await count()).toEqual(
      before.map((row) => ({ ...row, count: Number(row.count) + (isRoot(row.authority_id) ? 0 : 1) })),
    );
  });

  test("[GEN-02] lose a process at any time: every page is answered, and every form counts once", async () => {
    const seen = await whileWorking(async (now) => {
      for (const process of portal.processes.filter((_, index) => index % 2 === 0)) {
        await afterSomeWork(now);
        await process.end("SIGKILL");
        await afterSomeWork(now);
        await process.start();
      }
    });
    // Only a form that the process had received cannot be repeated by nginx: nobody knows whether it was stored.
    expect(seen.failures.filter((failure) => failure !== "POST 502")).toEqual([]);
    expect(seen.failures.length).toBeLessThanOrEqual(2);
    expect(await codesOfRounds()).toEqual(allRounds());
  });

  test("[GEN-02] are updated one by one, with a migration before: no request fails", async () => {
    const seen = await whileWorking(async (now) => {
      await afterSomeWork(now);
      // What a migration may do while the former version runs.
      await database.query("alter table users add column added text not null default ''");
      await database.query("alter table promotion_codes add column added integer");
      await database.query("create table added (id bigint primary key, user_id bigint references users (id))");
      for (const process of portal.processes) {
        await afterSomeWork(now);
        expect(await process.end("SIGTERM")).toBe(0);
        await process.start();
      }
    });
    expect(seen.failures).toEqual([]);
    expect(await codesOfRounds()).toEqual(allRounds());
  });

  test("[REP-05] say how fresh they are, and nginx does while none of them answers", async () => {
    const status = async (path: string) => {
      const answer = await fetch(portal.origin + path);
      return [answer.status, answer.headers.get("Content-Type"), await answer.text()] as const;
    };
    expect((await status("/status"))[2]).not.toContain("The portal does not answer now");
    await Promise.all(portal.processes.map((process) => process.end("SIGKILL")));
    expect((await fetch(`${portal.origin}/prepare-csr`)).status).toBe(502);
    const page = await status("/status");
    expect(page.slice(0, 2)).toEqual([200, "text/html; charset=utf-8"]);
    expect(page[2]).toContain("The portal does not answer now");
    const [code, type, json] = await status("/status.json");
    expect([code, type]).toEqual([200, "application/json; charset=utf-8"]);
    expect((JSON.parse(json) as { lists: unknown[] }).lists).toHaveLength(6);
    const feed = await status("/status.atom");
    expect(feed.slice(0, 2)).toEqual([200, "application/atom+xml; charset=utf-8"]);
    expect(feed[2]).toContain('<feed xmlns="http://www.w3.org/2005/Atom">');
    await Promise.all(portal.processes.map((process) => process.start()));
    await until("the portal answers again", async () => {
      const [, , text] = await status("/status");
      return !text.includes("The portal does not answer now");
    });
  });
});
