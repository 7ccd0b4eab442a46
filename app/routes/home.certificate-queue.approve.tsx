import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { DataTable } from "~/components/lists/data-table";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { ConfirmPanel } from "~/components/ui/confirm-panel";
import { PageHeader } from "~/components/ui/page-header";
import {
  approveSelected,
  type BulkResult,
  checkSelected,
  type RefusedOrder,
} from "~/domain/certificates/queue/bulk-approval.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";
import { isPortalError } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

/** Returns to the queue with the reason when the selection itself is refused. */
async function orBackToQueue<T>(request: Request, work: () => Promise<T>) {
  try {
    return json(await work());
  } catch (error) {
    if (!isPortalError(error) || error.field !== "id") throw error;
    return redirectWithToast(request, paths.certificateQueue, { kind: "warn", text: error.message });
  }
}

/** Reads the ticked ids. The confirmed form sends them in one field, because a form has at most 200 fields. */
const idsOf = (values: readonly FormDataEntryValue[]) =>
  values.flatMap((value) => (typeof value === "string" ? value.split(",") : [])).map((value) => readId(value));

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  return orBackToQueue(request, () => checkSelected(idsOf(new URL(request.url).searchParams.getAll("id")), user));
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  const submitted = await readForm(request);
  await requireStepUp(request, user, "approve", { fields: submitted });
  return orBackToQueue(request, () => approveSelected(idsOf(submitted.getAll("id")), user));
}

type Named = Omit<RefusedOrder, "reason" | "code">;

const named = <Row extends Named>(to: (id: number) => string): Column<Row>[] => [
  { key: "orderNumber", label: "Order", cell: (row) => row.orderNumber },
  {
    key: "commonName",
    label: "Common name",
    rowHeader: true,
    cell: (row) => <Link to={to(row.id)}>{row.commonName}</Link>,
  },
  { key: "organisation", label: "Organisation", cell: (row) => row.organisation },
];

const readyColumns = named<Named>(paths.certificateQueueOrder);

const issuedColumns: Column<BulkResult["issued"][number]>[] = [
  ...named<BulkResult["issued"][number]>(paths.certificateDetails),
  { key: "serialNumber", label: "Serial number", cell: (row) => colonHex(row.serialNumber) },
];

const refusedColumns: Column<RefusedOrder>[] = [
  ...named<RefusedOrder>(paths.certificateQueueOrder),
  { key: "reason", label: "Reason", cell: (row) => row.reason },
];

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

function Refused({ caption, rows }: { caption: string; rows: RefusedOrder[] }) {
  if (rows.length === 0) return null;
  return <DataTable caption={caption} columns={refusedColumns} rows={rows} rowKey={(row) => row.id} />;
}

function Result({ issued, refused }: BulkResult) {
  return (
    <div className="stack-l">
      <PageHeader title="Approved Orders" back={{ to: paths.certificateQueue, label: "Back to the queue" }}>
        <p role="status">
          {issued.length === 0
            ? "No certificate has"
            : `${counted(issued.length, "certificate")} ha${issued.length === 1 ? "s" : "ve"}`}{" "}
          been issued{refused.length > 0 && `, ${counted(refused.length, "order")} not approved`}.
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
  const { ready, refused } = useLoaderData<typeof loader>();
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
        <LinkButton to={paths.certificateQueue}>Back to the queue</LinkButton>
      </div>
    );
  return (
    <ConfirmPanel
      title={title}
      question={`Are you sure you wish to approve ${counted(ready.length, "order")} and issue the certificate${ready.length === 1 ? "" : "s"}? This process cannot be reversed.`}
      confirmLabel="Approve"
      variant="primary"
      cancelTo={paths.certificateQueue}
      fields={{ id: ready.map(({ id }) => id).join(",") }}
    >
      <DataTable caption="Orders to approve" columns={readyColumns} rows={ready} rowKey={(row) => row.id} />
      {rest}
    </ConfirmPanel>
  );
}

export const meta = pageTitle("Approve Orders");
