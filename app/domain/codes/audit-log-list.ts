import { defineListQuery, type ParamsOf } from "~/lib/list-params";

/** The columns, all of which can be sorted, by the specification's names (AUD-01). */
const AUDIT_LOG_SORTS = ["email", "purchaseOrderNumber", "code", "message", "dateTime", "auditReference"] as const;
export type AuditLogSort = (typeof AUDIT_LOG_SORTS)[number];

/** A code's audit log. Its path names the code; a page has ten rows (AUD-01). */
export const auditLogList = defineListQuery({
  sorts: AUDIT_LOG_SORTS,
  first: { key: "dateTime", direction: "desc" },
  sizes: [10],
  filters: {},
});

export type AuditLogListParams = ParamsOf<typeof auditLogList>;
