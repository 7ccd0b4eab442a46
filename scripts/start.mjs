// npm start: builds when needed, sets up what is missing, serves, and says where.
import { fork } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import process from "node:process";
import { build } from "./build.mjs";

const root = join(import.meta.dirname, "..");
const say = (text) => process.stdout.write(`${text}\n`);

/** Newest change below a file or folder, in milliseconds. */
function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function buildWhenNeeded() {
  const built = join(root, "build/index.js");
  const sources = ["app", "db", "migrations", "package.json", "remix.config.js"].map((name) => join(root, name));
  if (existsSync(built) && sources.every((source) => newest(source) <= statSync(built).mtimeMs)) return;
  if (!existsSync(join(root, "node_modules/@remix-run/dev"))) {
    if (existsSync(built)) return; // an installation without the build tools serves the build that it came with
    throw new Error("There is no build and no build tools: run 'npm ci' first.");
  }
  say("Building the portal …");
  build();
}

/** Runs the set-up in a process of its own, because only there root keys are opened. Out: the administrator it created, or null. */
function setUp() {
  return new Promise((resolve, reject) => {
    let administrator = null;
    const child = fork(join(root, "cli/main.ts"), ["setup"], { cwd: root, execArgv: ["--import", "tsx"] });
    child.on("message", (message) => (administrator = message.administrator ?? null));
    child.on("exit", (code) => (code === 0 ? resolve(administrator) : process.exit(code ?? 1)));
    child.on("error", reject);
  });
}

process.chdir(root);
process.env.NODE_ENV ||= "production";
buildWhenNeeded();
const administrator = await setUp();
const { listening } = await import("../server.ts");
const address = await listening;

const { getEnv } = await import("../app/lib/env.server.ts");
const { smtpUrl, dataDir } = getEnv();
const outbox = join(dataDir, "outbox");
const message = smtpUrl
  ? "the message that arrives"
  : `the message (${outbox.startsWith(root + sep) ? relative(root, outbox) : outbox})`;

say("");
say(`  The portal is open at ${address}`);
if (administrator) {
  say(`  Administrator: ${administrator.email}`);
  say(
    administrator.password
      ? `  Password: ${administrator.password}   (shown this once; only its hash is stored)`
      : "  Password: the one in ADMIN_PASSWORD",
  );
} else say("  Administrator: the account made at the first start");
say("");
say("  What to try first:");
say(`    1. Register a company, follow the link in ${message}, complete the registration.`);
say("    2. Make a request: openssl req -new -newkey rsa:3072 -noenc -keyout key.pem -out request.csr \\");
say('         -subj "/C=GB/O=Example Parts Ltd/CN=oftp.example.com"');
say("    3. Buy a certificate with it, then log in as administrator and approve it in the Certificate Queue.");
say("");
