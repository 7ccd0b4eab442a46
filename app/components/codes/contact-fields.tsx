import { CONTACT_TYPE_NAMES } from "~/domain/codes/code-details-fields";
import { SelectField } from "../forms/select-field";
import { TelephoneField } from "../forms/telephone-field";
import { TextField } from "../forms/text-field";
import { CONTACT_LABELS as labels } from "./code-form";

/** A contact of a code (COD-08). */
export function ContactFields({ disabled }: { disabled: boolean }) {
  const phone = { autoComplete: "off", optional: true } as const;
  return (
    <fieldset className="group" disabled={disabled}>
      <legend className="vh">Contact details</legend>
      <SelectField
        name="contactType"
        label={labels.contactType}
        placeholder="Select contact type"
        options={CONTACT_TYPE_NAMES.map((type) => ({ value: type, label: type }))}
        required
      />
      <TextField name="firstName" label={labels.firstName} maxLength={120} autoComplete="off" required />
      <TextField name="lastName" label={labels.lastName} maxLength={120} autoComplete="off" required />
      <TextField name="jobTitle" label={labels.jobTitle} maxLength={120} autoComplete="off" optional />
      <TextField name="department" label={labels.department} maxLength={70} autoComplete="off" optional />
      <TelephoneField name="phoneNumber" label={labels.phoneNumber} maxLength={25} {...phone} />
      <TelephoneField name="mobile" label={labels.mobile} maxLength={35} {...phone} />
      <TelephoneField name="fax" label={labels.fax} maxLength={35} {...phone} />
      <TextField
        name="emailAddress"
        label={labels.emailAddress}
        type="email"
        maxLength={60}
        autoComplete="off"
        required
      />
    </fieldset>
  );
}
