import { type Validator } from "remix-validated-form";
import { type KeyProofForm } from "~/domain/certificates/revocation/key-proof/key-proof.schema";
import { FileField } from "../forms/file-field";
import { PortalForm } from "../forms/form";
import { TextField } from "../forms/text-field";
import { TextareaField } from "../forms/textarea-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { PemText } from "../ui/pem-block";

export const PROOF_FORM = "report-key";

export const PROOF_LABELS = {
  csr: "CSR with the challenge",
  csrFile: "or choose the CSR file",
  challenge: "Challenge that you signed",
  signature: "Signature",
  publicKey: "Certificate or public key",
} as const;

export const PROOF_FIELDS = Object.keys(PROOF_LABELS);

interface Props {
  challenge: string;
  /** How many days the challenge can be used. */
  days: number;
  validator: Validator<KeyProofForm>;
}

const opensslCommand = (challenge: string) =>
  `openssl req -new -key private.key.pem -subj "/CN=${challenge}" -out proof.csr`;

const keytoolCommand = (challenge: string) =>
  `keytool -certreq -alias ALIAS -keystore private.p12 -dname "CN=${challenge}" -file proof.csr`;

const signCommand = (challenge: string) =>
  `printf %s ${challenge} | openssl dgst -sha256 -sign private.key.pem | openssl base64`;

/** The two ways to prove the possession of a private key. */
export const ProofForm = ({ challenge, days, validator }: Props) => (
  <PortalForm
    id={PROOF_FORM}
    validator={validator}
    encType="multipart/form-data"
    className="stack-l"
    defaultValues={{ challenge }}
  >
    <Card title="With a CSR" className="stack">
      <p>
        Make a certificate signing request with the key. Its common name is the challenge, which can be used for {days}{" "}
        days. Nothing is ordered.
      </p>
      <PemText label="OpenSSL command" value={opensslCommand(challenge)} />
      <PemText label="keytool command" value={keytoolCommand(challenge)} />
      <TextareaField
        name="csr"
        label={PROOF_LABELS.csr}
        rows={8}
        mono
        autoComplete="off"
        hint="Starts with -----BEGIN CERTIFICATE REQUEST-----."
      />
      <FileField name="csrFile" label={PROOF_LABELS.csrFile} accept=".csr,.req,.p10,.pem,.der,.txt" />
    </Card>
    <Card title="Or with a signature" className="stack">
      <p>Sign the challenge with SHA-256, for example with a key in a token or hardware security module.</p>
      <PemText label="OpenSSL command to sign" value={signCommand(challenge)} />
      <TextField name="challenge" label={PROOF_LABELS.challenge} autoComplete="off" />
      <TextareaField
        name="signature"
        label={PROOF_LABELS.signature}
        rows={6}
        mono
        autoComplete="off"
        hint="Base64: RSA with PKCS #1 v1.5, or ECDSA in DER, as OpenSSL writes them."
      />
      <TextareaField
        name="publicKey"
        label={PROOF_LABELS.publicKey}
        rows={6}
        mono
        autoComplete="off"
        hint="PEM: starts with -----BEGIN CERTIFICATE----- or -----BEGIN PUBLIC KEY-----."
      />
    </Card>
    <ButtonRow>
      <SubmitButton busyText="Checking…">Check the proof</SubmitButton>
    </ButtonRow>
  </PortalForm>
);
