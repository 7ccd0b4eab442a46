import { getDb } from "~db/connection.server";
import { type Client } from "./client";
import { recordSecurityEvent } from "./security-events.service.server";

/** Records that somebody used a link that is unknown, used or expired. `what` is what the link is for, such as "to confirm an address". */
export function noteDeadLink(client: Client, what: string): void {
  const detail = `A link ${what} is unknown, was used or has expired.`;
  void recordSecurityEvent(getDb(), { event: "link.refused", client, detail });
}
