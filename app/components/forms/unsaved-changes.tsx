import { type Location, useActionData, useBeforeUnload, useBlocker } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { useIsSubmitting } from "remix-validated-form";
import { paths } from "~/lib/paths";
import { ButtonRow } from "../ui/buttons";
import { Modal } from "../ui/modal";
import { isTicked, isVisibleInput, useKeptContents } from "./kept-contents";

export const CANCEL_QUESTION = "Do you really want to cancel?";

function isChanged(control: Element): boolean {
  if (control instanceof HTMLSelectElement) {
    const preset = Array.from(control.options).findIndex((option) => option.defaultSelected);
    return control.selectedIndex !== Math.max(preset, 0);
  }
  if (!isVisibleInput(control) && !(control instanceof HTMLTextAreaElement)) return false;
  if (isTicked(control)) return control.checked !== control.defaultChecked;
  // A stored text has the line ends CR LF of a form that was sent. The browser returns the text of the field with LF.
  return control.value !== control.defaultValue.replaceAll("\r", "");
}

/** Returns whether the form differs from what the page was rendered with, or was refused by the server and is not saved yet. */
function hasChanges(formId: string, isKept: (form: HTMLFormElement) => boolean): boolean {
  const form = document.getElementById(formId);
  if (!(form instanceof HTMLFormElement) || isKept(form)) return false;
  return Array.from(form.elements).some((control) => isChanged(control) || control.ariaInvalid === "true");
}

interface Props {
  formId: string;
  /** Pathnames that open without a question. */
  ignore?: readonly string[];
  /** The page was rendered with values that are not saved. */
  isChanged?: boolean;
}

const nothing: readonly string[] = [];

interface Step {
  currentLocation: Location;
  nextLocation: Location;
}

/** Asks before the user leaves a changed form that was not submitted. Without scripts the server asks on Cancel. */
export function UnsavedChanges({ formId, ignore = nothing, isChanged: cameChanged = false }: Props) {
  const sending = useRef(false);
  const isSubmitting = useIsSubmitting(formId);
  const answer = useActionData();
  const isKept = useKeptContents(formId);

  useEffect(() => {
    const form = document.getElementById(formId);
    const send = () => {
      sending.current = true;
    };
    form?.addEventListener("submit", send);
    return () => form?.removeEventListener("submit", send);
  }, [formId]);
  // The answer of a submit can arrive while the page's loaders still run. The user may read it and leave the page by then.
  useEffect(() => {
    sending.current = false;
  }, [answer]);
  useEffect(() => {
    if (!isSubmitting) sending.current = false;
  }, [isSubmitting]);

  const isAtRisk = useCallback(
    () => !sending.current && (cameChanged || hasChanges(formId, isKept)),
    [formId, cameChanged, isKept],
  );
  useBeforeUnload(useCallback((event) => (isAtRisk() ? event.preventDefault() : undefined), [isAtRisk]));
  const blocker = useBlocker(
    useCallback(
      ({ currentLocation, nextLocation }: Step) => {
        const { pathname } = nextLocation;
        const stays = pathname === currentLocation.pathname || pathname === paths.theme;
        return !stays && !ignore.includes(pathname) && isAtRisk();
      },
      [ignore, isAtRisk],
    ),
  );

  if (blocker.state !== "blocked") return null;
  return (
    <Modal title={CANCEL_QUESTION} onClose={() => blocker.reset()}>
      <p>What you have entered has not been saved.</p>
      <ButtonRow>
        <button type="button" className="btn danger" onClick={() => blocker.proceed()}>
          Yes
        </button>
        <button type="button" className="btn" onClick={() => blocker.reset()} data-first-focus="">
          No
        </button>
      </ButtonRow>
    </Modal>
  );
}
