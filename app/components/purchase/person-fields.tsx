import { ADDRESS_LABELS as labels } from "~/domain/certificates/purchase/fields";
import { AddressFields } from "../forms/address-fields";
import { type Option } from "../forms/select-field";
import { TelephoneField } from "../forms/telephone-field";
import { TextField } from "../forms/text-field";

interface Props {
  countries: readonly Option[];
  /** Shows the position, which an authentication contact has and an invoice address does not. */
  withPosition?: boolean;
  /** Leaves the email address out, where it cannot be changed. */
  withoutEmail?: boolean;
  /** Details below the message about the email address. */
  emailFailures?: React.ReactNode;
  onEmailChange?: (email: string) => void;
  autoComplete?: "billing";
  updateIntent?: string | undefined;
  onCountryChange?: (country: string) => void;
}

/** Name, company, email, address and phone number, which the contact and the invoice address share. */
export function PersonFields(props: Props) {
  const {
    countries,
    withPosition,
    withoutEmail,
    emailFailures,
    onEmailChange,
    autoComplete,
    updateIntent,
    onCountryChange,
  } = props;
  // The browser must not fill in its user's details for another person.
  const token = (name: string) => (autoComplete ? `${autoComplete} ${name}` : "off");
  return (
    <>
      <TextField name="name" label={labels.name} maxLength={120} autoComplete={token("name")} required />
      <TextField name="company" label={labels.company} maxLength={120} autoComplete={token("organization")} required />
      {withPosition && (
        <TextField name="position" label={labels.position} maxLength={120} autoComplete="off" required />
      )}
      {!withoutEmail && (
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
      )}
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
