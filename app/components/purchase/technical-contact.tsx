import { Link } from "@remix-run/react";
import { type ContactSnapshot } from "~/domain/certificates/purchase/contact.schema";
import { ADDRESS_LABELS as labels } from "~/domain/certificates/purchase/fields";
import { paths } from "~/lib/paths";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { PhoneFold } from "../ui/phone-fold";

interface Props {
  contact: ContactSnapshot;
  /** Whether the user only prepares a renewal. */
  handsOver?: boolean;
}

/** The user who orders or prepares, with the details of the account, read-only. */
export function TechnicalContact({ contact, handsOver = false }: Props) {
  return (
    <Card
      title="User Contact Details"
      actions={
        <Link to={paths.userManagement}>
          Change<span className="vh"> your details</span>
        </Link>
      }
    >
      <PhoneFold summary={`${contact.name}, ${contact.company}, ${contact.email}`}>
        <p className="hint">
          {handsOver
            ? "These details come from your account. The technical contact of the order will be whoever completes it."
            : "The technical contact of this order. These details come from your account."}
        </p>
        <DescriptionList
          items={[
            { term: labels.name, detail: contact.name },
            { term: labels.company, detail: contact.company },
            { term: labels.position, detail: contact.position },
            { term: labels.email, detail: contact.email },
            { term: labels.addressLine1, detail: contact.addressLine1 },
            { term: labels.addressLine2, detail: contact.addressLine2 },
            { term: labels.city, detail: contact.city },
            { term: labels.postalCode, detail: contact.postalCode },
            { term: labels.country, detail: contact.country },
            { term: labels.phoneNumber, detail: contact.phoneNumber },
          ]}
        />
      </PhoneFold>
    </Card>
  );
}
