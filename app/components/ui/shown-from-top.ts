import { useEffect, useRef } from "react";
import { useHasScripts } from "./has-scripts";

/**
 * Shows content that replaces a form at the same address, such as a question, from the top of the page, and moves the focus to it, as a full
 * load does.
 */
export function useShownFromTop(): void {
  const isReplacement = useRef(useHasScripts());
  useEffect(() => {
    if (!isReplacement.current) return;
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  }, []);
}
