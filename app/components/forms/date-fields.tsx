import { readDay, readTime, typedDay } from "~/lib/typed-dates";
import { Field, type FieldTexts } from "./field";
import { NO_PLACEHOLDER, usePortalField } from "./portal-field";

type InputProps = React.ComponentPropsWithoutRef<"input">;

/** The format of a day, for the hint of its field. */
export const DAY_FORMAT = "DD/MM/YYYY";

interface PickerProps {
  type: "date" | "time";
  /** The label of the field. */
  label: React.ReactNode;
  /** The earliest and the latest day, `yyyy-MM-dd`. */
  min?: string | undefined;
  max?: string | undefined;
  /** The time includes seconds. */
  seconds?: boolean | undefined;
  /** The text field. */
  children: React.ReactNode;
}

/** Sets the value of the text field as if it had been typed, so that React and the form notice it. */
function typeInto(field: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}

/** Returns the text field and the browser's own input beside it, from any element in the same `WithPicker`. */
const inputsAround = (element: Element) =>
  element.closest(".with-picker")?.querySelectorAll("input") as unknown as [
    text: HTMLInputElement,
    native: HTMLInputElement,
  ];

function openPicker(button: HTMLButtonElement): void {
  const [text, native] = inputsAround(button);
  native.value = (native.type === "date" ? readDay(text.value) : readTime(text.value)) ?? "";
  native.showPicker();
}

function takePicked(native: HTMLInputElement): void {
  const [text] = inputsAround(native);
  typeInto(text, native.type === "date" ? typedDay(native.value) : native.value);
  text.focus();
}

/**
 * A text field for a day or a time and, where scripts run, a button that opens the browser's own picker. The browser's own input alone
 * would format both in the language of the browser.
 */
export function WithPicker({ type, label, min, max, seconds, children }: PickerProps) {
  return (
    <div className="with-picker">
      {children}
      <span className="picker js-only">
        <input
          type={type}
          min={min}
          max={max}
          step={seconds ? 1 : undefined}
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => takePicked(event.currentTarget)}
        />
        <button type="button" className="btn" onClick={(event) => openPicker(event.currentTarget)}>
          <PickerIcon type={type} />
          <span className="vh">
            Open the {type === "date" ? "calendar" : "clock"}: {label}
          </span>
        </button>
      </span>
    </div>
  );
}

const ICONS = {
  date: "M3 5h14v12H3zM3 9h14M7 3v4M13 3v4",
  time: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 6v4l3 2",
};

const PickerIcon = ({ type }: Pick<PickerProps, "type">) => (
  <svg viewBox="0 0 20 20" width="20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
    <path d={ICONS[type]} />
  </svg>
);

const hintWith = (format: string, hint: React.ReactNode) =>
  hint ? (
    <>
      {format}. {hint}
    </>
  ) : (
    format
  );

/** A day, typed and shown as DD/MM/YYYY; the stored value is `yyyy-MM-dd`. `min` and `max` are `yyyy-MM-dd` and only limit the picker. */
export function DateField({
  name,
  label,
  hint,
  help,
  optional,
  min,
  max,
}: FieldTexts & Pick<PickerProps, "min" | "max">) {
  const described = hintWith(DAY_FORMAT, hint);
  const { id, error, aria, getInputProps } = usePortalField(name, { hint: described });
  const { defaultValue, ...props } = getInputProps<InputProps>({
    type: "text",
    autoComplete: "off",
    placeholder: NO_PLACEHOLDER,
  });
  return (
    <Field id={id} label={label} help={help} optional={optional} error={error} hint={described}>
      <WithPicker type="date" label={label} min={min} max={max}>
        <input {...props} {...aria} id={id} defaultValue={typedDay(String(defaultValue ?? ""))} />
      </WithPicker>
    </Field>
  );
}

/** A time of day in UTC, 24 hours. With `seconds` it includes seconds. */
export function TimeField({ name, label, hint, help, optional, seconds }: FieldTexts & Pick<PickerProps, "seconds">) {
  const described = hintWith(seconds ? "HH:MM:SS" : "HH:MM", hint);
  const { id, error, aria, getInputProps } = usePortalField(name, { hint: described });
  return (
    <Field id={id} label={label} help={help} optional={optional} error={error} hint={described}>
      <WithPicker type="time" label={label} seconds={seconds}>
        <input
          {...getInputProps<InputProps>({ type: "text", autoComplete: "off", placeholder: NO_PLACEHOLDER })}
          {...aria}
          id={id}
        />
      </WithPicker>
    </Field>
  );
}
