import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type PortalConfig } from "~/lib/config.server";
import { runCommand } from "../support/command";
import { usePortal } from "../support/portal";

const portal = usePortal();

test("[REP-02] operators check the policies, and see what can be a source", async () => {
  const policies = (...args: string[]) => runCommand(["policies", ...args], portal.env);
  expect(await policies("check")).toEqual({
    code: 0,
    out: "Every sentence of the policies has a source, and no text has changed since its version was published.\n",
    err: "",
  });
  const { out } = await policies("sources");
  expect(out).toContain("{{baseLife}}: 7 days\n");
  expect(out).toContain("[[contact.no-free-mail]]: holds\n");
  expect(out).toContain("[[four-eyes.strict]]: does not hold\n");

  const file = join(portal.dataDir, "portal.json");
  const config = JSON.parse(readFileSync(file, "utf8")) as PortalConfig;
  writeFileSync(file, JSON.stringify({ ...config, accounts: { ...config.accounts, freeMailDomains: [] } }));
  const { code, err } = await policies("check");
  expect(code).toBe(1);
  expect(err).toMatch(
    /^policies\/certification-practice-statement\.md:\d+: The source 'contact\.no-free-mail' does not hold in this portal\. /m,
  );
});
