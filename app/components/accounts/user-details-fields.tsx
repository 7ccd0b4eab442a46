import { type LockedFields } from "~/domain/accounts/details.policy";
import { TextField } from "../forms/text-field";
import { Card } from "../ui/card";
import { OwnTelephoneField, AccountFields } from "./account-fields";
import { DETAILS_LABELS, DETAILS_ORDER } from "./details-fields";
import { SECURITY_LABELS } from "./security-fields";

export const USER_DETAILS_FORM = "user-management";

const PERSON_LABELS = {
  firstName: "First name",
  lastName: "Last name",
  company: "Company",
  position: "Position",
  email: "E-mail",
  telephoneNumber: "Telephone",
} as const;

/** The fields of user details in the order of the page, and their labels, for the error summary. */
export const USER_DETAILS_ORDER = [...Object.keys(PERSON_LABELS), ...DETAILS_ORDER, ...Object.keys(SECURITY_LABELS)];
export const USER_DETAILS_LABELS: Readonly<Record<string, string>> = {
  ...PERSON_LABELS,
  ...DETAILS_LABELS,
  ...SECURITY_LABELS,
};

/** The fields that are merged with values stored in the meantime, with their labels. */
export const USER_DETAILS_MERGED: Readonly<Record<string, string>> = {
  ...PERSON_LABELS,
  ...DETAILS_LABELS,
  securityQuestion: SECURITY_LABELS.securityQuestion,
};

interface Props {
  locked: LockedFields;
  isActing: boolean;
  /** Whether the company has no name of its own yet. */
  isCompanyUnnamed: boolean;
}

/**
 * The panel User Details about the person (USR-01, LOG-09). Only the user can change the email address, not an administrator who acts as
 * the user.
 */
export function UserDetailsFields({ locked, isActing, isCompanyUnnamed }: Props) {
  const fixedCompany = isCompanyUnnamed
    ? "You name the company when you enter its details."
    : "Only an administrator can change the company.";
  return (
    <Card title="User Details">
      <AccountFields labels={PERSON_LABELS} {...("company" in locked && { fixedCompany })} />
      <TextField
        name="email"
        label={PERSON_LABELS.email}
        type="email"
        autoComplete="email"
        maxLength={200}
        readOnly={isActing}
        hint={
          isActing
            ? "An administrator who acts as a user cannot change the email address."
            : "We send a message with a link to a new address. Until it is used, a confirmed old address stays in use."
        }
        required
      />
      <OwnTelephoneField label={PERSON_LABELS.telephoneNumber} />
    </Card>
  );
}
