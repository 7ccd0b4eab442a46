import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { testConfig } from "../../support/template";

/** Writes a configuration in which a certificate can be renewed on the day of its issue. Returns the variables for the portal. */
export function useEarlyRenewals() {
  const directory = mkdtempSync(join(tmpdir(), "marque-renewals-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "portal.json");
  const config = testConfig();
  writeFileSync(file, JSON.stringify({ ...config, certificates: { ...config.certificates, renewalsFromDays: 2000 } }));
  return { PORTAL_CONFIG: file };
}
