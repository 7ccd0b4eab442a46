import { FieldError } from "./field-error";
import { Hint } from "./hint";
import { usePortalField } from "./portal-field";

interface Props {
  legend: React.ReactNode;
  hint?: React.ReactNode;
  disabled?: boolean;
  children: React.ReactNode;
}

interface PropsWithError extends Props {
  /** The name under which the validator reports errors of the whole group. */
  errorName: string;
}

export function FieldGroup({ errorName, ...props }: Props & { errorName?: string }) {
  return errorName ? <CheckedGroup {...props} errorName={errorName} /> : <PlainGroup {...props} />;
}

function PlainGroup({ legend, hint, disabled, children }: Props) {
  return (
    <fieldset className="group" disabled={disabled}>
      <legend>{legend}</legend>
      {hint && <p className="hint">{hint}</p>}
      {children}
    </fieldset>
  );
}

function CheckedGroup({ legend, hint, disabled, errorName, children }: PropsWithError) {
  const { id, error, aria } = usePortalField(errorName, { hint });
  return (
    <fieldset className="group" id={id} tabIndex={-1} disabled={disabled} aria-describedby={aria["aria-describedby"]}>
      <legend>{legend}</legend>
      <Hint fieldId={id}>{hint}</Hint>
      <FieldError fieldId={id} error={error} />
      {children}
    </fieldset>
  );
}
