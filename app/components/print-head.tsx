import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { type Shell } from "~/http/shell.server";
import { Time } from "./time";

/**
 * Heads each printed page with its issuer and its time. Without scripts the time of printing is unknown, and the page tells when its data
 * were read.
 */
export function PrintHead({ shell: { loadedAt, portal } }: { shell: Shell }) {
  const [printedAt, setPrintedAt] = useState<string | null>(null);
  useEffect(() => {
    // The browser prints as soon as the event is over.
    const update = () => flushSync(() => setPrintedAt(new Date().toISOString()));
    window.addEventListener("beforeprint", update);
    return () => window.removeEventListener("beforeprint", update);
  }, []);
  return (
    <div className="print-head">
      <p>
        <span>
          {portal.legal.company}, {portal.name}
        </span>
        <span>
          {printedAt ? "Printed" : "As of"} <Time value={printedAt ?? loadedAt} withTime />
        </span>
      </p>
    </div>
  );
}
