import { useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { AddressPanel } from "~/components/codes/address-panel";
import { CodeCertificates } from "~/components/codes/code-certificates";
import { ALL_CODE_LABELS, CODE_FORM } from "~/components/codes/code-form";
import { ContactsPanel } from "~/components/codes/contacts-panel";
import { DetailsPanel } from "~/components/codes/details-panel";
import { UnsavedNote } from "~/components/codes/unsaved-note";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { fieldId } from "~/components/forms/form-id";
import { HiddenField } from "~/components/forms/portal-field";
import { Remount, useShownVersion } from "~/components/forms/remount";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Badge } from "~/components/ui/status-badge";
import { Tile } from "~/components/ui/tile";
import { CODE_FIELDS } from "~/domain/codes/code-details-fields";
import { CANCEL_CODE_QUESTION } from "~/domain/codes/code-status.policy";
import { codeDetailsValidator } from "~/domain/codes/validators";
import { rarePaths } from "~/lib/rare-paths";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

function titleOf({ code, parent }: { code: object | null; parent: object | null }): string {
  if (code) return "Code details";
  return parent ? "Register Sub-Entity" : "Register Entity";
}

/** Handles Cancel in the question, with scripts. */
function restoreStatus(): void {
  const field = document.getElementById(fieldId(CODE_FORM, "status"));
  if (!(field instanceof HTMLSelectElement)) return;
  field.value = Array.from(field.options).find((option) => option.defaultSelected)?.value ?? "Registered";
}

export default function CodeDetails() {
  const page = useLoaderData<typeof loader>();
  const { code, rules, mayEdit, countries, back } = page;
  const validator = useMemo(() => codeDetailsValidator(rules), [rules]);
  const version = useShownVersion("version", page.version);
  const answer = useActionData<{ asked?: Record<string, string> }>();
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Code status"
      question={CANCEL_CODE_QUESTION}
      confirmLabel="OK"
      onCancel={restoreStatus}
    >
      <div className="narrow stack-l">
        <ErrorSummary formId={CODE_FORM} order={CODE_FIELDS} labels={ALL_CODE_LABELS} />
        <PageHeader
          title={
            <>
              {titleOf(page)} {code && page.parent && <Badge tone="info">Sub-Entity</Badge>}
            </>
          }
          back={{ to: back }}
        />
        {code && !mayEdit && (
          <Note tone="warn">
            <p>This code is {code.status}: its details can only be changed by staff.</p>
          </Note>
        )}
        {page.unsaved && <UnsavedNote {...page} unsaved={page.unsaved} />}
        <Remount on={version}>
          <PortalForm id={CODE_FORM} validator={validator} defaultValues={page.values} defaultIntent="save">
            <HiddenField name="opened" />
            <DetailsPanel {...page} />
            <AddressPanel name="physicalAddress" countries={countries} disabled={!mayEdit} />
            <AddressPanel name="mailingAddress" countries={countries} disabled={!mayEdit} />
            <ContactsPanel {...page} />
            <ButtonRow>
              {mayEdit && (
                <SubmitButton intent="save" busyText="Saving…">
                  {code ? "Update" : "Save"}
                </SubmitButton>
              )}
              <LinkButton to={back}>Back</LinkButton>
            </ButtonRow>
            <UnsavedChanges formId={CODE_FORM} isChanged={page.isTyped} />
          </PortalForm>
        </Remount>
        {page.certificates && <CodeCertificates {...page.certificates} />}
        {code && page.hasAuditLog && (
          <div className="no-print">
            <Tile title="View Audit Log" to={rarePaths.codeAuditLog(code.id, page.from.from)}>
              Who changed this code, when and how.
            </Tile>
          </div>
        )}
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => (data ? titleOf(data) : "Code details"));
