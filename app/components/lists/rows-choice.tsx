import { useId } from "react";
import { FollowingSelect } from "../forms/following";
import { SubmitButton } from "../ui/buttons";

interface Props {
  size: number;
  sizes?: readonly number[];
  onChange: (form: HTMLFormElement | null) => void;
  /** The intent of its button in a form with other buttons. */
  intent?: string;
}

/**
 * The number of rows per page of a list, with a button where there are no scripts. It must be in a form with the method GET, or have an
 * intent.
 */
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
