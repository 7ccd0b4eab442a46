import { type Actor } from "~/domain/audit/audit.service.server";
import { recordExport } from "~/domain/audit/export.server";
import { listPeople, type PeriodErrors, readPeriod, TOO_MANY } from "~/domain/audit/search.server";
import { MOST_EXPORTED, MOST_LISTED } from "~/domain/audit/trail.service.server";
import { toCsv } from "~/lib/csv.server";
import { formatDateTime } from "~/lib/dates";
import { pagesOf } from "~/lib/list-params";
import { digitsOfNetwork, type Network, parseNetwork } from "~/lib/networks.server";
import { getDb } from "~db/connection.server";
import {
  countSecurityEvents,
  type EventSearch,
  listSecurityEvents,
  type SecurityEventRow,
} from "~db/repositories/security-events.server";
import { captionOf } from "./events";
import { type EventListParams } from "./list";

export type EventErrors = PeriodErrors & { user?: string; address?: string };

const WRONG_ADDRESS = "Enter an address or a network, such as 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32.";

/** Returns the network of a typed address or network. The first half of an IPv6 address, by which bursts are counted, is one too. */
const typedNetwork = (typed: string): Network | null =>
  parseNetwork(/^[\da-f]{1,4}(:[\da-f]{1,4}){3}$/i.test(typed) ? `${typed}::/64` : typed);

/** Returns the search of the parameters, or what is wrong with them. */
async function readSearch({ event, user, address, from, to }: EventListParams) {
  const { errors: wrongDays, ...period } = readPeriod({ from, to });
  const ids = user === "" ? [] : await listPeople(user);
  const network = address.trim() === "" ? null : typedNetwork(address.trim());
  const isWrong = address.trim() !== "" && network === null;
  const errors: EventErrors = {
    ...(ids === null && { user: TOO_MANY }),
    ...(isWrong && { address: WRONG_ADDRESS }),
    ...wrongDays,
  };
  const people = user === "" ? null : { ids: ids ?? [], name: user.toLowerCase() };
  const search: EventSearch = { event, people, addresses: network && digitsOfNetwork(network), ...period };
  return { errors, search: Object.keys(errors).length > 0 ? null : search };
}

const withCaption = (row: SecurityEventRow) => ({ ...row, caption: captionOf(row.event) });

export type EventListItem = ReturnType<typeof withCaption>;

/**
 * Returns one page of the events that match a search, up to 1,000 in all. When the requested page is past the end, this is the last page.
 */
export async function loadSecurityEvents(params: EventListParams) {
  const { errors, search } = await readSearch(params);
  const { size, sort } = params;
  const found = search ? await countSecurityEvents(getDb(), search, MOST_LISTED + 1) : 0;
  const total = Math.min(found, MOST_LISTED);
  const pages = pagesOf(total, size);
  const page = Math.min(params.page, pages);
  const [offset, limit] = [(page - 1) * size, Math.min(size, MOST_LISTED - (page - 1) * size)];
  const rows = search ? await listSecurityEvents(getDb(), search, { direction: sort.direction, offset, limit }) : [];
  return { rows: rows.map(withCaption), total, hasMore: found > total, pages, params: { ...params, page }, errors };
}

const HEADINGS =
  "Recorded (UTC),Last (UTC),Times,Event,Outcome,User,Account,Acted by,Address,User agent,Path,Request,Detail".split(
    ",",
  );

const cellsOf = (row: SecurityEventRow) =>
  [
    formatDateTime(row.at),
    formatDateTime(row.lastAt),
    row.times,
    row.event,
    row.outcome,
    row.actorName,
    row.userEmail,
    row.impersonatorEmail,
    row.address,
    row.userAgent,
    row.path,
    row.requestId,
    row.detail,
  ].map((cell) => String(cell ?? ""));

/** Returns the events that match a search as a CSV file (RFC 4180), at most 50,000, and records the export. */
export async function exportSecurityEvents(params: EventListParams, actor: Actor) {
  const { search } = await readSearch(params);
  const page = { direction: params.sort.direction, offset: 0, limit: MOST_EXPORTED };
  const rows = search ? await listSecurityEvents(getDb(), search, page) : [];
  const { event, user, address, from, to } = params;
  const filters = { event, user, address, from, to };
  await recordExport(
    { event: "security-events.exported", what: "Security events", count: rows.length, filters },
    actor,
  );
  const bytes = Buffer.from(toCsv([HEADINGS, ...rows.map(cellsOf)]));
  return { bytes, mediaType: "text/csv; charset=utf-8", fileName: "security-events.csv" };
}
