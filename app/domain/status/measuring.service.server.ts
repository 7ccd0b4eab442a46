import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { type AuditRule } from "~/domain/certificate-audit/rules";
import { monthsFrom } from "~/domain/overview/months";
import { addDays } from "~/lib/dates";
import { getDb, type Trx } from "~db/connection.server";
import { countOpenByRule, findFinishedAudit } from "~db/repositories/certificate-audits.server";
import { findLatestCrlSummary, isOnStoredCrls } from "~db/repositories/crls.server";
import { countPendingCertificates, findOldestPending, listWaits } from "~db/repositories/figures.server";
import {
  deleteOldPublications,
  listPublications,
  listUnpublished,
  setPublished,
} from "~db/repositories/revocation-publications.server";
import { PORTAL, putSetting } from "~db/repositories/settings.server";
import {
  deleteOldStatusEvents,
  endStatusEvents,
  insertStatusEvent,
  listDownTimes,
  listOpenStatusEvents,
} from "~db/repositories/status-events.server";
import { type StatusEventKind } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { findAliveSince } from "./alive.server";
import { dueOf, freshnessOf, percentile, uptimeOf } from "./freshness.policy";
import { type Measurement } from "./measurement.schema";
import { askResponder } from "./responders.server";
import {
  EVENTS_KEPT_DAYS,
  MONTHS_SHOWN,
  ORDERS_DAYS,
  ORDERS_MEASURED,
  REVOCATION_DAYS,
  REVOCATIONS_MEASURED,
  WAITS_AFTER_MS,
} from "./times";

/** The setting that holds the last measurement. */
export const MEASUREMENT = { name: "status.measurement", userId: PORTAL };

/** The findings of the nightly audit that say that database, CRLs and OCSP contradict each other. */
const CONTRADICTIONS: readonly AuditRule[] = [
  "missing-from-crl",
  "surplus-on-crl",
  "ocsp-differs",
  "revocation-incomplete",
];

/** The most revocations without a publication that one run looks at. */
const MOST_UNPUBLISHED = 100;

/**
 * Returns the revocations that wait to be published. Those whose publication failed and that a later CRL contains are settled first: they
 * count as published now, when the portal has seen it.
 */
async function settleRevocations(now: Date) {
  const before = new Date(now.getTime() - WAITS_AFTER_MS);
  const open = await listUnpublished(getDb(), before, MOST_UNPUBLISHED);
  const settled: number[] = [];
  for (const { certificateId } of open) if (await isOnStoredCrls(getDb(), certificateId)) settled.push(certificateId);
  await setPublished(getDb(), settled, now);
  return open.filter(({ certificateId }) => !settled.includes(certificateId));
}

async function measureRevocations(now: Date): Promise<Measurement["revocations"]> {
  const waiting = await settleRevocations(now);
  const published = await listPublications(getDb(), addDays(now, -REVOCATION_DAYS), REVOCATIONS_MEASURED);
  const times = published.map((one) => Math.max(Date.parse(one.publishedAt) - Date.parse(one.askedAt), 0));
  return {
    count: times.length,
    medianMs: percentile(times, 0.5),
    ninetyNineMs: percentile(times, 0.99),
    longestMs: percentile(times, 1),
    lastAt: published[0]?.publishedAt ?? null,
    waiting: waiting.length,
    waitingSince: waiting[0]?.askedAt ?? null,
  };
}

async function measureAudit(): Promise<Measurement["audit"]> {
  const last = await findFinishedAudit(getDb());
  if (!last?.finishedAt) return null;
  const open = await countOpenByRule(getDb());
  const isContradiction = ({ rule }: { rule: string }) => CONTRADICTIONS.some((name) => name === rule);
  const sum = (rows: typeof open) => rows.reduce((total, { count }) => total + count, 0);
  return {
    finishedAt: last.finishedAt,
    certificates: last.checked,
    contradictions: sum(open.filter(isContradiction)),
    others: sum(open.filter((row) => !isContradiction(row))),
  };
}

async function measureOrders(now: Date): Promise<Measurement["orders"]> {
  const [waits, waiting, oldestAt] = await Promise.all([
    listWaits(getDb(), { from: addDays(now, -ORDERS_DAYS), to: now }, ORDERS_MEASURED),
    countPendingCertificates(getDb()),
    findOldestPending(getDb()),
  ]);
  const figures = (isStanding: boolean) => {
    const times = waits.filter((one) => one.isStanding === isStanding).map(({ waitedMs }) => waitedMs);
    return { count: times.length, medianMs: percentile(times, 0.5), ninetyMs: percentile(times, 0.9) };
  };
  return { byStaff: figures(false), standing: figures(true), waiting, oldestAt };
}

/** Returns the uptime of the months since the portal records it, the present one first. */
async function measureUptime(now: Date): Promise<Measurement["uptime"]> {
  const since = await findAliveSince();
  const months = monthsFrom(now, 1 - MONTHS_SHOWN, MONTHS_SHOWN).reverse();
  const first = months.at(-1)?.from ?? now;
  const down = (await listDownTimes(getDb(), first)).map(({ begunAt, endedAt }) => ({
    from: new Date(begunAt),
    to: new Date(endedAt ?? now),
  }));
  const begun = since === null ? now : new Date(since);
  const periods = months.map(({ from, to }) => ({
    month: from.toISOString().slice(0, 7),
    from: new Date(Math.max(from.getTime(), begun.getTime())),
    to: new Date(Math.min(to.getTime(), now.getTime())),
  }));
  const recorded = periods.filter(({ from, to }) => from < to);
  return { since, months: recorded.map(({ month, ...period }) => ({ month, ...uptimeOf(period, down) })) };
}

interface Fault {
  kind: StatusEventKind;
  subject: string;
}

const isLiving = ({ notAfter }: Authority, now: Date): boolean => Date.parse(notAfter) > now.getTime();

/** Returns the CRLs that are not fresh now. */
async function listLateCrls(authorities: readonly Authority[], now: Date): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const { id, name, isRoot } of authorities)
    for (const isDelta of isRoot ? [false] : [false, true]) {
      const crl = await findLatestCrlSummary(getDb(), id, isDelta);
      const state = freshnessOf(crl, crl && dueOf({ isRoot, isDelta }, crl), now);
      if (state !== "fresh") faults.push({ kind: isDelta ? "delta-list" : "list", subject: name });
    }
  return faults;
}

/** Begins and ends the events of what is late or contradictory. Those of times in which the portal was down are stored elsewhere. */
async function storeEvents(trx: Trx, faults: readonly Fault[], now: Date): Promise<void> {
  const isSame = (one: Fault, other: Fault) => one.kind === other.kind && one.subject === other.subject;
  const open = await listOpenStatusEvents(trx);
  for (const fault of faults)
    if (!open.some((event) => isSame(event, fault))) await insertStatusEvent(trx, { ...fault, begunAt: now });
  const over = open.filter((event) => !faults.some((fault) => isSame(event, fault)));
  await endStatusEvents(
    trx,
    over.map(({ id }) => id),
    now,
  );
}

const isLate = ({ renewAt, nextUpdate }: Measurement["responders"][number], now: Date): boolean =>
  freshnessOf(nextUpdate === null ? null : { nextUpdate }, renewAt === null ? null : new Date(renewAt), now) !==
  "fresh";

/**
 * Measures what the public status shows, and stores it with what has become late or is on time again. Reads summaries, indexes and a limited
 * number of rows only, so it costs the same however many certificates there are. Runs as a job. Returns the outcome in words.
 */
export async function measureStatus(now: Date): Promise<string> {
  const authorities = (await listAuthorities(getDb())).filter((authority) => isLiving(authority, now));
  const responders: Measurement["responders"] = [];
  for (const authority of authorities) if (!authority.isRoot) responders.push(await askResponder(authority, now));
  const [revocations, audit, orders, uptime, lateCrls] = await Promise.all([
    measureRevocations(now),
    measureAudit(),
    measureOrders(now),
    measureUptime(now),
    listLateCrls(authorities, now),
  ]);
  const measurement: Measurement = { at: now.toISOString(), responders, revocations, audit, orders, uptime };
  const faults: Fault[] = [
    ...lateCrls,
    ...responders
      .filter((answer) => isLate(answer, now))
      .map(({ authority }) => ({ kind: "responder" as const, subject: authority })),
    ...(audit && audit.contradictions > 0 ? [{ kind: "audit" as const, subject: "" }] : []),
  ];
  await inTransaction(async (trx) => {
    await putSetting(trx, MEASUREMENT, JSON.stringify(measurement), now);
    await storeEvents(trx, faults, now);
    await deleteOldStatusEvents(trx, addDays(now, -EVENTS_KEPT_DAYS));
  });
  await deleteOldPublications(getDb(), addDays(now, -REVOCATION_DAYS));
  return faults.length === 0 ? "everything on time" : `${faults.length} late or contradictory`;
}
