import { Command, Option } from "commander";
import { readMoment } from "../moments";
import { say } from "../output";
import { withDatabase } from "../with-database";

const ROWS_AT_ONCE = 1000;

interface Flags {
  since: Date;
}

async function list({ since }: Flags): Promise<void> {
  const { lineOf } = await import("~/domain/security-events/lines.server");
  const { listSecurityEvents } = await import("~db/repositories/security-events.server");
  const { getDb } = await import("~db/connection.server");
  const search = { event: null, people: null, addresses: null, from: since.toISOString(), before: null };
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const page = { direction: "asc", offset, limit: ROWS_AT_ONCE } as const;
    const rows = await listSecurityEvents(getDb(), search, page);
    for (const row of rows) say(lineOf(row));
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

export function securityEventsCommand(): Command {
  return new Command("security-events")
    .description("show the security events since a date or time in UTC, one JSON object a line, as in SECURITY_LOG")
    .requiredOption("--since <time>", "for example 2026-11-01 or 2026-11-01T08:00:00Z", readMoment)
    .addOption(new Option("--format <format>", "the format of the output").choices(["jsonl"]).default("jsonl"))
    .action((flags: Flags) => withDatabase(() => list(flags)));
}
