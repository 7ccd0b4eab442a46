import { useId, useLayoutEffect, useRef } from "react";

interface Props {
  title: string;
  /** Escape was pressed. */
  onClose: () => void;
  children: React.ReactNode;
}

/** Attribute of the control that has the focus when a dialog opens: the harmless one. Without it the browser chooses the first. */
export const FIRST_FOCUS = "data-first-focus";

/** The browser's own dialog, open as long as it is rendered. */
export function Modal({ title, onClose, children }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect: its end comes before React takes the dialog away, so that the browser gives the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>(`[${FIRST_FOCUS}]`)?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={onClose}>
      <div className="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
