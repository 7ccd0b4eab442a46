import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll } from "vitest";

/** An unpacked evidence pack. */
export interface UnpackedPack {
  folder: string;
  files: string[];
}

/** Returns a function that unpacks an archive into a folder of its own. The folders are removed after the tests of the file. */
export function useUnpacked(): (archive: Uint8Array) => UnpackedPack {
  const folders: string[] = [];
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  return (archive) => {
    const folder = mkdtempSync(join(tmpdir(), "marque-pack-"));
    folders.push(folder);
    const files = Object.entries(unzipSync(archive));
    for (const [path, bytes] of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    return { folder, files: files.map(([path]) => path).sort() };
  };
}

/** Runs the verifier of a pack as another machine does: without the portal's folder, environment and packages. */
export function verifyPack({ folder }: UnpackedPack, ...args: string[]) {
  const elsewhere = mkdtempSync(join(tmpdir(), "marque-elsewhere-"));
  try {
    const program = [join(folder, "verify.mjs"), ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, {
      cwd: elsewhere,
      env: {} as NodeJS.ProcessEnv,
      encoding: "utf8",
    });
    const problems = stdout.split("\n").flatMap((line) => /^PROBLEM {2}(.*)$/.exec(line)?.[1] ?? []);
    return { status, output: stdout + stderr, problems };
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
}
