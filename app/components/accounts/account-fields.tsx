import { TelephoneField } from "../forms/telephone-field";
import { TextField } from "../forms/text-field";

/** The person's fields that registration and user details share, and what each page calls them. */
type Labels = Readonly<Record<"firstName" | "lastName" | "company" | "position", string>>;

interface Props {
  labels: Labels;
  /** The company is an administrator's to change. */
  hasFixedCompany?: boolean;
}

export function AccountFields({ labels, hasFixedCompany = false }: Props) {
  return (
    <>
      <TextField name="firstName" label={labels.firstName} autoComplete="given-name" maxLength={59} required />
      <TextField name="lastName" label={labels.lastName} autoComplete="family-name" maxLength={59} required />
      <TextField
        name="company"
        label={labels.company}
        autoComplete="organization"
        maxLength={120}
        readOnly={hasFixedCompany}
        hint={hasFixedCompany && "Only an administrator can change the company."}
        required
      />
      <TextField name="position" label={labels.position} autoComplete="organization-title" maxLength={120} required />
    </>
  );
}

export const OwnTelephoneField = ({ label }: { label: string }) => (
  <TelephoneField name="telephoneNumber" label={label} autoComplete="tel" maxLength={35} required />
);
