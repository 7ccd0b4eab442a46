import { Link } from "@remix-run/react";
import { type CertificateListParams, EXPIRY_DAYS, withListPlace } from "~/domain/certificates/list.params";
import { paths } from "~/lib/paths";

/** Links that show only what ends soon. */
export function ExpiryFilter({ params }: { params: CertificateListParams }) {
  const choices = [...EXPIRY_DAYS.map((days) => ({ days, label: `${days} days` })), { days: null, label: "all" }];
  return (
    <nav aria-label="Expiring certificates">
      <ul role="list" className="row">
        <li>Expiring within:</li>
        {choices.map(({ days, label }) => (
          <li key={label}>
            <Link
              to={withListPlace(paths.certificates, params, { expires: days, page: 1, selected: null })}
              aria-current={params.expires === days ? "true" : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
