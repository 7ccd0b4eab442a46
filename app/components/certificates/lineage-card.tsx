import { Link } from "@remix-run/react";
import { type CertificateDetails } from "~/domain/certificates/catalogue/details.service.server";
import { paths } from "~/lib/paths";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

type Relative = NonNullable<CertificateDetails["lineage"]["predecessor"]>;

function RelativeText({ relative }: { relative: Relative }) {
  const { id, orderNumber, orderType, status, expiryDate, isOpen } = relative;
  return (
    <>
      {isOpen ? <Link to={paths.certificateDetails(id)}>{id}</Link> : id} <StatusBadge status={status} />
      <span className="sub hint">
        {orderType}, order <span className="nowrap">{orderNumber}</span>
        {expiryDate && (
          <>
            , valid until <Time value={expiryDate} />
          </>
        )}
      </span>
    </>
  );
}

/** The predecessor and the successors of a certificate. Shown only when there are any. */
export function LineageCard({ lineage }: Pick<CertificateDetails, "lineage">) {
  const { predecessor, successors } = lineage;
  if (!predecessor && successors.length === 0) return null;
  return (
    <Card title="Renewals and replacements">
      <DescriptionList
        items={[
          { term: "Follows certificate", detail: predecessor && <RelativeText relative={predecessor} /> },
          ...successors.map((successor) => ({
            term: "Followed by certificate",
            detail: <RelativeText relative={successor} />,
          })),
        ]}
        hideEmpty
      />
    </Card>
  );
}
