interface Props {
  /** Id of the control that the message belongs to. */
  fieldId: string;
  error: string | undefined;
}

export function FieldError({ fieldId, error }: Props) {
  if (!error) return null;
  return (
    <p className="err" id={`${fieldId}-error`}>
      {error}
    </p>
  );
}
