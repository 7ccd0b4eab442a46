import { useEffect, useId, useRef } from "react";

interface Props {
  title: string;
  /** Escape was pressed. */
  onClose: () => void;
  children: React.ReactNode;
}

/** The browser's own dialog, open as long as it is rendered. */
export function Modal({ title, onClose, children }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
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
