import { securityEventsStored } from "~/domain/security-events/background.server";
import { getDb } from "~db/connection.server";

/** The client of a request in tests: headers as server.ts and a browser set them. */
export const clientFrom = (address: string, userAgent = "Test browser") => ({
  "x-marque-address": address,
  "User-Agent": userAgent,
});

/** Returns every security event, oldest first, once all of them are stored. */
export async function securityEvents() {
  await securityEventsStored();
  return getDb().selectFrom("securityEvents").selectAll().orderBy("id").execute();
}

export async function forgetSecurityEvents(): Promise<void> {
  await securityEventsStored();
  await getDb().deleteFrom("securityEvents").execute();
}
