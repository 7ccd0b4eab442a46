import { AddressFields, addressLabels } from "./address-fields";
import { Card } from "./card";
import { CheckboxField } from "./checkbox-field";
import { type Option } from "./select-field";
import { TextField } from "./text-field";
import { useInvoicedCountry } from "./invoiced-country";

const addressOrder = (prefix: string) =>
  ["addressLine1", "addressLine2", "addressLine3", "city", "postalCode", "region", "country"].map(
    (part) => prefix + part,
  );

/** The fields in the order of the page, for the error summary. */
export const DETAILS_ORDER = [
  "companyRegistrationNumber",
  "taxNumber",
  ...addressOrder("companyAddress."),
  "useCompanyAddress",
  "invoicingAddress.company",
  ...addressOrder("invoicingAddress."),
  "vatNumber",
];

/** Their labels, for the error summary; the invoicing address says which address it is. */
export const DETAILS_LABELS: Readonly<Record<string, string>> = {
  companyRegistrationNumber: "Company registration number",
  taxNumber: "Tax registration number",
  ...addressLabels("companyAddress."),
  useCompanyAddress: "Use company address",
  "invoicingAddress.company": "Company (invoicing address)",
  ...addressLabels("invoicingAddress.", " (invoicing address)"),
  vatNumber: "VAT number",
};

interface Props {
  formId: string;
  countries: readonly Option[];
  /** The countries' values in which VAT is mandatory. */
  vatCountries: readonly string[];
}

/**
 * Company numbers, company address, invoicing address and VAT number of complete registration (A §2).
 * With scripts the country that is invoiced decides: where VAT is mandatory the invoicing address stays in sight, disabled
 * while the company address is used for it. Without them the tick box alone shows and hides it.
 */
export function DetailsFields({ formId, countries, vatCountries }: Props) {
  const invoiced = useInvoicedCountry(formId);
  const isUsed = invoiced?.usesCompanyAddress ?? false;
  const isHidden = isUsed && !vatCountries.includes(invoiced?.country ?? "");
  return (
    <>
      <Card title="Company">
        <TextField
          name="companyRegistrationNumber"
          label={DETAILS_LABELS.companyRegistrationNumber}
          maxLength={70}
          help="The number under which the company is entered in its country's register of companies."
          required
        />
        <TextField
          name="taxNumber"
          label={DETAILS_LABELS.taxNumber}
          maxLength={35}
          help="The number that the tax office uses for the company, where it has one beside the VAT number."
          optional
        />
        <AddressFields prefix="companyAddress." countries={countries} autoComplete="billing" />
      </Card>
      <Card title="Invoicing Address">
        <CheckboxField name="useCompanyAddress" label={DETAILS_LABELS.useCompanyAddress} toggle />
        <fieldset className={invoiced ? "group" : "group when-unticked"} hidden={isHidden} disabled={isUsed}>
          <legend className="vh">Invoicing address</legend>
          <TextField
            name="invoicingAddress.company"
            label="Company"
            autoComplete="billing organization"
            maxLength={120}
          />
          <AddressFields prefix="invoicingAddress." countries={countries} autoComplete="billing" />
        </fieldset>
        <TextField
          name="vatNumber"
          label="VAT number (mandatory for UK or EU companies)"
          maxLength={18}
          hint="With the national prefix, for example DE123456789"
        />
      </Card>
    </>
  );
}
