import { useEffect, useRef } from "react";
import { type Shell } from "~/domain/shell";
import { formatDateTime } from "~/lib/dates";

/**
 * Heads each printed page with its issuer and its time. Without scripts the time of printing is unknown, and the page tells when its data
 * were read.
 */
export function PrintHead({ shell: { loadedAt, portal } }: { shell: Shell }) {
  const when = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The browser prints as soon as the event is over, before React would show anything.
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
