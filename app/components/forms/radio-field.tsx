import { type FieldTexts } from "./field";
import { FieldError } from "./field-error";
import { Hint } from "./hint";
import { usePortalField } from "./portal-field";
import { type Option } from "./select-field";

type InputProps = React.ComponentPropsWithoutRef<"input">;

interface Props extends Pick<FieldTexts, "name" | "hint"> {
  legend: React.ReactNode;
  options: readonly (Option & { hint?: string })[];
  disabled?: boolean;
  onChange?: React.ChangeEventHandler<HTMLInputElement>;
}

export function RadioField({ name, legend, hint, options, disabled, onChange }: Props) {
  const { id, error, aria, getInputProps } = usePortalField(name, { hint });
  return (
    <fieldset className="field" aria-describedby={aria["aria-describedby"]} disabled={disabled}>
      <legend>{legend}</legend>
      <Hint fieldId={id}>{hint}</Hint>
      <FieldError fieldId={id} error={error} />
      {options.map((option, index) => {
        const optionId = index === 0 ? id : `${id}-${index}`;
        return (
          <div className="check" key={option.value}>
            <input
              {...getInputProps<InputProps>({ type: "radio", value: option.value, onChange })}
              id={optionId}
              aria-invalid={aria["aria-invalid"]}
              aria-describedby={option.hint && `${optionId}-note`}
            />
            <label htmlFor={optionId}>
              {option.label}
              {option.hint && (
                <span className="sub hint" id={`${optionId}-note`}>
                  {option.hint}
                </span>
              )}
            </label>
          </div>
        );
      })}
    </fieldset>
  );
}
