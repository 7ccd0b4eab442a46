import { NavigationType, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * A control that shows what the page came with, such as a filter out of the address, and follows it when that changes. What is typed and
 * not sent yet stays as long as it does not change, and the focus stays always. Whoever still types in the control is not interrupted,
 * but the browser's Back and Forward are followed there, too.
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
    // As in a page that comes with a choice that there is none of.
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
