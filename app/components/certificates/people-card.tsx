import { type CertificateDetails } from "~/domain/certificates/catalogue/details.service.server";
import { CompanyLink, PersonName } from "../companies/names";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { Time } from "../ui/time";

type Props = Pick<CertificateDetails, "people"> & Partial<Pick<CertificateDetails, "company">>;

/** Who has done what with the certificate, and for staff the company that owns it. Shown only when there is something to say. */
export function PeopleCard({ people, company }: Props) {
  if (people.length === 0 && !company) return null;
  return (
    <Card title="People">
      <DescriptionList
        items={[
          ...(company ? [{ term: "Company", detail: <CompanyLink {...company} /> }] : []),
          ...people.map(({ what, name, left, at, actingFor }) => ({
            term: what,
            detail: (
              <>
                <PersonName name={name + left} by={actingFor} />, <Time value={at} />
              </>
            ),
          })),
        ]}
      />
    </Card>
  );
}
