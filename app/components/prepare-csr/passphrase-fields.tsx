import { useRef } from "react";
import { PASSPHRASE_MIN } from "~/domain/certificates/request/preparation/preparation-fields";
import { Field } from "../forms/field";

export interface PassphraseErrors {
  passphrase?: string;
  again?: string;
}

interface Props {
  errors: PassphraseErrors;
  isBusy: boolean;
  onMake: (passphrase: string, again: string) => void;
}

const HINT = `At least ${PASSPHRASE_MIN} characters. Without it the key cannot be opened.`;

/** The passphrase, twice. The fields have no names and are not controlled by React, so the typed text stays in them. */
export function PassphraseFields({ errors, isBusy, onMake }: Props) {
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const make = () => {
    onMake(first.current?.value ?? "", second.current?.value ?? "");
  };
  const onEnter = (event: React.KeyboardEvent) => {
    if (event.key === "Enter") make();
  };
  const control = (id: string, error: string | undefined, hint?: string) => ({
    id,
    type: "password",
    autoComplete: "new-password",
    "aria-invalid": error ? true : undefined,
    "aria-describedby": [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined,
  });
  return (
    <>
      <Field id="key-passphrase" label="Passphrase for the private key" hint={HINT} error={errors.passphrase}>
        <input ref={first} onKeyDown={onEnter} {...control("key-passphrase", errors.passphrase, HINT)} />
      </Field>
      <Field id="key-passphrase-again" label="The same passphrase again" error={errors.again}>
        <input ref={second} onKeyDown={onEnter} {...control("key-passphrase-again", errors.again)} />
      </Field>
      <div>
        <button type="button" className="btn primary" aria-disabled={isBusy || undefined} onClick={make}>
          Make key and CSR
        </button>
      </div>
    </>
  );
}
