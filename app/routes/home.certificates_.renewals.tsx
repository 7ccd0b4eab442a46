import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { OrderedRenewals, RenewalRows } from "~/components/certificates/renewal-rows";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FileField } from "~/components/forms/file-field";
import { PortalForm } from "~/components/forms/form";
import { SelectField } from "~/components/forms/select-field";
import { TextField } from "~/components/forms/text-field";
import { TextareaField } from "~/components/forms/textarea-field";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { ContactCriteria, FailedCriteria, useFailedCriteria } from "~/components/purchase/contact-criteria";
import { useKeptText } from "~/components/purchase/kept-text";
import { PersonFields } from "~/components/purchase/person-fields";
import { TermsField } from "~/components/purchase/terms-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { contactRules, requireContact } from "~/domain/certificates/purchase/contact.service.server";
import { ADDRESS_LABELS, CONTACT_FIELDS } from "~/domain/certificates/purchase/fields";
import {
  MOST_RENEWALS,
  MOST_RENEWALS_LISTED,
  NO_CSRS,
  RENEWALS_FORM as FORM,
} from "~/domain/certificates/succession/bulk-renewal";
import {
  bulkRenewal,
  costOf,
  matchCsrs,
  type MatchedCsrs,
  type OrderedRenewal,
  orderRenewals,
  type RenewalRow,
} from "~/domain/certificates/succession/bulk-renewal.service.server";
import { readGivenCsrs } from "~/domain/certificates/succession/csr-sorting.server";
import { bulkRenewalValidator } from "~/domain/certificates/validators";
import { listCountryOptions } from "~/domain/reference/countries.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { BODY_LIMIT } from "~/http/limits";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { asLines } from "~/lib/broken-rule";
import { formatEuro } from "~/lib/money";

const LABELS = {
  csr: "CSRs",
  csrFile: "or choose CSR files",
  ...ADDRESS_LABELS,
  validityPeriod: "Validity period",
  purchaseOrderNumber: "Purchase order number",
  termsAndConditionsAccepted: "Terms and conditions",
};

const queryOf = ({ url }: Request) => new URL(url).searchParams;

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  return json({ ...(await bulkRenewal(user, queryOf(request))), countries: await listCountryOptions() });
}

/** Returns the CSRs of the form. Its text box then holds them all, also those of the files. */
async function takeCsrs(form: FormData) {
  const chosen = form.getAll("csrFile").filter((value): value is File => value instanceof File && value.size > 0);
  const files = await Promise.all(
    chosen.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
  const text = form.get("csr");
  const given = readGivenCsrs(typeof text === "string" ? text : "", files);
  form.set("csr", given.text);
  form.delete("csrFile");
  return given;
}

const SOME_WRONG = "Some CSRs cannot be used. Their certificates say why in the list below.";

/** Returns the errors of what was matched, by field. The text box has none of its own when only files are wrong. */
function errorsOf({ rows, problems, fileProblems, refusals, matched }: MatchedCsrs): Record<string, string> {
  const isWrong = rows.some(({ state }) => state === "wrong");
  const isMissing = matched.length === 0 && fileProblems.length === 0;
  const ofCsrs = problems.length > 0 ? problems : isWrong ? [SOME_WRONG] : isMissing ? [NO_CSRS] : [];
  return {
    ...(ofCsrs.length > 0 && { csr: asLines(ofCsrs) }),
    ...(fileProblems.length > 0 && { csrFile: asLines(fileProblems) }),
    ...(refusals.length > 0 && { validityPeriod: asLines(refusals) }),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const sent = await readForm(request, { limit: BODY_LIMIT });
  const intent = intentOf(sent, ["order", "match"]);
  const given = await takeCsrs(sent);
  const form = await bulkRenewalValidator(await contactRules(user, null)).validate(sent);
  const typed: Record<string, unknown> = form.submittedData;
  const found = await matchCsrs(user, queryOf(request), given, String(typed.validityPeriod));
  const { rows, matched } = found;
  // What is wrong with the CSRs is known better here than to the validator, which does not see the files.
  const { csr: _csr, ...invalidFields } = intent === "order" ? (form.error?.fieldErrors ?? {}) : {};
  const fieldErrors = { ...invalidFields, ...errorsOf(found) };
  if (Object.keys(fieldErrors).length > 0) {
    const answer = { formId: FORM, fieldErrors, rows };
    return invalid(answer, typed);
  }
  if (intent === "match" || form.error || sent.has("back")) return typedAgain(typed, FORM, { rows });
  try {
    await requireContact(form.data);
    if (sent.get("confirmed") === "yes") return json({ ordered: await orderRenewals(user, matched, form.data) });
    const cost = await costOf(user, form.data, matched.length);
    return json({ formId: FORM, rows, cost, count: matched.length, asked: { ...typed, intent: "order" } });
  } catch (error) {
    return refused(error, typed, FORM);
  }
}

interface Answer {
  rows?: RenewalRow[];
  ordered?: OrderedRenewal[];
  asked?: Record<string, string>;
  count?: number;
  cost?: Awaited<ReturnType<typeof costOf>>;
}

const ONLY_FIRST = `Only the ${MOST_RENEWALS_LISTED} certificates that end first are looked at. Search the list of certificates to renew others.`;

const counted = (count: number) => `${count} ${count === 1 ? "renewal" : "renewals"}`;

/** Several certificates of the list are renewed with one form. The CSRs that are given decide which. */
export default function Renewals() {
  const { list, rows, hasMore, values, rules, countries, ...offer } = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  const validator = useMemo(() => bulkRenewalValidator(rules), [rules]);
  const { failures, followEmail } = useFailedCriteria(FORM, rules);
  useKeptText(FORM, "");
  const back = { to: list, label: "Certificates" };
  if (answer?.ordered) return <OrderedRenewals ordered={answer.ordered} back={back} />;
  if (rows.length === 0)
    return (
      <div className="narrow stack-l">
        <PageHeader title="Renew several certificates" back={back} />
        <Note>
          No certificate of this list can be renewed now. Its page says when its renewal opens. {hasMore && ONLY_FIRST}
        </Note>
      </div>
    );
  const { cost, count = 0, asked } = answer ?? {};
  const total = cost && `${formatEuro(cost.netCents)} plus ${formatEuro(cost.vatCents)} VAT`;
  return (
    <ConfirmStep
      asked={asked}
      title="Renew several certificates"
      question={`Are you sure you wish to order ${counted(count)} for ${total}?`}
      confirmLabel="Complete Order"
      cancelLabel="Back"
      variant="primary"
      details={
        <RenewalRows rows={(answer?.rows ?? []).filter(({ state }) => state === "matched")} caption="To renew" />
      }
    >
      <div className="stack-l">
        <ErrorSummary
          formId={FORM}
          order={[
            "csr",
            "csrFile",
            ...CONTACT_FIELDS,
            "validityPeriod",
            "purchaseOrderNumber",
            "termsAndConditionsAccepted",
          ]}
          labels={LABELS}
        />
        <PageHeader title="Renew several certificates" back={back}>
          <p>
            Give a new CSR, with a new key, for each certificate that you want to renew. Its names decide which it
            renews.
          </p>
          {hasMore && <p>{ONLY_FIRST}</p>}
        </PageHeader>
        <PortalForm
          id={FORM}
          validator={validator}
          encType="multipart/form-data"
          defaultValues={values}
          defaultIntent="match"
        >
          <Card title="Certificate signing requests" className="stack">
            <TextareaField
              name="csr"
              label={LABELS.csr}
              rows={8}
              mono
              autoComplete="off"
              hint={`One below the other, at most ${MOST_RENEWALS}. Never paste a private key.`}
            />
            <FileField name="csrFile" label={LABELS.csrFile} accept=".csr,.req,.p10,.pem,.der,.txt" multiple />
            <div>
              <SubmitButton intent="match" variant="secondary" skipValidation busyText="Matching…">
                Match
              </SubmitButton>
            </div>
          </Card>
          <RenewalRows rows={answer?.rows ?? rows} caption="Certificates that can be renewed" />
          <Card title="Authentication Contact Details" className="stack">
            <ContactCriteria failures={failures} />
            <PersonFields
              countries={countries}
              withPosition
              emailFailures={failures.length > 0 && <FailedCriteria failures={failures} />}
              onEmailChange={followEmail}
            />
          </Card>
          <Card title="All renewals" className="stack">
            <SelectField name="validityPeriod" label={LABELS.validityPeriod} options={offer.validities} />
            <TextField
              name="purchaseOrderNumber"
              label={LABELS.purchaseOrderNumber}
              maxLength={50}
              autoComplete="off"
              hint={`It stands on each invoice.${offer.lastNumber ? ` Your last order had ${offer.lastNumber}.` : ""}`}
              required
            />
            <p>
              Invoices go to <bdi>{offer.invoice}</bdi>.
            </p>
            {offer.invoiceProblem && <Note tone="warn">{offer.invoiceProblem}</Note>}
            <TermsField />
          </Card>
          <ButtonRow>
            <SubmitButton intent="order">Order the renewals</SubmitButton>
            <LinkButton to={back.to} variant="quiet">
              Cancel
            </LinkButton>
          </ButtonRow>
        </PortalForm>
        <UnsavedChanges formId={FORM} />
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle("Renew several certificates");
