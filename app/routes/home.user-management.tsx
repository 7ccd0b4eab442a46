import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { type GenericObject, type ValidationErrorResponseData } from "remix-validated-form";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/buttons";
import { DetailsFields } from "~/components/details-fields";
import { ErrorSummary } from "~/components/error-summary";
import { PortalForm } from "~/components/form";
import { HiddenField } from "~/components/hidden-field";
import { PendingEmailNote } from "~/components/pending-email";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { SecurityFields } from "~/components/security-fields";
import { UnsavedChanges } from "~/components/unsaved-changes";
import { USER_DETAILS_LABELS, USER_DETAILS_ORDER, UserDetailsFields } from "~/components/user-details-fields";
import { userDetailsValidator } from "~/domain/accounts/accounts.lazy-validators";
import { VAT_UNCHECKED } from "~/domain/accounts/company-details.server";
import { restoreLocked } from "~/domain/accounts/details-form.server";
import { followCountry } from "~/domain/accounts/invoiced-country";
import {
  loadUserDetails,
  type SavedDetails,
  saveUserDetails,
  userDetailsRules,
} from "~/domain/accounts/user-details.service.server";
import { type ChangedMeanwhile, toldOnPage } from "~/domain/changed-meanwhile";
import { listCountryOptions, listVatCountries } from "~/domain/reference/countries.server";
import { redirectWithToast } from "~/http/flash.server";
import { foreseen } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { signedInCookies } from "~/http/known-device.server";
import { decidePendingEmail } from "~/http/pending-email.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { replaceSession, type Toast } from "~/http/session.server";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";

const FORM = "user-management";
const SAVED = "User details successfully updated.";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const [details, countries, vatCountries] = await Promise.all([
    loadUserDetails(user),
    listCountryOptions(),
    listVatCountries(),
  ]);
  const { securityQuestions } = getConfig().accounts;
  return json({ ...details, countries, vatCountries, securityQuestions, isActing: user.impersonator !== null });
}

/** A new password has ended every session: this browser goes on with a fresh one. */
async function saved(request: Request, userId: number, { sessionEpoch, pendingEmail, isVatUnchecked }: SavedDetails) {
  const then =
    pendingEmail && `The account gets the address ${pendingEmail} once the link that was sent to it is used.`;
  const text = [SAVED, then, isVatUnchecked && VAT_UNCHECKED].filter(Boolean).join(" ");
  const toast: Toast = { kind: isVatUnchecked ? "warn" : "ok", text };
  if (sessionEpoch === null) return redirectWithToast(request, paths.dashboard, toast);
  const user = { id: userId, sessionEpoch };
  const session = await replaceSession(request, user, { toast });
  return redirect(paths.dashboard, { status: 303, headers: await signedInCookies(request, user, session) });
}

/** Tells what is stored meanwhile; the next Save replaces it. */
function conflicting(conflict: ChangedMeanwhile, submitted: GenericObject) {
  const error = new PortalError(toldOnPage("These details were", conflict, "Save"), {
    code: "account.changed-meanwhile",
    status: 409,
  });
  return refused(error, { ...submitted, replaces: conflict.version }, FORM);
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const sent = await readForm(request);
  const decided = await decidePendingEmail(request, user, sent);
  if (decided) return decided;
  const rules = await userDetailsRules(user);
  restoreLocked(sent, rules.locked);
  const isCountryOnly = followCountry(sent);
  const form = await userDetailsValidator(rules).validate(sent);
  if (isCountryOnly) return typedAgain(form.submittedData, FORM);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const result = await saveUserDetails(user, form.data);
    if ("differing" in result) return conflicting(result, form.submittedData);
    return await saved(request, user.id, result);
  } catch (error) {
    return refused(foreseen(error, { request, context, code: "OCA0F02E" }), form.submittedData, FORM);
  }
}

export default function UserManagement() {
  const { values, rules, pendingEmail, ...page } = useLoaderData<typeof loader>();
  const { countries, vatCountries, securityQuestions, isActing } = page;
  const validator = useMemo(() => userDetailsValidator(rules), [rules]);
  const answer = useActionData<Partial<ValidationErrorResponseData>>();
  const replaces = (answer?.repopulateFields as GenericObject | undefined)?.replaces as string | undefined;
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={USER_DETAILS_ORDER} labels={USER_DETAILS_LABELS} />
      <PageHeader title="User Details" back={{ to: paths.dashboard }} />
      {pendingEmail && <PendingEmailNote pending={pendingEmail} current={values.email} isActing={isActing} />}
      <PortalForm id={FORM} validator={validator} defaultValues={values} defaultIntent="save">
        <HiddenField name="version" />
        {replaces && <input type="hidden" name="replaces" value={replaces} />}
        <UserDetailsFields locked={rules.locked} isActing={isActing} />
        <DetailsFields
          formId={FORM}
          title="Company Details"
          locked={rules.locked}
          isRequired={rules.isRequired}
          countries={countries}
          vatCountries={vatCountries}
        />
        <SecurityFields
          questions={securityQuestions}
          stored={rules.securityQuestion}
          passwordMinLength={rules.passwordMinLength}
          isActing={isActing}
        />
        <ButtonRow>
          <SubmitButton intent="save" busyText="Saving…">
            Save
          </SubmitButton>
          <LinkButton to={paths.dashboard}>Cancel</LinkButton>
        </ButtonRow>
        <UnsavedChanges formId={FORM} ignore={LEFT_FREELY} />
      </PortalForm>
    </div>
  );
}

/** Cancel goes there without a question (A §2). */
const LEFT_FREELY = [paths.dashboard];

export const meta = pageTitle("User Details");
