import { Field, type FieldTexts } from "./field";
import { usePortalField } from "./portal-field";

type InputProps = React.ComponentPropsWithoutRef<"input">;
type Limits = Pick<InputProps, "min" | "max" | "disabled" | "readOnly" | "required">;

/** A day as the browser's own date input; value, min and max are `yyyy-MM-dd`. */
export function DateField({ name, label, hint, help, optional, ...limits }: FieldTexts & Limits) {
  const { id, error, aria, getInputProps } = usePortalField(name, { hint });
  return (
    <Field {...{ id, label, hint, help, optional, error }}>
      <input {...getInputProps<InputProps>({ ...limits, type: "date" })} {...aria} id={id} />
    </Field>
  );
}

/** A time of day, 24 hours, in UTC as all times of the portal; `seconds` asks for them too. */
export function TimeField({
  name,
  label,
  hint,
  help,
  optional,
  seconds,
  ...limits
}: FieldTexts & Limits & { seconds?: boolean }) {
  const { id, error, aria, getInputProps } = usePortalField(name, { hint });
  return (
    <Field {...{ id, label, hint, help, optional, error }}>
      <input
        {...getInputProps<InputProps>({ ...limits, type: "time", step: seconds ? 1 : undefined })}
        {...aria}
        id={id}
      />
    </Field>
  );
}
