import { Link } from "@remix-run/react";
import { type QueueOrder } from "~/domain/certificates/queue/queue.service.server";
import { paths } from "~/lib/paths";
import { CompanyLink, PersonName } from "../companies/names";
import { ContactStopNote } from "../mail/contact-stop-note";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { HexPairs } from "../ui/hex-pairs";
import { Note } from "../ui/note";
import { PemText } from "../ui/pem-block";
import { Time } from "../ui/time";
import { BrokenRuleList, MarkNotes, RuleLinks } from "./broken-rules";
import { LintNote } from "./lint-note";
import { certificateFacts } from "./subject-facts";

/** What keeps the order from being approved, above everything else. */
export const Blocking = ({ order }: { order: QueueOrder }) => (
  <>
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
  </>
);

/** The order in a few words. */
export const TitleBlock = ({ order }: { order: QueueOrder }) => (
  <dl className="block">
    <div>
      <dt>Host</dt>
      <dd>
        <strong>{order.subject.commonName}</strong>
      </dd>
    </div>
    <div>
      <dt>Customer</dt>
      <dd>
        <CompanyLink id={order.customer.companyId} name={order.customer.company} />, <bdi>{order.customer.name}</bdi>
      </dd>
    </div>
    <div>
      <dt>Order</dt>
      <dd>
        {order.orderType}, {order.validity}
      </dd>
    </div>
    <div>
      <dt>Requested</dt>
      <dd>
        <Time value={order.requestedAt} />
      </dd>
    </div>
  </dl>
);

/** What the portal found about an order: what to look into, then what it knows. */
export const FindingsCard = ({ order }: { order: QueueOrder }) => (
  <Card title="What the portal found">
    {order.customer.changes.map(({ by, at }) => (
      <Note key={`${by} ${at}`} tone="warn">
        {by} changed the customer&apos;s details on <Time value={at} withTime />.
      </Note>
    ))}
    {order.contactStop && (
      <ContactStopNote
        email={order.contactEmail}
        stoppedAt={order.contactStop.stoppedAt}
        mayAllow={order.may.allowMessages}
      />
    )}
    {order.contactBarrier && <Note tone="warn">{order.contactBarrier}</Note>}
    {order.isRequestHeld && (
      <Note>The request to authorise is sent when the customer has confirmed their own email address.</Note>
    )}
    <MarkNotes marks={order.marks} />
    {order.sameKey.length > 0 && <SameKey {...order} />}
    <LintNote lints={order.lints} />
    <ul className="facts" role="list">
      {order.facts.map(({ title, text, isLook, link }) => (
        <li key={title} className={isLook ? "look" : undefined}>
          <strong>{title}</strong> {text} {link && <Link to={link.to}>{link.label}</Link>}
        </li>
      ))}
    </ul>
  </Card>
);

interface FoldProps {
  title: string;
  /** What matters most of the contents. */
  note: string;
  isOpen?: boolean;
  children: React.ReactNode;
}

/** A part of the page that is rarely needed. */
export const Fold = ({ title, note, isOpen, children }: FoldProps) => (
  <details className="card fold" open={isOpen}>
    <summary>
      {title} <span className="muted">{note}</span>
    </summary>
    {children}
  </details>
);

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

export function RequestFold({ order }: { order: QueueOrder }) {
  return (
    <Fold title="Certificate and CSR" note={`${order.publicKey}, ${order.usages.join(", ")}`}>
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
      <PemText label="CSR as submitted" value={order.csrPem} />
    </Fold>
  );
}

/** What happened with the order, latest first. */
export const HistoryFold = ({ history }: Pick<QueueOrder, "history">) =>
  history.length > 0 && (
    <Fold title="History" note={`${history.length} ${history.length === 1 ? "entry" : "entries"}`}>
      <ol className="log" role="list">
        {history.map(({ id, at, actorName, impersonatorEmail, message }) => (
          <li key={id}>
            <Time value={at} withTime />
            <div>
              <PersonName name={actorName} by={impersonatorEmail} />
              <br />
              {message}
            </div>
          </li>
        ))}
      </ol>
    </Fold>
  );
