import { useActionData } from "@remix-run/react";
import { useEffect, useState } from "react";

interface Answer {
  /** A form that came back, or that a question is asked about. */
  repopulateFields?: Partial<Record<string, unknown>>;
  asked?: Partial<Record<string, unknown>>;
}

/** Returns the version, a hidden field, of the form that the page shows: of one that came back, else `stored`. */
export function useShownVersion(name: string, stored: string): string {
  const answer = useActionData<Answer>();
  const version = (answer?.repopulateFields ?? answer?.asked)?.[name];
  return typeof version === "string" ? version : stored;
}

interface Props {
  /** Names what is shown, e.g. a version. */
  of: string;
  children: React.ReactNode;
}

/**
 * Takes its children away and shows them anew when `of` changes. A form that is only exchanged for one with the same id keeps the first
 * values of the one before: remix-validated-form holds them by the id until the last of them is gone.
 */
export function Anew({ of, children }: Props) {
  const [shown, setShown] = useState(of);
  useEffect(() => {
    // When the old ones are gone; a deferred value would not wait in a transition, as navigations are.
    queueMicrotask(() => setShown(of));
  }, [of]);
  return shown === of ? children : null;
}
