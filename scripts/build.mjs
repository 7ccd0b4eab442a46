// npm run build: Remix's build, then every built file once more as Brotli and gzip, so that serving costs nothing.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const root = join(import.meta.dirname, "..");

function compress(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(js|css|svg)$/.test(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const bytes = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** Builds the portal into build/ and public/build/. Throws with the compiler's output when it fails. */
export function build() {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["node_modules/@remix-run/dev/dist/cli.js", "build"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0 || /\[error\]/.test(stderr)) throw new Error(`The build failed:\n${stdout}${stderr}`);
  compress(join(root, "public/build"));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) build();
