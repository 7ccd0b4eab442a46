import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../scripts/build.mjs";
import { runCommand } from "../support/command";
import { usePortal } from "../support/portal";

const portal = usePortal();

test("`alerts rules` prints the rule file that is part of the product", async () => {
  const printed = await runCommand(["alerts", "rules"], portal.env);
  expect(printed).toEqual({ code: 0, out: readFileSync("deploy/prometheus/marque.rules.yml", "utf8"), err: "" });
});

test("`alerts --help` says what the commands do, and an unknown one is refused", async () => {
  const help = await runCommand(["alerts", "--help"], portal.env);
  expect(help.code).toBe(0);
  expect(help.out.replace(/\s+/g, " ")).toContain("ends with 1 when something is");
  expect(help.out).toContain("print the same rules as a rule file of Prometheus");
  expect(await runCommand(["alerts", "ruels"], portal.env)).toMatchObject({ code: 1, out: "" });
});

test("`alerts` reports a disk with less than 10 % free, also when only the audit checkpoints are on it", () => {
  const folder = join(portal.dataDir, "audit");
  mkdirSync(folder, { recursive: true });
  /** Runs the command where a disk of 64 KB, of which so much is used, is in the place of the folder. Nobody else sees that disk. */
  const outputWith = (used: string) => {
    const script = `mount -t tmpfs -o size=64k none "${folder}" && head -c ${used} /dev/zero > "${folder}/file" && "${process.execPath}" "${COMMAND_LINE}" alerts; true`;
    const options = { env: { ...process.env, ...portal.env }, encoding: "utf8" } as const;
    return execFileSync("unshare", ["--map-root-user", "--mount", "sh", "-c", script], options);
  };
  expect(outputWith("60k")).toMatch(
    /^critical: The disk of the folder 'audit' is nearly full: 6\.3 % free, seen since /m,
  );
  expect(outputWith("56k")).not.toContain("'audit' is nearly full");
});
