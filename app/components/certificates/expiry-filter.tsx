import {
  certificateList,
  type CertificateListParams,
  EXPIRY_DAYS,
} from "~/domain/certificates/catalogue/certificate-list";
import { FilterLinks } from "../lists/filter-links";

/** Links that show only certificates that expire soon. */
export function ExpiryFilter({ params }: { params: CertificateListParams }) {
  const choices = [...EXPIRY_DAYS, null].map((days) => ({
    label: days === null ? "all" : `${days} days`,
    to: certificateList.href(params, { expires: days, page: 1, selected: null }),
    isCurrent: params.expires === days,
  }));
  return <FilterLinks label="Expiring certificates" caption="Expiring within:" choices={choices} />;
}
