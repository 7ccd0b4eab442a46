import { TelephoneField } from "../forms/telephone-field";
import { TextField } from "../forms/text-field";

/** The fields about the person that registration and user details share. `labels` are the labels on each page. */
type Labels = Readonly<Record<"firstName" | "lastName" | "company" | "position", string>>;

interface Props {
  labels: Labels;
  /** Why the company cannot be changed here. Undefined where it can. */
  fixedCompany?: string;
}

export function AccountFields({ labels, fixedCompany }: Props) {
  return (
    <>
      <TextField name="firstName" label={labels.firstName} autoComplete="given-name" maxLength={59} required />
      <TextField name="lastName" label={labels.lastName} autoComplete="family-name" maxLength={59} required />
      <TextField
        name="company"
        label={labels.company}
        autoComplete="organization"
        maxLength={120}
        readOnly={fixedCompany !== undefined}
        hint={fixedCompany}
        required
      />
      <TextField name="position" label={labels.position} autoComplete="organization-title" maxLength={120} required />
    </>
  );
}

export const OwnTelephoneField = ({ label }: { label: string }) => (
  <TelephoneField name="telephoneNumber" label={label} autoComplete="tel" maxLength={35} required />
);
