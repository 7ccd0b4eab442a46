import { useEffect, useRef, useState } from "react";
import { type Making } from "~/domain/certificates/purchase/make-csr.server";
import {
  detailsToMake,
  PASSPHRASE_MIN,
  type PreparationValues,
} from "~/domain/certificates/request/preparation/preparation-fields";
import { type BrowserRequest } from "~/domain/certificates/request/preparation/preparation.service.server";
import { paths } from "~/lib/paths";
import { Field } from "../forms/field";
import { fieldId } from "../forms/form-id";
import { saveKey, useKeyMaker } from "../prepare-csr/browser-key";
import { Note } from "../ui/note";

export interface BrowserMakingProps {
  formId: string;
  making: Making;
}

/** Presses a button of the form, with a submit event as a click has it. */
function press(form: HTMLFormElement, intent: string) {
  form.requestSubmit(form.querySelector<HTMLButtonElement>(`button[name="intent"][value="${intent}"]`));
}

/** Returns a passphrase of 100 random bits, without letters and digits that look alike. */
function newPassphrase(): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const picked = Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters[byte % letters.length]);
  return picked.join("").replace(/.{5}(?=.)/g, "$&-");
}

interface Answer {
  prepared: { browser: BrowserRequest } | null;
}

/**
 * Returns the bytes of a CSR with these details, which the loader of 'Prepare a CSR' encodes, or null when it refuses them. Rejects when the
 * portal does not answer.
 */
async function prepared(details: PreparationValues): Promise<BrowserRequest | null> {
  const answer = await fetch(`${paths.prepareCsr(details)}&_data=routes%2F_public.prepare-csr`);
  return ((await answer.json()) as Answer).prepared?.browser ?? null;
}

/**
 * Makes key and CSR when `start` is called, saves the key as a file and imports the CSR. When the server refuses the details, the form is
 * sent, so that the messages stand at their fields.
 */
function useMaking(formId: string, { known }: Making) {
  const maker = useKeyMaker();
  const [asking, setAsking] = useState<"" | "asks" | "failed">("");
  const isBusy = maker.isBusy || asking === "asks";
  const start = async (passphrase: string) => {
    if (isBusy) return;
    const form = document.getElementById(formId);
    const box = document.getElementById(fieldId(formId, "csr"));
    if (!(form instanceof HTMLFormElement) || !(box instanceof HTMLTextAreaElement)) return;
    setAsking("asks");
    const request = await prepared(detailsToMake(known, Object.fromEntries(new FormData(form)))).catch(() => undefined);
    setAsking(request === undefined ? "failed" : "");
    if (request === null) press(form, "commands");
    if (!request) return;
    const made = await maker.make(request, passphrase);
    if (!made) return;
    saveKey(made);
    box.value = made.csr;
    press(form, "import");
  };
  const status = asking === "failed" ? "The portal did not answer. Please try again." : maker.status;
  return { ...maker, isBusy, status, start };
}

const PASSPHRASE_HINT = `Chosen at random. You can replace it by your own of at least ${PASSPHRASE_MIN} characters.`;

/** The part that needs scripts. The passphrase has no name, so it is never sent. */
export function BrowserMaking({ formId, making }: BrowserMakingProps) {
  const { made, errors, isBusy, status, start } = useMaking(formId, making);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The passphrase is the default value, so that nothing counts as entered.
    if (field.current && field.current.value === "") field.current.defaultValue = newPassphrase();
  }, []);
  const passphrase = () => field.current?.value ?? "";
  const make = () => void start(passphrase());
  const id = `${formId}-passphrase`;
  return (
    <div className="stack">
      <p>Your browser makes the key and saves it on your computer, encrypted. The portal receives only the CSR.</p>
      <Field id={id} label="Passphrase for the key file" hint={PASSPHRASE_HINT} error={errors.passphrase}>
        <input
          ref={field}
          id={id}
          type="text"
          className="mono"
          autoComplete="off"
          readOnly={made !== null}
          spellCheck={false}
          aria-invalid={errors.passphrase ? true : undefined}
          aria-describedby={errors.passphrase ? `${id}-hint ${id}-error` : `${id}-hint`}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            make();
          }}
        />
      </Field>
      {made && (
        <Note tone="ok" title="The key is saved as private.key.pem.">
          <p>Keep the file and its passphrase. Nobody can restore them.</p>
        </Note>
      )}
      <div className="row">
        <button
          type="button"
          className={made ? "btn" : "btn primary"}
          aria-disabled={isBusy || undefined}
          onClick={make}
        >
          Make key and CSR
        </button>
        {made && (
          <button type="button" className="btn" onClick={() => saveKey(made)}>
            Save the key again
          </button>
        )}
      </div>
      <p role="status">{status}</p>
    </div>
  );
}
