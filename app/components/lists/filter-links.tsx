import { Link } from "@remix-run/react";

interface Props {
  /** The purpose of the links, for screen readers. */
  label: string;
  /** The text before the links. */
  caption: string;
  choices: readonly { label: string; to: string; isCurrent: boolean }[];
}

/** Links that show only a part of a list. */
export function FilterLinks({ label, caption, choices }: Props) {
  return (
    <nav aria-label={label}>
      <ul role="list" className="row">
        <li>{caption}</li>
        {choices.map((choice) => (
          <li key={choice.label}>
            <Link to={choice.to} aria-current={choice.isCurrent ? "true" : undefined}>
              {choice.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
