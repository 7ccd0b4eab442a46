import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { counted, daysText, UnconfirmedBadge } from "~/components/certificates/approved-orders";
import { QueueKeys } from "~/components/certificates/queue-keys";
import { ErrorSummary } from "~/components/forms/error-summary";
import { DataTable } from "~/components/lists/data-table";
import { FilterLinks } from "~/components/lists/filter-links";
import { ListToolbar } from "~/components/lists/list-toolbar";
import { NoRecords } from "~/components/lists/no-records";
import { Pagination } from "~/components/lists/pagination";
import { type Column } from "~/components/lists/table-columns";
import { rangeText } from "~/components/lists/table-range";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Badge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { StaffingNote } from "~/components/users/staffing-note";
import { loadMissingStaff } from "~/domain/accounts/administration/staffing.server";
import { may } from "~/domain/accounts/rights.policy";
import { countWaitingForGrant } from "~/domain/certificates/issuing/granting.service.server";
import { SELECTION_PROBLEMS, STAGE_TITLES, TARGET_DAYS } from "~/domain/certificates/queue/queue-fields";
import {
  approveReady,
  LIST_FIELD,
  queueList,
  type QueueListParams,
  type QueueSort,
} from "~/domain/certificates/queue/queue-list";
import { listQueue, type QueueItem, type StageCounts } from "~/domain/certificates/queue/queue-list.service.server";
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
    ...(await listQueue(params, user)),
    isAllSelected,
    problem,
    missingStaff,
    mayApprove,
    mayWork: may(user, "work-on-orders"),
    toConfirm: mayApprove ? await countWaitingForGrant(user) : 0,
  });
}

const columns: Column<QueueItem>[] = [
  { key: "requestedAt", label: "Requested", sortable: true, cell: (row) => <Requested {...row} /> },
  { key: "orderNumber", label: "Order", sortable: true, cell: (row) => row.orderNumber },
  {
    key: "commonName",
    label: "Common name",
    sortable: true,
    rowHeader: true,
    cell: ({ to, commonName, organisation }) => (
      <>
        <Link to={to}>{commonName}</Link>
        <bdi className="sub">{organisation}</bdi>
      </>
    ),
  },
  { key: "company", label: "Customer", sortable: true, cell: (row) => row.company },
  { key: "orderType", label: "Order type", cell: (row) => row.orderType },
  { key: "waitsFor", label: "Waiting for", cell: (row) => <Waiting {...row} /> },
  { key: "assignee", label: "Works on it", cell: ({ assignee }) => assignee && <bdi>{assignee}</bdi> },
  { key: "marks", label: "Marks", cell: (row) => <Marks {...row} /> },
];

/** When an order was requested, and since how many days it waits. */
const Requested = ({ requestedAt, age }: QueueItem) => (
  <div>
    <Time value={requestedAt} />
    <br />
    {age > TARGET_DAYS ? <Badge tone="warn">{daysText(age)}</Badge> : <span className="muted">{daysText(age)}</span>}
  </div>
);

/** What staff should look into, and how much they have written about the order. */
const Marks = ({ isUnconfirmed, comments }: QueueItem) =>
  isUnconfirmed || comments > 0 ? (
    <div className="row">
      {isUnconfirmed && <UnconfirmedBadge />}
      {comments > 0 && <span className="tag">{counted(comments, "comment")}</span>}
    </div>
  ) : null;

/** What an order waits for, and when its contact was asked. */
function Waiting({ waitsFor, asked }: QueueItem) {
  if (waitsFor.length === 0) return "Approval";
  return (
    <div>
      <ul role="list">
        {waitsFor.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      {asked && (
        <span className="sub">
          Contact asked {asked.count === 1 ? "once" : `${asked.count} times`}, last <Time value={asked.last} />
        </span>
      )}
    </div>
  );
}

/** Staff select orders to approve in one act. */
const SELECT = {
  type: "checkbox",
  name: "id",
  label: ({ orderNumber, commonName }: QueueItem) => `Order ${orderNumber}, ${commonName}`,
} as const;

const SORTED_BY: Record<QueueSort, string> = {
  requestedAt: "request date",
  orderNumber: "order",
  commonName: "common name",
  company: "customer",
};

type Stage = keyof typeof STAGE_TITLES;

/** Links that show only the orders at one stage, with how many there are. Stages without orders are left out. */
function StageFilter({ params, counts }: { params: QueueListParams; counts: StageCounts }) {
  const choice = (label: string, count: number, stage: Stage | null) => ({
    label: `${label} (${count})`,
    to: queueList.href(params, { stage, page: 1 }),
    isCurrent: params.stage === stage,
  });
  const stages = (Object.keys(STAGE_TITLES) as Stage[]).flatMap((stage) => {
    const count = counts[stage] ?? 0;
    return count > 0 || stage === params.stage ? [choice(STAGE_TITLES[stage], count, stage)] : [];
  });
  return <FilterLinks label="Pending orders" caption="Show:" choices={[choice("All", counts.all, null), ...stages]} />;
}

/** Links that show only the orders of this user, or those on which nobody works. */
function WorkFilter({ params }: { params: QueueListParams }) {
  const choice = (label: string, work: QueueListParams["work"]) => ({
    label,
    to: queueList.href(params, { work, page: 1 }),
    isCurrent: params.work === work,
  });
  const choices = [choice("anybody", null), choice("me", "mine"), choice("nobody yet", "nobody")];
  return <FilterLinks label="Who works on the orders" caption="Worked on by:" choices={choices} />;
}

/** What an empty queue says. */
function NoOrders({ params }: { params: QueueListParams }) {
  const { search, stage, work, size, sort } = params;
  const isRestricted = search !== "" || stage !== null || work !== null;
  return (
    <NoRecords search={search} all={isRestricted ? queueList.href({ size, sort }) : null} things="orders">
      Orders wait here from the moment they are placed until they are approved, rejected or cancelled.
    </NoRecords>
  );
}

export default function CertificateQueue() {
  const { rows, total, counts, pages, params, isAllSelected, problem, missingStaff, mayApprove, mayWork, toConfirm } =
    useLoaderData<typeof loader>();
  const kept = queueList.query(params, { page: 1, size: 10, search: "" });
  const order = `sorted by ${SORTED_BY[params.sort.key]}${params.sort.direction === "desc" ? ", descending" : ""}`;
  const isSelectable = rows.length > 0;
  const selection = {
    ...SELECT,
    selected: isAllSelected ? rows.map(({ id }) => String(id)) : [],
    query: queueList.href(params, { isAllSelected }),
    all: { isSelected: isAllSelected, to: queueList.href(params, { isAllSelected: !isAllSelected }) },
  };
  return (
    <div className="stack-l">
      <ErrorSummary errors={problem ? [{ message: SELECTION_PROBLEMS[problem], href: `#${TABLE}` }] : []} />
      <PageHeader title="Certificate queue" back={{ to: paths.dashboard, label: "Back" }}>
        <p>Orders for certificates that wait for identity checks and approval.</p>
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
        searchHint="Names, company or email of the customer, authentication contact, order; dates must be typed DD/MM/YYYY"
        size={params.size}
        keep={kept}
      />
      <StageFilter params={params} counts={counts} />
      <WorkFilter params={params} />
      <Form action={staffPaths.approveOrders} className="stack" reloadDocument>
        <input type="hidden" name={LIST_FIELD} value={queueList.query(params).toString()} />
        <DataTable
          id={TABLE}
          caption="Pending orders"
          summary={total > 0 ? `${rangeText({ ...params, total })}, ${order}` : undefined}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          empty={<NoOrders params={params} />}
          sort={{
            ...params.sort,
            href: (key, direction) => queueList.href(params, { sort: { key: key as QueueSort, direction }, page: 1 }),
          }}
          select={isSelectable ? selection : undefined}
        />
        {isSelectable && (
          <ButtonRow>
            {mayApprove && <SubmitButton>Approve selected</SubmitButton>}
            {mayApprove && <LinkButton to={approveReady(params)}>Approve all that are ready</LinkButton>}
            {mayWork && (
              <SubmitButton variant="secondary" formAction={staffPaths.takeOrders}>
                Take selected
              </SubmitButton>
            )}
            {mayWork && (
              <SubmitButton variant="secondary" formAction={staffPaths.releaseOrders}>
                Release selected
              </SubmitButton>
            )}
            {mayWork && (
              <SubmitButton variant="secondary" formAction={staffPaths.remindContacts}>
                Remind selected contacts
              </SubmitButton>
            )}
            <SubmitButton variant="secondary" formAction={staffPaths.queueFile}>
              Export selected
            </SubmitButton>
          </ButtonRow>
        )}
      </Form>
      <QueueKeys />
      <Pagination
        page={params.page}
        pages={pages}
        href={(page) => queueList.href(params, { page })}
        label="Pending orders pages"
      />
    </div>
  );
}

export const meta = pageTitle("Certificate queue");
