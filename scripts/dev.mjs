// npm run dev: Remix builds on every change, and each build is served by a new process. That process has loaded the packages before, so
// that a change is served as soon as it is built; the browser loads its page again.
import { fork } from "node:child_process";
import { readFileSync, statSync, utimesSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { cli } from "@remix-run/dev";
import WebSocket from "ws";
import { SERVER } from "./build.mjs";

const SERVE = "serve";
process.chdir(join(import.meta.dirname, ".."));

/** Loads the packages of the last build, waits for the next one, and serves it. */
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

/** Builds until this process is stopped. */
async function buildAndServe() {
  process.env.NODE_ENV = "development";
  const browsers = new WebSocket.Server({ port: 0 });
  await new Promise((resolve) => browsers.once("listening", resolve));
  process.env.REMIX_DEV_ORIGIN = `http://localhost:${browsers.address().port}`;

  const prepare = () => fork(import.meta.filename, [SERVE]);
  const ended = (child) => new Promise((resolve) => child.once("exit", resolve));
  let serving, next;

  async function serveBuild() {
    if (serving?.kill()) await ended(serving);
    serving = next ?? prepare();
    serving.send(SERVE);
    await Promise.race([ended(serving), new Promise((resolve) => serving.once("message", resolve))]);
    for (const browser of browsers.clients) browser.send(JSON.stringify({ type: "RELOAD" }));
    next = prepare();
  }

  let work = Promise.resolve();
  watch(dirname(SERVER), (_event, name) => {
    // Remix writes this file when all others of the build are there.
    if (name !== "version.txt" || statSync(SERVER).mtimeMs === 0) return;
    // Older than every source: `npm start` builds again, for production.
    utimesSync(SERVER, 0, 0);
    work = work.then(serveBuild);
  });
  await cli.run(["watch"]);
}

await (process.argv[2] === SERVE ? serveTheNextBuild() : buildAndServe());
