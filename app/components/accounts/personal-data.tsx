import { type PersonalDataView } from "~/domain/accounts/personal-data/export.service.server";
import { DataTable } from "../lists/data-table";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

type Section = PersonalDataView["sections"][number];

/** Wider tables do not fit on a page or on paper. */
const MOST_COLUMNS = 6;

/** Shows each row of a wide section as a list of what it says. */
const SectionRows = ({ section: { title, columns, rows } }: { section: Section }) => (
  <Card title={title}>
    {rows.map((cells, index) => (
      <DescriptionList
        key={index}
        items={columns.map((term, column) => ({
          term,
          detail: cells[column] && <bdi className="lines">{cells[column]}</bdi>,
        }))}
        hideEmpty
      />
    ))}
  </Card>
);

function SectionTable({ section }: { section: Section }) {
  const { title, columns, rows, hasMore } = section;
  if (rows.length === 0)
    return (
      <p>
        <strong>{title}:</strong> none
      </p>
    );
  const numbered = rows.map((cells, index) => ({ index, cells }));
  return (
    <div className="stack">
      {columns.length > MOST_COLUMNS ? (
        <SectionRows section={section} />
      ) : (
        <DataTable
          caption={title}
          columns={columns.map((label, column) => ({
            key: label,
            label,
            cell: ({ cells }: (typeof numbered)[number]) => <bdi>{cells[column]}</bdi>,
          }))}
          rows={numbered}
          rowKey={({ index }) => index}
        />
      )}
      {hasMore && <p className="hint">There are more. The file has all of them.</p>}
    </div>
  );
}

/** What the portal holds about a person, as tables and lists that can be printed. */
export function PersonalDataTables({ data: { notice, madeAt, sections } }: { data: PersonalDataView }) {
  return (
    <>
      {notice && (
        <Note tone="warn" title="What is left out">
          <p>{notice}</p>
        </Note>
      )}
      <p>
        As of <Time value={madeAt} withTime />. All times are UTC.
      </p>
      {sections.map((section) => (
        <SectionTable key={section.key} section={section} />
      ))}
    </>
  );
}
