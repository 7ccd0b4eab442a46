interface Props {
  /** The id of the control that the message belongs to. */
  fieldId: string;
  error: string | undefined;
  /** Details below the message. */
  details?: React.ReactNode;
}

export function FieldError({ fieldId, error, details }: Props) {
  if (!error) return null;
  const id = `${fieldId}-error`;
  if (!details)
    return (
      <p className="err" id={id}>
        {error}
      </p>
    );
  return (
    <div id={id}>
      <p className="err">{error}</p>
      {details}
    </div>
  );
}
