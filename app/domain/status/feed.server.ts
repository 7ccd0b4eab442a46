import { getConfig } from "~/lib/config.server";
import { formatDateTime } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { escapeMarkup } from "~/lib/escape-markup.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { type PortalStatus } from "./status.schema";
import { spanText } from "./times";

type ShownEvent = PortalStatus["events"][number];

const textOf = ({ begunAt, endedAt }: ShownEvent): string =>
  endedAt === null
    ? `It began at ${formatDateTime(begunAt)} UTC and lasts.`
    : `From ${formatDateTime(begunAt)} to ${formatDateTime(endedAt)} UTC, ${spanText(Date.parse(endedAt) - Date.parse(begunAt))}.`;

const changedAt = ({ begunAt, endedAt }: ShownEvent): string => endedAt ?? begunAt;

/** Returns an entry. Its id stays when the event ends, so that readers replace the entry and show it again (RFC 4287 §4.2.6, §4.2.15). */
const entryOf = (event: ShownEvent, page: string): string[] => [
  "  <entry>",
  `    <id>${escapeMarkup(`${page}#event-${event.id}`)}</id>`,
  `    <title>${escapeMarkup(event.endedAt === null ? event.title : `Over: ${event.title}`)}</title>`,
  `    <published>${event.begunAt}</published>`,
  `    <updated>${changedAt(event)}</updated>`,
  `    <link rel="alternate" type="text/html" href="${escapeMarkup(`${page}#events`)}"/>`,
  `    <category term="${event.kind}"/>`,
  `    <summary>${escapeMarkup(textOf(event))}</summary>`,
  "  </entry>",
];

/**
 * Returns the changes of the public status as an Atom feed (RFC 4287): what has become late or was down, and that it is over. A feed without
 * entries was last updated when the portal began to record its uptime.
 */
export function statusFeed({ events, uptime, readAt }: PortalStatus): string {
  const { publicUrl } = getEnv();
  const { name } = getConfig().branding;
  const page = publicUrl + paths.status;
  const feed = publicUrl + rarePaths.statusFeed;
  const updated = events.map(changedAt).sort().at(-1) ?? uptime?.since ?? readAt;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>${escapeMarkup(feed)}</id>`,
    `  <title>${escapeMarkup(`${name}: status`)}</title>`,
    `  <subtitle>${escapeMarkup("What was late or down, and when it was over")}</subtitle>`,
    `  <updated>${updated}</updated>`,
    `  <author><name>${escapeMarkup(name)}</name></author>`,
    `  <link rel="self" type="application/atom+xml" href="${escapeMarkup(feed)}"/>`,
    `  <link rel="alternate" type="text/html" href="${escapeMarkup(page)}"/>`,
    ...events.flatMap((event) => entryOf(event, page)),
    "</feed>",
    "",
  ].join("\n");
}
