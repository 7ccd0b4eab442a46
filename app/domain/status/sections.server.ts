import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { type Freshness } from "./freshness.policy";
import { type PortalStatus } from "./status.schema";
import { listTitle } from "./status.service.server";
import { AUDIT_LATE_HOURS, DOWN_AFTER_MS, ORDERS_DAYS, REVOCATION_DAYS, spanText } from "./times";

type StatusTone = "ok" | "warn" | "bad" | "mute";

/** A value of the status: a text, or an instant with what it means, or a badge. */
export interface StatusCell {
  text: string;
  /** Says more, in small letters. */
  sub?: string;
  /** An ISO timestamp that is shown in place of the text. */
  at?: string;
  tone?: StatusTone;
  href?: string;
}

/** A part of the status with its explanation. The first cell of each row is its heading. */
export interface StatusSection {
  id: string;
  title: string;
  text: string;
  /** The caption of the table. */
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly StatusCell[])[];
  /** What the section says without rows. */
  empty: string;
}

const STATES: Record<Freshness, StatusCell> = {
  fresh: { text: "On time", tone: "ok" },
  late: { text: "Late, still valid", tone: "warn" },
  ended: { text: "No longer valid", tone: "bad" },
  missing: { text: "Not there", tone: "bad" },
};

const NONE: StatusCell = { text: "–" };

const instant = (at: string | null, sub?: string): StatusCell =>
  at === null ? NONE : { text: at, at, ...(sub !== undefined && { sub }) };

const ago = (seconds: number | null) => (seconds === null ? undefined : `${spanText(seconds * 1000)} ago`);

const number = (value: number): string => value.toLocaleString("en-GB");

const span = (seconds: number | null): StatusCell => (seconds === null ? NONE : { text: spanText(seconds * 1000) });

const sinceText = (iso: string, now: string) => spanText(Math.max(Date.parse(now) - Date.parse(iso), 0));

const listsSection = ({ lists }: PortalStatus): StatusSection => ({
  id: "lists",
  title: "Are the revocation lists fresh?",
  text: "A revocation list (CRL) names the certificates that nobody should trust any more. Systems that exchange files fetch it by themselves. Full lists are renewed every day and after each revocation, the short delta lists every hour, and the lists of the roots by hand.",
  caption: "Published revocation lists",
  columns: ["List", "State", "Number", "Signed", "Next one due by", "Valid until", "Entries"],
  rows: lists.map((list) => [
    { text: listTitle(list), href: list.url },
    STATES[list.state],
    list.number === null ? NONE : { text: String(list.number) },
    instant(list.thisUpdate, ago(list.ageSeconds)),
    instant(list.nextDue),
    instant(list.nextUpdate),
    list.entries === null ? NONE : { text: number(list.entries) },
  ]),
  empty: "There is no CA yet.",
});

const respondersSection = ({ responders, measuredAt }: PortalStatus): StatusSection => ({
  id: "answers",
  title: "Are answers about single certificates fresh?",
  text: "Systems can also ask about one certificate (OCSP). An answer is signed again after an hour at most. The portal asks its own responder every minute.",
  caption: "Answers about the responders’ own certificates",
  columns: ["Responder", "State", "Signed", "Next one due by", "Valid until"],
  rows: (measuredAt === null ? [] : responders).map((one) => [
    { text: one.caption },
    STATES[one.state],
    instant(one.thisUpdate, ago(one.ageSeconds)),
    instant(one.nextDue),
    instant(one.nextUpdate),
  ]),
  empty: "Not measured yet.",
});

const revocationsSection = ({ revocations, readAt }: PortalStatus): StatusSection => ({
  id: "revocations",
  title: "How fast is a revocation published?",
  text: `How long it takes from the moment in which somebody revokes a certificate until the lists with it are published. Measured over the last 1,000 revocations within ${REVOCATION_DAYS} days.`,
  caption: "Times until the publication",
  columns: ["Figure", "Value"],
  rows:
    revocations === null
      ? []
      : [
          [{ text: "Half of the revocations within (median)" }, span(revocations.medianSeconds)],
          [{ text: "99 of 100 within" }, span(revocations.p99Seconds)],
          [{ text: "The longest" }, span(revocations.longestSeconds)],
          [{ text: "Revocations measured" }, { text: number(revocations.count) }],
          [{ text: "Last one published" }, instant(revocations.lastAt)],
          [
            { text: "Waiting to be published" },
            revocations.waitingSince === null
              ? { text: "None", tone: "ok" }
              : {
                  text: number(revocations.waiting),
                  tone: "bad",
                  sub: `the oldest for ${sinceText(revocations.waitingSince, readAt)}`,
                },
          ],
        ],
  empty: "Not measured yet.",
});

function agreementOf({ audit, readAt }: PortalStatus): StatusCell {
  if (audit === null) return NONE;
  if (audit.contradictions > 0) return { text: `${number(audit.contradictions)} contradictions`, tone: "bad" };
  const isLate = Date.parse(readAt) - Date.parse(audit.finishedAt) > AUDIT_LATE_HOURS * 3_600_000;
  return isLate ? { text: "Agreed, not compared since", tone: "warn" } : { text: "They agree", tone: "ok" };
}

const auditSection = (status: PortalStatus): StatusSection => ({
  id: "agreement",
  title: "Do database, lists and answers agree?",
  text: "Every night the portal compares what its database, the revocation lists and the answers say about each certificate in force.",
  caption: "Last comparison",
  columns: ["Figure", "Value"],
  rows:
    status.audit === null
      ? []
      : [
          [{ text: "Result" }, agreementOf(status)],
          [{ text: "Last comparison finished" }, instant(status.audit.finishedAt)],
          [{ text: "Certificates in force compared" }, { text: number(status.audit.certificates) }],
          [
            { text: "Other findings that staff look into" },
            { text: number(status.audit.others), sub: "such as a key that a new rule refuses" },
          ],
        ],
  empty: "The first comparison has not finished yet.",
});

type Waits = NonNullable<PortalStatus["orders"]>["byStaff"];

const waitsRow = (caption: string, { count, medianSeconds, p90Seconds }: Waits): StatusCell[] => [
  { text: caption },
  { text: number(count) },
  span(medianSeconds),
  span(p90Seconds),
];

const ordersSection = ({ orders, readAt }: PortalStatus): StatusSection => ({
  id: "orders",
  title: "How long do orders take?",
  text: `From the order to the issued certificate, over the last ${ORDERS_DAYS} days. ${
    orders === null
      ? ""
      : orders.oldestAt === null
        ? "No order waits now."
        : `${orders.waiting === 1 ? "1 order waits" : `${number(orders.waiting)} orders wait`} now, the oldest for ${sinceText(orders.oldestAt, readAt)}.`
  }`.trim(),
  caption: "Times from order to certificate",
  columns: ["Orders", "Certificates", "Half of them within", "Nine of ten within"],
  rows:
    orders === null
      ? []
      : [waitsRow("Checked by staff", orders.byStaff), waitsRow("Under a standing authorisation", orders.standing)],
  empty: "Not measured yet.",
});

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const monthText = (month: string): string => `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;

const uptimeSection = ({ uptime }: PortalStatus): StatusSection => ({
  id: "uptime",
  title: "Was the portal up?",
  text: `From the portal’s own records: each process records every half minute that it works and can store something. When none does so for ${spanText(DOWN_AFTER_MS)}, the portal was down. Shorter interruptions and faults of the network in front of the portal do not count.`,
  caption: "Uptime by month",
  columns: ["Month", "Uptime", "Down", "Interruptions"],
  rows: (uptime?.months ?? []).map(({ month, percent, downSeconds, interruptions }) => [
    { text: monthText(month) },
    { text: `${percent.toFixed(3)} %` },
    { text: downSeconds === 0 ? "–" : spanText(downSeconds * 1000) },
    { text: number(interruptions) },
  ]),
  empty: "Nothing is recorded yet.",
});

const eventsSection = ({ events, readAt }: PortalStatus): StatusSection => ({
  id: "events",
  title: "What was late or down?",
  text: "The latest 50 events. The Atom feed has the same, so that you hear of the next one.",
  caption: "Latest events",
  columns: ["Event", "From", "Until", "Lasted"],
  rows: events.map(({ title, begunAt, endedAt }) => [
    { text: title },
    instant(begunAt),
    endedAt === null ? { text: "It lasts", tone: "bad" } : instant(endedAt),
    { text: sinceText(begunAt, endedAt ?? readAt) },
  ]),
  empty: "Nothing was late or down since the portal records it.",
});

/** What the status says first. */
interface StatusSummary {
  title: string;
  tone: "ok" | "bad" | "warn";
  problems: readonly string[];
}

const SUMMARIES: Record<PortalStatus["state"], Omit<StatusSummary, "problems">> = {
  fresh: { title: "Everything is published on time", tone: "ok" },
  attention: { title: "Something is late or contradicts itself", tone: "bad" },
  unmeasured: { title: "The portal does not know its own state at the moment", tone: "warn" },
};

/** Returns the status as texts, in the order of the page. The page and the static file show the same. */
export const describeStatus = (status: PortalStatus) => ({
  summary: { ...SUMMARIES[status.state], problems: status.problems } satisfies StatusSummary,
  readAt: status.readAt,
  measuredAt: status.measuredAt,
  sections: [
    listsSection(status),
    respondersSection(status),
    revocationsSection(status),
    auditSection(status),
    ordersSection(status),
    uptimeSection(status),
    eventsSection(status),
  ],
  feeds: { json: rarePaths.statusJson, atom: rarePaths.statusFeed, api: paths.apiDocs },
});

export type DescribedStatus = ReturnType<typeof describeStatus>;
