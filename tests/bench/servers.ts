import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { getDb } from "~db/connection.server";
import { untilReady } from "./load";

/** Resolves when no job is due or running, because the first start runs those of the night. */
async function untilIdle(): Promise<void> {
  const due = getDb()
    .selectFrom("jobs")
    .select("name")
    .where((eb) => eb.or([eb("nextRunAt", "<=", new Date().toISOString()), eb("leasedUntil", "is not", null)]));
  while ((await due.execute()).length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Starts servers on these ports, and ends them after `work`. */
export async function withServers<T>(ports: readonly number[], env: Record<string, string>, work: () => Promise<T>) {
  const start = (port: number) =>
    spawn(process.execPath, ["build/index.js"], {
      env: { ...process.env, ...env, PORT: String(port) },
      stdio: ["ignore", "inherit", "inherit"],
    });
  const servers: ChildProcess[] = ports.map(start);
  try {
    for (const port of ports) await untilReady(`http://localhost:${port}/readyz`);
    await untilIdle();
    return await work();
  } finally {
    const running = servers.filter(({ exitCode }) => exitCode === null);
    const ended = running.map((server) => once(server, "exit"));
    for (const server of running) server.kill();
    await Promise.all(ended);
  }
}
