import { QUESTION_LABELS } from "~/components/accounts/secret-fields";

export const FORM = "register";

/** The fields in the order of the page. */
export const LABELS = {
  firstName: "First name",
  lastName: "Last name",
  company: "Company",
  position: "Position",
  telephoneNumber: "Telephone number",
  email: "Email",
  confirmEmail: "Confirm email",
  password: "Password",
  confirmPassword: "Confirm password",
  ...QUESTION_LABELS,
} as const;
export const ORDER = Object.keys(LABELS);
