import { useId, useLayoutEffect, useRef } from "react";

interface Props {
  title: string;
  /** Called when Escape is pressed. */
  onClose: () => void;
  children: React.ReactNode;
}

/**
 * The browser's own dialog, which is open while it is rendered. The control with the attribute `data-first-focus` gets the focus; it should be
 * the harmless one. Without it the browser focuses the first control.
 */
export function Modal({ title, onClose, children }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // The cleanup of a layout effect runs before React removes the dialog, so that the browser returns the focus.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>("[data-first-focus]")?.focus({ preventScroll: true });
    shown?.scrollTo(0, 0); // a long question is read from its beginning
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
