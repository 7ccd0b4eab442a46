// npm run check:node -- 22 24: the whole quick check on other major versions of Node, each in a copy of this checkout. Node comes from npm,
// whose packages hold the program and the headers with which better-sqlite3 is compiled. Without versions: 22 and 24.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";

const root = join(import.meta.dirname, "..");
const given = process.argv.slice(2);
const wrong = given.filter((version) => !/^\d+(\.\d+){0,2}$/.test(version));
if (wrong.length > 0) {
  process.stderr.write(`Versions of Node are numbers such as 24 or 24.9.0, not ${wrong.join(", ")}.\n`);
  process.exit(1);
}

const run = (cwd, env, command, ...args) =>
  execFileSync(command, args, { cwd, stdio: "inherit", env: { ...process.env, ...env } });

/** Copies the files of the checkout, committed or not, into a repository. The check of the dependency rules needs one. */
function copyTo(folder) {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of listed
    .toString()
    .split("\0")
    .filter((path) => path && existsSync(join(root, path)))) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  const identity = ["-c", "user.name=check", "-c", "user.email=check@example.org"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...identity, "commit", "-q", "-m", "copy"],
  ])
    run(folder, {}, "git", ...args);
}

/** Runs the check in `folder` on one version. Throws when the check fails. */
function checkOn(version, folder) {
  const [node, copy] = [join(folder, "node"), join(folder, "copy")];
  const program = `node-${process.platform}-${process.arch}`;
  mkdirSync(node);
  run(folder, {}, "npm", "install", "--prefix", node, "--no-audit", "--no-fund", `${program}@${version}`);
  const home = join(node, "node_modules", program);
  const env = { PATH: [join(home, "bin"), process.env.PATH].join(delimiter), npm_config_nodedir: home };
  copyTo(copy);
  run(copy, env, "node", "-p", "`\n— the check on Node ${process.version}`");
  run(copy, env, "npm", "ci", "--no-audit", "--no-fund");
  run(copy, env, "node", "scripts/check.mjs", "--all");
}

for (const version of given.length > 0 ? given : ["22", "24"]) {
  const folder = mkdtempSync(join(tmpdir(), `marque-node-${version}-`));
  try {
    checkOn(version, folder);
  } catch {
    process.stderr.write(`The check on Node ${version} failed.\n`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
