import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { DataTable } from "~/components/lists/data-table";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { ConfirmPanel } from "~/components/ui/confirm-panel";
import { HexPairs } from "~/components/ui/hex-pairs";
import { PageHeader } from "~/components/ui/page-header";
import {
  approveConfirmed,
  type BulkResult,
  checkSelected,
  type RefusedOrder,
} from "~/domain/certificates/queue/bulk-approval.service.server";
import { type SelectionProblem, selectionProblem } from "~/domain/certificates/queue/queue-fields";
import { LIST_FIELD, queueList } from "~/domain/certificates/queue/queue-list";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { colonHex } from "~/lib/hex";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

/** Returns the address of the list page that the orders were selected on. */
function queueOf(list: FormDataEntryValue | null, problem: SelectionProblem | null = null): string {
  const params = queueList.read(new URLSearchParams(typeof list === "string" ? list : ""));
  return queueList.href(params, { problem, isAllSelected: false });
}

/** Reads the ticked ids. The confirmed form sends them in one field, because a form has at most 200 fields. */
const idsOf = (values: readonly FormDataEntryValue[]) =>
  values
    .flatMap((value) => (typeof value === "string" && value !== "" ? value.split(",") : []))
    .map((value) => readId(value));

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  const query = new URL(request.url).searchParams;
  const list = query.get(LIST_FIELD);
  const ids = idsOf(query.getAll("id"));
  const problem = selectionProblem(ids);
  if (problem) return redirect(queueOf(list, problem));
  return json({ ...(await checkSelected(ids, user)), list, queue: queueOf(list) });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  const submitted = await readForm(request);
  const list = submitted.get(LIST_FIELD);
  const [confirmed, notReady] = [idsOf(submitted.getAll("id")), idsOf(submitted.getAll("notReady"))];
  await requireFormStepUp(request, user, { fields: submitted }, () => FORM_TASKS.approveMany(confirmed.length));
  const problem = selectionProblem(confirmed) ?? selectionProblem([...confirmed, ...notReady]);
  if (problem) return redirect(queueOf(list, problem), 303);
  return json({ ...(await approveConfirmed(confirmed, notReady, user)), queue: queueOf(list) });
}

type Named = Omit<RefusedOrder, "reason" | "code">;

const named = <Row extends Named>(to: (id: number) => string): Column<Row>[] => [
  { key: "orderNumber", label: "Order", cell: (row) => row.orderNumber },
  {
    key: "commonName",
    label: "Common name",
    rowHeader: true,
    cell: (row) => (row.commonName ? <Link to={to(row.id)}>{row.commonName}</Link> : "Unknown"),
  },
  { key: "organisation", label: "Organisation", cell: (row) => row.organisation },
];

const readyColumns = named<Named>(paths.certificateQueueOrder);

const issuedColumns: Column<BulkResult["issued"][number]>[] = [
  ...named<BulkResult["issued"][number]>(paths.certificateDetails),
  { key: "serialNumber", label: "Serial number", cell: (row) => <HexPairs value={colonHex(row.serialNumber)} /> },
];

const refusedColumns: Column<RefusedOrder>[] = [
  ...named<RefusedOrder>(paths.certificateQueueOrder),
  { key: "reason", label: "Reason", cell: (row) => row.reason },
];

const was = ({ length }: { length: number }) => (length === 1 ? "was" : "were");
const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

const joined = (orders: readonly Named[]) => orders.map(({ id }) => id).join(",");

function Refused({ caption, rows }: { caption: string; rows: RefusedOrder[] }) {
  if (rows.length === 0) return null;
  return <DataTable caption={caption} columns={refusedColumns} rows={rows} rowKey={(row) => row.id} />;
}

function Result({ issued, refused, queue }: BulkResult & { queue: string }) {
  return (
    <div className="stack-l">
      <PageHeader title="Approved Orders" back={{ to: queue, label: "Back to the queue" }}>
        <p role="status">
          {issued.length === 0
            ? "No certificate has"
            : `${counted(issued.length, "certificate")} ha${issued.length === 1 ? "s" : "ve"}`}{" "}
          been issued{refused.length > 0 && `, ${counted(refused.length, "order")} ${was(refused)} not approved`}.
        </p>
      </PageHeader>
      {issued.length > 0 && (
        <DataTable caption="Issued certificates" columns={issuedColumns} rows={issued} rowKey={(row) => row.id} />
      )}
      <Refused caption="Orders that were not approved" rows={refused} />
    </div>
  );
}

export default function ApproveOrders() {
  const { ready, refused, list, queue } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (result) return <Result {...result} />;
  const title = "Approve Orders";
  const rest = <Refused caption="Orders that cannot be approved" rows={refused} />;
  if (ready.length === 0)
    return (
      <div className="stack-l">
        <PageHeader title={title}>
          <p>None of the selected orders can be approved.</p>
        </PageHeader>
        {rest}
        <LinkButton to={queue}>Back to the queue</LinkButton>
      </div>
    );
  return (
    <ConfirmPanel
      title={title}
      question={`Are you sure you wish to approve ${counted(ready.length, "order")} and issue the certificate${ready.length === 1 ? "" : "s"}? This process cannot be reversed.`}
      confirmLabel="Approve"
      variant="primary"
      cancelTo={queue}
      fields={{ id: joined(ready), notReady: joined(refused), [LIST_FIELD]: list ?? "" }}
    >
      <DataTable caption="Orders to approve" columns={readyColumns} rows={ready} rowKey={(row) => row.id} />
      {rest}
    </ConfirmPanel>
  );
}

export const meta = pageTitle("Approve Orders");
