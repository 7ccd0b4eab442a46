import { Command, InvalidArgumentError, Option } from "commander";
import { say } from "../output";
import { withDatabase } from "../with-database";

const ROWS_AT_ONCE = 1000;

interface Flags {
  since: string;
}

async function list({ since }: Flags): Promise<void> {
  const { lineOf } = await import("~/domain/security-events/lines.server");
  const { listSecurityEvents } = await import("~db/repositories/security-events.server");
  const { getDb } = await import("~db/connection.server");
  const search = { event: null, people: null, addresses: null, from: since, before: null };
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const page = { direction: "asc", offset, limit: ROWS_AT_ONCE } as const;
    const rows = await listSecurityEvents(getDb(), search, page);
    for (const row of rows) say(lineOf(row));
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

function readTime(text: string): string {
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? new Date(text) : null;
  if (!time || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError("Enter a date such as 2026-11-01, or a time such as 2026-11-01T08:00:00Z.");
  return time.toISOString();
}

export function securityEventsCommand(): Command {
  return new Command("security-events")
    .description("show the security events since a date or time in UTC, one JSON object a line, as in SECURITY_LOG")
    .requiredOption("--since <time>", "for example 2026-11-01 or 2026-11-01T08:00:00Z", readTime)
    .addOption(new Option("--format <format>", "the format of the output").choices(["jsonl"]).default("jsonl"))
    .action((flags: Flags) => withDatabase(() => list(flags)));
}
