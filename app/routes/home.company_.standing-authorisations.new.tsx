import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { CheckboxField } from "~/components/forms/checkbox-field";
import { DateField } from "~/components/forms/date-fields";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FieldGroup } from "~/components/forms/field-group";
import { PortalForm } from "~/components/forms/form";
import { SelectField } from "~/components/forms/select-field";
import { TextField } from "~/components/forms/text-field";
import { TermsField } from "~/components/purchase/terms-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { USAGE_FLAGS, VALIDITY_YEARS } from "~/domain/certificates/purchase/fields";
import { askForStanding, getAskPage } from "~/domain/certificates/standing/asking.service.server";
import { ASK_STANDING_FORM, IDENTITY_MONTHS, STANDING_LABELS } from "~/domain/certificates/standing/standing";
import { standingValidator as validator } from "~/domain/certificates/standing/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return json(await getAskPage(user));
}

/** Asks for a standing authorisation, and leads to its page. */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const id = await askForStanding(user, form.data);
    const text = "Your request has been sent. Our staff ask the contact and decide about it.";
    return await redirectWithToast(request, accountPaths.standingAuthorisation(id), { kind: "ok", text });
  } catch (error) {
    return refused(error, form.submittedData, ASK_STANDING_FORM);
  }
}

const YEARS = VALIDITY_YEARS.map((years) => ({
  value: String(years),
  label: `${years} ${years === 1 ? "year" : "years"}`,
}));

/** Asks for a standing authorisation. */
export default function NewStandingAuthorisation() {
  const { company, domains, bases, yearPrice, lastDay } = useLoaderData<typeof loader>();
  const usages = Object.fromEntries(USAGE_FLAGS.map((flag) => [flag, "on"]));
  const first = { basis: String(bases[0]?.id ?? ""), longestYears: "1", lastDay, ...usages };
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={ASK_STANDING_FORM} labels={STANDING_LABELS} />
      <PageHeader
        title="Ask for a standing authorisation"
        back={{ to: accountPaths.standingAuthorisations, label: "Standing authorisations" }}
      >
        <p>
          It covers the subject of an order whose organisation we have checked within the last {IDENTITY_MONTHS} months,
          the domains that {company} has confirmed now, and the OFTP IDs of its entities. Contact and invoice address
          are those of that order. Our staff ask the contact before they approve it.
        </p>
      </PageHeader>
      {domains.length === 0 ? (
        <Note tone="warn">
          Your company has confirmed no domain. <Link to={paths.domains}>Confirm its domains</Link> first: host names
          that are not confirmed are not within the standing authorisation.
        </Note>
      ) : (
        <p>
          Confirmed now: <bdi>{domains.join(", ")}</bdi>.
        </p>
      )}
      {bases.length === 0 ? (
        <Note>There is no order with a checked organisation yet. Order one certificate first.</Note>
      ) : (
        <PortalForm id={ASK_STANDING_FORM} validator={validator} defaultValues={first}>
          <SelectField
            name="basis"
            label={STANDING_LABELS.basis}
            options={bases.map(({ id, text }) => ({ value: String(id), label: text }))}
            required
          />
          <TextField
            name="purchaseOrderNumber"
            label={STANDING_LABELS.purchaseOrderNumber}
            hint="It is on every invoice."
            maxLength={50}
            required
          />
          <TextField
            name="ceilingCertificates"
            label={STANDING_LABELS.ceilingCertificates}
            inputMode="numeric"
            autoComplete="off"
            optional
          />
          <TextField
            name="ceilingEuro"
            label={STANDING_LABELS.ceilingEuro}
            hint={`Enter one of the two limits, or both. Without VAT; a certificate costs ${yearPrice} a year. Use a point before the cents: 500 or 499.50.`}
            inputMode="decimal"
            autoComplete="off"
            optional
          />
          <SelectField name="longestYears" label={STANDING_LABELS.longestYears} options={YEARS} required />
          <FieldGroup legend={STANDING_LABELS.usage} errorName="usage">
            {USAGE_FLAGS.map((flag) => (
              <CheckboxField key={flag} name={flag} label={STANDING_LABELS[flag]} />
            ))}
          </FieldGroup>
          <CheckboxField
            name="isInvoicedMonthly"
            label={STANDING_LABELS.isInvoicedMonthly}
            hint="On the last day of the month, for all certificates of the month. Otherwise each order has its own invoice."
          />
          <DateField
            name="lastDay"
            label={STANDING_LABELS.lastDay}
            hint={`In UTC, at most ${IDENTITY_MONTHS} months after we checked the organisation.`}
            max={lastDay}
          />
          <TermsField />
          <ButtonRow>
            <SubmitButton busyText="Sending…">Ask for it</SubmitButton>
            <LinkButton to={accountPaths.standingAuthorisations} variant="quiet">
              Cancel
            </LinkButton>
          </ButtonRow>
        </PortalForm>
      )}
    </div>
  );
}

export const meta = pageTitle("Ask for a standing authorisation");
