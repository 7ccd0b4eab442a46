import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { ApprovedOrders, namedOrderColumns } from "~/components/certificates/approved-orders";
import { CONFIRMATION_LABELS, SignerConfirmation } from "~/components/certificates/signer-confirmation";
import { ErrorSummary } from "~/components/forms/error-summary";
import { DataTable } from "~/components/lists/data-table";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { HexPairs } from "~/components/ui/hex-pairs";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { type BulkResult } from "~/domain/certificates/queue/bulk-approval.service.server";
import { colonHex } from "~/lib/hex";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

const TITLE = "Confirm to the signer";
const BACK = { to: paths.certificateQueue, label: "Back to the queue" };

type Waiting = ReturnType<typeof useLoaderData<typeof loader>>["waiting"][number];

const columns: Column<Waiting>[] = [
  ...namedOrderColumns<Waiting>(paths.certificateQueueOrder),
  { key: "serialNumber", label: "Serial number", cell: (row) => <HexPairs value={colonHex(row.serialNumber)} /> },
  { key: "digest", label: "SHA-256 of what is signed", cell: (row) => <HexPairs value={colonHex(row.digest)} /> },
];

export default function ConfirmToSigner() {
  const { isNeeded, problem, kinds, waiting, fingerprint } = useLoaderData<typeof loader>();
  const answer = useActionData<{ result?: BulkResult }>();
  if (answer?.result) return <ApprovedOrders {...answer.result} back={BACK} />;
  if (waiting.length === 0)
    return (
      <PageHeader title={TITLE} back={BACK}>
        <p role="status">
          {problem ??
            (isNeeded
              ? "No order that you have approved waits for your confirmation."
              : "The certificates of this portal need no confirmation of a person to the signer.")}
        </p>
      </PageHeader>
    );
  const fields = { ids: waiting.map(({ id }) => id).join(","), fingerprint };
  const what = waiting.length === 1 ? "this certificate" : `these ${waiting.length} certificates`;
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} order={Object.keys(CONFIRMATION_LABELS)} labels={CONFIRMATION_LABELS} />
      <PageHeader title={TITLE} back={BACK}>
        <p>
          You have approved these orders. The signer issues their certificates when you confirm them to it yourself.
          Read the list first: you confirm all of it.
        </p>
      </PageHeader>
      <DataTable caption="Certificates to confirm" columns={columns} rows={waiting} rowKey={(row) => row.id} />
      {kinds.length === 0 && (
        <Note tone="warn" title="The signer accepts no passkey and no app of yours.">
          <Link to={staffPaths.signer}>Offer it a passkey</Link>, or ask an operator of the signer to add an
          authenticator app. Your orders wait meanwhile.
        </Note>
      )}
      <SignerConfirmation formId={FORM} kinds={kinds} what={what} fields={fields} />
    </div>
  );
}

export const meta = pageTitle(TITLE);
