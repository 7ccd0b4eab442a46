import { type Health } from "~/domain/metrics/portal-figures.server";
import { samplesOf } from "~/domain/metrics/portal-metrics.server";
import { ALERT_RULES } from "./catalogue.server";
import { type AlertRule, concerns, isFault } from "./rule.policy";

/** A rule that holds for a subject. */
export interface Finding {
  rule: AlertRule;
  /** "" when the rule has no subjects. */
  subject: string;
  value: number;
}

/** Returns what is wrong with the portal by this health, in the order of the catalogue. */
export async function evaluateRules(health: Health, now: Date): Promise<Finding[]> {
  const samples = await samplesOf(health);
  return ALERT_RULES.flatMap((rule) =>
    (samples.get(rule.metric) ?? [])
      .filter(({ labels, value }) => concerns(rule, labels) && isFault(rule, value, now))
      .map(({ labels, value }) => ({ rule, subject: rule.subject ? String(labels[rule.subject]) : "", value })),
  );
}

/** Returns whether a finding is about the same thing as a stored alert. */
export const isAbout = ({ rule, subject }: Finding, alert: { rule: string; subject: string }): boolean =>
  rule.name === alert.rule && subject === alert.subject;
