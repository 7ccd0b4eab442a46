import { FACTOR_KINDS } from "~/domain/accounts/factors/factors.policy";
import { type FactorView } from "~/domain/accounts/factors/factors.service.server";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { Time } from "../ui/time";

const COLUMNS: readonly Column<FactorView>[] = [
  { key: "name", label: "Name", rowHeader: true, cell: ({ name }) => <bdi>{name}</bdi> },
  { key: "kind", label: "Kind", cell: ({ kind }) => FACTOR_KINDS[kind] },
  { key: "added", label: "Added", cell: ({ createdAt }) => <Time value={createdAt} withTime /> },
  {
    key: "used",
    label: "Last use",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} withTime /> : "Not yet"),
  },
];

interface Props {
  factors: readonly FactorView[];
  /** A further column, such as one with buttons. */
  more?: Column<FactorView>;
}

/** The second factors of an account, oldest first. */
export const FactorsTable = ({ factors, more }: Props) => (
  <DataTable
    caption="Second factors"
    columns={more ? [...COLUMNS, more] : COLUMNS}
    rows={factors}
    rowKey={({ id }) => String(id)}
    empty="No second factors"
  />
);
