import { isStaff, listedCompany } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { listRevokedIds } from "~/domain/authorities/authorities.service.server";
import { certificateOrderer, namesPeople, withClients } from "~/domain/companies/people.server";
import { type CompanyTask, mayAsMember } from "~/domain/companies/roles.policy";
import { findShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { getConfig } from "~/lib/config.server";
import { addDays, addMonths, daysUntil, END_OF_TIME } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { foldForSearch } from "~/lib/fold-text";
import { findPageOf, type Glance } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { type Position } from "~db/keyset.server";
import {
  type CertificateFilter,
  type CertificateListRow,
  countCertificates,
  findCertificates,
  listCertificatePart,
  listCertificates,
} from "~db/repositories/certificate-list.server";
import { listCompanyTags, listTagsOf } from "~db/repositories/certificate-notes.server";
import { type CertificateRow, listOrderIdsOf } from "~db/repositories/certificates.server";
import { countText, MOST_COUNTED } from "~db/repositories/work-counts.server";
import { type CertificateStatus } from "~db/tables";
import {
  type Barrier,
  isRefusedWithIssuer,
  orderTypeText,
  whyMayNotDownload,
  whyNotDownload,
  whyNotOpen,
  whyNotRevoke,
} from "../certificates.policy";
import { isReadable, readSubjectNames } from "../request/subject-names.server";
import { whyMayNotRevoke } from "../revocation/revoker.policy";
import { type RenewalCandidate, renewalBarrier } from "../succession/renewal.policy";
import { withSuccessors } from "../succession/successors.server";
import { findVisibleCertificate } from "../visible.server";
import { type CertificateListParams, LIST_STATES, type ListState } from "./certificate-list";
import { searchTerms } from "./list-search.server";

/** What can be done with a selected row. These are the `intent` values of the buttons. */
export const ROW_INTENTS = ["view", "download", "renew", "revoke"] as const;
export type RowIntent = (typeof ROW_INTENTS)[number];

const BARRIERS: Record<RowIntent, (row: RenewalCandidate, user: SessionUser, now: Date) => Barrier> = {
  view: ({ status }) => whyNotOpen(status),
  download: (row, user) => whyMayNotDownload(user, row) ?? whyNotDownload(row.status),
  renew: (row, user, now) => renewalBarrier(user, row, getConfig().certificates, now),
  revoke: (row, user) => whyMayNotRevoke(user, row) ?? whyNotRevoke(row.status),
};

/** The tasks of members that the intents are. */
const MEMBERS_TASKS = {
  view: "see-company",
  download: "download-certificates",
  renew: "prepare-renewals",
  revoke: "revoke-own-certificates",
} as const satisfies Record<RowIntent, CompanyTask>;

/** Returns what the role of this user can ever do with a certificate of the list. Staff have the buttons that say why not. */
export const intentsFor = (user: SessionUser): RowIntent[] =>
  ROW_INTENTS.filter((intent) => isStaff(user) || mayAsMember(user, MEMBERS_TASKS[intent]));

function barriersOf(row: RenewalCandidate, user: SessionUser, now: Date): Partial<Record<RowIntent, string>> {
  const entries = ROW_INTENTS.map((intent) => [intent, BARRIERS[intent](row, user, now)] as const);
  return Object.fromEntries(entries.filter(([, reason]) => reason !== null));
}

const RUNNING: readonly CertificateStatus[] = ["Issued", "Downloaded", "Expired"];

/** Returns the alternative names other than the common name, without the SSID, which an `oftp://` name is. */
export const otherNamesOf = ({
  subjectAlternateName,
  commonName,
}: Pick<CertificateListRow, "subjectAlternateName" | "commonName">): string[] =>
  readSubjectNames(subjectAlternateName)
    .filter((name) => isReadable(name) && name.type !== "ssid")
    .map((name) => name.value)
    .filter((name) => name.toLowerCase() !== commonName.toLowerCase());

const toListItem = (row: CertificateListRow & RenewalCandidate, user: SessionUser, now: Date) => ({
  id: row.id,
  commonName: row.commonName,
  /** The SSID by which OFTP2 partners know the certificate. It comes from the CSR's subject or names, or was typed with the order. */
  ssid: row.ssid,
  names: otherNamesOf(row),
  certificateStatus: row.status,
  /** Whether partners refuse it, because its issuing CA is revoked. */
  isIssuerRevoked: isRefusedWithIssuer(row),
  orderType: orderTypeText(row.orderType, row.previousCertificateId),
  certificateRequestDate: row.requestedAt,
  orderId: row.orderId,
  orderNumber: orderNumber(row.orderId),
  certificateStartDate: row.startDate,
  certificateExpiryDate: row.expiryDate,
  revocationDate: row.revocationDate,
  /** Whole days until the expiry, negative once it is past. Null in statuses where the number means nothing. */
  daysLeft: row.expiryDate && RUNNING.includes(row.status) ? daysUntil(row.expiryDate, now) : null,
  company: row.company,
  companyId: row.companyId,
  orderedBy: certificateOrderer(row),
  barriers: barriersOf(row, user, now),
});

export type CertificateListItem = ReturnType<typeof toListItem> & { tags: readonly string[] };

const STATUS_OF: Record<Exclude<ListState, "active">, CertificateStatus> = {
  pending: "Pending",
  "to-be-revoked": "RequestRevoke",
  revoked: "Revoked",
  expired: "Expired",
  renewed: "Renewed",
  rejected: "Rejected",
  cancelled: "Cancelled",
};

/** Returns a month, such as `2026-12`, as a period of ISO timestamps. */
function periodOf(month: string) {
  const from = new Date(`${month}-01T00:00:00Z`);
  return { from: from.toISOString(), to: addMonths(from, 1).toISOString() };
}

/** Returns the period in which certificates end that the list shows, or null when it shows others, too. */
function expiryOf({ expires, ends, state }: Partial<CertificateListParams>, now: Date) {
  if (ends) return periodOf(ends);
  if (expires) return { from: now.toISOString(), to: addDays(now, expires).toISOString() };
  return state === "active" ? { from: now.toISOString(), to: END_OF_TIME.toISOString() } : null;
}

/** Returns the conditions of the links above the list: a state, and the times in which certificates end or began. */
function stateFilter(params: Partial<CertificateListParams>, now: Date): Partial<CertificateFilter> {
  const expiry = expiryOf(params, now);
  const { state, began } = params;
  return {
    ...(expiry && { expiry }),
    ...(began && { began: periodOf(began) }),
    ...(state && state !== "active" && { statuses: [STATUS_OF[state]] }),
  };
}

/**
 * Returns how many of the user's certificates are in each state, as texts, in the order of `LIST_STATES`. States without
 * certificates are left out.
 */
export async function countListStates(user: SessionUser, params: CertificateListParams, now = new Date()) {
  const companyId = listedCompany(user, "see-customers", params.companyId);
  const states = Object.keys(LIST_STATES) as ListState[];
  const counts = await Promise.all(
    states.map((state) =>
      countCertificates(getDb(), { companyId, ...stateFilter({ state }, now), terms: [] }, MOST_COUNTED),
    ),
  );
  return states.flatMap((state, index) => {
    const count = counts[index] ?? 0;
    return count > 0 ? [{ state, count: countText(count) }] : [];
  });
}

/**
 * Returns the filter for the certificates of the list that this user may see. Tags are a company's own words, so that they filter the list of
 * one company only.
 */
export const certificateFilterFor = (user: SessionUser, params: CertificateListParams & Glance, now = new Date()) => {
  const companyId = listedCompany(user, "see-customers", params.companyId);
  const tag = foldForSearch(params.tag);
  const filter = {
    companyId,
    ...stateFilter(params, now),
    ...(companyId !== undefined && tag !== "" && { tag }),
    terms: searchTerms(params.search),
  };
  return findCertificates(getDb(), filter, params.isGlance);
};

/** How many tags of a company the list offers as filters, those of the most certificates. */
export const MOST_OFFERED_TAGS = 20;

/** Returns the tags by which the list can be filtered, with how many certificates have each. None in the list of all companies. */
async function offeredTags(
  user: SessionUser,
  params: CertificateListParams,
): Promise<{ tag: string; count: number }[]> {
  const companyId = listedCompany(user, "see-customers", params.companyId);
  return companyId === undefined ? [] : listCompanyTags(getDb(), companyId, MOST_OFFERED_TAGS);
}

/**
 * Returns one page of the certificates that this user may see: all, or those of one company, for administrators, their company's for
 * others. When the requested page is past the end, this is the last page that is counted. `hasMore` means that there are more than `total`.
 */
export async function listCertificatesFor(user: SessionUser, params: CertificateListParams & Glance, now = new Date()) {
  const filter = await certificateFilterFor(user, params, now);
  const { sort, size } = params;
  const { offset, page, ...counted } = await findPageOf(params, (limit) => countCertificates(getDb(), filter, limit));
  const found = await listCertificates(getDb(), filter, { sort, offset, limit: size });
  const rows = await withClients(found, "orderId", ({ orderId }) => orderId);
  const candidates = await withSuccessors(rows);
  const ids = found.map(({ id }) => id);
  const tags = await listTagsOf(getDb(), ids);
  return {
    rows: candidates.map((row) => ({ ...toListItem(row, user, now), tags: tags.get(row.id) ?? [] })),
    tags: await offeredTags(user, params),
    ...counted,
    shownCompany: await findShownCompany(user, params.companyId),
    /** Whether the table says who ordered. */
    withOrderer: await namesPeople(user, rows),
    params: { ...params, page },
  };
}

/** Which certificates a call answers, and which part of them. */
interface CalledCertificates {
  /** Only the certificate of this order. */
  orderId?: number | null;
  status?: CertificateStatus | null;
  updatedSince?: string | null;
  behind?: Position | null;
  /** Skips the pages before this one. */
  page?: number;
  size: number;
}

/**
 * Returns a part of the same certificates for the JSON calls, without what can be done with them: the newest first or, with `updatedSince`,
 * the oldest change first. A page past the end is empty.
 */
export async function listCertificateRows(
  user: SessionUser,
  { orderId = null, status = null, updatedSince = null, behind = null, page = 1, size }: CalledCertificates,
) {
  const companyId = listedCompany(user, "see-customers");
  const filter = { companyId, orderId, updatedSince, ...(status && { statuses: [status] }), terms: [] };
  const sort =
    updatedSince === null
      ? ({ key: "id", direction: "desc" } as const)
      : ({ key: "updatedAt", direction: "asc" } as const);
  const found = behind
    ? await listCertificatePart(getDb(), filter, { sort, behind, limit: size })
    : await listCertificates(getDb(), filter, { sort, offset: (page - 1) * size, limit: size });
  const rows = await withClients(found, "orderId", ({ orderId }) => orderId);
  const previous = rows.flatMap((row) => (row.previousCertificateId === null ? [] : [row.previousCertificateId]));
  const orders = await listOrderIdsOf(getDb(), previous);
  const revoked = await listRevokedIds(getDb());
  return rows.map((row) => ({
    ...row,
    isIssuerRevoked: isRefusedWithIssuer({ ...row, isIssuerRevoked: revoked.has(row.authorityId ?? 0) }),
    previousOrderId: orders.get(row.previousCertificateId ?? 0) ?? null,
    orderedBy: certificateOrderer(row),
  }));
}

/** Returns the row when this user can do this with it now. Throws a PortalError for the field `id` that says why not. */
export async function requireRowIntent(
  user: SessionUser,
  id: number,
  intent: RowIntent,
  now = new Date(),
): Promise<CertificateRow> {
  const refusal = (reason: string) => new PortalError(reason, { code: `certificate.${intent}`, field: "id" });
  const row = await findVisibleCertificate(getDb(), id, user);
  const [candidate] = row ? await withSuccessors([row]) : [];
  if (!candidate) throw refusal("The certificate was not found.");
  const barrier = BARRIERS[intent](candidate, user, now);
  if (barrier) throw refusal(barrier);
  return candidate;
}
