import { useActionData } from "@remix-run/react";
import { useEffect, useMemo, useState } from "react";
import { type FormProps, ValidatedForm, type ValidationErrorResponseData } from "remix-validated-form";
import { type LazyValidator } from "~/lib/lazy-validator";
import { useMaybeShell } from "../shell/shell";
import { browserValidator, noteSubmitter } from "./browser-validator";
import { CsrfField } from "./csrf-field";
import { AttemptContext, FormIdContext } from "./form-id";

type Values = Record<string, unknown>;

interface Props<Data extends Values> extends Omit<
  FormProps<Data, undefined>,
  "id" | "defaultValues" | "fetcher" | "subaction" | "noValidate" | "onSubmitCapture"
> {
  id: string;
  defaultValues?: Values;
  /** The intent of Enter in a form with several buttons. */
  defaultIntent?: string;
}

type Refusal = Partial<ValidationErrorResponseData & { hadSecrets: boolean }>;

/** Returns the server's answer to this form, if it came back. */
function useRefusal(formId: string): Refusal | undefined {
  const answer = useActionData<Refusal>();
  return answer?.formId === undefined || answer.formId === formId ? answer : undefined;
}

const isSecret = (control: Element): control is HTMLInputElement =>
  control instanceof HTMLInputElement && /password|securityAnswer/i.test(control.name);

/** Empties passwords and answers when the form comes back, as it does without scripts. The user types them again. */
function useEmptiedSecrets(formId: string, refusal: Refusal | undefined): void {
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!refusal?.hadSecrets || !(form instanceof HTMLFormElement)) return;
    for (const control of form.elements) if (isSecret(control)) control.value = "";
  }, [formId, refusal]);
}

/** A form that posts without scripts and is validated in the browser with them. Messages appear only after an attempt to submit. */
export function PortalForm<Data extends Values>(props: Props<Data>) {
  const { id, validator, defaultIntent, defaultValues, children, className = "form", ...rest } = props;
  const refusal = useRefusal(id);
  useEmptiedSecrets(id, refusal);
  const unsent = useMaybeShell()?.unsent;
  const tooLate = unsent?.formId === id ? unsent.values : undefined;
  const refused = refusal?.repopulateFields as Values | undefined;
  const [firstValues] = useState(refused ?? tooLate ?? defaultValues); // on a page without scripts they take precedence over the stored values
  const [isAttempted, setAttempted] = useState(false);
  useEffect(() => {
    if ("preload" in validator) (validator as LazyValidator<Data>).preload();
  }, [validator]);
  const checked = useMemo(
    () => browserValidator(validator, { formId: id, defaultIntent }),
    [validator, id, defaultIntent],
  );

  return (
    <ValidatedForm
      method="post"
      {...rest}
      id={id}
      className={className}
      validator={checked}
      defaultValues={firstValues as FormProps<Data, undefined>["defaultValues"]}
      onSubmitCapture={(event) => setAttempted(noteSubmitter(event))}
      noValidate
      disableFocusOnError
    >
      {defaultIntent && (
        <button type="submit" name="intent" value={defaultIntent} className="vh" tabIndex={-1} aria-hidden="true" />
      )}
      <CsrfField />
      <FormIdContext.Provider value={id}>
        <AttemptContext.Provider value={isAttempted}>{children}</AttemptContext.Provider>
      </FormIdContext.Provider>
    </ValidatedForm>
  );
}
