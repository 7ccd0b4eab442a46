import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { ContactCriteria, FailedCriteria, useFailedCriteria } from "~/components/purchase/contact-criteria";
import { PersonFields } from "~/components/purchase/person-fields";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { ADDRESS_LABELS, CONTACT_FIELDS } from "~/domain/certificates/purchase/fields";
import { contactValidator } from "~/domain/certificates/purchase/validators";
import {
  changeContact,
  contactRulesOf,
  getContactChange,
} from "~/domain/certificates/queue/contact-change.service.server";
import { listCountryOptions } from "~/domain/reference/countries.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const FORM = "order-contact";

/** Returns to the order with the reason, when its contact cannot be changed any more. */
async function orLeave(request: Request, id: number, error: unknown): Promise<Response> {
  if (!isPortalError(error) || error.status !== 409) throw error;
  return redirectWithToast(request, paths.order(id), { kind: "warn", text: error.message });
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const id = readId(params.id);
  try {
    return json({ id, ...(await getContactChange(user, id)), countries: await listCountryOptions() });
  } catch (error) {
    throw await orLeave(request, id, error);
  }
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const id = readId(params.id);
  try {
    const form = await contactValidator(await contactRulesOf(user, id)).validate(await readForm(request));
    if (form.error) return invalid(form.error, form.submittedData);
    let isChanged;
    try {
      isChanged = await changeContact(user, id, form.data);
    } catch (error) {
      if (isPortalError(error) && error.status === 409) throw error;
      return refused(error, form.submittedData, FORM);
    }
    const text = isChanged
      ? `${form.data.name} is the authentication contact of this order now.`
      : "You changed nothing, so the order has the same authentication contact as before.";
    return await redirectWithToast(request, paths.order(id), { kind: "ok", text });
  } catch (error) {
    return orLeave(request, id, error);
  }
}

/** Names another authentication contact for a pending order. */
export default function OrderContact() {
  const { id, orderNumber, values, rules, countries } = useLoaderData<typeof loader>();
  const validator = useMemo(() => contactValidator(rules), [rules]);
  const { failures, followEmail } = useFailedCriteria(FORM, rules);
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={CONTACT_FIELDS} labels={ADDRESS_LABELS} />
      <PageHeader title="Change the contact" back={{ to: paths.order(id), label: `Order ${orderNumber}` }}>
        <p>
          A new email address gets its own message, and the present contact’s link no longer works. Our checks stay.
        </p>
      </PageHeader>
      <Card title="Authentication Contact Details" className="stack">
        <ContactCriteria failures={failures} />
        <PortalForm id={FORM} validator={validator} defaultValues={values}>
          <PersonFields
            countries={countries}
            withPosition
            emailFailures={failures.length > 0 && <FailedCriteria failures={failures} />}
            onEmailChange={followEmail}
          />
          <ButtonRow>
            <SubmitButton>Save</SubmitButton>
            <LinkButton to={paths.order(id)} variant="quiet">
              Cancel
            </LinkButton>
          </ButtonRow>
        </PortalForm>
        <UnsavedChanges formId={FORM} />
      </Card>
    </div>
  );
}

export const meta = pageTitle("Change the contact");
