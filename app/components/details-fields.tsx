import { AddressFields } from "./address-fields";
import { Card } from "./card";
import { CheckboxField } from "./checkbox-field";
import { WhenUnticked } from "./conditional";
import { type Option } from "./select-field";
import { TextField } from "./text-field";

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

/** Company numbers, company address, invoicing address and VAT number of complete registration. */
export function DetailsFields({ countries }: { countries: readonly Option[] }) {
  return (
    <>
      <Card title="Company">
        <TextField
          name="companyRegistrationNumber"
          label="Company registration number"
          maxLength={70}
          help="The number under which the company is entered in its country's register of companies."
          required
        />
        <TextField
          name="taxNumber"
          label="Tax registration number"
          maxLength={35}
          help="The number that the tax office uses for the company, where it has one beside the VAT number."
          optional
        />
        <AddressFields prefix="companyAddress." countries={countries} autoComplete="billing" />
      </Card>
      <Card title="Invoicing Address">
        <CheckboxField name="useCompanyAddress" label="Use company address" toggle />
        <WhenUnticked>
          <TextField
            name="invoicingAddress.company"
            label="Company"
            autoComplete="billing organization"
            maxLength={120}
          />
          <AddressFields prefix="invoicingAddress." countries={countries} autoComplete="billing" />
        </WhenUnticked>
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
