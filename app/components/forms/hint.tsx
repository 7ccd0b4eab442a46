interface Props {
  /** The id of the control that the hint belongs to. */
  fieldId: string;
  children: React.ReactNode;
}

export function Hint({ fieldId, children }: Props) {
  if (!children) return null;
  return (
    <p className="hint" id={`${fieldId}-hint`}>
      {children}
    </p>
  );
}
