import { useContext, useState } from "react";
import { Field, type FieldTexts } from "./field";
import { fieldId, FormIdContext, NO_FORM } from "./form-id";
import { usePasteBlock } from "./paste-block";
import { usePortalField } from "./portal-field";

type InputProps = React.ComponentPropsWithoutRef<"input">;

interface Props extends Omit<FieldTexts, "label"> {
  label: string;
  autoComplete: "current-password" | "new-password";
  maxLength?: number;
  noPaste?: boolean;
}

/** A password field. It is never filled in again, and shows the password on request where scripts run. */
export function PasswordField({ name, label, hint, help, optional, noPaste = false, autoComplete, maxLength }: Props) {
  const [shown, setShown] = useState(false);
  const formId = useContext(FormIdContext) ?? NO_FORM;
  const paste = usePasteBlock(noPaste, `${fieldId(formId, name)}-paste`);
  const { id, error, aria, getInputProps } = usePortalField(name, { hint, also: paste.statusId });
  const { onChange, onBlur } = getInputProps<InputProps>();
  return (
    <Field id={id} label={label} hint={hint} help={help} optional={optional} error={error}>
      <div className="with-button">
        <input
          {...paste.handlers}
          {...aria}
          id={id}
          name={name}
          autoComplete={autoComplete}
          maxLength={maxLength}
          onChange={onChange}
          onBlur={onBlur}
          type={shown ? "text" : "password"}
          autoCapitalize="none"
          spellCheck={false}
        />
        <button
          type="button"
          className="btn js-only"
          aria-controls={id}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          Show<span className="vh"> {label.toLowerCase()}</span>
        </button>
      </div>
      {paste.status}
    </Field>
  );
}
