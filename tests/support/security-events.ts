import { expect } from "vitest";
import { securityEventsStored } from "~/domain/security-events/background.server";
import { getDb } from "~db/connection.server";

/** The client of a request in tests: headers as server.ts and a browser set them. */
export const clientFrom = (address: string, userAgent = "Test browser") => ({
  "x-marque-address": address,
  "User-Agent": userAgent,
});

/** Returns every security event, oldest first, once all of them are stored. None is a sentence that was meant for the user. */
export async function securityEvents() {
  await securityEventsStored();
  const events = await getDb().selectFrom("securityEvents").selectAll().orderBy("id").execute();
  for (const { detail } of events) expect(detail).not.toMatch(/\b(you|your|yours|please)\b|^Refused with the code/i);
  return events;
}

export async function forgetSecurityEvents(): Promise<void> {
  await securityEventsStored();
  await getDb().deleteFrom("securityEvents").execute();
}
