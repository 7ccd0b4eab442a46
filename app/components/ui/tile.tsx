import { Link } from "@remix-run/react";

interface Props {
  title: string;
  to: string;
  /** The address is outside the portal. */
  external?: boolean;
  count?: number;
  countLabel?: string;
  children?: React.ReactNode;
}

/** A dashboard tile. A click anywhere on it follows the link of its heading. */
export function Tile({ title, to, external, count, countLabel, children }: Props) {
  return (
    <div className="card tile">
      <h3>{external ? <a href={to}>{title}</a> : <Link to={to}>{title}</Link>}</h3>
      {children && <p>{children}</p>}
      {count !== undefined && (
        <p className="count">
          <strong>{count}</strong> {countLabel}
        </p>
      )}
    </div>
  );
}
