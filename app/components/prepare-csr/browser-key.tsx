import { useState } from "react";
import { type MadeKey } from "~/domain/certificates/request/preparation/make-csr";
import { PASSPHRASE_MIN } from "~/domain/certificates/request/preparation/preparation-fields";
import { type BrowserRequest } from "~/domain/certificates/request/preparation/preparation.service.server";
import { Card } from "../ui/card";
import { PemText } from "../ui/pem-block";
import { saveFile } from "../ui/save-file";
import { LeaveWarning } from "./leave-warning";
import { PassphraseFields, type PassphraseErrors } from "./passphrase-fields";

const saveText = (name: string, text: string) => saveFile(name, new Blob([text], { type: "application/x-pem-file" }));

export const saveKey = ({ key }: MadeKey) => saveText("private.key.pem", key);

function checkPassphrase(passphrase: string, again: string): PassphraseErrors {
  const isShort = passphrase.length < PASSPHRASE_MIN;
  if (isShort) return { passphrase: `The passphrase must have at least ${PASSPHRASE_MIN} characters.` };
  return passphrase === again ? {} : { again: "The two passphrases are not the same." };
}

/**
 * Creates a key and its CSR in the browser.
 *
 * @returns `make` checks the passphrase, creates both and resolves to them, or to null when that is not possible. `errors` and `status` say
 * why.
 */
export function useKeyMaker() {
  const [errors, setErrors] = useState<PassphraseErrors>({});
  const [made, setMade] = useState<MadeKey | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");

  const make = async (request: BrowserRequest, passphrase: string, again = passphrase): Promise<MadeKey | null> => {
    const found = checkPassphrase(passphrase, again);
    setErrors(found);
    setFailure("");
    if (isBusy || found.passphrase || found.again) return null;
    setBusy(true);
    try {
      const { makeKeyAndCsr } = await import("~/domain/certificates/request/preparation/make-csr");
      const result = await makeKeyAndCsr(request, passphrase);
      setMade(result);
      return result;
    } catch {
      setFailure("The key could not be made in this browser. Try another browser, or make it with commands.");
      return null;
    } finally {
      setBusy(false);
    }
  };
  const status = isBusy ? "The key is being made. This can take a few seconds." : failure;
  return { made, errors, isBusy, status, make };
}

/** Creates key and CSR with WebCrypto. There is no form around it and its fields have no names, so nothing here can be sent. */
export function BrowserKey({ request }: { request: BrowserRequest }) {
  const { made, errors, isBusy, status, make } = useKeyMaker();
  const [isSaved, setSaved] = useState(false);

  return (
    <Card title="In this browser" className="stack js-only">
      <p>
        Key and CSR are made on this device and nothing is sent. The key is saved as an encrypted file (PKCS #8) that
        OpenSSL and OFTP2 software can read.
      </p>
      {made ? (
        <MadeFiles made={made} isSaved={isSaved} onSaved={() => setSaved(true)} />
      ) : (
        <PassphraseFields errors={errors} isBusy={isBusy} onMake={(one, other) => void make(request, one, other)} />
      )}
      <p role="status">{status}</p>
      <LeaveWarning isAtRisk={made !== null && !isSaved} />
    </Card>
  );
}

function MadeFiles({ made, isSaved, onSaved }: { made: MadeKey; isSaved: boolean; onSaved: () => void }) {
  const save = () => {
    saveKey(made);
    onSaved();
  };
  return (
    <>
      <div className="row">
        {/* This takes the focus, because the button that had it is gone. */}
        <button type="button" className="btn primary" onClick={save} autoFocus>
          Save private key
        </button>
        <button type="button" className="btn" onClick={() => saveText("request.csr", made.csr)}>
          Save CSR
        </button>
      </div>
      <p role="status">
        {isSaved
          ? "Check that the file private.key.pem was saved, and keep it with its passphrase."
          : "Save the private key now: it is stored nowhere else."}
      </p>
      <PemText label="CSR" value={made.csr} />
    </>
  );
}
