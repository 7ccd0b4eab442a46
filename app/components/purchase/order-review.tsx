import { Link } from "@remix-run/react";
import { type OrderForm } from "~/domain/certificates/purchase/order-form.schema";
import { type ShownCsr } from "~/domain/certificates/request/csr-import.schema";
import { type ChosenTerm } from "~/domain/certificates/succession/original.server";
import { MarkNotes } from "../certificates/broken-rules";
import { requestFacts } from "../certificates/subject-facts";
import { Card } from "../ui/card";
import { type Description, DescriptionList } from "../ui/description-list";
import { HexPairs } from "../ui/hex-pairs";
import { PhoneFold } from "../ui/phone-fold";
import { Time } from "../ui/time";
import { ConfirmNamesLink } from "./confirm-names-link";
import { UsageText } from "./usage-fields";

interface Props {
  /** Returns the address of a step. */
  stepPath: (step: "contact-details" | "order") => string;
  /** The authentication contact, in a few words and with every detail. */
  contact: { summary: string; facts: Description[] };
  /** The technical contact of an order that somebody else has prepared, or null. */
  technical: string | null;
  order: OrderForm & { validity: string; summary: string };
  details: ShownCsr;
  /** The certificate that the order renews, if any. */
  renewal: ChosenTerm | null;
}

const renewalFacts = ({ certificateId, expiryDate, issuer, isIssuerKept }: ChosenTerm) => [
  { term: "Renewal of certificate", detail: certificateId },
  { term: "Valid until", detail: <Time value={expiryDate} withTime /> },
  { term: "Issuer", detail: isIssuerKept ? `${issuer}, as before` : `${issuer}, another than before` },
];

/** The current order, read-only. Each part links to the step in which it can be changed. */
export function OrderReview({ stepPath, contact, technical, order, details, renewal }: Props) {
  return (
    <>
      <Card
        title="Authentication contact"
        actions={
          <Link to={stepPath("contact-details")}>
            Change<span className="vh"> authentication contact</span>
          </Link>
        }
      >
        <PhoneFold summary={contact.summary}>
          <DescriptionList items={contact.facts} />
        </PhoneFold>
      </Card>
      <Card
        title="Order"
        actions={
          <Link to={stepPath("order")}>
            Change<span className="vh"> order</span>
          </Link>
        }
      >
        <PhoneFold summary={order.summary}>
          <DescriptionList
            hideEmpty
            items={[
              { term: "Technical contact", detail: technical },
              ...requestFacts(details),
              { term: "OFTP ID", detail: details.ssid === null ? order.oftpid : null },
              { term: "Key fingerprint (SHA-256)", detail: <HexPairs value={details.keyFingerprint} /> },
              { term: "Certificate usage", detail: <UsageText usage={order.usage} /> },
              { term: "Validity period", detail: order.validity },
              ...(renewal ? renewalFacts(renewal) : []),
              { term: "Purchase order number", detail: order.purchaseOrderNumber },
              { term: "Promotion code", detail: order.promoCode },
            ]}
          />
        </PhoneFold>
        <MarkNotes marks={details.marks} />
        <ConfirmNamesLink rules={details.marks} />
      </Card>
    </>
  );
}
