import { useActionData, useNavigation } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { useIsSubmitting } from "remix-validated-form";

export const isVisibleInput = (control: Element): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type !== "hidden";

type TickedInput = HTMLInputElement & { type: "checkbox" | "radio" };

export const isTicked = (control: HTMLInputElement | HTMLTextAreaElement): control is TickedInput =>
  control.type === "checkbox" || control.type === "radio";

function contentOf(control: Element): string | boolean | null {
  if (isVisibleInput(control)) return isTicked(control) ? control.checked : control.value;
  const hasText = control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement;
  return hasText ? control.value : null;
}

/** Returns the visible contents of the fields, for comparison. */
const contentsOf = (form: HTMLFormElement) =>
  JSON.stringify(Array.from(form.elements, contentOf).filter((content) => content !== null));

interface Kept {
  form: HTMLFormElement;
  contents: string;
}

/**
 * Records the contents of a form when the server has stored them and the page stays, as after an Import. Returns a function that says
 * whether a form still has these contents; it is false for a form that was not stored.
 */
export function useKeptContents(formId: string): (form: HTMLFormElement) => boolean {
  const isSubmitting = useIsSubmitting(formId);
  const { state } = useNavigation();
  const answer = useActionData();
  const isSent = useRef(false);
  const kept = useRef<Kept | null>(null);

  useEffect(() => {
    if (state !== "idle") {
      isSent.current ||= isSubmitting;
      return;
    }
    if (!isSent.current || isSubmitting) return;
    isSent.current = false;
    const form = document.getElementById(formId);
    // Refusals and questions are answers. A stored form is answered with a redirect, so there is no answer.
    if (!answer && form instanceof HTMLFormElement) kept.current = { form, contents: contentsOf(form) };
  }, [state, isSubmitting, answer, formId]);

  return useCallback((form) => kept.current?.form === form && kept.current.contents === contentsOf(form), []);
}
