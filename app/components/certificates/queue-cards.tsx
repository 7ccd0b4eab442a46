import { Link } from "@remix-run/react";
import { type QueueOrder } from "~/domain/certificates/queue/queue.service.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { addressText } from "~/lib/postal-address";
import { VatNumber } from "../accounts/vat-number";
import { CompanyLink } from "../companies/names";
import { ContactStopNote } from "../mail/contact-stop-note";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { HexPairs } from "../ui/hex-pairs";
import { Note } from "../ui/note";
import { PemText } from "../ui/pem-block";
import { Badge, StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";
import { BrokenRuleList, MarkNotes, RuleLinks } from "./broken-rules";
import { certificateFacts } from "./subject-facts";

type Contact = QueueOrder["technicalContact"];

const contactItems = (contact: Contact) => [
  { term: "Name", detail: contact.name },
  { term: "Company", detail: contact.company },
  { term: "Position", detail: contact.position },
  { term: "Email", detail: contact.email },
  { term: "Telephone", detail: contact.phoneNumber },
  { term: "Address", detail: addressText(contact) },
];

export function CustomerCard({ customer }: Pick<QueueOrder, "customer">) {
  return (
    <Card title="Customer">
      {customer.changes.map(({ by, at }) => (
        <Note key={`${by} ${at}`} tone="warn">
          {by} changed these details on <Time value={at} withTime />, while acting as the customer.
        </Note>
      ))}
      <DescriptionList
        items={[
          { term: "Name", detail: customer.name },
          { term: "Company", detail: <CompanyLink id={customer.companyId} name={customer.company} /> },
          { term: "Company registration number", detail: customer.companyRegistrationNumber },
          { term: "Telephone", detail: customer.telephoneNumber },
          {
            term: "Email",
            detail: (
              <>
                {customer.email}{" "}
                {customer.isEmailVerified ? <Badge tone="ok">Verified</Badge> : <Badge tone="warn">Not verified</Badge>}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}

type Contacts = Pick<
  QueueOrder,
  | "technicalContact"
  | "authenticationContact"
  | "contactBarrier"
  | "isCheckable"
  | "namesakes"
  | "hasOtherDomain"
  | "contactStop"
  | "isRequestHeld"
  | "may"
>;

/** What staff who record the checks do about an authentication contact who cannot authorise the order by the link. */
const contactAdvice = (namesakes: readonly string[]) =>
  namesakes.length > 0
    ? `Call the contact through the organisation and make sure that it is another person than ${namesakes.join(" and ")}. By recording the answer below you state this; write how you know it. If it is the same person, cancel the order, so that the customer can name another contact.`
    : "Ask somebody else at the organisation and record the answer below, or cancel the order, so that the customer can name another contact.";

export function ContactCards(order: Contacts) {
  return (
    <>
      <Card title="User Contact Details">
        <DescriptionList items={contactItems(order.technicalContact)} />
      </Card>
      <Card title="Authentication Contact Details">
        {order.contactStop && (
          <ContactStopNote
            email={order.authenticationContact.email}
            stoppedAt={order.contactStop.stoppedAt}
            mayAllow={order.may.allowMessages}
          />
        )}
        {order.contactBarrier && (
          <Note tone="warn">
            {order.contactBarrier}
            {order.isCheckable && ` ${contactAdvice(order.namesakes)}`}
          </Note>
        )}
        {order.isRequestHeld && (
          <Note>The request to authorise is sent when the customer has confirmed their own email address.</Note>
        )}
        {order.hasOtherDomain && (
          <Note tone="warn">The email address belongs to another domain than the customer&apos;s.</Note>
        )}
        <DescriptionList items={contactItems(order.authenticationContact)} />
      </Card>
    </>
  );
}

/** What is paid and by whom. Staff compare the buyer with the subject. */
export function SaleCard({ sale }: Pick<QueueOrder, "sale">) {
  const { invoiceAddress: to, vat } = sale;
  return (
    <Card title="Sales Order">
      <DescriptionList
        items={[
          { term: "Purchase order number", detail: sale.purchaseOrderNumber },
          { term: "Status", detail: <StatusBadge status={sale.status} /> },
          { term: "Remarks", detail: sale.remarks },
          { term: "Promotion code", detail: sale.promotionCode },
          { term: "Net amount", detail: formatEuro(sale.netCents) },
          { term: "VAT amount", detail: formatEuro(sale.vatCents) },
          { term: "Total", detail: formatEuro(sale.totalCents) },
          { term: "Invoice address", detail: [to.name, to.company, addressText(to)].filter(Boolean).join(", ") },
          { term: "Invoice email", detail: to.email },
          { term: "VAT number", detail: vat && <VatNumber {...vat} /> },
        ]}
      />
    </Card>
  );
}

type KeyHolder = QueueOrder["sameKey"][number];

/** The owner of a certificate or order, with links to it and to the account. */
function Holder({ holder, to }: { holder: KeyHolder; to: string }) {
  const { owner, orderNumber, commonName } = holder;
  return (
    <li>
      <Link to={to}>
        {orderNumber}, {commonName}
      </Link>{" "}
      ({holder.status}),{" "}
      {owner ? (
        <>
          {owner.company}, <Link to={paths.user(owner.id)}>{owner.email}</Link>
        </>
      ) : (
        "this customer"
      )}
    </li>
  );
}

/** Shown because the customer may have ordered twice by mistake. */
const SameKey = ({ sameKey, keyRules }: Pick<QueueOrder, "sameKey" | "keyRules">) => (
  <Note tone="warn" title="Other pending orders have the same public key:">
    <RuleLinks rule={keyRules.same} />
    <ul>
      {sameKey.map((holder) => (
        <Holder key={holder.id} holder={holder} to={paths.certificateQueueOrder(holder.id)} />
      ))}
    </ul>
  </Note>
);

/** Shown because anybody who has the CSR of a certificate can order with it without having the key. */
const KeyOfOthers = ({ keyOfOthers, keyRules }: Pick<QueueOrder, "keyOfOthers" | "keyRules">) => (
  <Note tone="bad" title="This public key is another account's. The order cannot be approved: reject it.">
    <RuleLinks rule={keyRules.ofOthers} />
    <ul>
      {keyOfOthers.map((holder) => (
        <Holder key={holder.id} holder={holder} to={paths.certificateDetails(holder.id)} />
      ))}
    </ul>
  </Note>
);

export function RequestCard({ order }: { order: QueueOrder }) {
  return (
    <Card title="Certificate Signing Request">
      {order.keyMarks.length > 0 && (
        <Note tone="bad">
          <BrokenRuleList rules={order.keyMarks} />
        </Note>
      )}
      {order.brokenRules.length > 0 && (
        <Note tone="bad" title="The CSR is not accepted any more. The order cannot be approved: reject it.">
          <BrokenRuleList rules={order.brokenRules} />
        </Note>
      )}
      {order.keyOfOthers.length > 0 && <KeyOfOthers {...order} />}
      <MarkNotes marks={order.marks} />
      {order.sameKey.length > 0 && <SameKey {...order} />}
      <DescriptionList
        items={[
          ...certificateFacts(order.subject),
          ...order.names.map(({ caption, values }) => ({ term: caption, detail: values.join(", ") })),
          { term: "Usage", detail: order.usages.join(", ") },
          {
            term: "Order type",
            detail:
              order.previousCertificateId === null ? (
                order.orderType
              ) : (
                <Link to={paths.certificateDetails(order.previousCertificateId)}>{order.orderType}</Link>
              ),
          },
          { term: "Validity", detail: order.validity },
          { term: "Public key", detail: order.publicKey },
          { term: "Key fingerprint (SHA-256)", detail: <HexPairs value={order.keyFingerprint} /> },
        ]}
      />
      <details>
        <summary>CSR as submitted</summary>
        <PemText label="CSR" value={order.csrPem} />
      </details>
    </Card>
  );
}
