import { useRef, useState } from "react";
import { type KeyFile } from "~/domain/certificates/catalogue/pkcs12/command";
import { PASSPHRASE_MIN } from "~/domain/certificates/request/preparation/preparation-fields";
import { Field } from "../forms/field";
import { Card } from "../ui/card";
import { PemText } from "../ui/pem-block";
import { saveFile } from "../ui/save-file";

type Errors = Partial<Record<"key" | "passphrase" | "newPassphrase" | "again", string>>;

const HINT = `At least ${PASSPHRASE_MIN} characters: digits, signs and letters without accents`;

/**
 * Makes a PKCS #12 file from a key file that the user picks. There is no form around it and its fields have no names, so nothing here can
 * be sent. Without scripts, the command does the same.
 */
export function Pkcs12Part({ keyFile: { chain, fileName, command } }: { keyFile: KeyFile }) {
  const inputs = useRef<Record<string, HTMLInputElement | null>>({});
  const [errors, setErrors] = useState<Errors>({});
  const [status, setStatus] = useState("");
  const [isBusy, setBusy] = useState(false);
  const typed = (name: string) => inputs.current[name]?.value ?? "";

  /** Shows the errors, and moves the focus to the first field with one: it can be out of sight. */
  const showErrors = (found: Errors) => {
    setErrors(found);
    const first = Object.keys(inputs.current).find((name) => found[name as keyof Errors]);
    if (first) inputs.current[first]?.focus();
  };

  const make = async () => {
    const file = inputs.current.key?.files?.[0];
    const [passphrase, again] = [typed("newPassphrase"), typed("again")];
    const found: Errors = {};
    if (!file) found.key = "Choose the file of the private key.";
    if (passphrase.length < PASSPHRASE_MIN)
      found.newPassphrase = `The passphrase must have at least ${PASSPHRASE_MIN} characters.`;
    else if (!/^[ -~]*$/.test(passphrase))
      found.newPassphrase = "Use only digits, signs and letters without accents: programs read others differently.";
    else if (passphrase !== again) found.again = "The two passphrases are not the same.";
    showErrors(found);
    setStatus("");
    if (isBusy || !file || found.newPassphrase || found.again) return;
    setBusy(true);
    try {
      const { KeyFileError, makePkcs12 } = await import("~/domain/certificates/catalogue/pkcs12/make-pkcs12");
      try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        const made = await makePkcs12({ file: bytes, keyPassphrase: typed("passphrase"), passphrase, chain });
        saveFile(fileName, new Blob([made], { type: "application/x-pkcs12" }));
        setStatus(`The file ${fileName} was made. Check that it was saved.`);
      } catch (error) {
        if (!(error instanceof KeyFileError)) throw error;
        showErrors({ [error.field]: error.message });
      }
    } catch {
      setStatus("The file could not be made in this browser. Use the command below.");
    } finally {
      setBusy(false);
    }
  };

  const field = (name: keyof Errors, label: string, hint: string, type: "file" | "password", autoComplete?: string) => {
    const id = `pkcs12-${name}`;
    const error = errors[name];
    return (
      <Field id={id} label={label} hint={hint} error={error}>
        <input
          ref={(input) => {
            inputs.current[name] = input;
          }}
          id={id}
          type={type}
          autoComplete={autoComplete}
          aria-invalid={error ? true : undefined}
          aria-describedby={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined}
          onKeyDown={(event) => {
            if (event.key === "Enter" && type === "password") void make();
          }}
        />
      </Field>
    );
  };

  return (
    <Card title="PKCS#12 with your private key" className="stack no-print">
      <div className="stack js-only">
        <p>
          One file with key, certificate and CA issuing certificate, for programs that import both at once. It is made
          in this browser: the key is neither sent nor kept.
        </p>
        {field("key", "File of the private key", "PEM or DER, such as private.key.pem", "file")}
        {field("passphrase", "Passphrase of the private key", "Empty when the key is not encrypted", "password", "off")}
        {field("newPassphrase", "Passphrase for the new file", HINT, "password", "new-password")}
        {field("again", "The same passphrase again", "", "password", "new-password")}
        <div>
          <button type="button" className="btn" aria-disabled={isBusy || undefined} onClick={() => void make()}>
            Make PKCS#12 file
          </button>
        </div>
        <p role="status">{isBusy ? "The file is being made. This can take a few seconds." : status}</p>
      </div>
      <p>In the folder with the private key and the downloaded full chain, this command makes the PKCS#12 file:</p>
      <PemText label="command" value={command} />
    </Card>
  );
}
