import { type LockedFields } from "~/domain/accounts/details.policy";
import { INVOICED_COUNTRY, UPDATE_COUNTRY } from "~/domain/accounts/invoiced-country";
import { AddressFields, addressLabels } from "../forms/address-fields";
import { CheckboxField } from "../forms/checkbox-field";
import { FieldGroup } from "../forms/field-group";
import { HELP } from "../forms/help-texts";
import { HiddenField } from "../forms/portal-field";
import { type Option } from "../forms/select-field";
import { TextField } from "../forms/text-field";
import { Card } from "../ui/card";
import { useInvoicedCountry } from "./invoiced-country";
import { useMirroredAddress } from "./mirrored-address";
import { UsedCompanyAddress } from "./used-company-address";

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

/** The labels of the fields for the error summary. Those of the invoicing address name the address. */
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
  /** The heading of the first panel. */
  title: string;
  locked: LockedFields;
  /** Whether the company has no name of its own yet, so that the first field asks for it. */
  namesCompany?: boolean;
  /** False for staff who order nothing: they may leave numbers and addresses empty. */
  isRequired?: boolean;
  countries: readonly Option[];
  /** The option values of the countries in which a VAT number is mandatory. */
  vatCountries: readonly string[];
}

const ONLY_ADMIN = "Only an administrator can change this number.";

/**
 * Company numbers, company address, invoicing address and VAT number of complete registration and user details (CRD-01). With scripts the
 * invoiced country decides: where VAT is mandatory, the invoicing address stays visible and is disabled while the company address is used.
 * Without scripts the tick box alone shows and hides it, and a button updates the country. The disabled company address is then shown
 * instead.
 */
export function DetailsFields({ formId, title, locked, namesCompany, isRequired = true, ...props }: Props) {
  const { countries, vatCountries } = props;
  const invoiced = useInvoicedCountry(formId);
  useMirroredAddress(formId);
  const isUsed = invoiced?.usesCompanyAddress ?? false;
  const isHidden = isUsed && !vatCountries.includes(invoiced?.country ?? "");
  return (
    <>
      <Card title={title}>
        <HiddenField name={INVOICED_COUNTRY} />
        {!isRequired && <p className="hint">Staff who order nothing may leave the numbers and addresses empty.</p>}
        {namesCompany && (
          <TextField name="company" label="Company" autoComplete="organization" maxLength={120} required />
        )}
        <TextField
          name="companyRegistrationNumber"
          label={DETAILS_LABELS.companyRegistrationNumber}
          maxLength={70}
          help={HELP.companyRegistration}
          hint={"companyRegistrationNumber" in locked && ONLY_ADMIN}
          disabled={"companyRegistrationNumber" in locked}
          required={isRequired}
          optional={!isRequired}
        />
        <TextField
          name="taxNumber"
          label={DETAILS_LABELS.taxNumber}
          maxLength={35}
          help={HELP.tax}
          hint={"taxNumber" in locked && ONLY_ADMIN}
          disabled={"taxNumber" in locked}
          optional
        />
        <FieldGroup legend="Company address">
          <AddressFields
            prefix="companyAddress."
            countries={countries}
            autoComplete="billing"
            updateIntent={UPDATE_COUNTRY}
          />
        </FieldGroup>
      </Card>
      <Card title="Invoicing Address">
        <CheckboxField name="useCompanyAddress" label={DETAILS_LABELS.useCompanyAddress} toggle />
        {!invoiced && <UsedCompanyAddress formId={formId} countries={countries} vatCountries={vatCountries} />}
        <fieldset className={invoiced ? "group" : "group when-unticked"} hidden={isHidden} disabled={isUsed}>
          <legend className="vh">Invoicing address</legend>
          <TextField
            name="invoicingAddress.company"
            label="Company"
            autoComplete="billing organization"
            maxLength={120}
          />
          <AddressFields
            prefix="invoicingAddress."
            countries={countries}
            autoComplete="billing"
            updateIntent={UPDATE_COUNTRY}
          />
        </fieldset>
        <TextField
          name="vatNumber"
          label="VAT number (mandatory for UK or EU companies)"
          maxLength={18}
          hint="With the national prefix, for example DE123456789"
          help={HELP.vat}
        />
      </Card>
    </>
  );
}
