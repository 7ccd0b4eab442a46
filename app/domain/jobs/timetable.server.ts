import { Cron } from "croner";

/** When a job runs. */
export interface Timed {
  /** The name of the job and of its row. */
  name: string;
  /** What the job does, for people. */
  about: string;
  /** A cron pattern with seconds, in UTC. A late job runs as soon as a process is available. */
  schedule: string;
  /** How long the job waits at most, in milliseconds, while orders are being approved. Without it, it does not wait. */
  givesWayMs?: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Everything that the portal does by itself. The CRLs are checked often, so that a failed publication is repeated soon. */
export const TIMETABLE = [
  {
    name: "mail",
    about: "delivers queued email",
    schedule: "*/5 * * * * *",
    givesWayMs: 10 * SECOND,
  },
  {
    name: "issuing",
    about: "finishes issuing that a crash interrupted",
    schedule: "0 * * * * *",
  },
  {
    name: "invoices",
    about: "makes the PDFs of invoices that have none yet",
    schedule: "5,35 * * * * *",
    givesWayMs: 30 * SECOND,
  },
  {
    name: "monthly-invoices",
    about: "issues the invoices of a month for orders under standing authorisations that want one a month",
    schedule: "20 2 * * * *",
  },
  {
    name: "keys",
    about: "adds new keys to the search for shared prime factors",
    schedule: "15 * * * * *",
    givesWayMs: 20 * SECOND,
  },
  {
    name: "keys-check",
    about: "checks that every key is in that search, and applies today's rules and blocklists to all keys",
    schedule: "0 30 3 * * *",
  },
  {
    name: "certificates-audit",
    about: "audits everything that was issued: certificates in force, CRLs, OCSP responders and CAs",
    schedule: "0 10 1 * * *",
  },
  {
    name: "revocations",
    about: "carries out revocations whose date has come",
    schedule: "*/10 * * * * *",
  },
  {
    name: "crl-base",
    about: "publishes base CRLs that are missing or a day old",
    schedule: "30 * * * * *",
  },
  {
    name: "crl-delta",
    about: "publishes delta CRLs that are missing or an hour old",
    schedule: "45 * * * * *",
  },
  {
    name: "ocsp-responders",
    about: "renews the certificates of the OCSP responders before they end",
    schedule: "20 */5 * * * *",
  },
  {
    name: "root-lists",
    about: "warns when a root's CRL is missing or ends soon",
    schedule: "0 0 6 * * *",
  },
  {
    name: "expiry",
    about: "marks certificates past their end as Expired, and corrects wrong marks",
    schedule: "15 */5 * * * *",
  },
  {
    name: "reminders",
    about: "reminds owners of certificates that end soon",
    schedule: "0 10 * * * *",
  },
  {
    name: "partner-publishing",
    about: "publishes renewed certificates to their partners where companies have chosen so",
    schedule: "50 * * * * *",
  },
  {
    name: "partner-reminders",
    about: "reminds partners who have not confirmed a certificate",
    schedule: "0 20 7 * * *",
  },
  {
    name: "domains",
    about: "checks confirmed domains again, ends those that are over, and reminds owners",
    schedule: "0 50 1 * * *",
  },
  {
    name: "standing",
    about: "ends standing authorisations that are over, and reminds owners of those that end soon",
    schedule: "0 55 * * * *",
  },
  {
    name: "replaced-lists",
    about: "removes the bytes of CRLs that a newer one of the same day replaced",
    schedule: "0 40 * * * *",
  },
  {
    name: "audit",
    about: "verifies what is new in the audit trail and signs a checkpoint",
    schedule: "50 */5 * * * *",
  },
  {
    name: "audit-whole",
    about: "verifies the whole audit trail",
    schedule: "0 40 2 * * *",
  },
  {
    name: "webhook-events",
    about: "queues what has happened for the webhooks of companies",
    schedule: "*/5 * * * * *",
    givesWayMs: 10 * SECOND,
  },
  {
    name: "webhooks",
    about: "sends what is queued for webhooks",
    schedule: "*/5 * * * * *",
    givesWayMs: 10 * SECOND,
  },
  {
    name: "webhook-upkeep",
    about: "tells webhooks of certificates that end soon, and removes old deliveries",
    schedule: "40 12 * * * *",
  },
  {
    name: "code-maintenance",
    about: "makes the orders for the yearly maintenance of codes, from 1 January",
    schedule: "0 5 * * * *",
  },
  {
    name: "security-alerts",
    about: "alerts user administrators and auditors to events that may be an attack",
    schedule: "25 * * * * *",
  },
  {
    name: "alerts",
    about: "looks for what is wrong with the portal, and informs operators",
    schedule: "55 * * * * *",
  },
  {
    name: "status",
    about: "measures what the public status shows",
    schedule: "10 * * * * *",
  },
  {
    name: "security-events",
    about: "removes security events that have been kept long enough",
    schedule: "0 25 3 * * *",
  },
  {
    name: "old-mail",
    about: "removes messages that were sent or dismissed long enough ago",
    schedule: "0 35 3 * * *",
  },
  {
    name: "erasures",
    about: "erases what was kept of erased persons until certificates ended",
    schedule: "35 15 * * * *",
  },
  {
    name: "retention",
    about: "erases accounts that were never used, and removes ended invitations and requests",
    schedule: "0 45 3 * * *",
  },
  {
    name: "clean-up",
    about: "removes expired drafts, links, rate limits and CRLs",
    schedule: "0 20 3 * * *",
  },
] as const satisfies readonly Timed[];

export type JobName = (typeof TIMETABLE)[number]["name"];

/** Returns the first time after `after` at which the schedule is due. Throws a RangeError when the schedule is never due. */
function computeNext(schedule: string, after: Date): Date {
  const next = new Cron(schedule, { timezone: "UTC", paused: true }).nextRun(after);
  if (!next) throw new RangeError(`The schedule '${schedule}' never runs.`);
  return next;
}

/** The latest answer for each schedule. It stays right until its time comes, and each process asks every second for each job. */
const found = new Map<string, { after: Date; next: Date }>();

/** Returns the first time after `after` at which the schedule is due. Throws a RangeError when the schedule is never due. */
export function nextRun(schedule: string, after: Date): Date {
  const known = found.get(schedule);
  if (known && known.after <= after && after < known.next) return known.next;
  const next = computeNext(schedule, after);
  found.set(schedule, { after, next });
  return next;
}

/** How long after its time a job counts as late, in milliseconds: as long as it takes to its next time, within these bounds. */
export const SHORTEST_DELAY_MS = 15 * MINUTE;
export const LONGEST_DELAY_MS = 60 * MINUTE;

/** What the row of a job says about its runs, as ISO timestamps. */
interface Runs {
  nextRunAt: string;
  lastSucceededAt: string | null;
  lastFailedAt: string | null;
}

/**
 * Returns the time from which a job counts as late unless it succeeds before. It makes no difference why it did not succeed: it fails, it
 * hangs, or no process runs jobs. A job that has failed and never succeeded is late.
 */
export function lateFrom(schedule: string, { nextRunAt, lastSucceededAt, lastFailedAt }: Runs): Date {
  if (lastSucceededAt === null && lastFailedAt !== null) return new Date(lastFailedAt);
  const due = lastSucceededAt === null ? new Date(nextRunAt) : computeNext(schedule, new Date(lastSucceededAt));
  const next = computeNext(schedule, due); // a job that is new is due at no time of its schedule
  const interval = computeNext(schedule, next).getTime() - next.getTime();
  return new Date(due.getTime() + Math.min(Math.max(interval, SHORTEST_DELAY_MS), LONGEST_DELAY_MS));
}
