import { Link } from "@remix-run/react";

interface Props {
  title: React.ReactNode;
  back?: { to: string; label?: string };
  actions?: React.ReactNode;
  /** The purpose of the page, below the heading. */
  children?: React.ReactNode;
}

/** The page's only h1, with the Back link and the page's actions. */
export function PageHeader({ title, back, actions, children }: Props) {
  return (
    <div className="page-head">
      {back && (
        <p className="no-print">
          <Link to={back.to}>
            <span aria-hidden="true">‹ </span>
            {back.label ?? "Back"}
          </Link>
        </p>
      )}
      <div className="row spread">
        <h1>{title}</h1>
        {actions && <div className="row no-print">{actions}</div>}
      </div>
      {typeof children === "string" ? <p>{children}</p> : children}
    </div>
  );
}
