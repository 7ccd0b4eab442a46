import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { companyReference } from "~/domain/companies/company-reference";
import { csvInPortions } from "~/lib/csv.server";
import { formatDateTime } from "~/lib/dates";
import { notFound } from "~/lib/errors";
import { LARGEST_ID, pagesOf, readNumber } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { findApiClientByName } from "~db/repositories/api-clients.server";
import {
  type AuditCondition,
  type AuditListRow,
  listEntries,
  listEvents,
  MOST_READ,
  searchAudit,
} from "~db/repositories/audit-search.server";
import { findCodeByName } from "~db/repositories/codes.server";
import { companiesSharedSince } from "~db/repositories/companies.server";
import { listJobs } from "~db/repositories/jobs.server";
import { findUserById } from "~db/repositories/users.server";
import { type Actor } from "./audit.service.server";
import { recordExport } from "./export.server";
import { listPeople, type PeriodErrors, readPeriod, TOO_MANY } from "./search.server";
import { TRAIL_FIELDS, type TrailField, type TrailListParams, type UserTrailListParams } from "./trail-list";

/** How many entries the page lists, and how many a file contains. */
export const MOST_LISTED = 1000;
export const MOST_EXPORTED = 50_000;
/** The most entries that are read for a file. A page has a link to what was not read, and a file has none. */
const MOST_READ_FOR_FILE = 1_000_000;
/** How many entries are read for a file, in about 10 ms, before other work gets its turn. */
const ROWS_AT_ONCE = 200;

/**
 * Returns the conditions for entries of a person: as the actor, as an administrator acting as somebody, as the account concerned, and by
 * this name, whoever had it. For the id of an API client, they are those of the client. Returns null when there are too many people.
 */
async function byPerson(person: string): Promise<AuditCondition[] | null> {
  const client = await findApiClientByName(getDb(), person);
  if (client) return [{ column: "api_client_id", value: client.id }];
  const users = await listPeople(person);
  if (users === null) return null;
  return [
    ...users.flatMap((id): AuditCondition[] => [
      { column: "actor_id", value: id },
      { column: "impersonator_id", value: id },
      { column: "user_id", value: id },
    ]),
    { column: "actor_name", value: person },
    ...(person.toLowerCase() === person ? [] : [{ column: "actor_name" as const, value: person.toLowerCase() }]),
  ];
}

/**
 * Returns the conditions for a reference: the reference itself, the number of an order, the id of a certificate, or the characters of a
 * code.
 */
async function byReference(reference: string): Promise<AuditCondition[]> {
  const order = readNumber(/^SO-(\d+)$/i.exec(reference)?.[1] ?? null, LARGEST_ID);
  const id = readNumber(reference, LARGEST_ID);
  const [, name, subcode = ""] = /^([0-9A-Z]{4})([0-9A-Z]{2})?$/.exec(reference.toUpperCase()) ?? [];
  const code = name ? await findCodeByName(getDb(), name, subcode === "00" ? "" : subcode) : null;
  return [
    { column: "reference", value: reference },
    ...(order === null ? [] : [{ column: "order_id" as const, value: order }]),
    ...(id === null
      ? []
      : [
          { column: "order_id" as const, value: id },
          { column: "certificate_id" as const, value: id },
        ]),
    ...(code ? [{ column: "code_id" as const, value: code.id }] : []),
  ];
}

/** Returns the conditions for the events whose names begin with this text. */
async function byEvent(start: string): Promise<AuditCondition[]> {
  const known = (await listEvents(getDb())).filter((event) => event.startsWith(start.toLowerCase()));
  return (known.length > 0 ? known : [start]).map((value) => ({ column: "event", value }));
}

/**
 * Returns the conditions for entries about a company itself, its members and invitations, and about what it owns. From before people could
 * share a company, these are the entries about the account with its number, which was the company.
 */
export const companyConditions = async (companyId: number): Promise<AuditCondition[]> => [
  { column: "reference", value: companyReference(companyId) },
  ...(["order_id", "certificate_id", "code_id"] as const).map((column) => ({ column, companyId })),
  { column: "user_id", value: companyId, before: await companiesSharedSince(getDb()) },
];

/** Which entries of an account a search finds: those about it, those of what its person did, also while acting, or both. */
interface AccountPart {
  id: number;
  part: UserTrailListParams["part"];
}

const byAccount = ({ id, part }: AccountPart): AuditCondition[] => [
  ...(part === "about"
    ? []
    : [
        { column: "actor_id" as const, value: id },
        { column: "impersonator_id" as const, value: id },
      ]),
  ...(part === "by" ? [] : [{ column: "user_id" as const, value: id }]),
];

/** What a search looks for, and in which order. */
interface Search extends Pick<TrailListParams, TrailField | "companyId" | "sort"> {
  account?: AccountPart;
}

export type TrailErrors = PeriodErrors & { person?: string };

interface SearchCut {
  /** The number of entries that were searched. */
  searched: number;
  /** The period that has the others, or null when all of them are of one day. */
  others: Partial<Pick<TrailListParams, "from" | "to">> | null;
}

/** Returns the period of the entries that were not searched. `restAt` is the time of the first of them. */
function periodOfOthers({ from, to, sort }: Search, restAt: string): SearchCut["others"] {
  const day = restAt.slice(0, 10);
  if (sort.direction === "desc") return day === to ? null : { to: day };
  return day === from ? null : { from: day };
}

interface Found {
  ids: number[];
  /** Null when all entries were searched. */
  cut: SearchCut | null;
  errors: TrailErrors;
}

/**
 * Returns the ids of the entries that match a search. When the search is wrong, returns no ids and the errors.
 * @param read How many entries are read for each condition.
 */
async function find(params: Search, limit: number, read: number): Promise<Found> {
  const { reference, person, event, address, text, companyId, account, sort } = params;
  const { errors: wrongDays, from, before } = readPeriod(params);
  const people = person === "" ? [] : await byPerson(person);
  const errors: TrailErrors = { ...(people === null && { person: TOO_MANY }), ...wrongDays };
  if (people === null || Object.keys(errors).length > 0) return { ids: [], cut: null, errors };
  const groups = [
    account === undefined ? [] : byAccount(account),
    companyId === null ? [] : await companyConditions(companyId),
    reference === "" ? [] : await byReference(reference),
    people,
    event === "" ? [] : await byEvent(event),
    address === "" ? [] : [{ column: "address" as const, value: address }],
  ].filter((group) => group.length > 0);
  const search = { groups, text, from, before, direction: sort.direction };
  const { ids, restAt } = await searchAudit(getDb(), search, limit, read);
  const cut = restAt === null ? null : { searched: read, others: periodOfOthers(params, restAt) };
  return { ids, cut, errors };
}

/** Returns these entries in this order. */
async function inOrder(ids: readonly number[]): Promise<AuditListRow[]> {
  const rows = new Map((await listEntries(getDb(), ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Returns the latest entries about a company, and how many there are: `hasMore` says that there are more than `total`. */
export async function findCompanyEntries(companyId: number, limit: number) {
  const groups = [await companyConditions(companyId)];
  const search = { groups, text: "", from: null, before: null, direction: "desc" } as const;
  const { ids } = await searchAudit(getDb(), search, MOST_LISTED + 1);
  const total = Math.min(ids.length, MOST_LISTED);
  return { rows: await inOrder(ids.slice(0, limit)), total, hasMore: ids.length > total };
}

/** Returns when the jobs last verified the trail, and the outcome. */
async function verifications() {
  const rows = await listJobs(getDb());
  const of = (name: string) => {
    const { lastFinishedAt = null, lastResult = null, lastError = null } = rows.find((row) => row.name === name) ?? {};
    return { at: lastFinishedAt, result: lastResult, error: lastError };
  };
  return { latest: of("audit"), whole: of("audit-whole") };
}

/**
 * Returns one page of the entries that match a search, up to 1,000 in all. When the requested page is past the end, this is the last page.
 */
export async function loadTrail(params: TrailListParams) {
  const { page, ...found } = await findPage(params, params);
  return { ...found, params: { ...params, page }, verified: await verifications() };
}

/** Returns one page of the entries that match a search, with the names of all events. */
async function findPage(search: Search, wanted: { page: number; size: number }) {
  const { ids, cut, errors } = await find(search, MOST_LISTED + 1, MOST_READ);
  const total = Math.min(ids.length, MOST_LISTED);
  const pages = pagesOf(total, wanted.size);
  const page = Math.min(wanted.page, pages);
  const rows = await inOrder(ids.slice(0, MOST_LISTED).slice((page - 1) * wanted.size, page * wanted.size));
  return { rows, total, hasMore: ids.length > total, cut, pages, page, errors, events: await listEvents(getDb()) };
}

/** Returns the search in the trail of one account. */
const searchOf = (id: number, { part, ...params }: UserTrailListParams): Search => ({
  ...params,
  person: "",
  reference: "",
  companyId: null,
  account: { id, part },
});

async function getSubject(id: number) {
  const user = await findUserById(getDb(), id);
  if (!user) throw notFound();
  return { id, name: `${user.firstName} ${user.lastName}` };
}

/**
 * Returns one page of the entries about an account and of what its person did, up to 1,000 in all. `links` says which things the viewer may
 * open. Throws a PortalError (404) when there is no such account.
 */
export async function loadUserTrail(id: number, params: UserTrailListParams, viewer: RightsHolder) {
  const user = await getSubject(id);
  const { page, ...found } = await findPage(searchOf(id, params), params);
  const links = { orders: may(viewer, "see-sales-orders"), customers: may(viewer, "see-customers") };
  return { user, ...found, params: { ...params, page }, links };
}

const HEADINGS =
  "Entry,Recorded (UTC),Who,Acted by,Event,Message,Account,Order,Certificate,Code,Reference,Address".split(",");

const cellsOf = (row: AuditListRow) =>
  [
    row.sequence,
    formatDateTime(row.at),
    row.actorName,
    row.impersonatorEmail,
    row.event,
    row.message,
    row.userEmail,
    row.orderId,
    row.certificateId,
    row.codeId,
    row.reference,
    row.address,
  ].map((cell) => String(cell ?? ""));

async function* rowsOf(ids: readonly number[]) {
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE)
    yield (await inOrder(ids.slice(from, from + ROWS_AT_ONCE))).map(cellsOf);
}

/**
 * Returns the entries that match a search as a CSV file (RFC 4180), at most 50,000, and records the export. The file has no entries when
 * the search is wrong.
 */
export const exportTrail = (params: TrailListParams, actor: Actor) => exportFound(params, actor, "audit-trail.csv");

/** Returns the entries of an account as such a file. Throws a PortalError (404) when there is no such account. */
export async function exportUserTrail(id: number, params: UserTrailListParams, actor: Actor) {
  await getSubject(id);
  return exportFound(searchOf(id, params), actor, `audit-trail-of-account-${id}.csv`);
}

async function exportFound(search: Search, actor: Actor, fileName: string) {
  const { ids } = await find(search, MOST_EXPORTED, MOST_READ_FOR_FILE);
  const parts: Buffer[] = [];
  for await (const part of csvInPortions(HEADINGS, rowsOf(ids))) parts.push(part);
  const { account, companyId } = search;
  const filters = {
    ...(account && { account: String(account.id), entries: account.part }),
    ...Object.fromEntries(TRAIL_FIELDS.map((name) => [name, search[name]])),
    ...(companyId !== null && { company: companyReference(companyId) }),
  };
  await recordExport({ event: "audit.exported", what: "Audit entries", count: ids.length, filters }, actor);
  return { bytes: Buffer.concat(parts), mediaType: "text/csv; charset=utf-8", fileName };
}
