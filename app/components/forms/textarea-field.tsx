import { Field, type FieldTexts } from "./field";
import { NO_PLACEHOLDER, usePortalField } from "./portal-field";

type AreaProps = React.ComponentPropsWithoutRef<"textarea">;

interface Props extends FieldTexts, Omit<AreaProps, "name" | "id" | "defaultValue" | "value" | "className"> {
  /** Monospace, for PEM and similar texts. */
  mono?: boolean;
  /**
   * The largest number of characters, which the hint says. Unlike `maxLength` it does not cut off what is pasted: a longer text is refused
   * as a whole.
   */
  limit?: number;
}

export function TextareaField({ name, label, help, optional, mono, limit, rows = 5, ...props }: Props) {
  const { hint: words, ...rest } = props;
  const limitText = limit !== undefined && ` At most ${limit} characters.`;
  const hint = limitText ? (
    <>
      {words}
      {limitText}
    </>
  ) : (
    words
  );
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
