import { type AvailableCode } from "~/domain/codes/list/service.server";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { LinkButton } from "../ui/buttons";

interface Props {
  rows: readonly AvailableCode[];
  /** Returns the address at which an entity of a type is registered. Undefined for a member who registers none. */
  registerPath?: ((type: string) => string) | undefined;
}

const COLUMNS: readonly Column<AvailableCode>[] = [
  { key: "codeType", label: "Type of Code", cell: (row) => row.codeType, rowHeader: true },
  { key: "quantity", label: "Quantity", cell: (row) => row.quantity, numeric: true },
];

const registerColumn = (registerPath: (type: string) => string): Column<AvailableCode> => ({
  key: "register",
  label: "Register",
  cell: (row) =>
    row.quantity > 0 && (
      <LinkButton to={registerPath(row.type)} small>
        Register Entity<span className="vh"> of the type {row.codeType}</span>
      </LinkButton>
    ),
});

/** The codes of paid orders that are not registered yet (COD-01). */
export const AvailableCodeTable = ({ rows, registerPath }: Props) => (
  <DataTable
    caption="Your available codes"
    columns={registerPath ? [...COLUMNS, registerColumn(registerPath)] : COLUMNS}
    rows={rows}
    rowKey={(row) => row.type}
  />
);
