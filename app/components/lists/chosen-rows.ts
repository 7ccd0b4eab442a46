import { useCallback, useSyncExternalStore } from "react";

const chosenIn = (formId: string, name: string): string | null => {
  const form = document.getElementById(formId);
  return form instanceof HTMLFormElement
    ? new FormData(form)
        .getAll(name)
        .filter((value) => typeof value === "string")
        .join(",")
    : null;
};

/** Returns the values of the ticked rows in a form and keeps them up to date. Returns null on the server and until the form is mounted. */
export function useChosenRows(formId: string, name: string): string[] | null {
  const subscribe = useCallback((changed: () => void) => {
    document.addEventListener("change", changed);
    return () => document.removeEventListener("change", changed);
  }, []);
  const chosen = useSyncExternalStore(
    subscribe,
    () => chosenIn(formId, name),
    () => null,
  );
  return chosen === null ? null : chosen.split(",").filter(Boolean);
}
