import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type PartnerServer, usePartnerServer } from "../../support/partner-server";

export const PARTNER_SECRET = "the partner's secret of the tests, long enough";

/**
 * A partner service whose two origins are the portal's endpoints. Returns it with the variables for the portal, which must be started
 * afterwards.
 */
export function usePartner(): { partner: PartnerServer; env: Record<string, string> } {
  const partner = usePartnerServer();
  const dir = mkdtempSync(join(tmpdir(), "marque-partner-"));
  const env = { PORTAL_CONFIG: join(dir, "portal.json"), PARTNER_SECRET };
  beforeAll(() => {
    const shipped = JSON.parse(readFileSync("config/portal.json", "utf8")) as object;
    const endpoints = { odetteCaEndPoint: partner.origin(), oscarEndPoint: `${partner.origin("localhost")}/codes` };
    writeFileSync(env.PORTAL_CONFIG, JSON.stringify({ ...shipped, ...endpoints }));
  });
  afterAll(() => rmSync(dir, { recursive: true }));
  return { partner, env };
}
