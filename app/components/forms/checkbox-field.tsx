import { type FieldTexts, FieldHelp } from "./field";
import { FieldError } from "./field-error";
import { Hint } from "./hint";
import { usePortalField } from "./portal-field";

type InputProps = React.ComponentPropsWithoutRef<"input">;

interface Props
  extends Omit<FieldTexts, "optional">, Omit<InputProps, "name" | "id" | "type" | "defaultChecked" | "className"> {
  value?: string;
  /** Shows or hides the element directly after it: WhenTicked, or an element with the class `when-unticked`. */
  toggle?: boolean;
}

/** A single tick box. Its default comes from the form's defaultValues: `true` or the value of the box. */
export function CheckboxField({ name, label, hint, help, value = "on", toggle, ...rest }: Props) {
  const { id, error, aria, getInputProps } = usePortalField(name, { hint });
  return (
    <div className={toggle ? "field ticks" : "field"}>
      <FieldError fieldId={id} error={error} />
      <div className="check">
        <input {...getInputProps<InputProps>({ ...rest, type: "checkbox", value })} {...aria} id={id} />
        <label htmlFor={id}>{label}</label>
      </div>
      <Hint fieldId={id}>{hint}</Hint>
      <FieldHelp label={label}>{help}</FieldHelp>
    </div>
  );
}
