import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { folderOfRun } from "../support/folder-of-run";

const base = mkdtempSync(join(tmpdir(), "marque-runs-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

test("a run has its own folder and removes those of finished runs only", () => {
  const { pid: gone } = spawnSync(process.execPath, ["-e", ""]);
  for (const name of [`run-${gone}`, `run-${process.ppid}`, `other-${gone}`, "run-x"]) mkdirSync(join(base, name));
  writeFileSync(join(base, `run-${gone}`, "left"), "");
  const own = folderOfRun(base, "run-");
  expect(basename(own)).toBe(`run-${process.pid}`);
  expect(readdirSync(base).toSorted()).toEqual(
    [`run-${process.pid}`, `run-${process.ppid}`, `other-${gone}`, "run-x"].toSorted(),
  );
});

test("the temporary files of this run are in its folder", () => {
  expect(basename(tmpdir())).toMatch(/^marque-run-\d+$/);
  expect(existsSync(process.env.TEST_PROGRAMS ?? "")).toBe(true);
});
