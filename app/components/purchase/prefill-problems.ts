import { useFormContext } from "remix-validated-form";
import { type SummaryError } from "../forms/error-summary";
import { fieldId } from "../forms/form-id";

/** Returns the errors of prefilled values for the error summary. The form's own messages replace them. */
export function usePrefillProblems(
  formId: string,
  problems: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): SummaryError[] {
  const { fieldErrors } = useFormContext(formId);
  if (Object.keys(fieldErrors).length > 0) return [];
  return Object.entries(problems).map(([name, message]) => ({
    message: `${labels[name] ?? name}: ${message}`,
    href: `#${fieldId(formId, name)}`,
  }));
}
