import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { ElsewhereNote } from "~/components/companies/elsewhere-note";
import { DataTable } from "~/components/lists/data-table";
import { FilterLinks } from "~/components/lists/filter-links";
import { Pagination } from "~/components/lists/pagination";
import { type Column } from "~/components/lists/table-columns";
import { rangeText } from "~/components/lists/table-range";
import { ResumableNote } from "~/components/purchase/resumable-note";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { discardUnfinished, isUnfinished } from "~/domain/orders/own/discarding.service.server";
import { ownOrderList } from "~/domain/orders/own/own-order-list";
import { listOwnOrders, listUnfinished, type OwnOrder } from "~/domain/orders/own/own-orders.service.server";
import { elsewhereOf } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { isPortalError, notFound } from "~/lib/errors";
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

/** Discards an order that is not complete, after a question. */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "see-company");
  const form = await readForm(request);
  const [wizard, draft, what] = ["wizard", "draft", "what"].map((name) => form.get(name));
  if (!isUnfinished(wizard) || typeof draft !== "string" || typeof what !== "string") throw notFound();
  if (form.get("confirmed") !== "yes") return json({ asked: { wizard, draft, what } });
  try {
    await discardUnfinished(user, wizard, draft);
    return await redirectWithToast(request, paths.orders, { kind: "ok", text: "The order was discarded." });
  } catch (error) {
    if (!isPortalError(error) || error.status !== 409) throw error;
    return redirectWithToast(request, paths.orders, { kind: "warn", text: error.message });
  }
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
  const asked = useActionData<typeof action>()?.asked;
  return (
    <ConfirmStep
      asked={asked}
      title="Discard order"
      question="Are you sure you wish to discard this order? What was entered is deleted."
      confirmLabel="Discard"
      cancelLabel="Keep"
      cancelTo={paths.orders}
      details={
        <p>
          <bdi>{asked?.what}</bdi>
        </p>
      }
    >
      <div className="stack-l">
        <PageHeader
          title="Orders"
          back={{ to: paths.dashboard, label: "Back" }}
          actions={
            mayOrder && <LinkButton to={paths.certificatePurchase("contact-details")}>Order a certificate</LinkButton>
          }
        >
          <p>The orders of your company, how far each has come, and what is not paid yet.</p>
        </PageHeader>
        {elsewhere && <ElsewhereNote {...elsewhere} />}
        <ResumableNote wizard="purchase" orders={unfinished.purchase} canDiscard />
        <ResumableNote wizard="renew" orders={unfinished.renew} canDiscard />
        <ResumableNote wizard="codes" orders={unfinished.codes} canDiscard />
        <FilterLinks
          label="Orders by payment"
          caption="Show:"
          choices={[false, true].map((unpaid) => ({
            label: unpaid ? "invoiced and not paid" : "all",
            to: ownOrderList.href(params, { unpaid, page: 1 }),
            isCurrent: params.unpaid === unpaid,
          }))}
        />
        <DataTable
          caption="Orders"
          summary={total > 0 ? rangeText({ ...params, total }) : undefined}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          empty={params.unpaid ? "No invoice waits for its payment." : "Your company has ordered nothing yet."}
        />
        <Pagination
          page={params.page}
          pages={pages}
          href={(page) => ownOrderList.href(params, { page })}
          label="Orders pages"
        />
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle("Orders");
