import { type PreparedRenewal } from "~/domain/certificates/succession/prepared-renewals.service.server";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { LinkButton } from "../ui/buttons";
import { Time } from "../ui/time";

const NAME: Column<PreparedRenewal> = {
  key: "name",
  label: "Certificate",
  rowHeader: true,
  cell: ({ commonName }) => <bdi>{commonName}</bdi>,
};

const COLUMNS: readonly Column<PreparedRenewal>[] = [
  NAME,
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

const OWN_COLUMNS: readonly Column<PreparedRenewal>[] = [
  NAME,
  { key: "at", label: "Handed over on", cell: ({ at }) => <Time value={at} withTime /> },
  { key: "until", label: "Kept until", cell: ({ until }) => <Time value={until} withTime /> },
  {
    key: "open",
    label: "Open",
    cell: ({ draftId, commonName }) => (
      <LinkButton to={paths.certificateWizard("renew", "invoice-address", draftId)} small>
        Open<span className="vh"> the renewal of {commonName}</span>
      </LinkButton>
    ),
  },
];

/**
 * The renewals that were handed over: those that colleagues have prepared, for members who may order them; for others those that they have
 * prepared themselves.
 */
export const PreparedRenewals = ({ rows, mayOrder }: { rows: readonly PreparedRenewal[]; mayOrder: boolean }) => (
  <DataTable
    caption={mayOrder ? "Renewals that colleagues have prepared" : "Renewals that you have handed over"}
    columns={mayOrder ? COLUMNS : OWN_COLUMNS}
    rows={rows}
    rowKey={({ draftId }) => draftId}
    empty="No prepared renewals"
  />
);
