import { useMemo } from "react";
import {
  CORRECTION_FORM as FORM,
  CORRECTION_LABELS as LABELS,
  PART_FIELDS,
} from "~/domain/orders/corrections/correction-fields";
import { type CorrectionFormData } from "~/domain/orders/corrections/correction-page.service.server";
import {
  correctedContactValidator,
  correctedOrderValidator,
  correctedTechnicalValidator,
} from "~/domain/orders/corrections/validators";
import { correctionPath } from "~/lib/correction-path";
import { type LazyValidator } from "~/lib/lazy-validator";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { TextField } from "../forms/text-field";
import { UnsavedChanges } from "../forms/unsaved-changes";
import { InvoiceFields, useInvoiceCountry } from "../purchase/invoice-fields";
import { PersonFields } from "../purchase/person-fields";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Note } from "../ui/note";
import { PageHeader } from "../ui/page-header";

interface Props {
  id: number;
  form: CorrectionFormData;
}

const validatorOf = ({
  part,
  invoiceCountries,
  isCertificate,
}: CorrectionFormData): LazyValidator<Record<string, unknown>> => {
  if (part === "technical") return correctedTechnicalValidator;
  return part === "contact" ? correctedContactValidator : correctedOrderValidator(invoiceCountries, isCertificate);
};

/** The purchase order number and the invoice address. */
function OrderFields({ invoiceCountries, values, isCertificate }: CorrectionFormData) {
  const { country, onCountryChange } = useInvoiceCountry(FORM, invoiceCountries, values.country);
  return (
    <>
      <TextField
        name="purchaseOrderNumber"
        label={LABELS.purchaseOrderNumber}
        maxLength={isCertificate ? 50 : 35}
        autoComplete="off"
        required
      />
      <InvoiceFields countries={invoiceCountries} country={country} onCountryChange={onCountryChange} />
    </>
  );
}

/** Why the email address of the authentication contact stays, and what to do instead. */
const EmailStays = ({ email }: { email: string | undefined }) => (
  <Note title="The email address stays.">
    <p>
      <bdi>{email}</bdi> is the address from which the order was authorised. If somebody else should have authorised it,
      contact us.
    </p>
  </Note>
);

/** The form of one part of an order, with the present values. */
export function CorrectionForm({ id, form }: Props) {
  const { part, title, orderNumber, values, seen } = form;
  const validator = useMemo(() => validatorOf(form), [form]);
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={PART_FIELDS[part]} labels={LABELS} />
      <PageHeader title={`Correct order ${orderNumber}`} back={{ to: correctionPath(id), label: "Correct an order" }}>
        <p>Before anything is stored, you see what the correction does.</p>
      </PageHeader>
      <Card title={title} className="stack">
        {part === "contact" && <EmailStays email={values.email} />}
        <PortalForm id={FORM} validator={validator} defaultValues={values}>
          <input type="hidden" name="seen" value={seen} />
          {part === "order" ? (
            <OrderFields {...form} />
          ) : (
            <PersonFields countries={form.countries} withPosition withoutEmail={part === "contact"} />
          )}
          <ButtonRow>
            <SubmitButton>Continue</SubmitButton>
            <LinkButton to={correctionPath(id)} variant="quiet">
              Cancel
            </LinkButton>
          </ButtonRow>
        </PortalForm>
        <UnsavedChanges formId={FORM} />
      </Card>
    </div>
  );
}
