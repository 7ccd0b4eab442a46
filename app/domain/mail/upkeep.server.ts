import { inPortions } from "~/domain/jobs/portions.server";
import { getConfig } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { deleteMails } from "~db/repositories/mails.server";

/** Removes the messages that were sent or dismissed more than `mail.keptDays` ago. Returns how many were removed. */
export function removeOldMails(now: Date): Promise<number> {
  const before = addDays(now, -getConfig().mail.keptDays);
  return inPortions((limit) => deleteMails(getDb(), before, limit));
}
