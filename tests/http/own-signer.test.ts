import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { COMMAND_LINE } from "../../scripts/build.mjs";
import { startPortal, type RunningPortal } from "../e2e/support/running-portal";

const SOON = { timeout: 30_000, interval: 20 };

/** Returns the process ids of the signers that the log says have begun to listen, in order. */
const signersOf = ({ output }: RunningPortal): number[] =>
  output()
    .split("\n")
    .filter((line) => line.includes('"msg":"the signer listens"'))
    .map((line) => (JSON.parse(line) as { pid: number }).pid);

function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[2] !== "Z";
  } catch {
    return false;
  }
}

const untilEnded = (pid: number) => vi.waitUntil(() => !isRunning(pid), SOON);

/** Waits for the signer that listens after `before` others. Returns its process id. */
async function nextSigner(portal: RunningPortal, before = 0): Promise<number> {
  return vi.waitUntil(() => signersOf(portal)[before] ?? 0, SOON);
}

async function readiness({ origin }: RunningPortal): Promise<string> {
  return (await fetch(`${origin}/readyz`)).text();
}

describe("npm start on a new data folder", () => {
  let portal: RunningPortal;
  const inside = (...parts: string[]) => join(portal.dataDir, ...parts);

  beforeAll(async () => {
    portal = await startPortal({}, { isFirst: true });
  });
  afterAll(() => portal.dispose());

  test("[CAL-01] the first start makes the keys in the signer, whose folder only its user may enter", async () => {
    expect(readdirSync(inside("ca")).sort()).toEqual(["root-g3.key.pem", "root.key.pem"]);
    expect(readdirSync(inside("signer/keys")).sort()).toEqual(["issuing-g3.key.pem", "issuing-sha2.key.pem"]);
    await nextSigner(portal);
    for (const folder of ["signer", "signer/keys"]) expect(statSync(inside(folder)).mode & 0o777).toBe(0o700);
    expect(statSync(inside("signer/socket")).isSocket()).toBe(true);
    expect(portal.output()).not.toContain("the signer has no CA yet");
  });

  test("[CAL-01] commands that need the keys use it while the portal runs, also for example data of the past", async () => {
    const demo = await portal.command(["demo"]);
    expect([demo.code, demo.err]).toEqual([0, ""]);
    for (const args of [
      ["ca", "publish"],
      ["signer", "status"],
      ["audit", "verify"],
    ])
      expect(await portal.command(args)).toMatchObject({ code: 0, err: "" });
    expect(signersOf(portal)).toHaveLength(1);
  });

  test("[CAL-04] a signer that dies is started again, and signatures that are needed at once do not fail", async () => {
    const [pid = 0] = signersOf(portal);
    process.kill(pid, "SIGKILL");
    await untilEnded(pid);
    const all = await Promise.all([
      portal.command(["ca", "publish"]),
      portal.command(["ca", "renew-ocsp"]),
      portal.command(["audit", "verify"]),
    ]);
    expect(all.map(({ code, err }) => [code, err])).toEqual(all.map(() => [0, ""]));
    const next = await nextSigner(portal, 1);
    expect(next).not.toBe(pid);
    expect(portal.output()).toContain("the signer has ended; it is started again");
    await vi.waitUntil(async () => (await readiness(portal)) === "ok\n", SOON);
  });

  test("[CAL-01] a signal that is meant for the portal does not end it before the portal", async () => {
    const pid = signersOf(portal).at(-1) ?? 0;
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.kill(pid, signal);
    expect(await portal.command(["signer", "status"])).toMatchObject({ code: 0 });
    expect(isRunning(pid)).toBe(true);
    await portal.stop();
    expect(isRunning(pid)).toBe(false);
    expect(existsSync(inside("signer/socket"))).toBe(false);
  });

  test("[CAL-01] commands work while the portal is stopped, with a signer that ends with them", async () => {
    const published = await portal.command(["ca", "publish"]);
    expect([published.code, published.out]).toEqual([
      0,
      "Published the CRLs of 'issuing-sha2'\nPublished the CRLs of 'issuing-g3'\n",
    ]);
    expect(existsSync(inside("signer/socket"))).toBe(false);
    expect(await portal.command(["audit", "verify"])).toMatchObject({ code: 0, err: "" });
  });

  test("[CAL-01] a second start makes nothing, and a portal that is killed leaves no signer", async () => {
    const keys = () => readdirSync(inside("signer/keys")).map((name) => readFileSync(inside("signer/keys", name)));
    const before = keys();
    await portal.restart();
    expect(keys()).toEqual(before);
    const pid = await nextSigner(portal);
    await portal.stop("SIGKILL");
    await untilEnded(pid);
  });

  test("[CAL-01] a signer whose portal is gone before it listens ends, too", async () => {
    const env = {
      NODE_ENV: "production" as const,
      PATH: process.env.PATH,
      DATA_DIR: portal.dataDir,
      SIGNER_CHILD: "yes",
    };
    const signer = fork(COMMAND_LINE, ["signer", "serve"], { env, silent: true });
    signer.disconnect();
    expect(await once(signer, "exit")).toEqual([0, null]);
    expect(existsSync(inside("signer/socket"))).toBe(false);
  });
});

test("[CAL-01] several processes of a portal share one signer, which ends after them", async () => {
  const portal = await startPortal({ WEB_CONCURRENCY: "2" }, { isFirst: true });
  const pid = await nextSigner(portal);
  expect(await portal.command(["ca", "publish"])).toMatchObject({ code: 0, err: "" });
  expect(signersOf(portal)).toEqual([pid]);
  await portal.stop();
  expect(isRunning(pid)).toBe(false);
  await portal.dispose();
});
