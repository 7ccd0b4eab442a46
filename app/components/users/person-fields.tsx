import { TelephoneField } from "../forms/telephone-field";
import { TextField } from "../forms/text-field";

/** The labels of the fields about a person whose account staff make or change. */
export const PERSON_LABELS = {
  firstName: "First name",
  lastName: "Last name",
  position: "Position",
  telephoneNumber: "Telephone number",
  email: "Email",
} as const;

/** The name of a person. Browsers do not fill in what they know about whoever is logged in. */
export const PersonNameFields = () => (
  <>
    <TextField name="firstName" label={PERSON_LABELS.firstName} autoComplete="off" maxLength={59} required />
    <TextField name="lastName" label={PERSON_LABELS.lastName} autoComplete="off" maxLength={59} required />
  </>
);

export const PersonEmailField = ({ hint, readOnly = false }: { hint?: string; readOnly?: boolean }) => (
  <TextField
    name="email"
    label={PERSON_LABELS.email}
    type="email"
    hint={hint}
    readOnly={readOnly}
    autoComplete="off"
    maxLength={200}
    required
  />
);

export const PersonWorkFields = () => (
  <>
    <TextField name="position" label={PERSON_LABELS.position} autoComplete="off" maxLength={120} required />
    <TelephoneField
      name="telephoneNumber"
      label={PERSON_LABELS.telephoneNumber}
      autoComplete="off"
      maxLength={35}
      required
    />
  </>
);
