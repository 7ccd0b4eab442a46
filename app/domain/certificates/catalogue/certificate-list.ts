import { defineList, oneOf, type ParamsOf, rowId, typedText } from "~/lib/list-params";
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

export const certificateList = defineList({
  path: paths.certificates,
  sorts: CERTIFICATE_SORTS,
  first: { key: "id", direction: "desc" },
  filters: {
    search: typedText,
    /** Only certificates that expire within this number of days. */
    expires: oneOf(EXPIRY_DAYS),
    /** Only the certificates of this company, for staff. */
    companyId: rowId,
    /** The row that was selected when the user left the list page for details or a download. */
    selected: rowId,
  },
});

export type CertificateListParams = ParamsOf<typeof certificateList>;
