import { Link } from "@remix-run/react";
import { findingList, type FindingListParams } from "~/domain/certificate-audit/list";
import { type ShownFinding } from "~/domain/certificate-audit/list.service.server";
import { paths } from "~/lib/paths";
import { daysText } from "../certificates/approved-orders";
import { DataTable } from "../lists/data-table";
import { FilterLinks } from "../lists/filter-links";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { Time } from "../ui/time";

/** A finding with common name and organisation of the certificate, for those who may see certificates. */
type FindingRow = ShownFinding & { certificate: string | null };

interface Props {
  rows: readonly FindingRow[];
  total: number;
  params: FindingListParams;
  /** Whether the user may open the pages of certificates. */
  maySeeCertificates: boolean;
}

const columnsOf = ({ params, maySeeCertificates }: Props): Column<FindingRow>[] => [
  {
    key: "finding",
    label: "Finding",
    rowHeader: true,
    cell: ({ title, subject, certificateId, certificate }) => (
      <span className="long">
        {title}
        <span className="sub">
          {certificateId !== null && maySeeCertificates ? (
            <Link to={paths.certificateDetails(certificateId)}>{subject}</Link>
          ) : (
            subject
          )}
          {certificate !== null && (
            <>
              : <bdi>{certificate}</bdi>
            </>
          )}
        </span>
      </span>
    ),
  },
  { key: "cause", label: "Cause", cell: ({ cause }) => <span className="long">{cause}</span> },
  { key: "todo", label: "What to do", cell: ({ todo }) => <span className="long">{todo}</span> },
  {
    key: "found",
    label: "First seen",
    sortable: true,
    cell: ({ firstSeenAt, age, settledAt }) => (
      <>
        <Time value={firstSeenAt} withTime />
        {settledAt === null && <span className="sub">{daysText(age)} ago</span>}
      </>
    ),
  },
  params.state === null
    ? { key: "last", label: "Last seen", cell: ({ lastSeenAt }) => <Time value={lastSeenAt} withTime /> }
    : { key: "settled", label: "Settled", cell: ({ settledAt }) => <Time value={settledAt} withTime /> },
];

/** Links that show the open or the settled findings. */
export function FindingStateFilter({ params }: { params: FindingListParams }) {
  const choices = ([null, "Settled"] as const).map((state) => ({
    label: state === null ? "open" : "settled",
    to: findingList.href(params, { state, page: 1 }),
    isCurrent: params.state === state,
  }));
  return <FilterLinks label="State of the findings" caption="State:" choices={choices} />;
}

/** What the nightly audit found. */
export function FindingTable(props: Props) {
  const { rows, total, params } = props;
  const { page, size, sort } = params;
  const order = sort.direction === "desc" ? "the latest first" : "the oldest first";
  return (
    <DataTable
      caption={params.state === null ? "Open findings" : "Settled findings of the last year"}
      summary={total > 0 ? `${rangeText({ page, size, total })}, ${order}` : undefined}
      columns={columnsOf(props)}
      rows={rows}
      rowKey={({ id }) => id}
      sort={{
        ...sort,
        href: (_, direction) => findingList.href(params, { sort: { key: "found", direction }, page: 1 }),
      }}
    />
  );
}
