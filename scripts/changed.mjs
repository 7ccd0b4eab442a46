// Finds what has changed since `npm run check` last passed here.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const PASSED = "node_modules/.cache/check.json";

/**
 * Returns a digest of each file of the project, tracked or new, by path. Returns an empty object in a folder that is not a git checkout.
 */
export function fingerprint() {
  try {
    const options = { encoding: "utf8", maxBuffer: 2 ** 26, stdio: ["ignore", "pipe", "ignore"] };
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], options);
    const files = listed.split("\0").filter((path) => path !== "" && existsSync(path));
    return Object.fromEntries(files.map((path) => [path, digest(readFileSync(path))]));
  } catch {
    return {};
  }
}

const digest = (bytes) => createHash("sha256").update(bytes).digest("base64url");

/** Stores the digests from the beginning of a check that has passed. */
export function keepPassed(files) {
  mkdirSync(dirname(PASSED), { recursive: true });
  writeFileSync(PASSED, JSON.stringify({ node: process.version, files }));
}

/**
 * Returns the paths that were added, changed or removed since the last check that passed, or null when none has passed with this version of
 * Node.
 */
export function changedSince(files) {
  const passed = existsSync(PASSED) ? JSON.parse(readFileSync(PASSED, "utf8")) : null;
  if (passed?.node !== process.version || Object.keys(files).length === 0) return null;
  const paths = new Set([...Object.keys(passed.files), ...Object.keys(files)]);
  return [...paths].filter((path) => passed.files[path] !== files[path]);
}
