import { notFound } from "~/lib/errors";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { countCodeEntries, listCodeEntries } from "~db/repositories/code-audit.server";
import { findCode } from "~db/repositories/codes.server";
import { type AuditLogListParams } from "./audit-log-list";
import { fullCode } from "./code-types";

type Entry = Awaited<ReturnType<typeof listCodeEntries>>[number];

const toRow = ({ codeType, code, subcode, at, reference, sequence, ...entry }: Entry) => ({
  ...entry,
  code: codeType && code && subcode !== null ? fullCode({ codeType, code, subcode }) : "",
  purchaseOrderNumber: entry.purchaseOrderNumber ?? "",
  dateTime: at,
  /** The reference of the entry. An entry without one shows its number in the audit trail. */
  auditReference: reference ?? (sequence === null ? "" : `Entry ${sequence}`),
});

export type AuditLogRow = ReturnType<typeof toRow>;

/**
 * Returns one page of a code's audit log (AUD-01). Nothing is loaded when the id is not above 0. When the requested page is past the end,
 * this is the last page. Throws a PortalError (404) when there is no such code.
 */
export async function loadAuditLog(codeId: number, params: AuditLogListParams) {
  const none: AuditLogRow[] = [];
  if (codeId <= 0) return { code: null, rows: none, total: 0, pages: 1, params: { ...params, page: 1 } };
  const code = await findCode(getDb(), codeId);
  if (!code) throw notFound();
  const { size, sort } = params;
  const total = await countCodeEntries(getDb(), code);
  const pages = pagesOf(total, size);
  const page = Math.min(params.page, pages);
  const window = { sort, offset: (page - 1) * size, limit: size };
  const rows = (await listCodeEntries(getDb(), code, window)).map(toRow);
  return { code: { id: code.id, name: fullCode(code) }, rows, total, pages, params: { ...params, page } };
}
