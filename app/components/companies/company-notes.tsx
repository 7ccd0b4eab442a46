import { type CompanyPage } from "~/domain/companies/staff/company-page.service.server";
import { COMPANY_NOTE_LIMIT } from "~/domain/companies/staff/company-parts.policy";
import { companyNoteValidator } from "~/domain/companies/validators";
import { PortalForm } from "../forms/form";
import { TextareaField } from "../forms/textarea-field";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Time } from "../ui/time";

export const NOTE_LABELS = { note: "New note" } as const;

type Note = NonNullable<CompanyPage["notes"]>[number];

const COLUMNS: readonly Column<Note>[] = [
  {
    key: "text",
    label: "Note",
    cell: ({ text }) => (
      <div>
        {text.split("\n").map((line, index) => (
          <div key={index} dir="auto">
            {line}
          </div>
        ))}
      </div>
    ),
  },
  { key: "by", label: "Written by", cell: ({ by }) => <bdi>{by}</bdi> },
  { key: "at", label: "When", cell: ({ writtenAt }) => <Time value={writtenAt} withTime /> },
];

interface Props {
  formId: string;
  notes: readonly Note[];
  mayWrite: boolean;
}

/** The notes of staff, the latest first, and the form that adds one. */
export const CompanyNotes = ({ formId, notes, mayWrite }: Props) => (
  <div className="stack">
    <DataTable caption="Notes of staff" columns={COLUMNS} rows={notes} rowKey={({ id }) => id} empty="No notes" />
    {mayWrite && (
      <PortalForm key={notes[0]?.id} id={formId} validator={companyNoteValidator} className="form">
        <TextareaField
          name="note"
          label={NOTE_LABELS.note}
          hint="Staff who see customers can read it. Nobody can change or delete it."
          maxLength={COMPANY_NOTE_LIMIT}
          rows={3}
        />
        <ButtonRow>
          <SubmitButton busyText="Adding…">Add Note</SubmitButton>
        </ButtonRow>
      </PortalForm>
    )}
  </div>
);
