import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { authorityUrls, repositoryFiles, repositoryUrl } from "~/domain/authorities/urls.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { findLatestCrlSummary } from "~db/repositories/crls.server";
import { findSetting } from "~db/repositories/settings.server";
import { listStatusEvents, type StatusEvent } from "~db/repositories/status-events.server";
import { type StatusEventKind } from "~db/tables";
import { dueOf, type Freshness, freshnessOf } from "./freshness.policy";
import { type Measurement, measurementSchema } from "./measurement.schema";
import { MEASUREMENT } from "./measuring.service.server";
import { type PortalStatus, type PublishedAnswers, type PublishedList } from "./status.schema";
import { AUDIT_LATE_HOURS, MEASUREMENT_LIFE_MS, spanText } from "./times";

/** How many events the page, the call and the feed contain. */
const EVENTS_SHOWN = 50;

/** Returns the last measurement, or null when there is none or another version of the portal has stored it. */
async function findMeasurement(): Promise<Measurement | null> {
  const stored = await findSetting(getDb(), MEASUREMENT);
  if (stored === null) return null;
  try {
    return measurementSchema.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}

const ageSeconds = (iso: string, now: Date) => Math.max(Math.floor((now.getTime() - Date.parse(iso)) / 1000), 0);

const toSeconds = (ms: number | null) => (ms === null ? null : Math.round(ms) / 1000);

async function readList(authority: Authority, isDelta: boolean, now: Date): Promise<PublishedList> {
  const { id, name, caption, isRoot } = authority;
  const crl = await findLatestCrlSummary(getDb(), id, isDelta);
  const due = crl && dueOf({ isRoot, isDelta }, crl);
  return {
    authority: name,
    caption,
    kind: isDelta ? "delta" : "base",
    url: repositoryUrl(isDelta ? repositoryFiles.deltaList(name) : repositoryFiles.list(name)),
    state: freshnessOf(crl, due, now),
    number: crl?.number ?? null,
    entries: crl?.entryCount ?? null,
    thisUpdate: crl?.thisUpdate ?? null,
    ageSeconds: crl && ageSeconds(crl.thisUpdate, now),
    nextDue: due?.toISOString() ?? null,
    nextUpdate: crl?.nextUpdate ?? null,
  };
}

function answersOf(authority: Authority, measured: Measurement | null, now: Date): PublishedAnswers {
  const { name, caption } = authority;
  const found = measured?.responders.find((one) => one.authority === name);
  const { thisUpdate = null, renewAt = null, nextUpdate = null } = found ?? {};
  const due = renewAt === null ? null : new Date(renewAt);
  return {
    authority: name,
    caption,
    url: authorityUrls(name).ocsp,
    state: freshnessOf(nextUpdate === null ? null : { nextUpdate }, due, now),
    thisUpdate,
    ageSeconds: thisUpdate === null ? null : ageSeconds(thisUpdate, now),
    nextDue: renewAt,
    nextUpdate,
  };
}

/** What is wrong with something that is published regularly, in words. */
const FAULTS: Record<Exclude<Freshness, "fresh">, string> = {
  late: "is late, but still valid",
  ended: "is no longer valid",
  missing: "is not there",
};

export const listTitle = ({ kind, caption }: Pick<PublishedList, "kind" | "caption">): string =>
  `${kind === "delta" ? "Delta revocation list" : "Revocation list"} of ${caption}`;

const faultOf = (title: string, state: Freshness): string[] =>
  state === "fresh" ? [] : [`The ${title[0]?.toLowerCase()}${title.slice(1)} ${FAULTS[state]}.`];

/** Returns what is wrong with the times of the last measurement. */
function faultsOfMeasurement({ revocations, audit }: Measurement, now: Date): string[] {
  const isAuditLate = audit !== null && now.getTime() - Date.parse(audit.finishedAt) > AUDIT_LATE_HOURS * 3_600_000;
  return [
    ...(revocations.waiting > 0 ? ["Revocations wait to be published."] : []),
    ...(audit && audit.contradictions > 0
      ? ["The nightly comparison found that database, revocation lists and answers contradict each other."]
      : []),
    ...(isAuditLate ? ["The nightly comparison of database, revocation lists and answers is late."] : []),
  ];
}

/** The titles of events. `caption` is the name of the CA for people. */
const EVENT_TITLES: Record<StatusEventKind, (caption: string) => string> = {
  list: (caption) => `The revocation list of ${caption} was late`,
  "delta-list": (caption) => `The delta revocation list of ${caption} was late`,
  responder: (caption) => `Answers about certificates (OCSP) of ${caption} were late`,
  audit: () => "The nightly comparison found contradictions",
  down: () => "The portal was down",
};

const shownEvent = (
  { id, kind, subject, begunAt, endedAt }: StatusEvent,
  authorities: readonly Authority[],
): PortalStatus["events"][number] => {
  const caption = authorities.find(({ name }) => name === subject)?.caption ?? subject;
  return { id, kind, authority: subject, title: EVENT_TITLES[kind](caption), begunAt, endedAt };
};

const waitsOf = ({ count, medianMs, ninetyMs }: Measurement["orders"]["byStaff"]) => ({
  count,
  medianSeconds: toSeconds(medianMs),
  p90Seconds: toSeconds(ninetyMs),
});

function measuredParts(measured: Measurement | null) {
  if (!measured) return { revocations: null, audit: null, orders: null, uptime: null };
  const { revocations, audit, orders, uptime } = measured;
  const { count, medianMs, ninetyNineMs, longestMs, lastAt, waiting, waitingSince } = revocations;
  return {
    revocations: {
      count,
      medianSeconds: toSeconds(medianMs),
      p99Seconds: toSeconds(ninetyNineMs),
      longestSeconds: toSeconds(longestMs),
      lastAt,
      waiting,
      waitingSince,
    },
    audit,
    orders: {
      byStaff: waitsOf(orders.byStaff),
      standing: waitsOf(orders.standing),
      waiting: orders.waiting,
      oldestAt: orders.oldestAt,
    },
    uptime: {
      since: uptime.since,
      months: uptime.months.map(({ downMs, ...month }) => ({ ...month, downSeconds: Math.round(downMs / 1000) })),
    },
  };
}

/**
 * Returns the public status. CRLs are read from the database, so that they are those that are served at this moment. Everything else comes
 * from the last measurement, which is a minute old at most while the jobs run.
 */
export async function readStatus(now = new Date()): Promise<PortalStatus> {
  const [all, measured, events] = await Promise.all([
    listAuthorities(getDb()),
    findMeasurement(),
    listStatusEvents(getDb(), EVENTS_SHOWN),
  ]);
  const living = all.filter(({ notAfter }) => Date.parse(notAfter) > now.getTime());
  const lists = await Promise.all(
    living.flatMap((authority) =>
      (authority.isRoot ? [false] : [false, true]).map((isDelta) => readList(authority, isDelta, now)),
    ),
  );
  const responders = living.filter(({ isRoot }) => !isRoot).map((authority) => answersOf(authority, measured, now));
  const isCurrent = measured !== null && now.getTime() - Date.parse(measured.at) < MEASUREMENT_LIFE_MS;
  const problems = [
    ...(isCurrent ? [] : [staleText(measured, now)]),
    ...lists.flatMap((list) => faultOf(listTitle(list), list.state)),
    ...(measured ? responders : []).flatMap(({ caption, state }) =>
      faultOf(`Answer of the OCSP responder of ${caption}`, state),
    ),
    ...(measured ? faultsOfMeasurement(measured, now) : []),
  ];
  return {
    state: isCurrent ? (problems.length === 0 ? "fresh" : "attention") : "unmeasured",
    problems,
    readAt: now.toISOString(),
    measuredAt: measured?.at ?? null,
    lists,
    responders,
    ...measuredParts(measured),
    events: events.map((event) => shownEvent(event, all)),
  };
}

const staleText = (measured: Measurement | null, now: Date): string =>
  measured
    ? `The portal has not measured itself for ${spanText(now.getTime() - Date.parse(measured.at))}.`
    : "The portal has not measured itself yet.";

/** For how many milliseconds requests share what one of them has read, because everybody may ask as often as they like. */
const SHARED_MS = 1000;

/** What requests share. */
export const lastStatus = memoize((): { until: number; status: Promise<PortalStatus> | null } => ({
  until: 0,
  status: null,
}));

/** Returns the public status for a request. It is a second old at most. */
export function sharedStatus(): Promise<PortalStatus> {
  const now = performance.now();
  const last = lastStatus();
  if (last.status && now < last.until) return last.status;
  const status = readStatus();
  lastStatus.replace({ until: now + SHARED_MS, status });
  status.catch(() => lastStatus.clear());
  return status;
}

/** Returns a text that changes when the portal has measured itself again. */
export const measurementState = async (): Promise<string> => (await findMeasurement())?.at ?? "";
