import { type NamedOrder, type RefusedOrder } from "~/domain/certificates/queue/bulk-approval.service.server";
import { LIST_FIELD } from "~/domain/certificates/queue/queue-list";
import { type FieldsToSend } from "../forms/confirmed-fields";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { LinkButton } from "../ui/buttons";
import { ConfirmPanel } from "../ui/confirm-panel";
import { PageHeader } from "../ui/page-header";
import { joinedIds, readyColumns, RefusedOrders } from "./approved-orders";

interface Props<Order extends NamedOrder> {
  title: string;
  /** Says that nothing can be done with any of the selected orders. */
  none: string;
  question: string;
  confirmLabel: string;
  /** The captions of the tables of both kinds of orders. */
  captions: { ready: string; refused: string };
  ready: Order[];
  refused: RefusedOrder[];
  /** The columns of the first table after those that name the order. */
  columns?: readonly Column<Order>[];
  /** What the confirmed form sends besides the orders. */
  fields?: FieldsToSend;
  /** The query string of the queue, and the address of its page. */
  list: string | null;
  queue: string;
}

/** Asks before something happens to selected orders of the queue, and lists those to which it happens and those to which it does not. */
export function AskAboutOrders<Order extends NamedOrder>(props: Props<Order>) {
  const { ready, refused, list, queue, captions, none, columns = [], fields, ...panel } = props;
  const rest = <RefusedOrders caption={captions.refused} rows={refused} />;
  if (ready.length === 0)
    return (
      <div className="stack-l">
        <PageHeader title={panel.title}>
          <p>{none}</p>
        </PageHeader>
        {rest}
        <LinkButton to={queue}>Back to the queue</LinkButton>
      </div>
    );
  return (
    <ConfirmPanel
      {...panel}
      variant="primary"
      cancelTo={queue}
      fields={{ id: joinedIds(ready), ...fields, [LIST_FIELD]: list ?? "" }}
    >
      <DataTable
        caption={captions.ready}
        columns={[...readyColumns, ...columns]}
        rows={ready}
        rowKey={(row) => row.id}
      />
      {rest}
    </ConfirmPanel>
  );
}
