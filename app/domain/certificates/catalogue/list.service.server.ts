import { isStaff, listedCompany } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { listRevokedIds } from "~/domain/authorities/authorities.service.server";
import { certificateOrderer, namesPeople, withClients } from "~/domain/companies/people.server";
import { type CompanyTask, mayAsMember } from "~/domain/companies/roles.policy";
import { findShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { getConfig } from "~/lib/config.server";
import { addDays, daysUntil } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { findPageOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import {
  type CertificateListRow,
  countCertificates,
  findCertificates,
  listCertificates,
} from "~db/repositories/certificate-list.server";
import { type CertificateRow, listOrderIdsOf } from "~db/repositories/certificates.server";
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
import { type CertificateListParams } from "./certificate-list";
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

const toListItem = (row: CertificateListRow & RenewalCandidate, user: SessionUser, now: Date) => ({
  id: row.id,
  commonName: row.commonName,
  /** The SSID by which OFTP2 partners know the certificate. It comes from the CSR's subject or names, or was typed with the order. */
  ssid: row.ssid,
  /** The alternative names other than the common name. An `oftp://` name is the SSID. */
  names: readSubjectNames(row.subjectAlternateName)
    .filter((name) => isReadable(name) && name.type !== "ssid")
    .map((name) => name.value)
    .filter((name) => name.toLowerCase() !== row.commonName.toLowerCase()),
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

export type CertificateListItem = ReturnType<typeof toListItem>;

/**
 * Returns one page of the certificates that this user may see: all, or those of one company, for administrators, their company's for
 * others. When the requested page is past the end, this is the last page that is counted. `hasMore` means that there are more than `total`.
 */
export async function listCertificatesFor(user: SessionUser, params: CertificateListParams, now = new Date()) {
  const filter = await findCertificates(getDb(), {
    companyId: listedCompany(user, "see-customers", params.companyId),
    ...(params.expires !== null && {
      expiry: { from: now.toISOString(), to: addDays(now, params.expires).toISOString() },
    }),
    terms: searchTerms(params.search),
  });
  const { sort, size } = params;
  const { offset, page, ...counted } = await findPageOf(params, (limit) => countCertificates(getDb(), filter, limit));
  const found = await listCertificates(getDb(), filter, { sort, offset, limit: size });
  const rows = await withClients(found, "orderId", ({ orderId }) => orderId);
  const candidates = await withSuccessors(rows);
  return {
    rows: candidates.map((row) => toListItem(row, user, now)),
    ...counted,
    shownCompany: await findShownCompany(user, params.companyId),
    /** Whether the table says who ordered. */
    withOrderer: await namesPeople(user, rows),
    params: { ...params, page },
  };
}

/**
 * Returns one page of the same certificates for the JSON calls, newest first, without what can be done with them. A page past the end is
 * empty.
 */
export async function listCertificateRows(user: SessionUser, { page, size }: { page: number; size: number }) {
  const filter = { companyId: listedCompany(user, "see-customers"), terms: [] };
  const window = { sort: { key: "id", direction: "desc" }, offset: (page - 1) * size, limit: size } as const;
  const found = await listCertificates(getDb(), filter, window);
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
