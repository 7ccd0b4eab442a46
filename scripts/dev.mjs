// npm run dev: builds on every change and serves each build in a new process that has already loaded the packages. The browser then reloads
// its page. Remix's own watcher is not used, because a change during a build can end both builds without a message.
import { fork } from "node:child_process";
import { readFileSync, utimesSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import chokidar from "chokidar";
import WebSocket from "ws";
import { SERVER } from "./build.mjs";
import { stopWithNpm } from "./npm.mjs";

const SERVE = "serve";
const root = join(import.meta.dirname, "..");
process.chdir(root);

/** The sources of a build, and the folders that the server reads when it starts. */
const SOURCES = ["app", "db", "migrations", "server.ts", "remix.config.js"];
const READ_AT_START = ["config", "policies"];

/** Loads the packages of the last build, waits for the next build, and serves it. */
async function serveTheNextBuild() {
  const told = new Promise((resolve) => process.once("message", resolve));
  process.once("disconnect", () => process.exit());
  const { outputs } = JSON.parse(readFileSync(join(dirname(SERVER), "metafile.server.json"), "utf8"));
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const packages = new Set(imports.filter(({ external }) => external).map(({ path }) => path));
  await Promise.all([...packages].map((name) => import(name)));
  await told;
  const { start } = await import(SERVER);
  await start();
  process.send("serving");
}

/** Opens a WebSocket server through which pages learn when to reload. Returns a function that makes all open pages reload. */
async function openReloader() {
  const browsers = new WebSocket.Server({ port: 0 });
  await new Promise((resolve) => browsers.once("listening", resolve));
  process.env.REMIX_DEV_ORIGIN = `http://localhost:${browsers.address().port}`;
  return () => browsers.clients.forEach((browser) => browser.send(JSON.stringify({ type: "RELOAD" })));
}

/** Returns a function that replaces the running server with a new one. */
function newServer() {
  const prepare = () => fork(import.meta.filename, [SERVE]);
  const ended = (child) => new Promise((resolve) => child.once("exit", resolve));
  let serving, next;
  return async () => {
    if (serving?.kill()) await ended(serving);
    serving = next ?? prepare();
    serving.send(SERVE);
    await Promise.race([ended(serving), new Promise((resolve) => serving.once("message", resolve))]);
    next = prepare();
  };
}

/**
 * Opens Remix's compiler, which caches unchanged files between builds. Returns a function that builds. It prints errors itself and returns
 * false when the build failed.
 */
async function openCompiler() {
  const remix = createRequire(fileURLToPath(import.meta.resolve("@remix-run/dev")));
  const { readConfig } = remix("./config.js");
  const { create } = remix("./compiler/compiler.js");
  const { createFileWatchCache } = remix("./compiler/fileWatchCache.js");
  const { logThrown } = remix("./compiler/utils/log.js");
  const { logger } = remix("./tux/logger.js");
  const fileWatchCache = createFileWatchCache();
  const open = async () =>
    create({
      config: await readConfig(root),
      // Source maps are off: nothing on the server reads them, the built scripts are readable, and they take a fifth of every build.
      options: { mode: "development", sourcemap: false },
      fileWatchCache,
      logger,
    });
  let compiler = await open();
  return async (changes) => {
    try {
      // Routes are files, so the configuration must be read again when a file is added or removed.
      if (changes.some(({ event }) => event !== "change")) {
        await compiler.dispose();
        compiler = await open();
      }
      for (const { path } of changes) fileWatchCache.invalidateFile(join(root, path));
      await compiler.compile();
      utimesSync(SERVER, 0, 0); // older than every source, so that `npm start` builds again for production
      return true;
    } catch (error) {
      logThrown(error);
      return false;
    }
  };
}

/** Builds and serves until this process is stopped. */
async function buildAndServe() {
  stopWithNpm("dev");
  process.env.NODE_ENV = "development";
  const [reload, build] = await Promise.all([openReloader(), openCompiler()]);
  const serve = newServer();
  const changes = [];
  let isWorking = false;

  /** Builds and serves until there are no more changes. */
  async function work() {
    if (isWorking) return;
    isWorking = true;
    for (let round = changes.splice(0); round.length > 0; round = changes.splice(0)) {
      const started = performance.now();
      const isForServer = round.every(({ path }) => READ_AT_START.some((folder) => path.startsWith(`${folder}/`)));
      if (!isForServer && !(await build(round))) continue;
      await serve();
      reload();
      process.stdout.write(`Served after ${Math.round(performance.now() - started)} ms.\n`);
    }
    isWorking = false;
  }

  chokidar.watch([...SOURCES, ...READ_AT_START], { ignoreInitial: true, cwd: root }).on("all", (event, path) => {
    changes.push({ event, path });
    setTimeout(work, 20); // files that are saved together are built together
  });
  changes.push({ event: "change", path: "server.ts" });
  await work();
}

await (process.argv[2] === SERVE ? serveTheNextBuild() : buildAndServe());
