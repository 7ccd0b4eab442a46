import { Field, type FieldTexts } from "./field";
import { usePortalField } from "./portal-field";

type InputProps = React.ComponentPropsWithoutRef<"input">;

interface Props extends FieldTexts, Pick<InputProps, "accept" | "disabled" | "multiple"> {
  onChange?: React.ChangeEventHandler<HTMLInputElement>;
}

/** A file field. Its form needs encType="multipart/form-data". Browsers never fill a file field again. */
export function FileField({ name, label, hint, help, optional, onChange, ...rest }: Props) {
  const { id, error, aria, getInputProps } = usePortalField(name, { hint });
  const handlers = getInputProps<InputProps>({ onChange });
  return (
    <Field id={id} label={label} hint={hint} help={help} optional={optional} error={error}>
      <input
        {...rest}
        {...aria}
        id={id}
        name={name}
        type="file"
        onChange={handlers.onChange}
        onBlur={handlers.onBlur}
      />
    </Field>
  );
}
