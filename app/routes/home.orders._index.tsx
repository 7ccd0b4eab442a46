import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ElsewhereNote } from "~/components/companies/elsewhere-note";
import { DataTable } from "~/components/lists/data-table";
import { Pagination } from "~/components/lists/pagination";
import { type Column } from "~/components/lists/table-columns";
import { rangeText } from "~/components/lists/table-range";
import { ResumableNote } from "~/components/purchase/resumable-note";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { ownOrderList } from "~/domain/orders/own/own-order-list";
import { listOwnOrders, listUnfinished, type OwnOrder } from "~/domain/orders/own/own-orders.service.server";
import { elsewhereOf } from "~/http/elsewhere.server";
import { requireUser } from "~/http/guard.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-company");
  return json({
    ...(await listOwnOrders(user, ownOrderList.read(new URL(request.url).searchParams))),
    unfinished: await listUnfinished(user),
    elsewhere: await elsewhereOf(request, user),
    mayOrder: mayAsMember(user, "place-orders"),
  });
}

const columns: Column<OwnOrder>[] = [
  { key: "orderedAt", label: "Ordered", cell: ({ orderedAt }) => <Time value={orderedAt} /> },
  {
    key: "order",
    label: "Order",
    rowHeader: "short",
    cell: ({ id, orderNumber }) => <Link to={paths.order(id)}>{orderNumber}</Link>,
  },
  { key: "what", label: "What", cell: ({ what }) => <bdi className="long">{what}</bdi> },
  {
    key: "purchaseOrderNumber",
    label: "Purchase order number",
    cell: ({ purchaseOrderNumber }) => <bdi className="long">{purchaseOrderNumber}</bdi>,
  },
  { key: "total", label: "Total", numeric: true, cell: ({ totalCents }) => formatEuro(totalCents) },
  { key: "progress", label: "Progress", cell: ({ progress }) => progress },
];

export default function Orders() {
  const { rows, total, pages, params, unfinished, elsewhere, mayOrder } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader
        title="Orders"
        back={{ to: paths.dashboard, label: "Back" }}
        actions={
          mayOrder && <LinkButton to={paths.certificatePurchase("contact-details")}>Order a certificate</LinkButton>
        }
      >
        <p>The orders of your company and how far each has come, with their invoices.</p>
      </PageHeader>
      {elsewhere && <ElsewhereNote {...elsewhere} />}
      <ResumableNote wizard="purchase" orders={unfinished.purchase} />
      <ResumableNote wizard="renew" orders={unfinished.renew} />
      <ResumableNote wizard="codes" orders={unfinished.codes} />
      <DataTable
        caption="Orders"
        summary={total > 0 ? rangeText({ ...params, total }) : undefined}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty="Your company has ordered nothing yet."
      />
      <Pagination
        page={params.page}
        pages={pages}
        href={(page) => ownOrderList.href(params, { page })}
        label="Orders pages"
      />
    </div>
  );
}

export const meta = pageTitle("Orders");
