import { useMaybeShell } from "../shell/shell";

const refuse = (event: React.SyntheticEvent) => event.preventDefault();
const handlers = { onPaste: refuse, onCopy: refuse, onCut: refuse, onDrop: refuse };

/** Blocks copy and paste where the specification requires it. The autofill of password managers still works. */
export function usePasteBlock(wanted: boolean, statusId: string) {
  const allowed = useMaybeShell()?.portal.pasteBlocking ?? false;
  if (!wanted || !allowed) return { handlers: {}, statusId: undefined, status: null };
  const status = (
    <p className="hint js-only" id={statusId}>
      Copy and paste are switched off for this field.
    </p>
  );
  return { handlers, statusId, status };
}
