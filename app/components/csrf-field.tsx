import { useMaybeShell } from "./shell";

export function CsrfField() {
  return <input type="hidden" name="csrf" value={useMaybeShell()?.csrf ?? ""} />;
}
