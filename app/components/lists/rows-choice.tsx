import { useId } from "react";
import { FollowingSelect } from "../forms/following";
import { SubmitButton } from "../ui/buttons";

interface Props {
  size: number;
  sizes?: readonly number[];
  onChange: (form: HTMLFormElement | null) => void;
  /** What its button means in a form that has others. */
  intent?: string;
}

/** How many rows a page of a list has; without scripts with a button. Belongs into a form of method get, or has an intent. */
export function RowsChoice({ size, sizes = [10, 25, 50, 100], onChange, intent }: Props) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>Rows</label>
      <FollowingSelect
        id={id}
        name="size"
        value={String(size)}
        onChange={(event) => onChange(event.currentTarget.form)}
      >
        {sizes.map((rows) => (
          <option key={rows}>{rows}</option>
        ))}
      </FollowingSelect>
      <div className="no-js">
        <SubmitButton variant="secondary" intent={intent}>
          Apply
        </SubmitButton>
      </div>
    </div>
  );
}
