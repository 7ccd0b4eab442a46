import { AddressFields } from "~/components/address-fields";
import { type Option } from "~/components/select-field";
import { TelephoneField } from "~/components/telephone-field";
import { TextField } from "~/components/text-field";
import { ADDRESS_LABELS as labels } from "./labels";

interface Props {
  countries: readonly Option[];
  /** The authentication contact has a position, an invoice address has none. */
  withPosition?: boolean;
  autoComplete?: "billing";
  updateIntent?: string;
  onCountryChange?: (country: string) => void;
}

/** Name, company, e-mail, address and phone number, as contact and invoice address share them. */
export function PersonFields({ countries, withPosition, autoComplete, updateIntent, onCountryChange }: Props) {
  // Another person's details are not the browser's user's.
  const token = (name: string) => (autoComplete ? `${autoComplete} ${name}` : "off");
  return (
    <>
      <TextField name="name" label={labels.name} maxLength={120} autoComplete={token("name")} required />
      <TextField name="company" label={labels.company} maxLength={120} autoComplete={token("organization")} required />
      {withPosition && (
        <TextField name="position" label={labels.position} maxLength={120} autoComplete="off" required />
      )}
      <TextField
        name="email"
        label={labels.email}
        type="email"
        maxLength={200}
        autoComplete={token("email")}
        required
      />
      <AddressFields
        countries={countries}
        include={["addressLine1", "addressLine2", "city", "postalCode", "country"]}
        autoComplete={autoComplete}
        updateIntent={updateIntent}
        onCountryChange={onCountryChange}
      />
      <TelephoneField
        name="phoneNumber"
        label={labels.phoneNumber}
        maxLength={25}
        autoComplete={token("tel")}
        required
      />
    </>
  );
}
