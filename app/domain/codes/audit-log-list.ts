import { defineListQuery, type ParamsOf } from "~/lib/list-params";

/** The columns by the names of the specification (AUD-01). All of them can be sorted. */
const AUDIT_LOG_SORTS = ["email", "purchaseOrderNumber", "code", "message", "dateTime", "auditReference"] as const;
export type AuditLogSort = (typeof AUDIT_LOG_SORTS)[number];

/** The table of a code's audit log. The path of the page names the code, and a page has ten rows (AUD-01). */
export const auditLogList = defineListQuery({
  sorts: AUDIT_LOG_SORTS,
  first: { key: "dateTime", direction: "desc" },
  sizes: [10],
  filters: {},
});

export type AuditLogListParams = ParamsOf<typeof auditLogList>;
