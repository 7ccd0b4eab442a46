import { createHash } from "node:crypto";
import { TASKS } from "~/domain/accounts/rights.policy";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { keyReportMail } from "~/domain/mail/templates/keys.server";
import { getEnv } from "~/lib/env.server";
import { staffPaths } from "~/lib/staff-paths";
import { type Trx } from "~db/connection.server";
import { listStaffToTell } from "~db/repositories/user-administration.server";
import { type StaffRight } from "~db/tables";

/** The maximum number of lines in a message. Further lines are only counted. */
const MAX_LINES = 50;

export interface KeyReport {
  subject: string;
  text: string;
  /** The findings, one per line. */
  lines: readonly string[];
}

/**
 * Sends a report about keys to the staff who can log in and revoke certificates. The same report is sent only once.
 *
 * @param others The rights of further staff who need it.
 */
export async function tellStaff(
  trx: Trx,
  { subject, text, lines }: KeyReport,
  now: Date,
  others: readonly StaffRight[] = [],
): Promise<void> {
  const shown = lines.slice(0, MAX_LINES);
  const rest = lines.length - shown.length;
  const digest = createHash("sha256")
    .update([subject, ...lines].join("\n"))
    .digest("hex")
    .slice(0, 32);
  for (const { id, firstName, lastName } of await listStaffToTell(trx, [
    ...TASKS["revoke-certificates"].rights,
    ...others,
  ])) {
    const mail = keyReportMail({
      name: `${firstName} ${lastName}`,
      subject,
      text,
      lines: rest > 0 ? [...shown, `and ${rest} more`] : shown,
      url: getEnv().publicUrl + staffPaths.overview,
    });
    await queueOwnMail(trx, id, { dedupeKey: `key-report:${digest}:${id}`, mail }, now);
  }
}
