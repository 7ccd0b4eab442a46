import { Field, type FieldTexts } from "./field";
import { usePortalField } from "./portal-field";

type SelectProps = React.ComponentPropsWithoutRef<"select">;

export interface Option {
  value: string;
  label: string;
}

interface Props extends FieldTexts, Omit<SelectProps, "name" | "id" | "defaultValue" | "value" | "className"> {
  options: readonly Option[];
  /** The first, empty option, e.g. 'Select security question'. */
  placeholder?: string;
  /** A button beside the select, e.g. Update country. */
  button?: React.ReactNode;
}

export function SelectField({ name, label, hint, help, optional, options, placeholder, button, ...rest }: Props) {
  const { id, error, aria, getInputProps } = usePortalField(name, { hint });
  return (
    <Field id={id} label={label} hint={hint} help={help} optional={optional} error={error}>
      <select {...getInputProps<SelectProps & { type?: string }>(rest)} {...aria} id={id}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {button}
    </Field>
  );
}
