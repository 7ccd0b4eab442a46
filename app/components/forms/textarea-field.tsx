import { Field, type FieldTexts } from "./field";
import { NO_PLACEHOLDER, usePortalField } from "./portal-field";

type AreaProps = React.ComponentPropsWithoutRef<"textarea">;

interface Props extends FieldTexts, Omit<AreaProps, "name" | "id" | "defaultValue" | "value" | "className"> {
  /** Monospace, for PEM and similar texts. */
  mono?: boolean;
}

export function TextareaField({ name, label, hint, help, optional, mono, rows = 5, ...rest }: Props) {
  const { id, error, aria, getInputProps } = usePortalField(name, { hint });
  return (
    <Field id={id} label={label} hint={hint} help={help} optional={optional} error={error}>
      <textarea
        {...getInputProps<AreaProps & { type?: string }>({ placeholder: NO_PLACEHOLDER, ...rest, rows })}
        {...aria}
        id={id}
        className={mono ? "mono" : undefined}
        spellCheck={mono ? false : undefined}
      />
    </Field>
  );
}
