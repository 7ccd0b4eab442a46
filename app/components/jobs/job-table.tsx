import { type JobState, type JobStatus } from "~/domain/jobs/status.service.server";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { SubmitButton } from "../ui/buttons";
import { Badge, type Tone } from "../ui/status-badge";
import { Time } from "../ui/time";

const TONES: Record<JobState, Tone> = {
  "Not run yet": "mute",
  Running: "info",
  Succeeded: "ok",
  Failed: "bad",
  Interrupted: "warn",
};

/** The result of the last run, or when the current run began. */
function LastRun({ row }: { row: JobStatus }) {
  const isOpen = row.state === "Running" || row.state === "Interrupted";
  const outcome = row.error ?? row.result;
  return (
    <div>
      <Badge tone={TONES[row.state]}>{row.state}</Badge> {isOpen && "began "}
      <Time value={isOpen ? row.startedAt : row.finishedAt} withTime />
      {!isOpen && row.duration && `, took ${row.duration}`}
      {!isOpen && outcome && <bdi className="sub">{outcome}</bdi>}
    </div>
  );
}

const columns: Column<JobStatus>[] = [
  {
    key: "name",
    label: "Job",
    rowHeader: true,
    cell: ({ name, about }) => (
      <>
        {name}
        <span className="sub">{about}</span>
      </>
    ),
  },
  { key: "schedule", label: "Schedule (UTC)", cell: ({ schedule }) => <span>{schedule}</span> },
  { key: "last", label: "Last run", cell: (row) => <LastRun row={row} /> },
  { key: "next", label: "Next run", cell: ({ nextRunAt }) => <Time value={nextRunAt} withTime /> },
  {
    key: "failure",
    label: "Last failure",
    cell: ({ failedAt, failure }) =>
      failedAt && (
        <div>
          <Time value={failedAt} withTime />
          <bdi className="sub">{failure}</bdi>
        </div>
      ),
  },
  {
    key: "run",
    label: "By hand",
    cell: ({ name, state }) =>
      state !== "Running" && (
        <SubmitButton name="job" value={name} variant="secondary" small>
          Run now<span className="vh"> {name}</span>
        </SubmitButton>
      ),
  },
];

/** The jobs. Staff who may run them see a button for each. */
export function JobsTable({ rows, mayRun }: { rows: readonly JobStatus[]; mayRun: boolean }) {
  const shown = mayRun ? columns : columns.filter(({ key }) => key !== "run");
  return <DataTable caption="Jobs" columns={shown} rows={rows} rowKey={(row) => row.name} />;
}
