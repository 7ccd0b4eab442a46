import { type Authorisation } from "~/domain/certificates/queue/authorisation.server";
import { requestFacts } from "../certificates/subject-facts";
import { ChangeList } from "../corrections/change-list";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { Time } from "../ui/time";

/** Shows who ordered what, for the authentication contact. */
export function AuthorisationDetails(order: Authorisation) {
  const { applicant, renewed, replaced, corrected } = order;
  return (
    <>
      <Card title="Ordered by">
        <DescriptionList
          items={[
            { term: "Name", detail: applicant.name },
            { term: "Company", detail: applicant.company },
            { term: "Position", detail: applicant.position },
            { term: "Email", detail: applicant.email },
            { term: "Phone number", detail: applicant.phoneNumber },
            { term: "Ordered on", detail: <Time value={order.requestedAt} withTime /> },
            ...(order.preparedBy === null ? [] : [{ term: "Prepared by", detail: order.preparedBy }]),
          ]}
        />
      </Card>
      <Card title="Certificate">
        <DescriptionList
          hideEmpty
          items={[
            ...requestFacts({ ...order, serialNumber: order.ssid, city: order.locality }),
            {
              term: "Renewal of certificate",
              detail: renewed && (
                <>
                  {renewed.id} ({renewed.commonName}), valid until <Time value={renewed.expiryDate} />
                </>
              ),
            },
            {
              term: "Replacement of certificate",
              detail: replaced && (
                <>
                  {replaced.id} ({replaced.commonName}), valid until <Time value={replaced.expiryDate} />
                </>
              ),
            },
            {
              term: "Correction of certificate",
              detail: corrected && (
                <>
                  {corrected.id} ({corrected.commonName}), valid until <Time value={corrected.expiryDate} />
                </>
              ),
            },
            { term: "Validity period", detail: order.validity },
          ]}
        />
      </Card>
      {order.changes.length > 0 && (
        <Card title="What is corrected">
          <ChangeList changes={order.changes} />
        </Card>
      )}
    </>
  );
}
