import { queueMail } from "~/domain/mail/queue.service.server";
import { securityAlertMail } from "~/domain/mail/templates/security.server";
import { getConfig } from "~/lib/config.server";
import { formatDateTime } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { listKnownKeys } from "~db/repositories/mails.server";
import { listBursts, listSecurityEvents, type SecurityEventRow } from "~db/repositories/security-events.server";
import { listStaffToAlert } from "~db/repositories/user-administration.server";
import { type StaffRight } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { captionOf, SECURITY_EVENTS, type SecurityEventName } from "./events";

const MINUTE = 60_000;
/** How long the job looks back for events to report, so that none is missed while it does not run. */
const LOOK_BACK = 6 * 60 * MINUTE;
/** With more networks than this at once, one message reports all of them. */
const MOST_NETWORKS = 5;

const REPORTED: readonly SecurityEventName[] = [
  "account.right-granted",
  "account.factors-reset",
  "account.acting-started",
];
/** User administrators have a message of their own about the locks of other staff, so only the mailbox for alerts gets this one. */
const FOR_MAILBOX: readonly SecurityEventName[] = ["account.locked"];

const REFUSALS = Object.entries(SECURITY_EVENTS)
  .filter(([, { outcome }]) => outcome === "failure")
  .map(([name]) => name);

interface Alert {
  /** Names what is reported. Each recipient gets one message about it. */
  about: string;
  what: string;
  facts: readonly (readonly [string, string])[];
}

const eventAlert = (row: SecurityEventRow): Alert => ({
  about: `event:${row.id}`,
  what: captionOf(row.event),
  facts: [
    ["When", `${formatDateTime(row.at)} UTC`],
    ["What", row.detail],
    ["Account", row.userEmail ?? ""],
    ["By", row.impersonatorEmail ?? row.actorName ?? ""],
    ["Address", row.address ?? ""],
  ],
});

const burstAlert = (about: string, networks: string, refusals: number, minutes: number): Alert => ({
  about,
  what: "Many refused requests",
  facts: [
    ["Network", networks],
    ["Refusals", `${refusals} within ${minutes} minutes`],
  ],
});

async function listEventAlerts(now: Date): Promise<Alert[]> {
  const events = [...REPORTED, ...(getConfig().security.alertMail ? FOR_MAILBOX : [])];
  const search = { people: null, address: "", from: new Date(now.getTime() - LOOK_BACK).toISOString(), before: null };
  const page = { direction: "asc", offset: 0, limit: 100 } as const;
  const found = await Promise.all(events.map((event) => listSecurityEvents(getDb(), { ...search, event }, page)));
  return found
    .flat()
    .filter(({ event, userIsStaff }) => event !== "account.locked" || Boolean(userIsStaff))
    .map(eventAlert);
}

async function listBurstAlerts(now: Date): Promise<Alert[]> {
  const { refusals: least, minutes } = getConfig().security.burst;
  const bursts = await listBursts(getDb(), REFUSALS, new Date(now.getTime() - minutes * MINUTE), least);
  const hour = now.toISOString().slice(0, 13);
  if (bursts.length > MOST_NETWORKS) {
    const all = bursts.reduce((sum, { refusals }) => sum + refusals, 0);
    return [burstAlert(`burst:many:${hour}`, `${bursts.length} networks`, all, minutes)];
  }
  return bursts.map(({ network, refusals }) => burstAlert(`burst:${network}:${hour}`, network, refusals, minutes));
}

/** The rights of those who receive alerts unless the configuration names an address. */
const ALERTED: readonly StaffRight[] = ["user-administrator", "auditor"];

async function listRecipients(): Promise<{ to: string; name: string }[]> {
  const { alertMail } = getConfig().security;
  if (alertMail) return [{ to: alertMail, name: "" }];
  return (await listStaffToAlert(getDb(), ALERTED)).map(({ email, firstName }) => ({ to: email, name: firstName }));
}

/**
 * Queues the alerts that are due: rights granted, second factors reset, acting as a user begun, and networks with many refusals within a short time. Each
 * recipient gets one message about an event, and one about a network in an hour. Returns how many messages were queued.
 */
export async function sendSecurityAlerts(now: Date): Promise<number> {
  const alerts = [...(await listEventAlerts(now)), ...(await listBurstAlerts(now))];
  if (alerts.length === 0) return 0;
  const url = `${getEnv().publicUrl}${paths.securityEvents}`;
  const due = (await listRecipients()).flatMap(({ to, name }) =>
    alerts.map(({ about, what, facts }) => ({
      dedupeKey: `security-alert:${about}:${to}` as const,
      to,
      mail: securityAlertMail({ name, what, facts, url }),
    })),
  );
  const keys = due.map(({ dedupeKey }) => dedupeKey);
  const known = new Set(keys.length > 0 ? await listKnownKeys(getDb(), keys) : []);
  const fresh = due.filter(({ dedupeKey }) => !known.has(dedupeKey));
  await inTransaction(async (trx) => {
    for (const mail of fresh) await queueMail(trx, mail, now);
  });
  return fresh.length;
}
