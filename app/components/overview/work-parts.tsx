import { Form, Link } from "@remix-run/react";
import { type Work } from "~/domain/overview/waiting.service.server";
import { staffPaths } from "~/lib/staff-paths";
import { daysText } from "../certificates/approved-orders";
import { CsrfField } from "../forms/csrf-field";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Badge } from "../ui/status-badge";
import { Time } from "../ui/time";

type Waiting = NonNullable<Work["waiting"]>[number];

/** A bar with a part for each age. The numbers are in the columns beside it. */
const AgeBar = ({ ages, most }: Pick<Waiting, "ages" | "most">) => (
  <svg className="ages" aria-hidden="true" width="100%" height="16">
    {ages.map((count, index) => {
      const before = ages.slice(0, index).reduce((sum, one) => sum + one, 0);
      return <rect key={index} x={`${(before / most) * 100}%`} width={`${(count / most) * 100}%`} height="16" />;
    })}
  </svg>
);

const waitingColumns = (ages: readonly string[]): Column<Waiting>[] => [
  { key: "stage", label: "Stage", rowHeader: true, cell: ({ title, to }) => <Link to={to}>{title}</Link> },
  { key: "count", label: "Orders", numeric: true, cell: ({ count }) => count },
  ...ages.map((label, index): Column<Waiting> => ({
    key: `age${index}`,
    label,
    numeric: true,
    cell: (row) => row.ages[index],
  })),
  { key: "bar", label: "By age", cell: (row) => <AgeBar {...row} /> },
  {
    key: "oldest",
    label: "Oldest",
    cell: ({ age, isLate }) => (isLate ? <Badge tone="warn">{daysText(age)}</Badge> : daysText(age)),
  },
];

/** How many orders wait at each stage of the queue, and for how long. */
export const WaitingTable = ({ waiting, ages }: { waiting: readonly Waiting[]; ages: readonly string[] }) => (
  <DataTable
    caption="Orders that wait for a certificate, by age"
    columns={waitingColumns(ages)}
    rows={waiting}
    rowKey={({ stage }) => stage}
    empty="No order waits."
  />
);

type Due = NonNullable<Work["due"]>;

const DUE_COLUMNS: readonly Column<Due["rows"][number]>[] = [
  {
    key: "company",
    label: "Company",
    rowHeader: true,
    cell: ({ company, to }) => (
      <Link to={to}>
        <bdi>{company}</bdi>
      </Link>
    ),
  },
  { key: "due", label: "Certificates", numeric: true, cell: ({ due }) => due },
  { key: "ordered", label: "Renewals ordered", numeric: true, cell: ({ ordered }) => ordered },
  {
    key: "first",
    label: "First one ends",
    cell: ({ firstEnd, daysLeft }) => (
      <span>
        <Time value={firstEnd} />, in {daysText(daysLeft)}
      </span>
    ),
  },
];

/** The companies whose certificates end soon, most certificates first. */
export const DueTable = ({ due: { rows, companies, days } }: { due: Due }) => (
  <DataTable
    caption={`Renewals due within ${days} days`}
    summary={companies > rows.length ? `The first ${rows.length} of ${companies} companies` : undefined}
    columns={DUE_COLUMNS}
    rows={rows}
    rowKey={({ companyId }) => companyId}
    empty="No certificate ends soon."
  />
);

interface Failing {
  failing: NonNullable<Work["failing"]>;
  /** Whether the user may run jobs. */
  mayRun: boolean;
}

/** The jobs that fail, each with the reason and a way to run it again. Nothing when there is none. */
export const FailingJobs = ({ failing, mayRun }: Failing) =>
  failing.length > 0 && (
    <Card title="Jobs that fail">
      <ul className="stack">
        {failing.map(({ name, error, at, succeededAt }) => (
          <li key={name}>
            <Link to={staffPaths.jobs}>{name}</Link>, failed <Time value={at} withTime />
            <span className="sub">
              {error}{" "}
              {succeededAt !== null && (
                <>
                  It last succeeded <Time value={succeededAt} withTime />.
                </>
              )}
            </span>
            {mayRun && (
              <Form method="post" action={staffPaths.jobs}>
                <CsrfField />
                <SubmitButton name="job" value={name} variant="secondary" small>
                  Try again<span className="vh"> {name}</span>
                </SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
