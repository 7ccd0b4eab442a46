interface Props {
  /** The id of the control that the message belongs to. */
  fieldId: string;
  /** The message. Each line of it is shown by itself. */
  error: string | undefined;
  /** Details below the message. */
  details?: React.ReactNode;
}

export function FieldError({ fieldId, error, details }: Props) {
  if (!error) return null;
  const id = `${fieldId}-error`;
  const lines = error.split("\n");
  if (!details && !lines[1])
    return (
      <p className="err" id={id}>
        {error}
      </p>
    );
  return (
    <div id={id}>
      {lines.map((line) => (
        <p key={line} className="err">
          {line}
        </p>
      ))}
      {details}
    </div>
  );
}
