import { typedDay } from "~/lib/typed-dates";
import { SubmitButton } from "../ui/buttons";
import { WithPicker } from "./date-fields";
import { Field } from "./field";
import { FollowingInput, FollowingSelect } from "./following";
import { fieldId } from "./form-id";
import { type Option } from "./select-field";

type InputProps = Omit<React.ComponentPropsWithoutRef<"input">, "id" | "name" | "value">;

/** A field of a search. It is a text field by default, a date field with a picker when `isDay`, or a select with `choices`. */
export interface SearchField<Name extends string> extends InputProps {
  name: Name;
  label: string;
  hint?: string | undefined;
  isDay?: boolean;
  /** The options to choose from. The first one, labelled `any`, matches all. */
  choices?: { any: string; options: readonly Option[] };
}

interface Props<Name extends string> {
  /** The prefix of the ids of the fields. */
  formId: string;
  fields: readonly SearchField<Name>[];
  values: Readonly<Record<Name, string>>;
  errors: Readonly<Partial<Record<Name, string>>>;
  className: "pairs" | "filters";
}

/** The fields and the button of a search. It must be inside a `SearchForm`. */
export function SearchFields<Name extends string>({ formId, fields, values, errors, className }: Props<Name>) {
  return (
    <>
      <div className={className}>
        {fields.map((field) => {
          const [id, error] = [fieldId(formId, field.name), errors[field.name]];
          return (
            <Field key={id} id={id} label={field.label} hint={field.hint} error={error}>
              <Control id={id} field={field} value={values[field.name]} error={error} />
            </Field>
          );
        })}
      </div>
      <div>
        <SubmitButton>Search</SubmitButton>
      </div>
    </>
  );
}

interface ControlProps {
  id: string;
  field: SearchField<string>;
  value: string;
  error: string | undefined;
}

function Control({ id, field, value, error }: ControlProps) {
  const { name, label, hint, isDay, choices, ...input } = field;
  const attributes = {
    id,
    name,
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined,
  };
  if (choices)
    return (
      <FollowingSelect {...attributes} value={value}>
        <option value="">{choices.any}</option>
        {choices.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </FollowingSelect>
    );
  const text = <FollowingInput autoComplete="off" {...input} {...attributes} value={isDay ? typedDay(value) : value} />;
  if (!isDay) return text;
  return (
    <WithPicker type="date" label={label}>
      {text}
    </WithPicker>
  );
}
