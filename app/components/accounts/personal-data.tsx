import { type PersonalDataView } from "~/domain/accounts/personal-data/export.service.server";
import { DataTable } from "../lists/data-table";
import { Time } from "../ui/time";

type Section = PersonalDataView["sections"][number];

function SectionTable({ section: { title, columns, rows, hasMore } }: { section: Section }) {
  if (rows.length === 0)
    return (
      <p>
        <strong>{title}:</strong> none
      </p>
    );
  const numbered = rows.map((cells, index) => ({ index, cells }));
  return (
    <div className="stack">
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
      {hasMore && <p className="hint">There are more. The file has all of them.</p>}
    </div>
  );
}

/** What the portal holds about a person, as tables that can be printed. */
export function PersonalDataTables({ data: { madeAt, sections } }: { data: PersonalDataView }) {
  return (
    <>
      <p>
        As of <Time value={madeAt} withTime />. All times are UTC.
      </p>
      {sections.map((section) => (
        <SectionTable key={section.key} section={section} />
      ))}
    </>
  );
}
