import { useId } from "react";

interface Props {
  title?: React.ReactNode;
  level?: 2 | 3;
  actions?: React.ReactNode;
  className?: string;
  /** The id of the card, for an address whose fragment moves the focus to it. */
  place?: string;
  children: React.ReactNode;
}

export function Card({ title, level = 2, actions, className = "", place, children }: Props) {
  const id = useId();
  const Heading = `h${level}` as const;
  const classes = `card ${className}`.trim();
  if (!title) return <div className={classes}>{children}</div>;
  return (
    <section className={classes} aria-labelledby={id} {...(place && { id: place, tabIndex: -1 })}>
      <header>
        <Heading id={id}>{title}</Heading>
        {actions}
      </header>
      {children}
    </section>
  );
}
