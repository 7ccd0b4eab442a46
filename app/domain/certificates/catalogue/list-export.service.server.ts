import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { certificateOrderer, withClients } from "~/domain/companies/people.server";
import { orderNumber } from "~/domain/orders/order-number";
import { idsInBatches } from "~/lib/batches.server";
import { csvInPortions } from "~/lib/csv.server";
import { formatDate } from "~/lib/dates";
import { colonHex } from "~/lib/hex";
import { getDb } from "~db/connection.server";
import {
  type CertificateFilter,
  type CertificateListRow,
  listCertificateIdsAfter,
  listCertificatesShown,
} from "~db/repositories/certificate-list.server";
import { listTagsOf } from "~db/repositories/certificate-notes.server";
import { inTransaction } from "~db/transaction.server";
import { orderTypeText } from "../certificates.policy";
import { certificateList, type CertificateListParams } from "./certificate-list";
import { certificateFilterFor, otherNamesOf } from "./list.service.server";
import { tagsText } from "./notes.service.server";

type ExportedCertificate = CertificateListRow & { clientName: string | null; tags: readonly string[] };

/** The columns of the file: those of the list, then what else its rows show. */
const COLUMNS: Record<string, (row: ExportedCertificate) => string | number> = {
  ID: (row) => row.id,
  "Common name": (row) => row.commonName,
  Status: (row) => row.status,
  "Order type": (row) => orderTypeText(row.orderType, row.previousCertificateId),
  Requested: (row) => formatDate(row.requestedAt),
  Order: (row) => orderNumber(row.orderId),
  "Valid from": (row) => formatDate(row.startDate),
  Expires: (row) => formatDate(row.expiryDate),
  Revoked: (row) => formatDate(row.revocationDate),
  SSID: (row) => row.ssid ?? "",
  "Other names": (row) => otherNamesOf(row).join(" "),
  "Serial number": (row) => (row.serialNumber === null ? "" : colonHex(row.serialNumber)),
  Tags: (row) => tagsText(row.tags),
  Organisation: (row) => row.organisation,
  Company: (row) => row.company,
  "Ordered by": certificateOrderer,
};

async function* rowsOf(filter: CertificateFilter) {
  for await (const ids of idsInBatches((window) => listCertificateIdsAfter(getDb(), filter, window))) {
    const rows = ids.length === 0 ? [] : await listCertificatesShown(getDb(), ids);
    const tags = await listTagsOf(getDb(), ids);
    const tagged = rows.map((row) => ({ ...row, tags: tags.get(row.id) ?? [] }));
    const withNames = await withClients(tagged, "orderId", ({ orderId }) => orderId);
    yield withNames.map((row) => Object.values(COLUMNS).map((cell) => String(cell(row))));
  }
}

/**
 * Exports the certificates that the list shows this user, on all its pages, as CSV for spreadsheets (RFC 4180, UTF-8 with a byte order
 * mark), by id, and records it in the audit trail. The file is read while it is sent.
 *
 * @param params The search and the filters of the list. Without a match the file has only the headings.
 */
export async function exportCertificates(
  user: SessionUser,
  params: CertificateListParams,
  now = new Date(),
): Promise<AsyncIterable<Uint8Array>> {
  const filter = await certificateFilterFor(user, params, now);
  const search = certificateList.query(params, { page: 1, size: 10, selected: null }).toString();
  const message = `List of certificates exported${search && ` for ${search}`}.`;
  await inTransaction((trx) =>
    recordAudit(trx, { actor: user.actor, event: "certificate.list-exported", message }, now),
  );
  return csvInPortions(Object.keys(COLUMNS), rowsOf(filter));
}
