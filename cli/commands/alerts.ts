import { Command } from "commander";
import { say, timestamp } from "../output";
import { withDatabase } from "../with-database";

async function list(): Promise<void> {
  const { loadAlerts } = await import("~/domain/alerts/present.service.server");
  const { present, past, unknown } = await loadAlerts();
  if (present.length === 0) say("Nothing is wrong.");
  for (const { severity, title, detail, text, since } of present) {
    say(`${severity}: ${title}${detail && `: ${detail}`}, seen since ${timestamp(since)}`);
    say(`  ${text}`);
  }
  if (unknown !== null) say(`It is unknown when the TLS certificate of the portal ends: ${unknown}`);
  for (const { title, since, until } of past) say(`ended: ${title}, from ${timestamp(since)} to ${timestamp(until)}`);
  if (present.length > 0) process.exitCode = 1;
}

async function printRules(): Promise<void> {
  const { prometheusRules } = await import("~/domain/alerts/prometheus.server");
  process.stdout.write(prometheusRules());
}

export function alertsCommand(): Command {
  const alerts = new Command("alerts")
    .description("show what is wrong with the portal now and what was in the last days; ends with 1 when something is")
    .action(() => withDatabase(list));
  alerts.command("rules").description("print the same rules as a rule file of Prometheus").action(printRules);
  return alerts;
}
