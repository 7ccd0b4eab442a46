import { useState } from "react";
import { type Shell } from "~/domain/shell";

type Message = Shell["toast"];

/**
 * The flash message. Without scripts it stays in the page. With them it lasts 10 seconds (DSH-04), also over a change of page:
 * a CSS animation counts them, which waits under the pointer and the focus; then, or by its button, the message is closed.
 */
export function ToastRegion({ toast }: { toast: Message }) {
  const [{ given, shown, round }, setState] = useState({ given: toast, shown: toast, round: 0 });
  // A new message, even with the same words, starts its 10 seconds again; a page without one leaves the last in place.
  if (given !== toast) setState({ given: toast, shown: toast ?? shown, round: toast ? round + 1 : round });
  const close = () => setState((now) => ({ ...now, shown: null }));

  return (
    <div role="status" className="toasts">
      {shown && (
        <div
          key={round}
          className={`toast ${shown.kind}`}
          onAnimationEnd={(event) => event.animationName === "toast" && close()}
        >
          <p>{shown.text}</p>
          <button type="button" className="btn small js-only" onClick={close}>
            Close<span className="vh"> message</span>
          </button>
        </div>
      )}
    </div>
  );
}
