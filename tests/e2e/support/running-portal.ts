import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { inject } from "vitest";
import { SERVER } from "../../../scripts/build.mjs";
import { ADMIN } from "../../support/administrator";
import { type CommandRun, runCommand } from "../../support/command";
import { freePort } from "../../support/postgres";
import { onServer } from "../../support/postgres-client";
import { TEST_SECRETS, writeConfig } from "../../support/template";

export { ADMIN };

/** The real portal in a separate process. It runs on a copy of the finished data folder, unless this is its first start. */
export interface RunningPortal {
  origin: string;
  dataDir: string;
  /** "" when it runs on SQLite. */
  databaseUrl: string;
  /** Returns everything that it has printed so far. */
  output: () => string;
  /** Ends the process with this signal and waits for it. */
  stop: (signal?: NodeJS.Signals) => Promise<void>;
  /** Starts it again on the same data. */
  restart: () => Promise<void>;
  mails: () => Promise<Email[]>;
  /** Runs a command of the command line on its data. */
  command: (args: readonly string[]) => Promise<CommandRun>;
  /** Removes the data folder. The portal must be stopped before. */
  dispose: () => Promise<void>;
}

/** Returns the URL of a PostgreSQL database for this test file, a copy of the finished template, or "" when the project runs on SQLite. */
export async function freshDatabase(): Promise<string> {
  if (process.env.TEST_DATABASE !== "postgres") return "";
  const name = `portal_${process.pid}_${Date.now()}`;
  await onServer(`create database ${name} template template`);
  return `${inject("postgresUrl")}/${name}`;
}

async function untilReady(origin: string, child: ChildProcess, output: () => string, lastLine: string): Promise<void> {
  const end = Date.now() + 120_000;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`The portal ended:\n${output()}`);
    const isReady = await fetch(`${origin}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady && output().includes(lastLine)) return;
    await sleep(20);
  }
  throw new Error(`The portal did not become ready:\n${output()}`);
}

/**
 * Starts a portal on a copy of the project's template, or of the data folder `template`. With `isFirst`, starts it on an empty data folder,
 * as `npm start` does, with new keys and secrets. With `withNpm`, starts it with npm itself, whose process `stop` then ends.
 */
export async function startPortal(
  env: Record<string, string> = {},
  { isFirst = false, withNpm = false, template = "" } = {},
): Promise<RunningPortal> {
  const dataDir = mkdtempSync(join(tmpdir(), "marque-e2e-"));
  if (!isFirst) cpSync(template || inject("templateDir"), dataDir, { recursive: true });
  const prepared = isFirst ? {} : { ...TEST_SECRETS, PORTAL_CONFIG: writeConfig(dataDir) };
  const port = String(await freePort());
  const origin = `http://localhost:${port}`;
  let printed = "";
  let child: ChildProcess;

  const launch = async () => {
    const [program, ...args] = withNpm
      ? (["npm", "start"] as const)
      : ([process.execPath, isFirst ? "scripts/start.mjs" : SERVER] as const);
    child = spawn(program, args, {
      env: {
        NODE_ENV: "production",
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: port,
        HOST: "localhost",
        DATA_DIR: dataDir,
        ADMIN_PASSWORD: ADMIN.password,
        ...prepared,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (printed += String(text)));
    // `npm start` prints what to try first when the portal already answers. Otherwise the log says that the server listens.
    await untilReady(origin, child, () => printed, isFirst || withNpm ? "What to try first" : "Marque listens on");
  };
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  };

  await launch();
  return {
    origin,
    dataDir,
    databaseUrl: env.DATABASE_URL ?? "",
    output: () => printed,
    stop,
    restart: async () => {
      printed = "";
      await launch();
    },
    mails: async () => {
      const outbox = join(dataDir, "outbox");
      const files = (existsSync(outbox) ? readdirSync(outbox) : []).filter((file) => file.endsWith(".eml"));
      return Promise.all(files.map((file) => PostalMime.parse(readFileSync(join(outbox, file)))));
    },
    command: (args) => runCommand(args, { NODE_ENV: "production", DATA_DIR: dataDir, ...prepared, ...env }),
    dispose: async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
