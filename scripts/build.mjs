// npm run build makes four things. Remix builds the server with its routes (build/index.js) and the browser's files (public/build); these
// files are also compressed with Brotli and gzip in advance. esbuild, which is Remix's own compiler, builds the command line
// (build/portal.js) and the program of the worker threads (build/worker.js). The types of the client (client/calls.ts) are made from the description of the JSON calls.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const root = join(import.meta.dirname, "..");
export const SERVER = join(root, "build/index.js");
export const COMMAND_LINE = join(root, "build/portal.js");
const WORKER = join(root, "build/worker.js");
export const CLIENT_TYPES = join(root, "client/calls.ts");

/** The files and folders that a build depends on. */
const SHARED_SOURCES = ["app", "db", "migrations", "package.json", "scripts/build.mjs", "tsconfig.json"];
const SERVER_SOURCES = [...SHARED_SOURCES, "server.ts", "remix.config.js"];
const COMMAND_LINE_SOURCES = [...SHARED_SOURCES, "cli"];
const CLIENT_SOURCES = [...SHARED_SOURCES, "scripts/client.ts", "scripts/client-types.ts"];

/** The licences of the packages in the browser's files, which esbuild writes at the end of each file that has one. */
const LICENCES = /\/\*! Bundled license information:\n([\s\S]*?)\*\/\n*$/;

/** Moves the licences out of the scripts, into a text file that each of these scripts names. */
function moveLicences(dir) {
  const licences = new Set();
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".js")) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const script = readFileSync(path, "utf8");
    const [, text] = LICENCES.exec(script) ?? [];
    if (text === undefined) continue;
    licences.add(text.trim());
    writeFileSync(path, script.replace(LICENCES, "/*! Licences: /build/licences.txt */\n"));
  }
  writeFileSync(join(dir, "licences.txt"), `${[...licences].join("\n\n")}\n`);
}

function compress(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(js|css|svg)$/.test(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const bytes = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** Builds the server and the pages. Throws an Error with the compiler's output when that fails. */
function buildServer() {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["node_modules/@remix-run/dev/dist/cli.js", "build"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0 || /\[error\]/.test(stderr)) throw new Error(`The build failed:\n${stdout}${stderr}`);
  moveLicences(join(root, "public/build"));
  compress(join(root, "public/build"));
}

/** Packages that cannot be bundled, because they have compiled code or read files next to their own. */
const UNBUNDLED = [
  "@node-rs/argon2",
  "better-sqlite3",
  "better-sqlite3-13",
  "fontkit",
  "i18n-iso-countries",
  "pdfkit",
  "pg-native",
  "piscina",
  "pkcs11js",
];

/** Defines `require` for CommonJS packages in an ES module, which need it for Node's own modules. */
const REQUIRE = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`;

/** Bundles programs for Node with the packages that they use, except those in `outside`. `options` are esbuild's. */
export async function bundle({ outside = [], ...options }) {
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: root,
    bundle: true,
    external: [...UNBUNDLED, ...outside],
    platform: "node",
    format: "esm",
    target: "node20",
    jsx: "automatic",
    banner: { js: REQUIRE },
    logLevel: "warning",
    ...options,
  });
}

/** Builds the command line into one executable file, so that a command loads only what it uses. */
const buildCommandLine = () =>
  bundle({
    entryPoints: ["cli/main.ts"],
    outfile: COMMAND_LINE,
    define: { "process.env.NODE_ENV": '"production"' },
    banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
  });

/** Builds what runs in worker threads of the server and of the command line. */
const buildWorker = () => bundle({ entryPoints: ["app/domain/workers/tasks.ts"], outfile: WORKER });

function buildClient() {
  const { status } = spawnSync(process.execPath, ["--import", "tsx", "scripts/client.ts"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("The types of the client could not be made.");
}

/** Returns the time of the latest change below a file or folder, in milliseconds. */
function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Returns whether a built file is missing or older than its sources. An installation without the build tools keeps its build. */
function isNeeded(built, sources) {
  if (!existsSync(join(root, "node_modules/@remix-run/dev"))) {
    if (existsSync(built)) return false;
    throw new Error("There is no build and no build tools: run 'npm ci' first.");
  }
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  return sources.some((source) => newest(join(root, source)) > mtimeMs);
}

/** The parts of the build, with their sources and how to build them. */
const PARTS = {
  server: { built: SERVER, sources: SERVER_SOURCES, make: buildServer },
  "command-line": { built: COMMAND_LINE, sources: COMMAND_LINE_SOURCES, make: buildCommandLine },
  worker: { built: WORKER, sources: SHARED_SOURCES, make: buildWorker },
  client: { built: CLIENT_TYPES, sources: CLIENT_SOURCES, make: buildClient },
};

/**
 * Builds those of the parts whose sources have changed, in a separate process, so that the compilers leave nothing in the caller's memory.
 * Ends the process when a build fails. `onBuild` is called before a build that the caller has to wait for.
 */
export function ensureBuilt(names, onBuild = () => undefined) {
  const needed = names.filter((name) => isNeeded(PARTS[name].built, PARTS[name].sources));
  if (needed.length === 0) return;
  onBuild();
  const { status } = spawnSync(process.execPath, [import.meta.filename, ...needed], { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const names = process.argv.slice(2);
  for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
    const { make, built } = PARTS[name];
    const begun = new Date();
    await make();
    utimesSync(built, begun, begun); // files that were saved during the build count as newer
  }
}
