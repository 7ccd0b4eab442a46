import { fork, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { FORMER_DATABASE } from "~db/migrate.server";
import { SQLite } from "~db/sqlite.server";
import { COMMAND_LINE, SERVER } from "../../scripts/build.mjs";
import { ADMIN, startPortal, type RunningPortal } from "../e2e/support/running-portal";

let portal: RunningPortal;
beforeAll(async () => {
  portal = await startPortal({ ADMIN_PASSWORD: "" }, { isFirst: true });
});
afterAll(() => portal.dispose());

const snapshot = () => {
  const files = readdirSync(portal.dataDir, { recursive: true, encoding: "utf8" }).filter(
    (file) => !/sqlite-(wal|shm)$/.test(file),
  );
  return files.filter((file) => statSync(join(portal.dataDir, file)).isFile()).sort();
};

test("[CAL-01] the first start says what it creates, warns that it is a trial, and prints the address and the login", () => {
  const output = portal.output();
  expect(output).toContain(`The portal is open at ${portal.origin}`);
  const file = join(portal.dataDir, "administrator-password");
  expect(output).toContain(`  Administrator: admin@example.org\n  Password: the one in ${file}\n`);
  expect(output).toMatch(/trial/i);
  expect(output).toMatch(/warning/i);
  expect(output).toContain(`follow the link in the message (${join(portal.dataDir, "outbox")})`);
});

test("[CAL-01] keys are encrypted, and only the owner can read them and the secrets", () => {
  const keys = snapshot().filter((file) => file.endsWith(".key.pem"));
  expect(keys).toEqual([
    "ca/root-g3.key.pem",
    "ca/root.key.pem",
    "signer/keys/issuing-g3.key.pem",
    "signer/keys/issuing-sha2.key.pem",
  ]);
  for (const file of [...keys, "secrets.json", "administrator-password"])
    expect(statSync(join(portal.dataDir, file)).mode & 0o077).toBe(0);
  for (const key of keys)
    expect(readFileSync(join(portal.dataDir, key), "utf8")).toContain("BEGIN ENCRYPTED PRIVATE KEY");
});

test("[CAL-01] a second start changes nothing and prints no password", async () => {
  const before = snapshot();
  const keys = readFileSync(join(portal.dataDir, "ca/root.key.pem"));
  await portal.stop();
  await portal.restart();
  expect(snapshot()).toEqual(before);
  expect(readFileSync(join(portal.dataDir, "ca/root.key.pem"))).toEqual(keys);
  expect(portal.output()).not.toContain("Password:");
});

test.each(["SIGTERM", "SIGKILL"] as const)("npm start stops the portal when npm receives %s", async (signal) => {
  const started = await startPortal({}, { withNpm: true });
  await started.stop(signal);
  const isAnswering = () =>
    fetch(`${started.origin}/healthz`).then(
      () => true,
      () => false,
    );
  await vi.waitUntil(async () => !(await isAnswering()), { timeout: 20_000, interval: 100 });
  await started.dispose();
});

test("[CAL-01] a set-up stops with the start that waits for it, because nobody else could show the administrator's password", async () => {
  const dir = mkdtempSync(join(tmpdir(), "marque-setup-"));
  const child = fork(COMMAND_LINE, ["setup"], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: dir },
    stdio: "pipe",
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  child.disconnect();
  expect(await ended).toBe(1);
  expect(existsSync(join(dir, "signer/keys/issuing-g3.key.pem"))).toBe(false);
  rmSync(dir, { recursive: true, maxRetries: 10 }); // the signer that it had started may still be about to end
});

test("[GEN-02] a process that is asked to stop says so, still answers for STOP_DELAY, and keeps no connection", async () => {
  const stopping = await startPortal({ STOP_DELAY: "1" });
  const before = await fetch(`${stopping.origin}/prepare-csr`);
  expect([before.status, before.headers.get("Connection")]).toEqual([200, "keep-alive"]);
  expect(before.headers.get("Keep-Alive")).toBe("timeout=75"); // longer than proxies keep theirs
  const ended = stopping.stop();
  const isReady = () => fetch(`${stopping.origin}/readyz`).then(({ ok }) => ok);
  await vi.waitUntil(async () => !(await isReady()), { interval: 10 });
  expect(await (await fetch(`${stopping.origin}/readyz`)).text()).toBe("this process is stopping\n");
  const during = await fetch(`${stopping.origin}/prepare-csr`);
  expect([during.status, during.headers.get("Connection")]).toEqual([200, "close"]);
  await ended;
  await stopping.dispose();
});

test("a port in use is one line that names PORT", () => {
  const { port } = new URL(portal.origin);
  const { status, stderr } = spawnSync(process.execPath, [SERVER], {
    encoding: "utf8",
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: portal.dataDir, HOST: "localhost", PORT: port },
  });
  expect([status, stderr]).toEqual([1, `PORT: another program listens on ${port} already\n`]);
});

test.each(["scripts/start.mjs", SERVER])(
  "[CAL-01] a database from before the first release stops the start with one sentence: %s",
  (program) => {
    const dir = mkdtempSync(join(tmpdir(), "marque-former-"));
    const database = new SQLite(join(dir, "marque.sqlite"));
    database.exec(
      "create table kysely_migration (name text); insert into kysely_migration values ('0002-certificates')",
    );
    database.close();
    const secrets = {
      SESSION_SECRETS: "s".repeat(32),
      CA_PASSPHRASE: "p".repeat(32),
      RESPONDER_PASSPHRASE: "r".repeat(32),
      AUDIT_KEYS: "a".repeat(32),
    };
    const { status, stderr } = spawnSync(process.execPath, [program], {
      encoding: "utf8",
      env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: dir, PORT: "0", ...secrets },
    });
    expect(status).toBe(1);
    expect(stderr.replace(/^portal: /, "")).toBe(`${FORMER_DATABASE}\n`);
    expect(readdirSync(dir)).toContain("marque.sqlite");
    rmSync(dir, { recursive: true });
  },
);

test("[PUB-07] wrong values stop the start with one line each that names the variable", () => {
  const dir = mkdtempSync(join(tmpdir(), "marque-wrong-"));
  const { status, stderr } = spawnSync(process.execPath, ["scripts/start.mjs"], {
    encoding: "utf8",
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      DATA_DIR: dir,
      PORT: "no",
      SMTP_URL: "mail",
      ADMIN_PASSWORD: ADMIN.password,
    },
  });
  rmSync(dir, { recursive: true });
  expect(status).toBe(1);
  expect(
    stderr
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("npm ")),
  ).toEqual([
    expect.stringContaining("PORT must be a whole number from 0 to 65535"),
    expect.stringMatching(/SMTP_URL must be an address/),
  ]);
});

test("[PUB-07] a wrong configuration file stops the start with one line for each wrong key", () => {
  const dir = mkdtempSync(join(tmpdir(), "marque-wrong-"));
  const file = join(dir, "portal.json");
  const { faqLink: _missing, ...shipped } = JSON.parse(readFileSync("config/portal.json", "utf8")) as object & {
    faqLink: string;
  };
  writeFileSync(file, JSON.stringify({ ...shipped, cookiesLink: "cookies", oscarEndPoint: "ftp://codes.example.org" }));
  const { status, stderr } = spawnSync(process.execPath, ["scripts/start.mjs"], {
    encoding: "utf8",
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: dir, PORTAL_CONFIG: file, PORT: "0" },
  });
  rmSync(dir, { recursive: true });
  expect(status).toBe(1);
  expect(stderr.split("\n").filter((line) => line.includes("PORTAL_CONFIG"))).toEqual([
    "portal: PORTAL_CONFIG: faqLink is missing",
    "portal: PORTAL_CONFIG: oscarEndPoint must be an address starting 'http://' or 'https://'",
    "portal: PORTAL_CONFIG: cookiesLink must be an address starting 'http://', 'https://' or '/'",
  ]);
});
