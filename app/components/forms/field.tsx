import { FieldError } from "./field-error";
import { Hint } from "./hint";

/** The texts that every field can have. */
export interface FieldTexts {
  name: string;
  label: React.ReactNode;
  hint?: React.ReactNode;
  /** A longer explanation, folded away below the label. */
  help?: React.ReactNode;
  optional?: boolean;
}

interface Props extends Omit<FieldTexts, "name"> {
  id: string;
  error: string | undefined;
  errorDetails?: React.ReactNode;
  className?: string;
  children: React.ReactNode;
}

/** The label, hint, message and control, in the order in which they are read. */
export function Field({ id, label, hint, help, optional, error, errorDetails, className = "", children }: Props) {
  return (
    <div className={`field ${className}`.trim()}>
      <label htmlFor={id}>
        {label}
        {optional && <span className="no-print"> (optional)</span>}
      </label>
      <Hint fieldId={id}>{hint}</Hint>
      <FieldHelp label={label}>{help}</FieldHelp>
      <FieldError fieldId={id} error={error} details={errorDetails} />
      {children}
    </div>
  );
}

/** Removes text in brackets at the end of a label, which is not part of the field's name. */
const nameIn = (label: React.ReactNode) => (typeof label === "string" ? label.replace(/ \([^)]*\)$/, "") : label);

export function FieldHelp({ label, children }: { label: React.ReactNode; children: React.ReactNode }) {
  if (!children) return null;
  return (
    <details className="hint">
      <summary>Help with {nameIn(label)}</summary>
      {children}
    </details>
  );
}
