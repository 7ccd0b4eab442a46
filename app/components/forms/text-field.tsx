import { useContext } from "react";
import { Field, type FieldTexts } from "./field";
import { fieldId, FormIdContext, NO_FORM } from "./form-id";
import { useNumberTyping } from "./number-typing";
import { usePasteBlock } from "./paste-block";
import { NO_PLACEHOLDER, usePortalField } from "./portal-field";

type InputProps = React.ComponentPropsWithoutRef<"input">;

export interface TextFieldProps
  extends FieldTexts, Omit<InputProps, "name" | "id" | "defaultValue" | "value" | "className"> {
  type?: "text" | "email" | "tel" | "url" | "number" | "search";
  /** Blocks copy and paste by script. */
  noPaste?: boolean;
  /** Details below the message. */
  errorDetails?: React.ReactNode;
  /** Monospace, for codes and numbers in which O and 0 must differ. */
  mono?: boolean;
  /** A button beside the input, e.g. Apply. */
  button?: React.ReactNode;
  /** A status below the input about the value as it is typed, which screen readers announce. An error message of the form replaces it. */
  status?: string;
}

export function TextField(props: TextFieldProps) {
  const { name, label, hint, help, optional, noPaste = false, mono, button, type = "text", ...given } = props;
  const { status: ownStatus, errorDetails, ...rest } = given;
  const typing = useNumberTyping(rest.inputMode === "numeric" || rest.inputMode === "decimal");
  const status = typing.status || ownStatus;
  const formId = useContext(FormIdContext) ?? NO_FORM;
  const paste = usePasteBlock(noPaste, `${fieldId(formId, name)}-paste`);
  const statusId = status === undefined ? undefined : `${fieldId(formId, name)}-status`;
  const also = [paste.statusId, statusId].filter(Boolean).join(" ");
  const { id, error, aria, getInputProps } = usePortalField(name, { hint, also });
  const input = (
    <input
      {...getInputProps<InputProps>({
        placeholder: NO_PLACEHOLDER,
        ...rest,
        ...paste.handlers,
        ...typing.handlers,
        type,
      })}
      {...aria}
      id={id}
      className={mono ? "mono" : undefined}
    />
  );
  return (
    <Field id={id} label={label} hint={hint} help={help} optional={optional} error={error} errorDetails={errorDetails}>
      {button ? (
        <div className="with-button">
          {input}
          {button}
        </div>
      ) : (
        input
      )}
      {paste.status}
      {status !== undefined && (
        <p className="hint" role="status" id={statusId}>
          {error ? "" : status}
        </p>
      )}
    </Field>
  );
}
