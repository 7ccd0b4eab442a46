import { readFileSync } from "node:fs";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ADMIN, startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { type Family, labelsIn, readExposition } from "../support/exposition";
import { HttpVisitor } from "../support/http-visitor";

const TOKEN = "the token of the tests for metrics, long enough";

const LONG = { timeout: 30_000 };

/** Sends a request on a new connection, so that it can reach any of the processes. */
const get = (origin: string, path: string, headers: Record<string, string> = {}, method = "GET") =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(origin + path, { agent: false, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject).end();
  });

const measured = async ({ origin }: RunningPortal) => {
  const { status, text } = await get(origin, "/metrics", { Authorization: `Bearer ${TOKEN}` });
  expect(status).toBe(200);
  return readExposition(text);
};

/** Returns the number of counted requests, by route and status. */
function countsOf(families: Map<string, Family>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [key, value] of families.get("marque_http_request_duration_seconds")?.samples ?? [])
    if (key.startsWith("_count")) {
      const { route = "", status = "" } = Object.fromEntries(labelsIn(key));
      counts.set(`${route} ${status}`, value);
    }
  return counts;
}

describe("metrics of one process", () => {
  let portal: RunningPortal;
  beforeAll(async () => {
    portal = await startPortal({ METRICS_TOKEN: TOKEN });
  });
  afterAll(() => portal.dispose());

  const more = async (work: () => Promise<unknown>, what: string) => {
    const count = async () => countsOf(await measured(portal)).get(what) ?? 0;
    const before = await count();
    await work();
    return { before, count };
  };

  test("[GEN-02] show the memory, processor time and event loop", async () => {
    const families = await measured(portal);
    for (const name of ["process_resident_memory_bytes", "process_cpu_seconds_total", "nodejs_eventloop_lag_seconds"])
      expect(families.get(name)?.samples.get("")).toBeGreaterThanOrEqual(0);
    expect(families.get("marque_database_up")?.samples.get("")).toBe(1);
    const delays = [...(families.get("marque_event_loop_delay_seconds")?.samples ?? [])];
    expect(delays.map(([key]) => labelsIn(key))).toEqual(
      ["0.5", "0.99", "0.999", "1"].map((quantile) => [["quantile", quantile]]),
    );
    const longest = delays.map(([, seconds]) => seconds);
    expect(longest).toEqual(longest.toSorted((a, b) => a - b));
  });

  test.each([
    ["a page", "/login", "/login 2xx"],
    ["a page with a parameter", "/certificate-repository/certificate-policy", "/certificate-repository/:policy 2xx"],
    ["a file", "/repository/issuing-sha2.crl", "/repository/:file 2xx"],
    ["a page that asks for a login", "/home/users/17?search=x", "/home/users/:id 3xx"],
    ["an unknown address", "/nowhere/anna@example.org", "/* 4xx"],
    ["OCSP", "/ocsp/MEI", "/ocsp 2xx"],
    ["a built file", "/build/none.js", "/build/* 4xx"],
    ["a call", "/api/UserRegistration/GetCountries", "/api/UserRegistration/GetCountries 2xx"],
    ["a call, however it is written", "/api/userregistration/getCOUNTRIES", "/api/UserRegistration/GetCountries 2xx"],
    ["a call made without a token", "/api/codes/getcodes", "/api/codes/getcodes 4xx"],
    ["a call made with the wrong method", "/api/token", "/api/token 4xx"],
    ["an unknown call", "/api/codes/anna@example.org", "/api/* 4xx"],
    ["what is no address", "/%00%ff", "/* 4xx"],
  ])("[GEN-02] count %s by the pattern of its route", async (_what, path, counted) => {
    const { before, count } = await more(() => get(portal.origin, path), counted);
    await expect.poll(count, LONG).toBe(before + 1);
  });

  test("[GEN-02] have a fixed number of routes, whatever is requested", async () => {
    for (let index = 0; index < 50; index += 1) {
      await get(portal.origin, `/x${index}/y${index}`);
      await get(portal.origin, `/home/users/${index}?a=${index}`);
      await get(portal.origin, `/api/x${index}/y${index}`);
    }
    await get(portal.origin, "/login", {}, "DELETE");
    const visitor = new HttpVisitor(portal.origin);
    await visitor.logIn(ADMIN);
    await visitor.get("/home/users");
    const families = await measured(portal);
    const labels = [...countsOf(families).keys()];
    expect(labels.filter((label) => /\d+x?\//.test(label) || /\/[xy]\d/.test(label) || label.includes("@"))).toEqual(
      [],
    );
    expect(labels).toContain("(other) 4xx");
    expect(labels.length).toBeLessThan(40);
  });

  test("[GEN-02] are refused without the token", async () => {
    const { status, text } = await get(portal.origin, "/metrics");
    expect([status, text]).toEqual([401, "The token is missing or wrong.\n"]);
  });
});

describe("metrics of a portal without METRICS_TOKEN", () => {
  let portal: RunningPortal;
  beforeAll(async () => {
    portal = await startPortal();
  });
  afterAll(() => portal.dispose());

  test("[GEN-02] are refused to everybody, also to this machine and with any token", async () => {
    for (const headers of [{ Authorization: "" }, { Authorization: "Bearer " }, { Authorization: "Bearer undefined" }])
      expect(await get(portal.origin, "/metrics", headers)).toEqual({
        status: 404,
        text: "There are no metrics: METRICS_TOKEN is not set.\n",
      });
  });
});

/** Returns the ids of the processes that the log says listen, in order. */
const workersOf = ({ output }: RunningPortal): number[] =>
  output()
    .split("\n")
    .filter((line) => line.includes("Marque listens on"))
    .map((line) => (JSON.parse(line) as { pid: number }).pid);

const parentOf = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[3]);

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);

describe("metrics of several processes", () => {
  let portal: RunningPortal;
  beforeAll(async () => {
    portal = await startPortal({ METRICS_TOKEN: TOKEN, WEB_CONCURRENCY: "2" });
  });
  afterAll(() => portal.dispose());

  test("[GEN-02] each process reports the answers of all of them, and the database's figures once", async () => {
    const count = async () => countsOf(await measured(portal)).get("/prepare-csr 2xx") ?? 0;
    expect(await count()).toBe(0);
    for (let asked = 0; asked < 20; asked += 1) await get(portal.origin, "/prepare-csr");
    await expect.poll(count, LONG).toBe(20);
    for (let asked = 0; asked < 4; asked += 1) expect(await count()).toBe(20);
    const families = await measured(portal);
    expect(families.get("marque_crl_next_update_timestamp_seconds")?.samples.size).toBeGreaterThan(0);
    expect(families.get("marque_database_up")?.samples.get("")).toBe(1);
  });

  test("[GEN-02] come without the process that still starts", async () => {
    const [ended = 0] = workersOf(portal);
    const primary = parentOf(ended);
    const before = childrenOf(primary);
    process.kill(ended, "SIGKILL");
    const successor = await vi.waitUntil(() => childrenOf(primary).find((pid) => !before.includes(pid)), LONG);
    process.kill(successor, "SIGSTOP");
    try {
      expect(workersOf(portal)).not.toContain(successor);
      expect((await measured(portal)).get("marque_database_up")?.samples.get("")).toBe(1);
    } finally {
      process.kill(successor, "SIGCONT");
    }
    await vi.waitUntil(() => workersOf(portal).includes(successor), LONG);
    await measured(portal);
  });
});
