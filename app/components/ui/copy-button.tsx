import { useState } from "react";

interface Props {
  value: string;
  label?: string;
  /** What is copied, for screen readers, where the button stands beside it: `serial number`. */
  of?: string;
}

/** A button that copies a value where scripts run. Without scripts, one click on the text beside it selects it. */
export function CopyButton({ value, label = "Copy", of }: Props) {
  const [outcome, setOutcome] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setOutcome("Copied.");
    } catch {
      setOutcome("Copying is not possible here. Select the text instead.");
    }
  };
  return (
    <span className="row js-only no-print">
      <button type="button" className="btn small" onClick={() => void copy()}>
        {label}
        {of && <span className="vh"> {of}</span>}
      </button>
      <span role="status" className="hint">
        {outcome}
      </span>
    </span>
  );
}
