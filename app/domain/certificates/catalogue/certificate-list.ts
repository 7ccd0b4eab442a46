import { defineList, matching, oneOf, type ParamsOf, rowId, typedText } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The sortable columns of the list page, by the names of CER-01. */
export const CERTIFICATE_SORTS = [
  "id",
  "commonName",
  "certificateStatus",
  "orderType",
  "certificateRequestDate",
  "orderId",
  "certificateStartDate",
  "certificateExpiryDate",
  "revocationDate",
] as const;
export type CertificateSort = (typeof CERTIFICATE_SORTS)[number];

export const EXPIRY_DAYS = [30, 60, 90] as const;

/** The states by which the list is filtered, with their captions. `active` are the certificates that can be used now. */
export const LIST_STATES = {
  active: "Active",
  pending: "Pending",
  "to-be-revoked": "To be revoked",
  revoked: "Revoked",
  expired: "Expired",
  renewed: "Renewed",
  rejected: "Rejected",
  cancelled: "Cancelled",
} as const;
export type ListState = keyof typeof LIST_STATES;

export const certificateList = defineList({
  path: paths.certificates,
  sorts: CERTIFICATE_SORTS,
  first: { key: "id", direction: "desc" },
  filters: {
    search: typedText,
    /** Only certificates that expire within this number of days. */
    expires: oneOf(EXPIRY_DAYS),
    /** Only certificates in use that end in this month: `2026-12`. */
    ends: matching(/^\d{4}-(?:0[1-9]|1[0-2])$/),
    /** Only issued certificates whose validity began in this month: `2026-11`. */
    began: matching(/^\d{4}-(?:0[1-9]|1[0-2])$/),
    /** Only certificates with this tag, in the list of one company. */
    tag: typedText,
    state: oneOf(Object.keys(LIST_STATES) as ListState[]),
    /** Only the certificates of this company, for staff. */
    companyId: rowId,
    /** The row that was selected when the user left the list page for details or a download. */
    selected: rowId,
  },
});

export type CertificateListParams = ParamsOf<typeof certificateList>;
