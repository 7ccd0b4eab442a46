import { useContext } from "react";
import { useField } from "remix-validated-form";
import { AttemptContext, fieldId, FormIdContext, NO_FORM } from "./form-id";

/** A message shows only after an attempt to submit, and then follows the typing (REG-07). */
const attempted = { initial: "onSubmit", whenTouched: "onSubmit", whenSubmitted: "onChange" } as const;
/** After an intent that skips validation, typing only clears the field's own message. */
const notAttempted = { ...attempted, whenSubmitted: "onSubmit" } as const;

/** Makes `:placeholder-shown` match an empty field, so that print.css can hide it. */
export const NO_PLACEHOLDER = " ";

interface Described {
  hint?: React.ReactNode;
  /** Further ids of elements that describe the control, e.g. a status line. */
  also?: string;
}

/** Returns a field's error, its value, and the attributes that connect its control with hint and message. */
export function usePortalField(name: string, { hint, also }: Described = {}) {
  const formId = useContext(FormIdContext) ?? NO_FORM;
  const validationBehavior = useContext(AttemptContext) ? attempted : notAttempted;
  const { error, getInputProps } = useField(name, { validationBehavior });
  const id = fieldId(formId, name);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`, also].filter(Boolean).join(" ");
  const aria = { "aria-invalid": error ? true : undefined, "aria-describedby": describedBy || undefined };
  return { id, error, aria, getInputProps };
}

type InputProps = React.ComponentPropsWithoutRef<"input">;

/** A hidden value of the form. It comes back with a refused form, like typed values. */
export function HiddenField({ name }: { name: string }) {
  const { getInputProps } = usePortalField(name);
  return <input {...getInputProps<InputProps>({ type: "hidden" })} />;
}
