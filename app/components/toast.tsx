import { useState } from "react";
import { type Shell } from "~/http/shell.server";

type Message = Shell["toast"];

/** The flash message: it goes after 10 seconds by CSS alone, waits under the pointer, and can be closed with scripts. */
export function ToastRegion({ toast }: { toast: Message }) {
  const [shown, setShown] = useState({ toast, round: 0, closed: false });
  // A new message, even with the same words, starts its 10 seconds again.
  if (shown.toast !== toast) setShown({ toast, round: shown.round + 1, closed: false });

  return (
    <div role="status" className="toasts">
      {toast && !shown.closed && (
        <div key={shown.round} className={`toast ${toast.kind}`}>
          <p>{toast.text}</p>
          <button
            type="button"
            className="btn small js-only"
            onClick={() => setShown((now) => ({ ...now, closed: true }))}
          >
            Close<span className="vh"> message</span>
          </button>
        </div>
      )}
    </div>
  );
}
