import { type DescribedStatus, type StatusCell, type StatusSection } from "~/domain/status/sections.server";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { useShell } from "../shell/shell";
import { Note } from "../ui/note";
import { PageHeader } from "../ui/page-header";
import { Badge } from "../ui/status-badge";
import { Time } from "../ui/time";

function Value({ text, sub, at, tone, href }: StatusCell) {
  const shown = at === undefined ? text : <Time value={at} withTime />;
  const linked = href === undefined ? shown : <a href={href}>{shown}</a>;
  return (
    <>
      {tone === undefined ? linked : <Badge tone={tone}>{linked}</Badge>}
      {sub !== undefined && <span className="sub">{sub}</span>}
    </>
  );
}

const Section = ({ id, title, text, caption, columns, rows, empty }: StatusSection) => (
  <section className="stack" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <p>{text}</p>
    <DataTable
      caption={caption}
      rows={rows}
      rowKey={(row) => row.map(({ text: value }) => value).join()}
      empty={empty}
      columns={columns.map((label, index): Column<readonly StatusCell[]> => ({
        key: label,
        label,
        rowHeader: index === 0,
        cell: (row) => <Value {...(row[index] ?? { text: "" })} />,
      }))}
    />
  </section>
);

/** The public status: whether everything is published on time, and the figures behind it. It has plain links and works without scripts. */
export function StatusContents({ summary, readAt, measuredAt, sections, feeds }: DescribedStatus) {
  const { user } = useShell();
  const { title, tone, problems } = summary;
  return (
    <div className="stack-l">
      <PageHeader title="Status" back={{ to: user ? paths.dashboard : paths.login(), label: "Back" }}>
        <Note tone={tone} title={title}>
          {problems.length > 0 && (
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
          <p>
            Read at <Time value={readAt} withTime />
            {measuredAt !== null && (
              <>
                , measured at <Time value={measuredAt} withTime />
              </>
            )}
            .
          </p>
        </Note>
        <nav aria-label="On this page" className="no-print">
          <ul role="list" className="row">
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`}>{section.caption}</a>
              </li>
            ))}
          </ul>
        </nav>
      </PageHeader>
      {sections.map((section) => (
        <Section key={section.id} {...section} />
      ))}
      <section className="stack" aria-labelledby="programs">
        <h2 id="programs">For programs</h2>
        <ul>
          <li>
            <a href={feeds.json}>This status as JSON</a>, for your monitoring
          </li>
          <li>
            <a href={feeds.atom}>What is late or down, as an Atom feed</a>
          </li>
          <li>
            <a href={feeds.api}>The call Status/GetStatus</a> in the API reference, which describes each field
          </li>
        </ul>
      </section>
    </div>
  );
}
