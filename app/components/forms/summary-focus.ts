import { useEffect, useRef } from "react";
import { usePending } from "../shell/pending";
import { ERROR_PREFIX } from "../shell/title-prefix";

/** Focuses the summary when a submit came back with messages, but never while the user types, and marks the title. */
export function useSummaryFocus(messages: string, isSubmitting: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const due = useRef(true);
  const busy = usePending() || isSubmitting;

  useEffect(() => {
    const typing = () => {
      due.current = false;
    };
    // Captured, because the field's own handler can remove a message, and the summary must know before that the user types.
    document.addEventListener("input", typing, true);
    return () => document.removeEventListener("input", typing, true);
  }, []);

  useEffect(() => {
    if (busy) due.current = true;
    else if (messages && due.current) box.current?.focus();
  }, [busy, messages]);

  const wrong = messages !== "";
  useEffect(() => {
    if (!wrong) return;
    if (!document.title.startsWith(ERROR_PREFIX)) document.title = ERROR_PREFIX + document.title;
    return () => {
      if (document.title.startsWith(ERROR_PREFIX)) document.title = document.title.slice(ERROR_PREFIX.length);
    };
  }, [wrong]);

  return box;
}
