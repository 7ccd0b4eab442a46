import { appendFileSync } from "node:fs";
import { getEnv } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { type NewRow } from "~db/tables";

type LineSource = Pick<
  NewRow<"securityEvents">,
  | "event"
  | "outcome"
  | "detail"
  | "userId"
  | "actorName"
  | "impersonatorId"
  | "address"
  | "userAgent"
  | "path"
  | "requestId"
  | "times"
> & { at: Date | string };

/**
 * Returns an event as one line of JSON for a SIEM, with the field names of the Elastic Common Schema. Fields without a value are omitted.
 */
export function lineOf(row: LineSource): string {
  const id = (value: number | null | undefined) => (value ? String(value) : undefined);
  const text = (value: string | null | undefined) => value ?? undefined;
  const { times = 1 } = row;
  return JSON.stringify({
    "@timestamp": new Date(row.at).toISOString(),
    "ecs.version": "8.11.0",
    "service.name": "marque",
    "event.action": row.event,
    "event.outcome": row.outcome,
    message: row.detail,
    "user.id": id(row.userId),
    "user.name": text(row.actorName),
    "source.ip": text(row.address),
    "user_agent.original": text(row.userAgent),
    "url.path": text(row.path),
    "http.request.id": text(row.requestId),
    "marque.impersonator.id": id(row.impersonatorId),
    "marque.times": times > 1 ? times : undefined,
  });
}

/**
 * Writes an event where SECURITY_LOG says. A file is opened for every line, so that it can be renamed at any time. A failure to write is
 * logged and changes nothing else.
 */
export function writeLine(row: LineSource): void {
  const { securityLog } = getEnv();
  if (securityLog === "off") return;
  const line = `${lineOf(row)}\n`;
  try {
    if (securityLog === "stdout") process.stdout.write(line);
    else appendFileSync(securityLog, line, { mode: 0o600 });
  } catch (error) {
    logError(error, { code: "security-log" });
  }
}
