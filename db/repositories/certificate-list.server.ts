import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from "kysely";
import { type Direction, type SortOrder } from "~/lib/list-params";
import { type DbOrTrx } from "../connection.server";
import { countUpTo } from "../count.server";
import { isBehind, type Position } from "../keyset.server";
import { escapeLike } from "../like";
import { readPage } from "../page.server";
import { type CertificateStatus, type Database, type QueueStage, type ShownOrderType } from "../tables";
import {
  containsText,
  countFound,
  findByRarest,
  findRare,
  type FoundByWord,
  idsContaining,
  isOneOf,
  sortOrderOf,
} from "../text-search.server";

/** One word of a search, with each way in which it can be understood. */
export interface SearchTerm {
  /** Folded (`foldForSearch`). */
  text: string;
  /** An id or an order number. */
  number: number | null;
  /** The typed day or month as ISO timestamps. `from` is inclusive, `to` is exclusive. */
  period: { from: string; to: string } | null;
  statuses: CertificateStatus[];
  orderTypes: ShownOrderType[];
  /** The accounts with this word that have ordered certificates (`findCertificates`), or null when they are too many to be listed. */
  owners?: readonly number[] | null;
}

export interface CertificateFilter {
  /**
   * Only the certificates of this company. When undefined, those of all companies, and the search also covers the names and email addresses
   * of those who ordered them, and the companies.
   */
  companyId?: number | undefined;
  statuses?: readonly CertificateStatus[];
  /** Only certificates in use that expire within this period, given as ISO timestamps. */
  expiry?: { from: string; to: string };
  /** Only issued certificates whose validity began within this period, given as ISO timestamps. */
  began?: { from: string; to: string };
  /** Only pending orders at this stage. */
  stage?: QueueStage | null;
  /** The orders that lack nothing but the confirmation of their names. They are at the stage `customer`. */
  heldByNames?: readonly number[];
  /** Only orders on which this person works, or with null those on which nobody does. */
  assignedTo?: number | null | undefined;
  /** Only the certificate of this sales order. */
  orderId?: number | null;
  /** Only certificates that were changed at this time or later, an ISO timestamp. */
  updatedSince?: string | null;
  /** Only certificates to which the company has given this tag, folded (`foldForSearch`). Needs `companyId`. */
  tag?: string;
  /** A row must match every term. */
  terms: readonly SearchTerm[];
  /** The rows of the rarest term (`findCertificates`). */
  found?: FoundByWord | null;
}

const COLUMNS = {
  id: "certificates.id",
  commonName: "certificates.sortName",
  certificateStatus: "certificates.status",
  orderType: "certificates.orderType",
  certificateRequestDate: "certificates.requestedAt",
  orderId: "certificates.orderId",
  certificateStartDate: "certificates.startDate",
  certificateExpiryDate: "certificates.expiryDate",
  revocationDate: "certificates.revocationDate",
  updatedAt: "certificates.updatedAt",
} as const;

/** By the company's name. No index has this order: it is for the pending orders, which are few. */
const COMPANY_NAME = sql<string>`(select companies.sort_name from companies where companies.id = certificates.company_id)`;

const sortedBy = (key: CertificateSortKey): RawBuilder<string> =>
  key === "company" ? COMPANY_NAME : sql.ref(COLUMNS[key]);

export type CertificateSortKey = keyof typeof COLUMNS | "company";

/** The sort orders of pending orders. None of these columns is ever empty. */
export type QueueSortKey = "certificateRequestDate" | "orderId" | "commonName" | "company";

/** Columns that are empty in some rows. The other columns are sorted without `nulls last`, so that the order is that of an index. */
const WITH_GAPS: readonly CertificateSortKey[] = ["certificateStartDate", "certificateExpiryDate", "revocationDate"];

export interface CertificateWindow {
  sort: SortOrder<CertificateSortKey>;
  offset: number;
  limit: number;
}

type Builder = ExpressionBuilder<Database, "certificates">;

const DATE_COLUMNS = ["requested_at", "start_date", "expiry_date", "revocation_date"] as const;
const DATES = ["requestedAt", "startDate", "expiryDate", "revocationDate"] as const;

function hasOrderType(eb: Builder, type: ShownOrderType): Expression<SqlBool> {
  if (type === "Renewal") return eb("certificates.orderType", "=", type);
  return eb.and([
    eb("certificates.orderType", "=", "Initial"),
    eb("certificates.previousCertificateId", type === "Initial" ? "is" : "is not", null),
  ]);
}

/** Returns whether the company has given the certificate a tag that meets a condition. The tags of one company are found by an index. */
const hasTag = (
  eb: Builder,
  companyId: number,
  condition: (folded: Expression<string>) => Expression<SqlBool>,
): Expression<SqlBool> =>
  eb(
    "certificates.id",
    "in",
    eb
      .selectFrom("certificateTags")
      .select("certificateTags.certificateId")
      .where("certificateTags.companyId", "=", companyId)
      .where((tags) => condition(tags.ref("certificateTags.folded"))),
  );

/** Returns whether the account that owns a certificate has the word. */
const ownerHas = ({ text, owners }: SearchTerm): RawBuilder<SqlBool> =>
  owners
    ? isOneOf(sql.ref("certificates.user_id"), owners)
    : sql`exists (select 1 from users where users.id = certificates.user_id and ${containsText("users", text)})`;

function matches(eb: Builder, term: SearchTerm, companyId: number | undefined): Expression<SqlBool> {
  const { number, period, statuses, orderTypes } = term;
  const pattern = `%${escapeLike(term.text)}%`;
  const isIn = (column: "searchText" | "contactSearchText") =>
    sql<SqlBool>`${eb.ref(`certificates.${column}`)} like ${pattern} escape '\\'`;
  return eb.or([
    isIn("searchText"),
    isIn("contactSearchText"),
    ...(companyId === undefined
      ? []
      : [hasTag(eb, companyId, (folded) => sql<SqlBool>`${folded} like ${pattern} escape '\\'`)]),
    ...(companyId === undefined ? [ownerHas(term)] : []),
    ...(number === null ? [] : [eb("certificates.id", "=", number), eb("certificates.orderId", "=", number)]),
    ...(statuses.length === 0 ? [] : [eb("certificates.status", "in", statuses)]),
    ...orderTypes.map((type) => hasOrderType(eb, type)),
    ...(period === null
      ? []
      : DATES.map((date) =>
          eb.and([eb(`certificates.${date}`, ">=", period.from), eb(`certificates.${date}`, "<", period.to)]),
        )),
  ]);
}

/**
 * Returns the stage of a pending order. `ready` has the same conditions as `checksOf`: it lacks nothing but the approval.
 *
 * @param heldByNames The ids of orders that would be ready if their names were confirmed.
 */
const stageOf = (heldByNames: readonly number[] = []) => sql<QueueStage>`case
  when certificates.serial_number is not null then 'issuing'
  when certificates.contact_answer = 'refused' then 'refused'
  when certificates.organisation_checked_at is null and certificates.csr_checked_at is null then 'new'
  when certificates.organisation_checked_at is null or certificates.csr_checked_at is null then 'begun'
  when certificates.contact_answer is null then 'contact'
  when not exists (select 1 from users as owner where owner.id = certificates.user_id and owner.email_verified_at is not null)
    then 'customer'
  when ${heldByNames.length > 0 ? isOneOf(sql.ref("certificates.id"), heldByNames) : sql`1 = 0`} then 'customer'
  else 'ready' end`;

function filtered(db: DbOrTrx, { companyId, statuses, expiry, stage, ...filter }: CertificateFilter) {
  const { heldByNames, assignedTo, terms, found } = filter;
  let query = db.selectFrom("certificates");
  if (companyId !== undefined) query = query.where("certificates.companyId", "=", companyId);
  if (statuses) query = query.where("certificates.status", "in", statuses);
  if (expiry)
    query = query
      .where("certificates.expiryDate", ">=", expiry.from)
      .where("certificates.expiryDate", "<", expiry.to)
      .where("certificates.status", "in", ["Issued", "Downloaded"]);
  if (filter.began)
    query = query
      .where("certificates.startDate", ">=", filter.began.from)
      .where("certificates.startDate", "<", filter.began.to)
      .where("certificates.issuedAt", "is not", null);
  if (filter.orderId) query = query.where("certificates.orderId", "=", filter.orderId);
  if (filter.updatedSince) query = query.where("certificates.updatedAt", ">=", filter.updatedSince);
  if (assignedTo !== undefined)
    query = query.where("certificates.assignedTo", assignedTo === null ? "is" : "=", assignedTo);
  const { tag } = filter;
  if (tag !== undefined && companyId !== undefined)
    query = query.where((eb) => hasTag(eb, companyId, (folded) => sql<SqlBool>`${folded} = ${tag}`));
  if (stage) query = query.where(stageOf(heldByNames), "=", stage);
  if (found) query = query.where((eb) => isOneOf(eb.ref("certificates.id"), found.ids));
  for (const [index, term] of terms.entries())
    if (index !== found?.word) query = query.where((eb) => matches(eb, term, companyId));
  return query;
}

/** As many owners of certificates are asked one by one whether they have a word that many accounts have. */
const MOST_OWNERS = 2000;

/** Finds all accounts that own certificates, one step in the index for each. Returns null when they are more than MOST_OWNERS. */
async function listFewOwners(db: DbOrTrx): Promise<number[] | null> {
  const next = sql`select min(user_id) from certificates`;
  const { rows } = await sql<{ id: number }>`with recursive owners(id) as (
      ${next} union all select (${next} where user_id > owners.id) from owners where owners.id is not null)
    select id from owners where id is not null limit ${MOST_OWNERS + 1}`.execute(db);
  return rows.length > MOST_OWNERS ? null : rows.map(({ id }) => id);
}

/**
 * Returns the accounts with this word whose certificates are to be found. Returns null when both the accounts with the word and the owners
 * of certificates are many: then the certificates of some of these accounts are quickly found, and no list of accounts is needed.
 */
async function findOwners(db: DbOrTrx, text: string, isGlance: boolean): Promise<number[] | null> {
  const rare = await findRare(db, [idsContaining("users", text)], isGlance);
  if (rare) return rare;
  const owners = await listFewOwners(db);
  if (!owners) return null;
  const { rows } = await sql<{ id: number }>`select id from users
    where ${isOneOf(sql.ref("users.id"), owners)} and ${containsText("users", text)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the statement that finds the certificates of the accounts with a word. */
const ofOwners = (term: SearchTerm): RawBuilder<{ id: number }> =>
  term.owners
    ? sql`select id from certificates where ${ownerHas(term)}`
    : sql`select certificates.id from (${idsContaining("users", term.text)}) as owner
        join certificates on certificates.user_id = owner.id`;

/** Returns the statements that find the certificates of all companies that match a term, each by an index. */
function statementsOf(term: SearchTerm): RawBuilder<{ id: number }>[] {
  const { text, number, period, statuses, orderTypes } = term;
  const where = (condition: RawBuilder<unknown>) => sql<{ id: number }>`select id from certificates where ${condition}`;
  return [
    ...(number === null ? [] : [where(sql`id = ${number}`), where(sql`order_id = ${number}`)]),
    ...statuses.map((status) => where(sql`status = ${status}`)),
    ...orderTypes.map((type) => {
      if (type === "Renewal") return where(sql`order_type = ${type}`);
      const isNull = type === "Initial" ? sql`is null` : sql`is not null`;
      return where(sql`order_type = 'Initial' and previous_certificate_id ${isNull}`);
    }),
    ...(period === null
      ? []
      : DATE_COLUMNS.map((date) => where(sql`${sql.ref(date)} >= ${period.from} and ${sql.ref(date)} < ${period.to}`))),
    idsContaining("certificates", text),
    idsContaining("certificate_contacts", text),
    ofOwners(term),
  ];
}

/**
 * Adds to a filter the certificates that its rarest term finds, so that a search takes no longer among more certificates. Those of one
 * company are few, and each of them is checked.
 */
export async function findCertificates(
  db: DbOrTrx,
  filter: CertificateFilter,
  isGlance = false,
): Promise<CertificateFilter> {
  if (filter.companyId !== undefined) return filter;
  const terms: SearchTerm[] = [];
  for (const term of filter.terms) terms.push({ ...term, owners: await findOwners(db, term.text, isGlance) });
  return { ...filter, terms, found: await findByRarest(db, terms.map(statementsOf), isGlance) };
}

/** Returns how many certificates match the filter. Counting stops at `limit` when one is given. */
export function countCertificates(db: DbOrTrx, filter: CertificateFilter, limit?: number): Promise<number> {
  const { terms, found, heldByNames: _, assignedTo, ...others } = filter;
  const isOfOne = assignedTo === undefined ? undefined : true; // null means nobody
  return countFound({ words: terms, found, others: { ...others, isOfOne } }, limit, () =>
    countUpTo(db, filtered(db, filter).select("certificates.id"), limit),
  );
}

/** Returns the ids above `after` of the certificates that match the filter, by id. */
export async function listCertificateIdsAfter(
  db: DbOrTrx,
  filter: CertificateFilter,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const query = filtered(db, filter).select("certificates.id").where("certificates.id", ">", after);
  return (await query.orderBy("certificates.id").limit(limit).execute()).map(({ id }) => id);
}

/**
 * Returns the statement for the ids of one page. Every sort order of the certificates of all users has an index (migration
 * 0004-certificates), apart from that by company.
 */
export function certificatesQuery(db: DbOrTrx, filter: CertificateFilter, { sort, offset, limit }: CertificateWindow) {
  const hasGaps = WITH_GAPS.includes(sort.key);
  return filtered(db, filter)
    .select("certificates.id")
    .orderBy(sortOrderOf(sortedBy(sort.key), Boolean(filter.found)), (order) => {
      const directed = sort.direction === "asc" ? order.asc() : order.desc();
      return hasGaps ? directed.nullsLast() : directed;
    })
    .orderBy("certificates.id", sort.direction)
    .limit(limit)
    .offset(offset);
}

/** A part of a list in the order of the ids or of the last change. */
export interface CertificatePart {
  sort: SortOrder<"id" | "updatedAt">;
  /** The row behind which the part begins, or null for the beginning. */
  behind: Position | null;
  limit: number;
}

/** Returns the statement for the ids of a part of the list. It is read from an index, also with a filter by one status or company. */
export function certificatesPartQuery(
  db: DbOrTrx,
  filter: CertificateFilter,
  { sort, behind, limit }: CertificatePart,
) {
  const query = filtered(db, filter).select("certificates.id");
  const columns = { at: sql.ref("certificates.updatedAt"), id: sql.ref("certificates.id") };
  const rest = behind ? query.where(isBehind(columns, behind, sort.direction)) : query;
  const ordered = sort.key === "id" ? rest : rest.orderBy("certificates.updatedAt", sort.direction);
  return ordered.orderBy("certificates.id", sort.direction).limit(limit);
}

/** Returns a part of the list of certificates. */
export const listCertificatePart = (db: DbOrTrx, filter: CertificateFilter, part: CertificatePart) =>
  readPage(certificatesPartQuery(db, filter, part), (ids) => selectShown(db, ids).execute());

/** Returns the stages of these pending orders, by the id of the certificate. */
export async function listStages(
  db: DbOrTrx,
  ids: readonly number[],
  heldByNames: readonly number[],
): Promise<Map<number, QueueStage>> {
  if (ids.length === 0) return new Map();
  const query = db.selectFrom("certificates").select(["id", stageOf(heldByNames).as("stage")]);
  return new Map((await query.where("id", "in", ids).execute()).map(({ id, stage }) => [id, stage]));
}

/** Selects what lists show of these certificates. */
const selectShown = (db: DbOrTrx, ids: readonly number[]) =>
  db
    .selectFrom("certificates")
    .innerJoin("users", "users.id", "certificates.userId")
    .innerJoin("companies", "companies.id", "certificates.companyId")
    .leftJoin("users as assignee", "assignee.id", "certificates.assignedTo")
    .select([
      "certificates.id",
      "certificates.orderId",
      "certificates.userId",
      "certificates.companyId",
      "certificates.authorityId",
      "certificates.status",
      "certificates.orderType",
      "certificates.previousCertificateId",
      "certificates.isCorrection",
      "certificates.commonName",
      "certificates.organisation",
      "certificates.email",
      "certificates.subjectAlternateName",
      "certificates.ssid",
      "certificates.requestedAt",
      "certificates.updatedAt",
      "certificates.startDate",
      "certificates.expiryDate",
      "certificates.revocationDate",
      "certificates.contactAnswer",
      "certificates.authenticationEmail",
      "certificates.organisationCheckedAt",
      "certificates.csrCheckedAt",
      "certificates.serialNumber",
      "companies.name as company",
      "users.emailVerifiedAt",
      "users.firstName",
      "users.lastName",
      "assignee.firstName as assigneeFirstName",
      "assignee.lastName as assigneeLastName",
    ])
    .where("certificates.id", "in", ids);

/** Returns what lists show of these certificates, by id. */
export const listCertificatesShown = (db: DbOrTrx, ids: readonly number[]) =>
  selectShown(db, ids).orderBy("certificates.id").execute();

/** Returns one page of the certificates. Rows without a value in the sort column come last. Rows with equal values are sorted by id. */
export const listCertificates = (db: DbOrTrx, filter: CertificateFilter, window: CertificateWindow) =>
  readPage(certificatesQuery(db, filter, window), (ids) => selectShown(db, ids).execute());

export type CertificateListRow = Awaited<ReturnType<typeof listCertificates>>[number];

/** Returns how many certificates that match the filter are at each stage. Stages without any are left out. */
export async function countStages(
  db: DbOrTrx,
  filter: CertificateFilter,
): Promise<Partial<Record<QueueStage, number>>> {
  const rows = await filtered(db, filter)
    .select((eb) => [stageOf(filter.heldByNames).as("stage"), eb.fn.countAll<number>().as("count")])
    .groupBy("stage")
    .execute();
  return Object.fromEntries(rows.map(({ stage, count }) => [stage, count]));
}

/** Returns the names in the pending orders that lack nothing else than perhaps the confirmation of these names. */
export const listNamesOfReady = (db: DbOrTrx) =>
  filtered(db, { statuses: ["Pending"], stage: "ready", terms: [] })
    .select(["id", "companyId", "commonName", "email", "ssid", "subjectAlternateName"])
    .execute();

/** How many pending orders are at a stage, by age, and when the oldest was requested. */
export interface WaitingOrders {
  stage: QueueStage;
  count: number;
  /** Requested since the first bound, since the second and before the first, since the third, and before that. */
  ages: [number, number, number, number];
  oldest: string;
}

/**
 * Returns the stages that pending orders are at.
 *
 * @param bounds Three times, the latest first.
 * @param heldByNames As in `CertificateFilter`.
 */
export async function countWaiting(
  db: DbOrTrx,
  bounds: readonly [Date, Date, Date],
  heldByNames: readonly number[],
): Promise<WaitingOrders[]> {
  const [first, second, third] = bounds.map((bound) => bound.toISOString()) as [string, string, string];
  const rows = await db
    .selectFrom("certificates")
    .where("certificates.status", "=", "Pending")
    .select(({ fn }) => [
      stageOf(heldByNames).as("stage"),
      fn.countAll<number>().as("count"),
      fn.countAll<number>().filterWhere("requestedAt", ">=", first).as("age0"),
      fn.countAll<number>().filterWhere("requestedAt", "<", first).filterWhere("requestedAt", ">=", second).as("age1"),
      fn.countAll<number>().filterWhere("requestedAt", "<", second).filterWhere("requestedAt", ">=", third).as("age2"),
      fn.countAll<number>().filterWhere("requestedAt", "<", third).as("age3"),
      fn.min("requestedAt").as("oldest"),
    ])
    .groupBy("stage")
    .execute();
  return rows.map(({ stage, count, age0, age1, age2, age3, oldest }) => ({
    stage,
    count,
    ages: [age0, age1, age2, age3],
    oldest,
  }));
}

/** A certificate that is looked for among those that match a filter, and their sort order. It need not match itself. */
interface Sought {
  sort: SortOrder<QueueSortKey>;
  id: number;
}

/** Returns what finds the neighbours of a certificate among those that match the filter, and its place among them. */
function lookAround(db: DbOrTrx, filter: CertificateFilter, { sort, id }: Sought) {
  const column = sortedBy(sort.key);
  const own = sql`(select ${column} from certificates where certificates.id = ${id})`;
  const beside = (sign: "<" | ">") =>
    filtered(db, filter).where(sql<SqlBool>`(${column}, certificates.id) ${sql.raw(sign)} (${own}, ${id})`);
  const nearest = (sign: "<" | ">", direction: Direction) => {
    const query = beside(sign).select("certificates.id").orderBy(column, direction);
    return query.orderBy("certificates.id", direction).limit(1);
  };
  const isAscending = sort.direction === "asc";
  return {
    previous: isAscending ? nearest("<", "desc") : nearest(">", "asc"),
    next: isAscending ? nearest(">", "asc") : nearest("<", "desc"),
    self: filtered(db, filter).select("certificates.id").where("certificates.id", "=", id),
    before: () => countUpTo(db, beside(isAscending ? "<" : ">").select("certificates.id")),
  };
}

/**
 * Returns where a certificate stands among those that match the filter: the ids of the one before it and the one after it, or null; how many
 * there are, and how many come before it.
 */
export async function findPlaceAmong(db: DbOrTrx, filter: CertificateFilter, sought: Sought) {
  const { previous, next, self, before } = lookAround(db, filter, sought);
  const found = await db
    .selectNoFrom([previous.as("previous"), next.as("next"), self.as("self")])
    .executeTakeFirstOrThrow();
  return {
    previous: found.previous,
    next: found.next,
    total: await countCertificates(db, filter),
    before: await before(),
    isIncluded: found.self !== null,
  };
}

/**
 * Returns the id of the certificate after this one among those that match the filter, or null, and how many come before this one, or null when
 * it does not match itself.
 */
export async function findNextAmong(db: DbOrTrx, filter: CertificateFilter, sought: Sought) {
  const { next, self, before } = lookAround(db, filter, sought);
  const found = await db.selectNoFrom([next.as("next"), self.as("self")]).executeTakeFirstOrThrow();
  return { next: found.next, before: found.self === null ? null : await before() };
}
