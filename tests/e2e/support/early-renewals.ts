import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Writes a configuration in which a certificate can be renewed on the day of its issue. Returns the variables for the portal. */
export function useEarlyRenewals() {
  const directory = mkdtempSync(join(tmpdir(), "marque-renewals-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "portal.json");
  const shipped = JSON.parse(readFileSync("config/portal.json", "utf8")) as { certificates: object };
  writeFileSync(
    file,
    JSON.stringify({ ...shipped, certificates: { ...shipped.certificates, renewalsFromDays: 2000 } }),
  );
  return { PORTAL_CONFIG: file };
}
