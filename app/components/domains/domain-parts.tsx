import { type DomainView } from "~/domain/companies/domains/domain-view.server";
import { type Column } from "../lists/table-columns";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

/** A name with its international letters below it, where it has any. */
export const DomainName = ({ name, international }: Pick<DomainView, "name" | "international">) => (
  <>
    {name}
    {international !== null && (
      <span className="sub">
        <bdi>{international}</bdi>
      </span>
    )}
  </>
);

/** The columns about a domain or mailbox that its company and staff see. */
export const DOMAIN_COLUMNS: readonly Column<DomainView>[] = [
  { key: "state", label: "State", cell: ({ state }) => <StatusBadge status={state} /> },
  { key: "method", label: "Confirmed by", cell: ({ confirmedBy }) => confirmedBy },
  { key: "confirmed", label: "Confirmed", cell: ({ confirmedAt }) => <Time value={confirmedAt} /> },
  { key: "until", label: "Until", cell: ({ until }) => <Time value={until} /> },
  { key: "remark", label: "Remark", cell: ({ remark }) => remark },
];
