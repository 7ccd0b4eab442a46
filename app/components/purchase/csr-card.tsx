import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { type Making } from "~/domain/certificates/purchase/make-csr.server";
import { type ShownCsr } from "~/domain/certificates/request/csr-import.schema";
import { csrMessages, normaliseCsrText } from "~/domain/certificates/request/csr-text";
import { type RenewalView } from "~/domain/certificates/succession/renewal-view.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { paths } from "~/lib/paths";
import { BrokenRulesNote } from "../certificates/broken-rules";
import { FileField } from "../forms/file-field";
import { usePortalField } from "../forms/portal-field";
import { TextField } from "../forms/text-field";
import { TextareaField } from "../forms/textarea-field";
import { useShell } from "../shell/shell";
import { SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { NewTabLink } from "../ui/new-tab-link";
import { Note } from "../ui/note";
import { ConfirmNamesLink } from "./confirm-names-link";
import { CsrDetailsList } from "./csr-details";
import { useKeptText } from "./kept-text";
import { MakeCsr } from "./make-csr";
import { ORDER_HELP } from "./order-help-texts";

interface Props {
  formId: string;
  /** The stored text of the CSR. */
  csr: string;
  /** The details of that CSR when it is imported. */
  details: ShownCsr | null;
  /** The certificate that the order renews, if any. */
  renewal: RenewalView | null;
  /** What a CSR is made of. */
  making: Making;
}

/** The CSR, made here or as text or file, its import, and its details (PUR-03). Editing the text resets it to not imported. */
export function CsrCard({ formId, csr, details, renewal, making }: Props) {
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
      <fieldset className="ways" onInput={onInput}>
        <legend className="vh">Way to the CSR</legend>
        <WayTabs />
        <div className="panel make">
          <MakeCsr formId={formId} making={making} isRenewal={renewal !== null} hasCsr={details !== null} />
        </div>
        <div className="panel paste">
          <TextareaField
            name="csr"
            label="Paste your CSR"
            rows={18}
            mono
            autoComplete="off"
            hint="Starts with -----BEGIN CERTIFICATE REQUEST-----. Never paste a private key."
          />
        </div>
        <div className="panel file">
          <FileField
            key={details?.keyFingerprint}
            name="csrFile"
            label="Choose a CSR file"
            accept=".csr,.req,.p10,.pem,.der,.txt"
          />
        </div>
        <div className="import">
          <SubmitButton intent="import" variant="secondary" skipValidation busyText="Importing…">
            Import
          </SubmitButton>
        </div>
      </fieldset>
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

const WAYS = { make: "Make here", paste: "Paste", file: "File" };

/** Radio buttons that look like tabs. The chosen one decides what is shown, without a script, and what the server reads. */
function WayTabs() {
  const { id, getInputProps } = usePortalField("csrWay");
  return (
    <div className="way-tabs">
      {Object.entries(WAYS).map(([way, label]) => (
        <div key={way}>
          <input
            {...getInputProps<React.ComponentPropsWithoutRef<"input">>({ type: "radio", value: way })}
            id={`${id}-${way}`}
          />
          <label htmlFor={`${id}-${way}`}>{label}</label>
        </div>
      ))}
    </div>
  );
}

/** Links to the pages that help users with their CSR. */
function CsrHelp() {
  const { prepareCsrLink } = useShell().portal.links;
  return (
    <p>
      Other details in the CSR? <NewTabLink href={prepareCsrLink}>Prepare CSR</NewTabLink> asks for all of them.{" "}
      <NewTabLink href={paths.checkCsr}>Check a CSR</NewTabLink> shows the certificate that would come out, and{" "}
      <NewTabLink href={paths.csrRules()}>Rules for CSRs</NewTabLink> what is refused.
    </p>
  );
}
