import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { ResumableNote, ResumedNote } from "~/components/purchase/resumable-note";
import { TechnicalContact } from "~/components/purchase/technical-contact";
import { stepTitle, WIZARD_HEADERS } from "~/components/purchase/wizard-texts";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { CODE_STEP_FORMS } from "~/domain/codes/purchase/fields";
import { confirmContact, codeContactStep } from "~/domain/codes/purchase/steps.service.server";
import { confirmationValidator } from "~/domain/drafts/validators";
import { isResumed } from "~/http/draft-id.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";
import { requireDraft } from "./home.code.purchase/draft.server";

const FORM = CODE_STEP_FORMS.contact;

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const draft = await requireDraft(request, user, "contact-details");
  return json({ ...(await codeContactStep(user, draft)), isResumed: isResumed(request) });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const draft = await requireDraft(request, user, "contact-details");
  await readForm(request);
  await confirmContact(user.id, draft);
  return redirect(paths.codePurchase("order", draft.id), 303);
}

/** Step 1: who orders (CPO-01). */
export default function ContactDetails() {
  const { technical, resumable, order, isResumed: wasResumed } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} />
      <PageHeader title={WIZARD_HEADERS.codes}>
        <p>Please confirm that these are your contact details.</p>
      </PageHeader>
      {wasResumed && <ResumedNote {...order} />}
      <ResumableNote wizard="codes" orders={resumable} />
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

export const meta = pageTitle(stepTitle("codes", "contact-details"));
