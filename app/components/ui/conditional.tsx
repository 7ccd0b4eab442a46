interface Props {
  children: React.ReactNode;
}

/** Shown while the toggle CheckboxField directly before it is ticked. CSS alone does this; the server ignores the hidden fields. */
export function WhenTicked({ children }: Props) {
  return <div className="when-ticked stack">{children}</div>;
}
