import { useMaybeShell } from "../shell/shell";

export function CsrfField() {
  return <input type="hidden" name="csrf" value={useMaybeShell()?.csrf ?? ""} />;
}
