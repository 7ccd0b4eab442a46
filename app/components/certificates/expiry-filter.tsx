import {
  type CertificateListParams,
  EXPIRY_DAYS,
  withListPlace,
} from "~/domain/certificates/catalogue/certificate-list";
import { paths } from "~/lib/paths";
import { FilterLinks } from "../lists/filter-links";

/** Links that show only what ends soon. */
export function ExpiryFilter({ params }: { params: CertificateListParams }) {
  const choices = [...EXPIRY_DAYS, null].map((days) => ({
    label: days === null ? "all" : `${days} days`,
    to: withListPlace(paths.certificates, params, { expires: days, page: 1, selected: null }),
    isCurrent: params.expires === days,
  }));
  return <FilterLinks label="Expiring certificates" caption="Expiring within:" choices={choices} />;
}
