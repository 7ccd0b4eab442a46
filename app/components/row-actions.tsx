import { useState } from "react";
import { type ButtonVariant, LinkButton, SubmitButton } from "./buttons";
import { useChosenRows } from "./chosen-rows";

interface RowAction {
  intent: string;
  label: string;
  variant?: ButtonVariant;
}

interface Props {
  formId: string;
  /** The name of the rows' radios or checkboxes. */
  name: string;
  actions: readonly RowAction[];
  /** Why a row does not allow an intent: row → intent → words. */
  reasons?: Record<string, Record<string, string> | undefined>;
  back?: { to: string; label?: string };
}

const CHOOSE = "Choose a row first.";

/** Buttons for the chosen row. Without scripts all work and the server explains; with scripts they say why not. */
export function RowActions({ formId, name, actions, reasons = {}, back }: Props) {
  const rows = useChosenRows(formId, name);
  const [asked, setAsked] = useState("");

  const barrier = (intent: string) => {
    if (rows === null) return undefined;
    if (rows.length === 0) return CHOOSE;
    return rows.map((row) => reasons[row]?.[intent]).find(Boolean);
  };
  const explanations = rows?.length
    ? actions.flatMap(({ intent, label }) => {
        const reason = barrier(intent);
        return reason ? [`${label}: ${reason}`] : [];
      })
    : [];

  return (
    <div className="bar">
      {actions.map(({ intent, label, variant = "secondary" }) => (
        <SubmitButton
          key={intent}
          intent={intent}
          variant={variant}
          aria-disabled={barrier(intent) ? true : undefined}
          onClick={() => setAsked(rows?.length === 0 ? CHOOSE : "")}
        >
          {label}
        </SubmitButton>
      ))}
      {back && (
        <span className="end">
          <LinkButton to={back.to} variant="quiet">
            {back.label ?? "Back"}
          </LinkButton>
        </span>
      )}
      <p className="hint js-only" role="status">
        {rows?.length ? explanations.join(" · ") : asked}
      </p>
    </div>
  );
}
