import { type SessionUser } from "~/domain/accounts/session-user";
import { orderNumber } from "~/domain/orders/order-number";
import { addDays, daysUntil } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { type CertificateListRow, countCertificates, listCertificates } from "~db/repositories/certificate-list.server";
import { findVisibleCertificate } from "~db/repositories/certificates.server";
import { type CertificateStatus } from "~db/tables";
import { orderTypeText, whyNotDownload, whyNotOpen, whyNotRevoke } from "./certificates.policy";
import { searchTerms } from "./list-search.server";
import { type CertificateListParams } from "./list.params";
import { readSubjectNames } from "./subject-names";

/** What can be done with a chosen row; the buttons' `intent`. */
export const ROW_INTENTS = ["view", "download", "revoke"] as const;
export type RowIntent = (typeof ROW_INTENTS)[number];

const BARRIERS = { view: whyNotOpen, download: whyNotDownload, revoke: whyNotRevoke } as const;

function barriersOf(status: CertificateStatus): Partial<Record<RowIntent, string>> {
  const entries = ROW_INTENTS.map((intent) => [intent, BARRIERS[intent](status)] as const);
  return Object.fromEntries(entries.filter(([, reason]) => reason !== null));
}

const RUNNING: readonly CertificateStatus[] = ["Issued", "Downloaded", "Expired"];

const toListItem = (row: CertificateListRow, now: Date) => ({
  id: row.id,
  commonName: row.commonName,
  /** Alternative names besides the common name. */
  names: readSubjectNames(row.subjectAlternateName)
    .map((name) => name.value)
    .filter((name) => name.toLowerCase() !== row.commonName.toLowerCase()),
  certificateStatus: row.status,
  orderType: orderTypeText(row.orderType, row.previousCertificateId),
  certificateRequestDate: row.requestedAt,
  orderId: row.orderId,
  orderNumber: orderNumber(row.orderId),
  certificateStartDate: row.startDate,
  certificateExpiryDate: row.expiryDate,
  revocationDate: row.revocationDate,
  /** Whole days until the expiry, negative once past; null where they mean nothing. */
  daysLeft: row.expiryDate && RUNNING.includes(row.status) ? daysUntil(row.expiryDate, now) : null,
  company: row.company,
  barriers: barriersOf(row.status),
});

export type CertificateListItem = ReturnType<typeof toListItem>;

/** One page of the certificates that this user may see: admins all, others their own. A page past the end is the last one. */
export async function listCertificatesFor(user: SessionUser, params: CertificateListParams, now = new Date()) {
  const filter = {
    ...(!user.isAdmin && { ownerId: user.id }),
    ...(params.expires !== null && {
      expiry: { from: now.toISOString(), to: addDays(now, params.expires).toISOString() },
    }),
    terms: searchTerms(params.search),
  };
  const total = await countCertificates(getDb(), filter);
  const pages = pagesOf(total, params.size);
  const page = Math.min(params.page, pages);
  const { sort, size } = params;
  const rows = await listCertificates(getDb(), filter, { sort, offset: (page - 1) * size, limit: size });
  return { rows: rows.map((row) => toListItem(row, now)), total, pages, params: { ...params, page } };
}

/** Whether this user may do this with this row now. Throws a PortalError at the field `id` that says why not. */
export async function demandRowIntent(user: SessionUser, id: number, intent: RowIntent): Promise<void> {
  const row = await findVisibleCertificate(getDb(), id, user);
  const reason = row ? BARRIERS[intent](row.status) : "The certificate was not found.";
  if (reason) throw new PortalError(reason, { code: `certificate.${intent}`, field: "id" });
}
