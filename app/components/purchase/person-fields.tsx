import { AddressFields } from "../forms/address-fields";
import { type Option } from "../forms/select-field";
import { TelephoneField } from "../forms/telephone-field";
import { TextField } from "../forms/text-field";
import { ADDRESS_LABELS as labels } from "./labels";

interface Props {
  countries: readonly Option[];
  /** The authentication contact has a position, an invoice address has none. */
  withPosition?: boolean;
  /** What is wrong with the e-mail address in detail, beneath its message. */
  emailFailures?: React.ReactNode;
  onEmailChange?: (email: string) => void;
  autoComplete?: "billing";
  updateIntent?: string;
  onCountryChange?: (country: string) => void;
}

/** Name, company, e-mail, address and phone number, as contact and invoice address share them. */
export function PersonFields(props: Props) {
  const { countries, withPosition, emailFailures, onEmailChange, autoComplete, updateIntent, onCountryChange } = props;
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
        errorDetails={emailFailures}
        onChange={(event) => onEmailChange?.(event.currentTarget.value)}
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
