import { Link } from "@remix-run/react";
import {
  type BulkResult,
  type NamedOrder,
  type RefusedOrder,
} from "~/domain/certificates/queue/bulk-approval.service.server";
import { isGrantMissing } from "~/domain/certificates/queue/order-decision.policy";
import { colonHex } from "~/lib/hex";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { LinkButton } from "../ui/buttons";
import { HexPairs } from "../ui/hex-pairs";
import { PageHeader } from "../ui/page-header";
import { Badge } from "../ui/status-badge";

/** Returns the columns that name an order. `to` is the address of its page. */
export const namedOrderColumns = <Row extends NamedOrder>(to: (id: number) => string): Column<Row>[] => [
  { key: "orderNumber", label: "Order", cell: (row) => row.orderNumber },
  {
    key: "commonName",
    label: "Common name",
    rowHeader: true,
    cell: (row) => (row.commonName ? <Link to={to(row.id)}>{row.commonName}</Link> : "Unknown"),
  },
  { key: "organisation", label: "Organisation", cell: (row) => row.organisation },
];

export const readyColumns = namedOrderColumns<NamedOrder>(paths.certificateQueueOrder);

/** Marks an order with names that its company has not confirmed. */
export const UnconfirmedBadge = () => <Badge tone="warn">Domain not confirmed</Badge>;

/** What staff should look into before they approve an order, with the names. */
export const marksColumn: Column<NamedOrder & { unconfirmed: readonly string[] }> = {
  key: "marks",
  label: "Marks",
  cell: ({ unconfirmed }) =>
    unconfirmed.length > 0 && (
      <>
        <UnconfirmedBadge />
        <span className="sub">{unconfirmed.join(", ")}</span>
      </>
    ),
};

const issuedColumns: Column<BulkResult["issued"][number]>[] = [
  ...namedOrderColumns<BulkResult["issued"][number]>(paths.certificateDetails),
  { key: "serialNumber", label: "Serial number", cell: (row) => <HexPairs value={colonHex(row.serialNumber)} /> },
];

const refusedColumns: Column<RefusedOrder>[] = [
  ...namedOrderColumns<RefusedOrder>(paths.certificateQueueOrder),
  { key: "reason", label: "Reason", cell: (row) => row.reason },
];

const was = ({ length }: { length: number }) => (length === 1 ? "was" : "were");
export const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Returns a number of whole days in words. */
export const daysText = (days: number) => (days === 0 ? "less than a day" : counted(days, "day"));

export const joinedIds = (orders: readonly NamedOrder[]) => orders.map(({ id }) => id).join(",");

/** The orders that were not or cannot be approved, each with its reason. Nothing when there is none. */
export function RefusedOrders({ caption, rows }: { caption: string; rows: RefusedOrder[] }) {
  if (rows.length === 0) return null;
  return <DataTable caption={caption} columns={refusedColumns} rows={rows} rowKey={(row) => row.id} />;
}

/** The approved orders whose approver has not confirmed them to the signer yet, and the way to do that. */
function OrdersToConfirm({ rows }: { rows: RefusedOrder[] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable
        caption="Approved orders that wait for your confirmation to the signer"
        columns={readyColumns}
        rows={rows}
        rowKey={(row) => row.id}
      />
      <LinkButton to={staffPaths.confirmToSigner} variant="primary">
        Confirm to the signer
      </LinkButton>
    </>
  );
}

interface Props extends BulkResult {
  back: { to: string; label: string };
}

/** What came of the approval of several orders. */
export function ApprovedOrders({ issued, refused: others, back }: Props) {
  const toConfirm = others.filter(isGrantMissing);
  const refused = others.filter((order) => !isGrantMissing(order));
  return (
    <div className="stack-l">
      <PageHeader title="Approved orders" back={back}>
        <p role="status">
          {issued.length === 0
            ? "No certificate has"
            : `${counted(issued.length, "certificate")} ha${issued.length === 1 ? "s" : "ve"}`}{" "}
          been issued{refused.length > 0 && `, ${counted(refused.length, "order")} ${was(refused)} not approved`}.
        </p>
      </PageHeader>
      <OrdersToConfirm rows={toConfirm} />
      {issued.length > 0 && (
        <DataTable caption="Issued certificates" columns={issuedColumns} rows={issued} rowKey={(row) => row.id} />
      )}
      <RefusedOrders caption="Orders that were not approved" rows={refused} />
    </div>
  );
}
