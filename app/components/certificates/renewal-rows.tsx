import { Link } from "@remix-run/react";
import { RENEWAL_ROW_WORDS, type RenewalRowState } from "~/domain/certificates/succession/bulk-renewal";
import { type OrderedRenewal, type RenewalRow } from "~/domain/certificates/succession/bulk-renewal.service.server";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { ButtonRow, LinkButton } from "../ui/buttons";
import { PageHeader } from "../ui/page-header";
import { Badge } from "../ui/status-badge";
import { Time } from "../ui/time";

const TONES = { matched: "ok", wrong: "bad", needs: "mute" } as const satisfies Record<RenewalRowState, string>;

const columns: Column<RenewalRow>[] = [
  {
    key: "commonName",
    label: "Common name",
    rowHeader: true,
    cell: ({ id, commonName, organisation, dnsNames }) => (
      <span>
        <Link to={paths.certificateDetails(id)}>{commonName}</Link>
        <span className="sub hint">{[organisation, ...dnsNames.filter((name) => name !== commonName)].join(", ")}</span>
      </span>
    ),
  },
  { key: "expiryDate", label: "Expires", cell: ({ expiryDate }) => <Time value={expiryDate} /> },
  {
    key: "state",
    label: "CSR",
    cell: ({ state, reason }) => (
      <span>
        <Badge tone={TONES[state]}>{RENEWAL_ROW_WORDS[state]}</Badge>
        {reason && <span className="sub lines">{reason}</span>}
      </span>
    ),
  },
];

/** The certificates of the form, each with what it needs, has, or what is wrong. */
export const RenewalRows = ({ rows, caption }: { rows: RenewalRow[]; caption: string }) => (
  <DataTable caption={caption} columns={columns} rows={rows} rowKey={({ id }) => id} />
);

const orderedColumns: Column<OrderedRenewal>[] = [
  {
    key: "commonName",
    label: "Common name",
    rowHeader: true,
    cell: ({ id, commonName }) => <Link to={paths.certificateDetails(id)}>{commonName}</Link>,
  },
  {
    key: "order",
    label: "Order",
    cell: ({ orderId, orderNumber, reason }) =>
      orderId === null ? (
        <span className="lines">Not ordered. {reason}</span>
      ) : (
        <Link to={paths.order(orderId)}>{orderNumber}</Link>
      ),
  },
];

/** What came of the renewals, and where they are followed. */
export function OrderedRenewals({ ordered, back }: { ordered: OrderedRenewal[]; back: { to: string; label: string } }) {
  const done = ordered.filter(({ orderId }) => orderId !== null).length;
  return (
    <div className="stack-l">
      <PageHeader title="Renewals ordered" back={back}>
        <p>
          {`${done} of ${ordered.length} ${ordered.length === 1 ? "renewal is" : "renewals are"} ordered. A confirmation of each is on its way by email.`}
        </p>
      </PageHeader>
      <ButtonRow>
        <LinkButton to={paths.orders} variant="primary">
          Follow the orders
        </LinkButton>
      </ButtonRow>
      <DataTable caption="Renewals" columns={orderedColumns} rows={ordered} rowKey={({ id }) => id} />
    </div>
  );
}
