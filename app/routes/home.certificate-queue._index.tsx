import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { counted, OrderChips } from "~/components/certificates/approved-orders";
import { ErrorSummary } from "~/components/forms/error-summary";
import { DataTable } from "~/components/lists/data-table";
import { FilterLinks } from "~/components/lists/filter-links";
import { ListToolbar } from "~/components/lists/list-toolbar";
import { Pagination } from "~/components/lists/pagination";
import { type Column } from "~/components/lists/table-columns";
import { rangeText } from "~/components/lists/table-range";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { StaffingNote } from "~/components/users/staffing-note";
import { loadMissingStaff } from "~/domain/accounts/administration/staffing.server";
import { may } from "~/domain/accounts/rights.policy";
import { countWaitingForGrant } from "~/domain/certificates/issuing/granting.service.server";
import { SELECTION_PROBLEMS } from "~/domain/certificates/queue/queue-fields";
import { approveReady, LIST_FIELD, queueList, type QueueListParams } from "~/domain/certificates/queue/queue-list";
import { listQueue, type QueueItem } from "~/domain/certificates/queue/queue-list.service.server";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";

const TABLE = "pending-orders";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-queue");
  const params = queueList.read(new URL(request.url).searchParams);
  const { isAllSelected, problem } = params;
  const missingStaff = await loadMissingStaff();
  const mayApprove = may(user, "approve-orders");
  return json({
    ...(await listQueue(params)),
    isAllSelected,
    problem,
    missingStaff,
    mayApprove,
    toConfirm: mayApprove ? await countWaitingForGrant(user) : 0,
  });
}

const columns: Column<QueueItem>[] = [
  { key: "requestedAt", label: "Requested", cell: (row) => <Time value={row.requestedAt} /> },
  { key: "orderNumber", label: "Order", cell: (row) => row.orderNumber },
  {
    key: "commonName",
    label: "Common name",
    rowHeader: true,
    cell: (row) => <Link to={row.to}>{row.commonName}</Link>,
  },
  { key: "organisation", label: "Organisation", cell: (row) => row.organisation },
  { key: "company", label: "Customer", cell: (row) => row.company },
  { key: "orderType", label: "Order type", cell: (row) => row.orderType },
  { key: "waitsFor", label: "Waiting for", cell: (row) => <Waiting items={row.waitsFor} /> },
  { key: "chips", label: "Marks", cell: (row) => <OrderChips chips={row.chips} /> },
];

function Waiting({ items }: { items: readonly string[] }) {
  if (items.length === 0) return "Approval";
  return (
    <ul role="list">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

/** Staff select orders to approve in one act. */
const SELECT = {
  type: "checkbox",
  name: "id",
  label: ({ orderNumber, commonName }: QueueItem) => `Order ${orderNumber}, ${commonName}`,
} as const;

/** Links that show only orders that are ready to approve. */
function ReadyFilter({ params }: { params: QueueListParams }) {
  const choice = (label: string, isReady: boolean) => ({
    label,
    to: queueList.href(params, { isReady, page: 1 }),
    isCurrent: params.isReady === isReady,
  });
  const choices = [choice("ready to approve", true), choice("all", false)];
  return <FilterLinks label="Pending orders" caption="Show:" choices={choices} />;
}

export default function CertificateQueue() {
  const { rows, total, pages, params, isAllSelected, problem, missingStaff, mayApprove, toConfirm } =
    useLoaderData<typeof loader>();
  const kept = queueList.query(params, { page: 1, size: 10, search: "" });
  const isSelectable = mayApprove && rows.length > 0;
  const selection = {
    ...SELECT,
    selected: isAllSelected ? rows.map(({ id }) => String(id)) : [],
    query: queueList.href(params, { isAllSelected }),
    all: { isSelected: isAllSelected, to: queueList.href(params, { isAllSelected: !isAllSelected }) },
  };
  return (
    <div className="stack-l">
      <ErrorSummary errors={problem ? [{ message: SELECTION_PROBLEMS[problem], href: `#${TABLE}` }] : []} />
      <PageHeader title="Certificate Queue" back={{ to: paths.dashboard, label: "Back" }}>
        <p>Orders for certificates that wait for identity checks and approval, oldest first.</p>
      </PageHeader>
      <StaffingNote missing={missingStaff} />
      {toConfirm > 0 && (
        <Note
          tone="warn"
          title={`${counted(toConfirm, "order")} that you approved ${toConfirm === 1 ? "waits" : "wait"}.`}
        >
          <Link to={staffPaths.confirmToSigner}>Confirm to the signer</Link> what you have approved, so that it is
          issued.
        </Note>
      )}
      <ListToolbar
        search={params.search}
        searchHint="Names, company or email of the customer, order; dates must be typed DD/MM/YYYY"
        size={params.size}
        keep={kept}
      />
      <ReadyFilter params={params} />
      <Form action={staffPaths.approveOrders} className="stack">
        <input type="hidden" name={LIST_FIELD} value={queueList.query(params).toString()} />
        <DataTable
          id={TABLE}
          caption="Pending orders"
          summary={total > 0 ? `${rangeText({ ...params, total })}, oldest first` : undefined}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          select={isSelectable ? selection : undefined}
        />
        {isSelectable && (
          <ButtonRow>
            <SubmitButton>Approve selected</SubmitButton>
            <LinkButton to={approveReady(params)}>Approve all that are ready</LinkButton>
          </ButtonRow>
        )}
      </Form>
      <Pagination
        page={params.page}
        pages={pages}
        href={(page) => queueList.href(params, { page })}
        label="Pending orders pages"
      />
    </div>
  );
}

export const meta = pageTitle("Certificate Queue");
