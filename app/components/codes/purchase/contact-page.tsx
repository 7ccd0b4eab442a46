import { useLoaderData } from "@remix-run/react";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { PageHeader } from "~/components/ui/page-header";
import { ResumableNote } from "~/components/purchase/resumable-note";
import { TechnicalContact } from "~/components/purchase/technical-contact";
import { WIZARD_HEADERS } from "~/components/purchase/wizard-texts";
import { confirmationValidator } from "~/domain/codes/purchase/validators";
import { CODE_STEP_FORMS } from "~/domain/codes/purchase/fields";
import { type loadContact } from "~/http/code-purchase.server";
import { paths } from "~/lib/paths";

const FORM = CODE_STEP_FORMS.contact;

/** Step 1: who orders (B §2, Code purchase wizard). */
export function CodeContactPage() {
  const { technical, resumable } = useLoaderData<typeof loadContact>();
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} />
      <PageHeader title={WIZARD_HEADERS.codes}>
        <p>Please confirm that these are your contact details.</p>
      </PageHeader>
      {resumable && <ResumableNote wizard="codes" draft={resumable} />}
      <TechnicalContact contact={technical} />
      <PortalForm id={FORM} validator={confirmationValidator}>
        <ButtonRow>
          <SubmitButton>Confirm</SubmitButton>
          <LinkButton to={paths.codes} variant="quiet">
            Cancel
          </LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}
