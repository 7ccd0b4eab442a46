import { useActionData } from "@remix-run/react";
import {
  MOST_TAGS,
  NOTES_FORM,
  NOTES_LABELS,
  NOTES_LIMIT,
  NOTES_PLACE,
  TAG_LIMIT,
} from "~/domain/certificates/catalogue/notes-fields";
import { type ShownNotes } from "~/domain/certificates/catalogue/notes.service.server";
import { certificateNotesValidator } from "~/domain/certificates/validators";
import { PortalForm } from "../forms/form";
import { HiddenField } from "../forms/portal-field";
import { Remount, useShownVersion } from "../forms/remount";
import { TextField } from "../forms/text-field";
import { TextareaField } from "../forms/textarea-field";
import { useMaybeShell } from "../shell/shell";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";

/**
 * Where the company uses a certificate, in its own words, and the form that changes them. The form is closed after it has been saved, so that
 * the card has its final height when the page scrolls to it.
 */
export function NotesCard({ notes: { notes, tags, form, hint } }: { notes: ShownNotes }) {
  const answer = useActionData<{ formId?: string }>();
  const unsent = useMaybeShell()?.unsent?.formId;
  const version = useShownVersion("seen", form?.seen ?? "");
  const isOpen = [answer?.formId, unsent].includes(NOTES_FORM);
  return (
    <Card title="Where it is used" anchor={NOTES_PLACE}>
      <DescriptionList
        items={[
          {
            term: NOTES_LABELS.tags,
            detail: tags.length > 0 && (
              <ul className="tags" role="list">
                {tags.map((tag) => (
                  <li key={tag} className="tag mute">
                    <bdi>{tag}</bdi>
                  </li>
                ))}
              </ul>
            ),
          },
          { term: NOTES_LABELS.notes, detail: notes && <div className="lines">{notes}</div> },
        ]}
      />
      <p className="hint">{hint}</p>
      {form && (
        <details key={version} className="no-print" open={isOpen}>
          <summary>Change notes and tags</summary>
          <Remount on={version}>
            <PortalForm id={NOTES_FORM} validator={certificateNotesValidator} defaultValues={form} defaultIntent="note">
              <HiddenField name="seen" />
              <HiddenField name="opened" />
              <TextField
                name="tags"
                label={NOTES_LABELS.tags}
                optional
                hint={`Separated by commas, at most ${MOST_TAGS} of ${TAG_LIMIT} characters`}
                autoComplete="off"
              />
              <TextareaField name="notes" label={NOTES_LABELS.notes} optional limit={NOTES_LIMIT} rows={4} />
              <ButtonRow>
                <SubmitButton variant="secondary" intent="note" busyText="Saving…">
                  Save
                </SubmitButton>
              </ButtonRow>
            </PortalForm>
          </Remount>
        </details>
      )}
    </Card>
  );
}
