import { useActionData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { type ValidationErrorResponseData } from "remix-validated-form";
import { type ShownCsr } from "~/domain/certificates/request/csr-import.schema";
import { csrMessages, normaliseCsrText } from "~/domain/certificates/request/csr-text";
import { type RenewalView } from "~/domain/certificates/succession/renewal-view.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { paths } from "~/lib/paths";
import { BrokenRulesNote } from "../certificates/broken-rules";
import { FileField } from "../forms/file-field";
import { fieldId } from "../forms/form-id";
import { TextField } from "../forms/text-field";
import { TextareaField } from "../forms/textarea-field";
import { useShell } from "../shell/shell";
import { SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { NewTabLink } from "../ui/new-tab-link";
import { Note } from "../ui/note";
import { ConfirmNamesLink } from "./confirm-names-link";
import { CsrDetailsList } from "./csr-details";
import { ORDER_HELP } from "./order-help-texts";

interface Props {
  formId: string;
  /** The stored text of the CSR. */
  csr: string;
  /** The details of that CSR when it is imported. */
  details: ShownCsr | null;
  /** The certificate that the order renews, if any. */
  renewal: RenewalView | null;
}

/** Updates the text box with the server's value: the CSR of the chosen file after an import, or nothing after a private key. */
function useKeptText(formId: string, csr: string) {
  const answer = useActionData<Partial<ValidationErrorResponseData>>();
  const refused = answer?.repopulateFields as { csr?: string } | undefined;
  const shown = refused?.csr ?? csr;
  useEffect(() => {
    const box = document.getElementById(fieldId(formId, "csr"));
    const isOther = box instanceof HTMLTextAreaElement && normaliseCsrText(box.value) !== normaliseCsrText(shown);
    if (isOther) box.value = shown;
  }, [formId, shown, answer]);
}

/** The CSR as text or file, its import, and its details (PUR-03). Editing the text resets it to not imported. */
export function CsrCard({ formId, csr, details, renewal }: Props) {
  const [edit, setEdit] = useState({ of: csr, isOther: false });
  const isEdited = edit.isOther && edit.of === csr; // a later import resets this
  useKeptText(formId, csr);
  const { rules = [] } = useActionData<{ rules?: BrokenRule[] }>() ?? {};

  const onInput = ({ target }: React.FormEvent<HTMLElement>) => {
    if (target instanceof HTMLTextAreaElement && target.name === "csr")
      setEdit({ of: csr, isOther: normaliseCsrText(target.value) !== normaliseCsrText(csr) });
  };
  return (
    <Card title="Certificate signing request" className="stack">
      <Note tone="warn" title="Keep your private key.">
        <p>
          The certificate is useless without the private key of this CSR, and nobody can restore a lost key for you.
        </p>
      </Note>
      <div className="stack" onInput={onInput}>
        <TextareaField
          name="csr"
          label="Paste your CSR"
          rows={18}
          mono
          autoComplete="off"
          hint="Starts with -----BEGIN CERTIFICATE REQUEST-----. Never paste a private key."
        />
        <FileField
          key={details?.keyFingerprint}
          name="csrFile"
          label="or choose a CSR file"
          accept=".csr,.req,.p10,.pem,.der,.txt"
        />
        <div>
          <SubmitButton intent="import" variant="secondary" skipValidation busyText="Importing…">
            Import
          </SubmitButton>
        </div>
      </div>
      <BrokenRulesNote rules={isEdited ? [] : rules} />
      <ConfirmNamesLink rules={isEdited ? [] : rules} />
      <CsrHelp />
      {isEdited && details && <Note tone="warn">{csrMessages.importFirst}</Note>}
      {!isEdited && details && <CsrDetailsList details={details} renewal={renewal} />}
      {!isEdited && !renewal && details && details.ssid === null && (
        <TextField
          name="oftpid"
          label="OFTP ID"
          optional
          mono
          maxLength={120}
          autoComplete="off"
          hint={`Your CSR states none. ${ORDER_HELP.ssid}`}
        />
      )}
    </Card>
  );
}

/** Links to the pages that help users with their CSR. */
function CsrHelp() {
  const { prepareCsrLink } = useShell().portal.links;
  return (
    <p>
      No CSR yet? <NewTabLink href={prepareCsrLink}>Prepare CSR</NewTabLink> writes the commands for OpenSSL and
      keytool. <NewTabLink href={paths.checkCsr}>Check a CSR</NewTabLink> shows the certificate that would come out, and{" "}
      <NewTabLink href={paths.csrRules()}>Rules for CSRs</NewTabLink> what is refused.
    </p>
  );
}
