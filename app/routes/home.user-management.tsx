import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { Anew, useShownVersion } from "~/components/forms/anew";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { DetailsFields } from "~/components/accounts/details-fields";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { HiddenField } from "~/components/forms/hidden-field";
import { PendingEmailNote } from "~/components/accounts/pending-email";
import { PageHeader } from "~/components/ui/page-header";
import { pageTitle } from "~/components/shell/page-title";
import { SecurityFields } from "~/components/accounts/security-fields";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import {
  USER_DETAILS_LABELS,
  USER_DETAILS_MERGED,
  USER_DETAILS_ORDER,
  UserDetailsFields,
} from "~/components/accounts/user-details-fields";
import { userDetailsValidator } from "~/domain/accounts/validators";
import { VAT_UNCHECKED } from "~/domain/accounts/company-details.server";
import { restoreLocked } from "~/domain/accounts/details-form.server";
import { followCountry } from "~/domain/accounts/invoiced-country";
import {
  loadUserDetails,
  type SavedDetails,
  saveUserDetails,
  userDetailsRules,
} from "~/domain/accounts/user-details.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { toldTaken } from "~/domain/changed-meanwhile";
import { mergeForm } from "~/domain/merge-form.server";
import { normaliseVat } from "~/domain/reference/vat.schema";
import { countryName, listCountryOptions, listVatCountries } from "~/domain/reference/countries.server";
import { redirectWithToast } from "~/http/flash.server";
import { foreseen } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { signedInCookies } from "~/http/known-device.server";
import { decidePendingEmail } from "~/http/pending-email.server";
import { collided, invalid, refused, typedAgain } from "~/http/responses.server";
import { replaceSession, type Toast } from "~/http/session.server";
import { getConfig } from "~/lib/config.server";
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
async function saved(request: Request, userId: number, { sessionEpoch, ...done }: SavedDetails, taken: string[]) {
  const { pendingEmail, isVatUnchecked } = done;
  const then =
    pendingEmail && `The account gets the address ${pendingEmail} once the link that was sent to it is used.`;
  const text = [SAVED, taken.length > 0 && `${toldTaken(taken)}.`, then, isVatUnchecked && VAT_UNCHECKED]
    .filter(Boolean)
    .join(" ");
  const toast: Toast = { kind: isVatUnchecked ? "warn" : "ok", text };
  if (sessionEpoch === null) return redirectWithToast(request, paths.dashboard, toast);
  const user = { id: userId, sessionEpoch };
  const session = await replaceSession(request, user, { toast });
  return redirect(paths.dashboard, { status: 303, headers: await signedInCookies(request, user, session) });
}

const namesOf = (prefix: string) => Object.keys(USER_DETAILS_MERGED).filter((name) => name.startsWith(prefix));

/** Merges the form with the details that are stored now, when they are not those that it was opened with. */
async function mergeDetails(user: SessionUser, sent: FormData) {
  const { values } = await loadUserDetails(user);
  if (sent.get("version") === values.version) return { form: sent, taken: [], collisions: {} };
  const { invoicedCountry: _, ...stored } = values;
  const countries = await listCountryOptions();
  const merged = mergeForm(sent, stored, {
    labels: USER_DETAILS_MERGED,
    version: "version",
    joined: [
      { names: namesOf("companyAddress.") },
      { names: ["useCompanyAddress", ...namesOf("invoicingAddress.")], instead: "useCompanyAddress" },
    ],
    boxes: ["useCompanyAddress"],
    same: (name, text) => {
      if (name === "vatNumber") return normaliseVat(text);
      return name === "email" ? text.toLowerCase() : text;
    },
    shown: (name, text) => countryName(countries, name, text),
  });
  followCountry(merged.form);
  return merged;
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const sent = await readForm(request);
  const decided = await decidePendingEmail(request, user, sent);
  if (decided) return decided;
  const rules = await userDetailsRules(user);
  restoreLocked(sent, rules.locked);
  const isCountryOnly = followCountry(sent);
  if (isCountryOnly) return typedAgain((await userDetailsValidator(rules).validate(sent)).submittedData, FORM);
  return save({ request, context, user }, sent);
}

type At = Pick<ActionFunctionArgs, "request" | "context"> & { user: SessionUser };

async function save({ request, context, user }: At, sent: FormData, taken: string[] = []): Promise<Response> {
  const merged = await mergeDetails(user, sent);
  if (Object.keys(merged.collisions).length > 0) return collided(merged, FORM, "Save");
  const all = [...taken, ...merged.taken];
  const form = await userDetailsValidator(await userDetailsRules(user)).validate(merged.form);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const result = await saveUserDetails(user, form.data);
    if ("differing" in result) return await save({ request, context, user }, merged.form, all);
    return await saved(request, user.id, result, all);
  } catch (error) {
    return refused(foreseen(error, { request, context, code: "OCA0F02E" }), form.submittedData, FORM);
  }
}

export default function UserManagement() {
  const { values, rules, pendingEmail, ...page } = useLoaderData<typeof loader>();
  const { countries, vatCountries, securityQuestions, isActing } = page;
  const validator = useMemo(() => userDetailsValidator(rules), [rules]);
  const version = useShownVersion("version", values.version);
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={USER_DETAILS_ORDER} labels={USER_DETAILS_LABELS} />
      <PageHeader title="User Details" back={{ to: paths.dashboard }} />
      {pendingEmail && <PendingEmailNote pending={pendingEmail} current={values.email} isActing={isActing} />}
      <Anew of={version}>
        <PortalForm id={FORM} validator={validator} defaultValues={values} defaultIntent="save">
          <HiddenField name="version" />
          <HiddenField name="opened" />
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
      </Anew>
    </div>
  );
}

/** Cancel goes there without a question (A §2). */
const LEFT_FREELY = [paths.dashboard];

export const meta = pageTitle("User Details");
