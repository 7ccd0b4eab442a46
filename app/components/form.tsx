import { useActionData } from "@remix-run/react";
import { useEffect, useMemo, useState } from "react";
import { type FormProps, ValidatedForm, type ValidationErrorResponseData } from "remix-validated-form";
import { type LazyValidator } from "~/lib/lazy-validator";
import { browserValidator, noteSubmitter } from "./browser-validator";
import { CsrfField } from "./csrf-field";
import { useMaybeShell } from "./shell";
import { AttemptContext, FormIdContext } from "./form-id";

type Values = Record<string, unknown>;

interface Props<Data extends Values> extends Omit<
  FormProps<Data, undefined>,
  "id" | "defaultValues" | "fetcher" | "subaction" | "noValidate" | "onSubmitCapture"
> {
  id: string;
  defaultValues?: Values;
  /** What Enter means in a form with several buttons. */
  defaultIntent?: string;
}

/** The values of a refused submit, or of one that came too late: they win over the stored ones. */
function useRefusedValues(formId: string): Values | undefined {
  const unsent = useMaybeShell()?.unsent;
  const answer = useActionData<Partial<ValidationErrorResponseData>>();
  const isForOther = answer?.formId !== undefined && answer.formId !== formId;
  const refused = isForOther ? undefined : (answer?.repopulateFields as Values | undefined);
  return refused ?? (unsent?.formId === formId ? unsent.values : undefined);
}

/** A form that posts without scripts and validates in the browser with them. Messages only after a submit attempt. */
export function PortalForm<Data extends Values>(props: Props<Data>) {
  const { id, validator, defaultIntent, defaultValues, children, className = "form", ...rest } = props;
  const refused = useRefusedValues(id);
  const [firstValues] = useState(refused ?? defaultValues);
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
