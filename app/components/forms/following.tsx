import { NavigationType, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * Returns the ref of a control that shows a value of the page, such as a filter from the address, and is updated when that value changes.
 * Text that is typed but not sent stays until the value changes, and the control always keeps the focus. A control in which the user is
 * typing is updated only by the browser's Back and Forward.
 */
function useFollowing<Control extends HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(value: string) {
  const control = useRef<Control>(null);
  const followed = useRef(value);
  const isBack = useNavigationType() === NavigationType.Pop;
  useEffect(() => {
    if (followed.current === value) return;
    followed.current = value;
    if (!control.current || (control.current === document.activeElement && !isBack)) return;
    control.current.value = value;
    // The page can have a value for which there is no option.
    if (control.current instanceof HTMLSelectElement && control.current.selectedIndex < 0)
      control.current.selectedIndex = 0;
  }, [value, isBack]);
  return control;
}

type Following<Tag extends "input" | "select" | "textarea"> = Omit<
  React.ComponentPropsWithoutRef<Tag>,
  "value" | "defaultValue"
> & { value: string };

export function FollowingInput({ value, ...rest }: Following<"input">) {
  return <input {...rest} ref={useFollowing<HTMLInputElement>(value)} defaultValue={value} />;
}

export function FollowingSelect({ value, ...rest }: Following<"select">) {
  return <select {...rest} ref={useFollowing<HTMLSelectElement>(value)} defaultValue={value} />;
}

export function FollowingTextarea({ value, ...rest }: Following<"textarea">) {
  return <textarea {...rest} ref={useFollowing<HTMLTextAreaElement>(value)} defaultValue={value} />;
}
