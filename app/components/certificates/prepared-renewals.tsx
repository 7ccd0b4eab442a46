import { type PreparedRenewal } from "~/domain/certificates/succession/prepared-renewals.service.server";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { LinkButton } from "../ui/buttons";
import { Time } from "../ui/time";

const COLUMNS: readonly Column<PreparedRenewal>[] = [
  { key: "name", label: "Certificate", rowHeader: true, cell: ({ commonName }) => <bdi>{commonName}</bdi> },
  { key: "by", label: "Prepared by", cell: ({ by }) => <bdi>{by}</bdi> },
  { key: "at", label: "Prepared", cell: ({ at }) => <Time value={at} withTime /> },
  {
    key: "check",
    label: "Check",
    cell: ({ draftId, commonName }) => (
      <LinkButton to={paths.certificateWizard("renew", "invoice-address", draftId)} small>
        Check and order<span className="vh"> the renewal of {commonName}</span>
      </LinkButton>
    ),
  },
];

/** The renewals that colleagues have prepared, for those who may order them. */
export const PreparedRenewals = ({ rows }: { rows: readonly PreparedRenewal[] }) => (
  <DataTable
    caption="Renewals that colleagues have prepared"
    columns={COLUMNS}
    rows={rows}
    rowKey={({ draftId }) => draftId}
    empty="No prepared renewals"
  />
);
