import { Link } from "@remix-run/react";
import { useMemo } from "react";
import { invoiceValidator } from "~/domain/certificates/purchase/validators";
import { type InvoiceCountry } from "~/domain/orders/invoice-address.schema";
import { amountsName, vatFor } from "~/domain/orders/price.policy";
import { formatEuro } from "~/lib/money";
import { rarePaths } from "~/lib/rare-paths";
import { PortalForm } from "../forms/form";
import { UnsavedChanges } from "../forms/unsaved-changes";
import { type Line, OrderSummary } from "../orders/order-summary";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Note } from "../ui/note";
import { InvoiceFields, useInvoiceCountry } from "./invoice-fields";
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
  const { country, onCountryChange } = useInvoiceCountry(id, countries, values.country);
  const vat = vatFor({ country, netCents, rate: vatRate });
  const percent = Math.round(vat.vatRate * 10_000) / 100;

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
          <InvoiceFields
            countries={countries}
            country={country}
            updateIntent="update-country"
            onCountryChange={onCountryChange}
          />
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
