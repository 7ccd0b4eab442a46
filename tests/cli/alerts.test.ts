import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
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
