import { useActionData } from "@remix-run/react";
import { useEffect, useState } from "react";

interface Answer {
  /** The values of a form that came back. */
  repopulateFields?: Partial<Record<string, unknown>>;
  asked?: Partial<Record<string, unknown>>;
}

/**
 * Returns the version of the form that the page shows, which is a hidden field. It is the submitted one for a form that came back,
 * otherwise `stored`.
 */
export function useShownVersion(name: string, stored: string): string {
  const answer = useActionData<Answer>();
  const version = (answer?.repopulateFields ?? answer?.asked)?.[name];
  return typeof version === "string" ? version : stored;
}

interface Props {
  /** Identifies what is shown, e.g. a version. */
  on: string;
  children: React.ReactNode;
}

/**
 * Unmounts its children and mounts them again when `on` changes. Without this, a form that replaces another one with the same id would keep
 * the default values of the old form: remix-validated-form stores them by id until the last form with that id is unmounted.
 */
export function Remount({ on, children }: Props) {
  const [shown, setShown] = useState(on);
  useEffect(() => {
    // This runs after the old children are unmounted. A deferred value would not wait inside a transition, and navigations are transitions.
    queueMicrotask(() => setShown(on));
  }, [on]);
  return shown === on ? children : null;
}
