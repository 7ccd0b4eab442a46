interface Props {
  children: React.ReactNode;
}

/** Shown while the toggle CheckboxField directly before it is ticked. CSS alone does it; the server ignores the rest. */
export function WhenTicked({ children }: Props) {
  return <div className="when-ticked stack">{children}</div>;
}

/** Shown while the toggle CheckboxField before it (with at most a WhenTicked between) is not ticked. */
export function WhenUnticked({ children }: Props) {
  return <div className="when-unticked stack">{children}</div>;
}
