import { personName } from "~/domain/companies/people.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { alertMail } from "~/domain/mail/templates/alerts.server";
import { readHealth } from "~/domain/metrics/portal-figures.server";
import { withTolerance } from "~/lib/clock";
import { addDays, formatDateTime } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { staffPaths } from "~/lib/staff-paths";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import {
  type AlertRow,
  deleteAlert,
  deleteEndedAlerts,
  insertAlert,
  listAlerts,
  updateAlertRows,
} from "~db/repositories/alerts.server";
import { lockSetting, PORTAL, putSetting } from "~db/repositories/settings.server";
import { listStaffToAlert } from "~db/repositories/user-administration.server";
import { listGrantsOf } from "~db/repositories/user-rights.server";
import { inTransaction } from "~db/transaction.server";
import { findAlertRule } from "./catalogue.server";
import { evaluateRules, type Finding, isAbout } from "./evaluation.server";
import { sentencesOf, valueText } from "./rule.policy";
import { BEGINS_AFTER_MS, BETWEEN_MAILS_MS, ENDS_AFTER_MS, KEPT_DAYS, REMINDER_AFTER_MS } from "./times";

/** Returns the milliseconds since a stored timestamp. One that a wrong clock has written, ahead of now, counts as long ago. */
function ageOf(timestamp: string, now: Date): number {
  const at = new Date(timestamp);
  return at > withTolerance(now) ? Infinity : now.getTime() - at.getTime();
}

/** Stores that a fault holds now. A fault that nobody saw for a while begins again unless it is an alert already. */
async function storeHeld(trx: Trx, finding: Finding, row: AlertRow | undefined, now: Date): Promise<void> {
  if (!row) {
    await insertAlert(trx, { rule: finding.rule.name, subject: finding.subject, heldSince: now, lastHeldAt: now });
    return;
  }
  const isNew = row.begunAt === null && ageOf(row.lastHeldAt, now) > BEGINS_AFTER_MS;
  const begins = row.begunAt === null && !isNew && ageOf(row.heldSince, now) >= BEGINS_AFTER_MS;
  await updateAlertRows(trx, [row.id], {
    lastHeldAt: now,
    ...(isNew && { heldSince: now }),
    ...(begins && { begunAt: now }),
  });
}

/** Stores that a fault does not hold now. One that was no alert yet is forgotten. */
async function storeGone(trx: Trx, { id, begunAt, lastHeldAt }: AlertRow, now: Date): Promise<void> {
  if (begunAt === null) await deleteAlert(trx, id);
  else if (ageOf(lastHeldAt, now) >= ENDS_AFTER_MS) await updateAlertRows(trx, [id], { endedAt: lastHeldAt });
}

async function storeFindings(trx: Trx, findings: readonly Finding[], now: Date): Promise<void> {
  await deleteEndedAlerts(trx, addDays(now, -KEPT_DAYS));
  const open = (await listAlerts(trx)).filter(({ endedAt }) => endedAt === null);
  for (const finding of findings) {
    const row = open.find((alert) => isAbout(finding, alert));
    await storeHeld(trx, finding, row, now);
  }
  for (const row of open) if (!findings.some((finding) => isAbout(finding, row))) await storeGone(trx, row, now);
}

type Telling = NonNullable<AlertRow["told"]>;

/**
 * Returns what people are to be told of an alert now, or null for nothing. One that ended before anybody was told is not mentioned, and one
 * that does not hold at this moment only when it has ended.
 */
function dueTelling({ begunAt, endedAt, told, toldAt }: AlertRow, isPresent: boolean, now: Date): Telling | null {
  if (begunAt === null || told === "ended") return null;
  if (endedAt !== null) return told === null ? null : "ended";
  if (!isPresent) return null;
  if (told === null) return "begun";
  return told === "begun" && toldAt !== null && ageOf(toldAt, now) >= REMINDER_AFTER_MS ? "lasting" : null;
}

/** Returns the staff with the right Operator whose address is confirmed, or the administrators when there are none. */
async function listRecipients(db: DbOrTrx) {
  const staff = await listStaffToAlert(db, ["operator"]);
  const ids = staff.map(({ id }) => id);
  const granted = (await listGrantsOf(db, ids, ["operator"])).map(({ userId }) => userId);
  const operators = staff.filter(({ id }) => granted.includes(id));
  return operators.length > 0 ? operators : staff;
}

/** Returns an alert as a message mentions it. */
function mentionOf({ rule: name, subject, heldSince, lastHeldAt }: AlertRow, findings: readonly Finding[]) {
  const rule = findAlertRule(name);
  const found = findings.find((finding) => isAbout(finding, { rule: name, subject }));
  return {
    title: rule?.title(subject) ?? name,
    detail: found ? valueText(found.rule, found.value) : "",
    text: rule ? sentencesOf(rule) : "",
    since: `${formatDateTime(heldSince)} UTC`,
    until: `${formatDateTime(lastHeldAt)} UTC`,
  };
}

const LAST_MAIL = { name: "alerts.last-mail", userId: PORTAL };

/**
 * Queues one message for each recipient about all alerts that have begun, have lasted for a day, or have ended. Returns the number of
 * messages.
 */
async function tell(trx: Trx, findings: readonly Finding[], lastMail: string, now: Date): Promise<number> {
  if (lastMail !== "" && ageOf(lastMail, now) < BETWEEN_MAILS_MS) return 0;
  const due = (await listAlerts(trx)).map((row) => {
    const isPresent = findings.some((finding) => isAbout(finding, row));
    return { row, telling: dueTelling(row, isPresent, now) };
  });
  const rowsOf = (telling: Telling) => due.filter((one) => one.telling === telling).map(({ row }) => row);
  const all = { begun: rowsOf("begun"), lasting: rowsOf("lasting"), ended: rowsOf("ended") };
  if (Object.values(all).flat().length === 0) return 0;
  const mentions = (rows: readonly AlertRow[]) => rows.map((row) => mentionOf(row, findings));
  const content = { begun: mentions(all.begun), lasting: mentions(all.lasting), ended: mentions(all.ended) };
  const recipients = await listRecipients(trx);
  for (const { id, email, ...person } of recipients) {
    const mail = alertMail({ name: personName(person), ...content, url: getEnv().publicUrl + staffPaths.jobs });
    await queueMail(trx, { dedupeKey: `operations-alert:${now.toISOString()}:${id}`, to: email, mail }, now);
  }
  if (recipients.length === 0) return 0;
  for (const telling of ["begun", "lasting", "ended"] as const)
    await updateAlertRows(
      trx,
      all[telling].map(({ id }) => id),
      { told: telling, toldAt: now },
    );
  await putSetting(trx, LAST_MAIL, now.toISOString(), now);
  return recipients.length;
}

/**
 * Evaluates the rules, stores which alerts have begun and ended, and queues the messages that are due. The lock of one setting makes
 * processes that do so at the same time wait for each other, so each message is queued once. Returns the outcome in words.
 */
export async function updateAlerts(now: Date): Promise<string> {
  const findings = await evaluateRules(await readHealth(now), now);
  const queued = await inTransaction(async (trx) => {
    const lastMail = await lockSetting(trx, LAST_MAIL, now);
    await storeFindings(trx, findings, now);
    return tell(trx, findings, lastMail, now);
  });
  return `${findings.length} faults, ${queued} messages queued`;
}
