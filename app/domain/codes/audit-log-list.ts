import { listParams, type ListParams } from "~/lib/list-params";

/** The columns, all of which can be sorted, by the specification's names (B §3). */
export const AUDIT_SORTS = ["email", "purchaseOrderNumber", "code", "message", "dateTime", "auditReference"] as const;
export type AuditSort = (typeof AUDIT_SORTS)[number];

/** B §9. */
export const AUDIT_ROWS = 10;

export type AuditLogParams = Pick<ListParams<AuditSort>, "page" | "sort">;

const base = listParams(AUDIT_SORTS, { key: "dateTime", direction: "desc" });

/** Reads the page's place from a URL; never fails. */
export function readAuditLogParams(query: URLSearchParams): AuditLogParams {
  const { page, sort } = base.read(query);
  return { page, sort };
}

/** `log`, the address of a code's audit log, at this place. */
export function withAuditLogPlace(log: string, params: AuditLogParams, change: Partial<AuditLogParams> = {}): string {
  const place = base.write({ ...params, ...change, size: AUDIT_ROWS, search: "" }).toString();
  return place ? `${log}&${place}` : log;
}
