import { useId } from "react";
import { useMaybeShell } from "../shell/shell";
import { Note } from "./note";

interface Props {
  title?: React.ReactNode;
  level?: 1 | 2 | 3;
  actions?: React.ReactNode;
  className?: string;
  /** The id of the card, for an address whose fragment moves the focus to it. */
  anchor?: string;
  children: React.ReactNode;
}

export function Card({ title, level = 2, actions, className = "", anchor, children }: Props) {
  const id = useId();
  const Heading = `h${level}` as const;
  const classes = `card ${className}`.trim();
  if (!title) return <div className={classes}>{children}</div>;
  return (
    <section className={classes} aria-labelledby={id} {...(anchor && { id: anchor, tabIndex: -1 })}>
      <header>
        <Heading id={id}>{title}</Heading>
        {actions}
      </header>
      {anchor && <CardMessage anchor={anchor} />}
      {children}
    </section>
  );
}

/** The flash message for the card or place with this id, where the page opens. */
export function CardMessage({ anchor }: { anchor: string }) {
  const toast = useMaybeShell()?.toast;
  if (toast?.at !== anchor) return null;
  return (
    <div role="status" className="card-message">
      <Note tone={toast.kind}>{toast.text}</Note>
    </div>
  );
}
