import { useNavigation } from "@remix-run/react";
import { useState } from "react";
import { type Shell } from "~/domain/shell";

type Message = Shell["toast"];

/**
 * The flash message. One for a card is hidden while the page has that card, which shows it (`.bound`). It is shown here when the card is
 * gone, for example because rights were withdrawn meanwhile. Without scripts it stays on the page. With scripts, its button closes it, or it closes after 10 seconds (DSH-04), even
 * if the user goes to another page in that time; a form that is sent closes it, too. A CSS animation measures the 10 seconds and pauses while the message is hovered or
 * focused.
 */
export function ToastRegion({ toast }: { toast: Message }) {
  const [{ given, shown, round }, setState] = useState({ given: toast, shown: toast, round: 0 });
  // A new message, even with the same text, restarts the 10 seconds. A page without a message leaves the last one visible, unless a card had it.
  const left = shown?.at === undefined ? shown : null;
  if (given !== toast) setState({ given: toast, shown: toast ?? left, round: toast ? round + 1 : round });
  // What is sent now may make the last message untrue, such as 'Nothing was changed yet.'
  if (useNavigation().state === "submitting" && shown) setState({ given, shown: null, round });
  const close = () => setState((now) => ({ ...now, shown: null }));

  return (
    <div role="status" className="toasts">
      {shown && (
        <div
          key={round}
          className={`toast ${shown.kind} ${shown.at === undefined ? "" : "bound"}`.trim()}
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
