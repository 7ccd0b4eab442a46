import { DAY, formatDateTime } from "~/lib/dates";

/**
 * When a sample of a metric is a fault: a timestamp that is reached within the threshold, or that has passed, or a number above or below the
 * threshold.
 */
export type FaultKind = "ends-within" | "past" | "above" | "below";

const HOUR = DAY / 24;

export interface AlertRule {
  /** A stable name, such as `crl-base-ends`. */
  name: string;
  /** `critical` when customers or the parties that rely on certificates notice the fault, or soon will. */
  severity: "critical" | "warning";
  /** The metric of `/metrics` in which the fault shows. */
  metric: string;
  /** The values of labels to which the rule is limited. */
  labels?: Readonly<Record<string, readonly string[]>>;
  /** The label that says which of several things the sample is about, such as a CA. */
  subject?: string;
  comparison: FaultKind;
  /** In the unit; 0 for `past`. */
  threshold: number;
  unit:
    | "seconds"
    | "messages"
    | "problems"
    | "findings"
    | "part of the disk"
    | "part of the ceiling"
    | "yes (1) or no (0)";
  /** Whether a metric without samples is a fault, too. */
  needsSample?: true;
  /** Returns what is wrong as a title. */
  title: (subject: string) => string;
  /** What is wrong, in a sentence that explains the title. */
  what: string;
  /** What happens when nobody acts. */
  otherwise: string;
  /** What to do. */
  todo: string;
  /** The heading in docs/operations.md that says more. */
  section: string;
}

/** Returns a time in words, such as '3 days' or '11.5 hours'. */
export function lengthText(ms: number): string {
  const [count, unit] =
    ms >= 2 * DAY ? [ms / DAY, "days"] : ms >= 2 * HOUR ? [ms / HOUR, "hours"] : [ms / 60_000, "minutes"];
  return `${count} ${unit}`;
}

/** Returns whether a sample of the rule's metric is a fault. */
export function isFault({ comparison, threshold }: AlertRule, value: number, now: Date): boolean {
  if (comparison === "above") return value > threshold;
  if (comparison === "below") return value < threshold;
  return value - now.getTime() / 1000 < threshold;
}

/** Returns whether the rule is about a sample with these labels. */
export const concerns = ({ labels = {} }: AlertRule, of: Partial<Record<string, string | number>>): boolean =>
  Object.entries(labels).every(([name, values]) => values.includes(String(of[name])));

const instant = (seconds: number) => `${formatDateTime(new Date(seconds * 1000).toISOString())} UTC`;

/** Returns the value of a faulty sample in words, such as `ends 01/12/2026 10:00:00 UTC`, or "" when the title says all. */
export function valueText({ comparison, unit }: AlertRule, value: number): string {
  if (comparison === "past") return `since ${instant(value)}`;
  if (comparison === "ends-within") return value === 0 ? "there is none" : `ends ${instant(value)}`;
  if (unit === "part of the disk") return `${(value * 100).toFixed(1)} % free`;
  if (unit === "part of the ceiling") return `${(value * 100).toFixed(0)} % used`;
  if (unit === "yes (1) or no (0)") return "";
  return `${value} ${value === 1 ? unit.replace(/s$/, "") : unit}`;
}

/** Returns the sentences of a rule as one paragraph: what is wrong, what happens if nobody acts, what to do, and where to read more. */
export const sentencesOf = ({ what, otherwise, todo, section }: AlertRule): string =>
  `${what} ${otherwise} ${todo} See '${section}' in docs/operations.md.`;

/** Returns the PromQL expression that has a result for each faulty sample of the rule's metric. */
export function expressionOf({ metric, labels = {}, comparison, threshold, needsSample }: AlertRule): string {
  const matchers = Object.entries(labels).map(([name, values]) =>
    values.length === 1 ? `${name}="${values[0]}"` : `${name}=~"${values.join("|")}"`,
  );
  const selector = matchers.length > 0 ? `${metric}{${matchers.join(",")}}` : metric;
  const isTimestamp = comparison === "ends-within" || comparison === "past";
  const fault = `${isTimestamp ? `${selector} - time()` : selector} ${comparison === "above" ? ">" : "<"} ${threshold}`;
  return needsSample ? `${fault} or absent(${metric})` : fault;
}
