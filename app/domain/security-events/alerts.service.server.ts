import { may, type RightsHolder, RIGHT_NAMES, STAFF_RIGHTS, TASKS } from "~/domain/accounts/rights.policy";
import { personName } from "~/domain/companies/people.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { securityAlertMail } from "~/domain/mail/templates/security.server";
import { getConfig } from "~/lib/config.server";
import { formatDateTime } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { listBursts, listEventsAfter, type SecurityEventRow } from "~db/repositories/security-events.server";
import { lockSetting, PORTAL, putSetting } from "~db/repositories/settings.server";
import { listStaffToAlert } from "~db/repositories/user-administration.server";
import { listGrantsOf } from "~db/repositories/user-rights.server";
import { type StaffRight } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { captionOf, SECURITY_EVENTS, type SecurityEventName } from "./events";

const MINUTE = 60_000;
/** How far the very first run looks back. Later runs go on where the one before ended. */
const FIRST_LOOK = 6 * 60 * MINUTE;
/** How long a change may take to be stored after the time that its event has. The ids of younger events are kept until then. */
const SETTLING = 10 * MINUTE;
const BATCH = 500;
/** With more networks than this at once, one message reports all of them. */
const MOST_NETWORKS = 5;
/** How many accounts a message names that reports several events. */
const MOST_NAMED = 10;

/** The events that are reported, the most grave first. */
const REPORTED: readonly SecurityEventName[] = [
  "account.right-granted",
  "factor.copied",
  "account.locked",
  "account.acting-started",
  "account.factors-reset",
  "api-client.narrowed",
];

const REFUSALS = Object.entries(SECURITY_EVENTS)
  .filter(([, { outcome }]) => outcome === "failure")
  .map(([name]) => name);

/** What was reported: all events before `since`, these later ones, and these bursts of refusals. */
interface Reported {
  since: string;
  events: number[];
  bursts: string[];
}

const hourOf = (now: Date) => now.toISOString().slice(0, 13);

const REPORTED_SETTING = { name: "security-alerts.reported", userId: PORTAL };

async function lockReported(trx: Trx, now: Date): Promise<Reported> {
  const value = await lockSetting(trx, REPORTED_SETTING, now);
  const first = { since: new Date(now.getTime() - FIRST_LOOK).toISOString(), events: [], bursts: [] };
  return value === "" ? first : (JSON.parse(value) as Reported);
}

/** Stores that these events and bursts, and all that was stored before, have been reported. */
async function storeReported(
  trx: Trx,
  before: Reported,
  { rows, bursts }: { rows: readonly SecurityEventRow[]; bursts: readonly Alert[] },
  now: Date,
): Promise<void> {
  const settled = new Date(now.getTime() - SETTLING).toISOString();
  const since = settled > before.since ? settled : before.since;
  const events = rows.filter(({ at }) => at >= since).map(({ id }) => id);
  const ofThisHour = before.bursts.filter((about) => about.endsWith(hourOf(now)));
  const reported = { since, events, bursts: [...new Set([...ofThisHour, ...bursts.map(({ about }) => about)])] };
  await putSetting(trx, REPORTED_SETTING, JSON.stringify(reported satisfies Reported), now);
}

interface Alert {
  /** Names what is reported. */
  about: string;
  /** When it happened. Nobody is told what happened before they were appointed. */
  at: string;
  what: string;
  facts: readonly (readonly [string, string])[];
  /** The account that it is about, or null. */
  userId: number | null;
}

const eventAlert = (row: SecurityEventRow): Alert => ({
  about: `event:${row.id}`,
  at: row.at,
  what: captionOf(row.event),
  facts: [
    ["When", `${formatDateTime(row.at)} UTC`],
    ["What", row.detail],
    ["Account", row.userEmail ?? ""],
    ["By", row.impersonatorEmail ?? row.actorName ?? ""],
    ["Address", row.address ?? ""],
  ],
  userId: row.userId,
});

const namesIn = (names: readonly (string | null)[]): string => {
  const all = [...new Set(names.filter((name) => name !== null))];
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : "";
  return all.slice(0, MOST_NAMED).join(", ") + more;
};

/** Returns one alert about events of the same kind, which must not be empty. */
function joinedAlert(rows: readonly SecurityEventRow[]): Alert[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  if (first === last) return [eventAlert(first)];
  const facts = [
    ["When", `${formatDateTime(first.at)} to ${formatDateTime(last.at)} UTC`],
    ["What", `${first.detail} This happened ${rows.length} times.`],
    ["Accounts", namesIn(rows.map(({ userEmail }) => userEmail))],
    ["By", namesIn(rows.map(({ impersonatorEmail, actorName }) => impersonatorEmail ?? actorName))],
  ] as const;
  return [{ about: `events:${first.id}-${last.id}`, at: last.at, what: captionOf(first.event), facts, userId: null }];
}

/** Returns whether an event is reported. Without a mailbox for alerts, other user administrators are told of the locks of staff at once. */
const isReported = ({ event, userIsStaff }: SecurityEventRow): boolean =>
  event !== "account.locked" || (getConfig().security.alertMail !== undefined && Boolean(userIsStaff));

/** Returns whether an event gives somebody the right of a customer only. */
const isHarmless = ({ event, detail }: SecurityEventRow): boolean =>
  event === "account.right-granted" && detail === `Granted the right ${RIGHT_NAMES.applicant}.`;

/** Returns the events since the time that was stored, reported or not, in the order of their ids. */
async function listSince(trx: Trx, { since }: Reported): Promise<SecurityEventRow[]> {
  const rows: SecurityEventRow[] = [];
  for (let after = 0; ; after = rows.at(-1)?.id ?? 0) {
    const batch = await listEventsAfter(trx, REPORTED, { after, since: new Date(since), limit: BATCH });
    rows.push(...batch);
    if (batch.length < BATCH) return rows;
  }
}

const gravityOf = ({ event }: SecurityEventRow) => REPORTED.findIndex((name) => name === event);

/** Returns the alerts about events, the most grave first. Those that are harmless share one, so that they hide no others. */
function alertsOf(rows: readonly SecurityEventRow[]): Alert[] {
  const reported = rows.filter(isReported);
  const grave = reported.filter((row) => !isHarmless(row)).sort((one, other) => gravityOf(one) - gravityOf(other));
  return [...grave.map(eventAlert), ...joinedAlert(reported.filter(isHarmless))];
}

const burstAlert = (about: string, networks: string, refusals: number, minutes: number, now: Date): Alert => ({
  about,
  at: now.toISOString(),
  what: "Many refused requests",
  facts: [
    ["Network", networks],
    ["Refusals", `${refusals} within ${minutes} minutes`],
  ],
  userId: null,
});

async function listBurstAlerts(db: DbOrTrx, now: Date): Promise<Alert[]> {
  const { refusals: least, minutes } = getConfig().security.burst;
  const bursts = await listBursts(db, REFUSALS, new Date(now.getTime() - minutes * MINUTE), least);
  const hour = hourOf(now);
  if (bursts.length > MOST_NETWORKS) {
    const all = bursts.reduce((sum, { refusals }) => sum + refusals, 0);
    return [burstAlert(`burst:many:${hour}`, `${bursts.length} networks`, all, minutes, now)];
  }
  return bursts.map(({ network, refusals }) => burstAlert(`burst:${network}:${hour}`, network, refusals, minutes, now));
}

/** The rights of those who receive alerts unless the configuration names an address. */
const ALERTED: readonly StaffRight[] = [...TASKS["change-users"].rights, ...TASKS["see-security-events"].rights];

interface Recipient extends RightsHolder {
  to: string;
  name: string;
  /** When the recipient got the first right to receive alerts; "" when that is not known, or for a mailbox. */
  appointedAt: string;
}

async function listRecipients(db: DbOrTrx): Promise<Recipient[]> {
  const { alertMail } = getConfig().security;
  if (alertMail) return [{ to: alertMail, name: "", appointedAt: "", rights: STAFF_RIGHTS }];
  const staff = await listStaffToAlert(db, ALERTED);
  const grants = await listGrantsOf(
    db,
    staff.map(({ id }) => id),
    ALERTED,
  );
  return staff.map(({ id, email, isAdmin, ...person }) => {
    const own = grants.filter(({ userId }) => userId === id);
    const times = own.map(({ grantedAt }) => grantedAt).sort();
    return {
      to: email,
      name: personName(person),
      appointedAt: isAdmin ? "" : (times[0] ?? ""),
      rights: isAdmin ? STAFF_RIGHTS : own.map(({ right }) => right),
    };
  });
}

/** Returns a link to the events, or for somebody who may not see them, to the account concerned or the accounts. */
function linkFor(recipient: Recipient, { userId }: Alert): { label: string; url: string } {
  const { publicUrl } = getEnv();
  if (may(recipient, "see-security-events"))
    return { label: "Open the security events", url: publicUrl + staffPaths.securityEvents };
  return userId === null
    ? { label: "Open the users", url: publicUrl + paths.users }
    : { label: "Open the account", url: publicUrl + paths.user(userId) };
}

/** Queues the messages about an alert. Returns how many there are. */
async function queueAlert(trx: Trx, alert: Alert, recipients: readonly Recipient[], now: Date): Promise<number> {
  const { about, at, what, facts } = alert;
  const told = recipients.filter(({ appointedAt }) => appointedAt <= at);
  for (const recipient of told) {
    const { to, name } = recipient;
    const mail = securityAlertMail({ name, what, facts, link: linkFor(recipient, alert) });
    await queueMail(trx, { dedupeKey: `security-alert:${about}:${to}`, to, mail }, now);
  }
  return told.length;
}

/**
 * Queues the alerts that are due: rights granted, staff locked, acting as a user begun, second factors reset, API clients narrowed by a lost
 * right, and networks with many refusals within a short time. Each event is reported once, and a network once in an hour. What was reported is stored in the same transaction, so
 * that runs at the same time, and after a restart, repeat and leave out nothing. Returns how many messages were queued.
 */
export const sendSecurityAlerts = (now: Date): Promise<number> =>
  inTransaction(async (trx) => {
    const reported = await lockReported(trx, now);
    const rows = await listSince(trx, reported);
    const bursts = await listBurstAlerts(trx, now);
    const alerts = [
      ...alertsOf(rows.filter(({ id }) => !reported.events.includes(id))),
      ...bursts.filter(({ about }) => !reported.bursts.includes(about)),
    ];
    const recipients = alerts.length > 0 ? await listRecipients(trx) : [];
    let queued = 0;
    for (const alert of alerts) queued += await queueAlert(trx, alert, recipients, now);
    await storeReported(trx, reported, { rows, bursts }, now);
    return queued;
  });
