import { useEffect, useState } from "react";
import { ADDRESS_LABELS } from "~/domain/certificates/purchase/fields";
import { type InvoiceCountry } from "~/domain/orders/invoice-address.schema";
import { fieldId } from "../forms/form-id";
import { HELP } from "../forms/help-texts";
import { TextField } from "../forms/text-field";
import { PersonFields } from "./person-fields";

/** Returns the chosen country of an invoice address, and what follows a choice: another country clears the VAT number (PUR-09). */
export function useInvoiceCountry(formId: string, countries: readonly InvoiceCountry[], first: string | undefined) {
  const [changed, setChanged] = useState<string | null>(null);
  // Also when the form has just come back.
  useEffect(() => {
    const box = document.getElementById(fieldId(formId, "vat"));
    if (changed !== null && box instanceof HTMLInputElement) box.value = "";
  }, [changed, formId]);
  const country = countries.find((one) => String(one.id) === (changed ?? first)) ?? null;
  return { country, onCountryChange: setChanged };
}

interface Props {
  countries: readonly InvoiceCountry[];
  /** The chosen country. */
  country: InvoiceCountry | null;
  updateIntent?: string | undefined;
  onCountryChange: (country: string) => void;
}

/** The fields of an invoice address with the VAT number. */
export function InvoiceFields({ countries, country, updateIntent, onCountryChange }: Props) {
  const isVatRequired = country?.needsVat === true;
  return (
    <>
      <PersonFields
        countries={countries.map((one) => ({ value: String(one.id), label: one.name }))}
        autoComplete="billing"
        updateIntent={updateIntent}
        onCountryChange={onCountryChange}
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
    </>
  );
}
