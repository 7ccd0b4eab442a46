import { useState } from "react";
import { type ButtonVariant, LinkButton, SubmitButton } from "../ui/buttons";
import { useChosenRows } from "./chosen-rows";

interface RowAction {
  intent: string;
  label: string;
  variant?: ButtonVariant;
  /** The number of rows that the action needs. The default is one or more. */
  needs?: "one" | "none";
}

interface Props {
  formId: string;
  /** The name of the rows' radios or checkboxes. */
  name: string;
  actions: readonly RowAction[];
  /** Why a row does not allow an intent: row → intent → text. */
  reasons?: Record<string, Record<string, string> | undefined>;
  back?: { to: string; label?: string };
}

const CHOOSE = "Choose a row first.";
const CHOOSE_ONE = "Choose only one row.";

/**
 * Buttons for the chosen rows. With scripts they say why an action is not possible. Without scripts all buttons work and the server
 * explains.
 */
export function RowActions({ formId, name, actions, reasons = {}, back }: Props) {
  const rows = useChosenRows(formId, name);
  const [asked, setAsked] = useState("");

  const barrier = ({ intent, needs }: RowAction) => {
    if (rows === null || needs === "none") return undefined;
    if (rows.length === 0) return CHOOSE;
    if (needs === "one" && rows.length > 1) return CHOOSE_ONE;
    return rows.map((row) => reasons[row]?.[intent]).find(Boolean);
  };
  const explanations = rows?.length
    ? actions.flatMap((action) => {
        const reason = barrier(action);
        return reason ? [`${action.label}: ${reason}`] : [];
      })
    : [];

  return (
    <div className="bar">
      {actions.map((action) => (
        <SubmitButton
          key={action.intent}
          intent={action.intent}
          variant={action.variant ?? "secondary"}
          aria-disabled={barrier(action) ? true : undefined}
          onClick={() => setAsked(rows?.length === 0 ? (barrier(action) ?? "") : "")}
        >
          {action.label}
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
