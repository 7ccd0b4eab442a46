import { type CompanyNoteItem } from "~/domain/companies/staff/company-notes.service.server";
import { type CompanyPage } from "~/domain/companies/staff/company-page.service.server";
import { COMPANY_NOTE_LIMIT } from "~/domain/companies/staff/company-parts.policy";
import { companyNoteValidator } from "~/domain/companies/validators";
import { paths } from "~/lib/paths";
import { PortalForm } from "../forms/form";
import { TextareaField } from "../forms/textarea-field";
import { type Column } from "../lists/table-columns";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Time } from "../ui/time";
import { Part } from "./company-parts";

export const NOTE_LABELS = { note: "New note" } as const;

export const NOTE_COLUMNS: readonly Column<CompanyNoteItem>[] = [
  {
    key: "text",
    label: "Note",
    cell: ({ text }) => <div className="lines">{text}</div>,
  },
  { key: "by", label: "Written by", cell: ({ by }) => <bdi>{by}</bdi> },
  { key: "written", label: "When", sortable: true, cell: ({ writtenAt }) => <Time value={writtenAt} withTime /> },
];

interface Props {
  formId: string;
  company: CompanyPage;
}

/** The latest notes of staff, and the form that adds one. */
export const CompanyNotes = ({ formId, company: { id: companyId, notes, mayWriteNotes } }: Props) => (
  <div className="stack">
    <Part
      caption="Notes of staff"
      part={notes}
      columns={NOTE_COLUMNS}
      rowKey={({ id }) => id}
      all={{ to: paths.companyNotes(companyId), label: "All notes about the company" }}
      empty="No notes"
    />
    {mayWriteNotes && (
      <PortalForm key={notes?.rows[0]?.id} id={formId} validator={companyNoteValidator} className="form">
        <input type="hidden" name="seen" value={notes?.rows[0]?.id ?? 0} />
        <TextareaField
          name="note"
          label={NOTE_LABELS.note}
          hint="Staff who see customers can read it. Nobody can change or delete it."
          limit={COMPANY_NOTE_LIMIT}
          rows={3}
        />
        <ButtonRow>
          <SubmitButton variant="secondary" busyText="Adding…">
            Add note
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    )}
  </div>
);
