import { type PastAlert, type PresentAlert } from "~/domain/alerts/present.service.server";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

const columns: Column<PastAlert>[] = [
  { key: "title", label: "Alert", rowHeader: true, cell: ({ title }) => title },
  { key: "since", label: "From", cell: ({ since }) => <Time value={since} withTime /> },
  { key: "until", label: "To", cell: ({ until }) => <Time value={until} withTime /> },
];

interface Props {
  present: readonly PresentAlert[];
  past: readonly PastAlert[];
  /** Why the end of the portal's TLS certificate is unknown, or null. */
  unknown: string | null;
}

/** What is wrong with the portal itself now, and what was in the last days. */
export function Alerts({ present, past, unknown }: Props) {
  return (
    <section className="stack" aria-labelledby="alerts">
      <h2 id="alerts">Alerts</h2>
      {present.length === 0 && <p>Nothing is wrong.</p>}
      {present.map(({ name, subject, severity, title, detail, text, since }) => (
        <Note key={`${name} ${subject}`} tone={severity === "critical" ? "bad" : "warn"} title={title}>
          <p className="sub">
            {severity === "critical" ? "Critical" : "Warning"}: {detail && `${detail}, `}seen since{" "}
            <Time value={since} withTime />
          </p>
          <p>{text}</p>
        </Note>
      ))}
      {unknown !== null && (
        <p>
          It is unknown when the TLS certificate of the portal ends, because its address cannot be reached from here:{" "}
          <bdi>{unknown}</bdi>
        </p>
      )}
      {past.length > 0 && (
        <DataTable caption="Alerts of the last days" columns={columns} rows={past} rowKey={({ id }) => id} />
      )}
    </section>
  );
}
