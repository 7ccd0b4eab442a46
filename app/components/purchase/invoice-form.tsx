import { Link } from "@remix-run/react";
import { useEffect, useMemo, useState } from "react";
import { vatRequired } from "~/domain/accounts/accounts.policy";
import { invoiceValidator } from "~/domain/certificates/purchase/validators";
import { type InvoiceCountry } from "~/domain/orders/invoice-address.schema";
import { amountsName, vatFor } from "~/domain/orders/price.policy";
import { formatEuro } from "~/lib/money";
import { rarePaths } from "~/lib/rare-paths";
import { PortalForm } from "../forms/form";
import { fieldId } from "../forms/form-id";
import { HELP } from "../forms/help-texts";
import { TextField } from "../forms/text-field";
import { UnsavedChanges } from "../forms/unsaved-changes";
import { type Line, OrderSummary } from "../orders/order-summary";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Note } from "../ui/note";
import { ADDRESS_LABELS } from "./labels";
import { PersonFields } from "./person-fields";
import { TermsField } from "./terms-field";

interface Props {
  /** Whether this member orders what a colleague has prepared, and so accepts the terms here. */
  asksForTerms?: boolean;
  id: string;
  /** The address of this page. */
  step: string;
  /** The address of the last order, which can be filled in, or null. */
  lastAddress: { order: string; text: string } | null;
  /** The version of the order that is shown beside the form. */
  version: string;
  values: Record<string, string>;
  countries: InvoiceCountry[];
  /** The items of the net amount. */
  costs: readonly Line[];
  netCents: number;
  vatRate: number;
}

/** The invoice address with the totals that depend on its country (PUR-09). */
export function InvoiceForm(props: Props) {
  const { id, step, lastAddress, asksForTerms = false, version, values, countries, costs, netCents, vatRate } = props;
  const validator = useMemo(() => invoiceValidator(countries), [countries]);
  const [changed, setChanged] = useState<string | null>(null);
  const country = countries.find((one) => String(one.id) === (changed ?? values.country)) ?? null;
  const isVatRequired = country !== null && vatRequired(country);
  const vat = vatFor({ country, netCents, rate: vatRate });
  const percent = Math.round(vat.vatRate * 10_000) / 100;

  // A change to another country clears the VAT number (PUR-09), also when the form has just come back.
  useEffect(() => {
    const box = document.getElementById(fieldId(id, "vat"));
    if (changed !== null && box instanceof HTMLInputElement) box.value = "";
  }, [changed, id]);

  return (
    <div className="split">
      <Card title="Invoice address" className="stack">
        {lastAddress && (
          <Note title={`Your last order, ${lastAddress.order}, was invoiced to another address.`}>
            <p>
              <bdi>{lastAddress.text}</bdi>.{" "}
              <Link to={rarePaths.lastInvoiceAddress(step)} reloadDocument>
                Fill in this address
              </Link>
            </p>
          </Note>
        )}
        <PortalForm id={id} validator={validator} defaultValues={values} defaultIntent="complete">
          <input type="hidden" name="orderVersion" value={version} />
          <input type="hidden" name="shownAmounts" value={amountsName(netCents, vat)} />
          <PersonFields
            countries={countries.map((one) => ({ value: String(one.id), label: one.name }))}
            autoComplete="billing"
            updateIntent="update-country"
            onCountryChange={setChanged}
          />
          {/* Without scripts the field is always there, because the page does not learn of another country. The server knows where it counts. */}
          <div className={isVatRequired ? undefined : "no-js"}>
            <TextField
              name="vat"
              label={ADDRESS_LABELS.vat}
              mono
              maxLength={18}
              autoComplete="off"
              hint="Customers in the UK or an EU member state must give a VAT number with national prefix, e.g. DE123456789."
              help={HELP.vat}
              required={isVatRequired}
            />
          </div>
          {asksForTerms && <TermsField />}
          <ButtonRow>
            <SubmitButton intent="complete" busyText="Completing your order…">
              Complete Order
            </SubmitButton>
            <SubmitButton intent="back" variant="secondary" skipValidation>
              Back
            </SubmitButton>
          </ButtonRow>
        </PortalForm>
        <UnsavedChanges formId={id} />
      </Card>
      <OrderSummary
        lines={[
          ...costs,
          { label: "Net amount", value: formatEuro(netCents) },
          { label: percent > 0 ? `VAT amount (${percent}%)` : "VAT amount", value: formatEuro(vat.vatCents) },
        ]}
        total={{ label: "Total", value: formatEuro(vat.totalCents) }}
        note={vat.note}
      />
    </div>
  );
}
