import { type AvailableCode } from "~/domain/codes/list/service.server";
import { DataTable } from "../lists/data-table";
import { LinkButton } from "../ui/buttons";

interface Props {
  rows: readonly AvailableCode[];
  /** Returns the address at which an entity of a type is registered. Undefined for a member who registers none. */
  registerPath?: ((type: string) => string) | undefined;
}

/** The codes of paid orders that are not registered yet (COD-01). */
export const AvailableCodeTable = ({ rows, registerPath }: Props) => (
  <DataTable
    caption="Your available codes"
    columns={[
      { key: "codeType", label: "Type of Code", cell: (row) => row.codeType, rowHeader: true },
      { key: "quantity", label: "Quantity", cell: (row) => row.quantity, numeric: true },
      {
        key: "register",
        label: "Register",
        cell: (row) =>
          registerPath &&
          row.quantity > 0 && (
            <LinkButton to={registerPath(row.type)} small>
              Register Entity<span className="vh"> of the type {row.codeType}</span>
            </LinkButton>
          ),
      },
    ]}
    rows={rows}
    rowKey={(row) => row.type}
  />
);
