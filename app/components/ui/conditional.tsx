interface Props {
  children: React.ReactNode;
}

/**
 * Shows its children while the CheckboxField directly before it, which must have `toggle`, is ticked. CSS alone does this. The server
 * ignores the hidden fields.
 */
export function WhenTicked({ children }: Props) {
  return <div className="when-ticked stack">{children}</div>;
}
