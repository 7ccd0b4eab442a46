import { useEffect, useRef } from "react";
import { type Shell } from "~/domain/shell";
import { formatDateTime } from "~/lib/dates";

/**
 * The header of every printed page, with the company, the portal and the time. Without scripts the time of printing is unknown, so the
 * header says when the data were read.
 */
export function PrintHead({ shell: { loadedAt, portal } }: { shell: Shell }) {
  const when = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The browser prints as soon as the event ends, before React could render a change.
    window.onbeforeprint = () =>
      when.current?.replaceChildren(`Printed ${formatDateTime(new Date().toISOString())} UTC`);
  }, []);
  return (
    <div className="print-head">
      <p>
        <span>{`${portal.legal.company}, ${portal.name}`}</span>
        <span ref={when}>{`As of ${formatDateTime(loadedAt)} UTC`}</span>
      </p>
    </div>
  );
}
