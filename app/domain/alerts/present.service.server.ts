import { readHealth } from "~/domain/metrics/portal-figures.server";
import { getDb } from "~db/connection.server";
import { listAlerts } from "~db/repositories/alerts.server";
import { findAlertRule } from "./catalogue.server";
import { evaluateRules, isAbout } from "./evaluation.server";
import { sentencesOf, valueText } from "./rule.policy";

/**
 * Returns what is wrong with the portal now, in the order of the catalogue, and the alerts of the last days. The rules are evaluated for
 * this call, so it also finds what the job has not seen yet, and works when the job does not run. `unknown` says why the end of the portal's
 * TLS certificate cannot be watched, or is null.
 */
export async function loadAlerts(now = new Date()) {
  const health = await readHealth(now);
  const [findings, stored] = await Promise.all([evaluateRules(health, now), listAlerts(getDb())]);
  const open = stored.filter(({ endedAt }) => endedAt === null);
  const present = findings.map((finding) => {
    const { rule, subject, value } = finding;
    const since = open.find((row) => isAbout(finding, row))?.heldSince ?? now.toISOString();
    const [title, detail, text] = [rule.title(subject), valueText(rule, value), sentencesOf(rule)];
    return { name: rule.name, subject, severity: rule.severity, title, detail, text, since };
  });
  const past = stored
    .filter((row) => row.begunAt !== null && !findings.some((finding) => row.endedAt === null && isAbout(finding, row)))
    .map(({ id, rule, subject, heldSince, lastHeldAt }) => {
      const title = findAlertRule(rule)?.title(subject) ?? rule;
      return { id, name: rule, subject, title, since: heldSince, until: lastHeldAt };
    });
  const { tls } = health;
  return { present, past, unknown: tls && "problem" in tls ? tls.problem : null };
}

export type PresentAlert = Awaited<ReturnType<typeof loadAlerts>>["present"][number];
export type PastAlert = Awaited<ReturnType<typeof loadAlerts>>["past"][number];
