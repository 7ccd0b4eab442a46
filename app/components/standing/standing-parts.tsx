import { Link } from "@remix-run/react";
import { amountsText } from "~/domain/certificates/standing/standing";
import { type OwnStandingPage, type StandingView } from "~/domain/certificates/standing/views.service.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { UsageText } from "../purchase/usage-fields";
import { Card } from "../ui/card";
import { type Description, DescriptionList } from "../ui/description-list";
import { PhoneFold } from "../ui/phone-fold";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

const ceilingText = ({ ceilingCertificates, ceilingCents }: StandingView) =>
  amountsText({ certificates: ceilingCertificates, cents: ceilingCents });

/** The columns of a list of standing authorisations. */
export const STANDING_COLUMNS: readonly Column<StandingView>[] = [
  { key: "state", label: "State", cell: ({ state }) => <StatusBadge status={state} /> },
  { key: "order", label: "Purchase order number", cell: ({ purchaseOrderNumber }) => <bdi>{purchaseOrderNumber}</bdi> },
  { key: "ceiling", label: "Ceiling", cell: ceilingText },
  { key: "used", label: "Used", cell: ({ used }) => amountsText(used) },
  { key: "left", label: "Left", cell: ({ left }) => amountsText(left) },
  { key: "end", label: "Last day", cell: ({ endDay }) => endDay },
];

/** A domain that is covered, with what lies below it or without. */
export const domainText = ({ name, isHostOnly }: { name: string; isHostOnly: boolean }): string =>
  isHostOnly ? `${name} (this host only)` : name;

/** Names or numbers as a list, a line for each. */
export const textList = (texts: readonly string[]) => (
  <ul className="plain">
    {texts.map((text) => (
      <li key={text}>
        <bdi>{text}</bdi>
      </li>
    ))}
  </ul>
);

/** What was checked: whose certificates, and which names. */
const identityFacts = (page: OwnStandingPage): Description[] => [
  { term: "Subject of certificates", detail: <bdi>{page.subject}</bdi> },
  { term: "Organisation checked", detail: <Time value={page.identityCheckedAt} /> },
  { term: "Based on order", detail: page.basedOn.orderNumber },
  { term: "Domains", detail: page.domains.length > 0 && textList(page.domains.map(domainText)) },
  { term: "OFTP IDs", detail: page.oftpIds.length > 0 && textList(page.oftpIds) },
  { term: "Contact", detail: <bdi>{`${page.contact.name}, ${page.contact.position}, ${page.contact.email}`}</bdi> },
];

/** What may be ordered, and what was. */
const orderFacts = (page: OwnStandingPage): Description[] => [
  { term: "State", detail: <StatusBadge status={page.state} /> },
  { term: "Purchase order number", detail: <bdi>{page.purchaseOrderNumber}</bdi> },
  { term: "Ceiling", detail: ceilingText(page) },
  { term: "Used", detail: amountsText(page.used) },
  { term: "Left", detail: amountsText(page.left) },
  { term: "Usages", detail: <UsageText usage={page.usages} /> },
  { term: "Longest validity", detail: `${page.longestYears} ${page.longestYears === 1 ? "year" : "years"}` },
  { term: "Invoices to", detail: <bdi>{page.invoicedTo}</bdi> },
  { term: "Invoices", detail: page.isInvoicedMonthly ? "One a month" : "One for each order" },
  { term: "Asked for by", detail: <bdi>{page.askedBy}</bdi> },
  { term: "Asked for", detail: <Time value={page.askedAt} withTime /> },
  { term: "Approved", detail: page.approvedAt && <Time value={page.approvedAt} withTime /> },
  { term: page.endedAt ? "Ended" : "Last day", detail: page.endDay },
  { term: "Reason", detail: page.endedWhy },
];

/** What a standing authorisation covers, and for whom. */
export const StandingCards = ({ page }: { page: OwnStandingPage }) => (
  <>
    <Card title="What may be ordered">
      <PhoneFold summary={`${page.state}, ${amountsText(page.left)} left`}>
        <DescriptionList hideEmpty items={orderFacts(page)} />
      </PhoneFold>
    </Card>
    <Card title="For whom">
      <PhoneFold summary={<bdi>{page.subject}</bdi>}>
        <DescriptionList hideEmpty items={identityFacts(page)} />
      </PhoneFold>
    </Card>
  </>
);

type Ordered = OwnStandingPage["orders"][number];

const orderColumns = (to: (order: Ordered) => string): readonly Column<Ordered>[] => [
  {
    key: "order",
    label: "Order",
    rowHeader: true,
    cell: (order) => <Link to={to(order)}>{order.orderNumber}</Link>,
  },
  { key: "name", label: "Common name", cell: ({ commonName }) => <bdi>{commonName}</bdi> },
  { key: "status", label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { key: "placed", label: "Ordered", cell: ({ placedAt }) => <Time value={placedAt} withTime /> },
  { key: "net", label: "Net amount", numeric: true, cell: ({ netCents }) => formatEuro(netCents) },
  { key: "why", label: "Why staff decide", cell: ({ whyOutside }) => whyOutside },
];

/** The latest orders under a standing authorisation, for members and for staff. */
export const OrdersUnder = ({ orders, isStaff }: { orders: readonly Ordered[]; isStaff?: boolean }) => (
  <DataTable
    caption="Orders under this standing authorisation"
    columns={orderColumns(({ id, orderId }) => (isStaff ? paths.certificateQueueOrder(id) : paths.order(orderId)))}
    rows={orders}
    rowKey={({ id }) => String(id)}
    empty="No orders yet"
  />
);
