import { useEffect, useRef } from "react";
import { areSingleKeysOn, setSingleKeys } from "./single-keys";

/** Switches the single keys of all pages on and off, which only scripts know (WCAG 2.1.4). */
export function SingleKeysSwitch({ label }: { label: string }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.checked = areSingleKeysOn();
  }, []);
  return (
    <label className="js-only hint">
      <input
        ref={box}
        type="checkbox"
        defaultChecked
        onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
      />{" "}
      {label}
    </label>
  );
}
