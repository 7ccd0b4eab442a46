import { type ShownCsr } from "~/domain/certificates/request/csr-import.schema";
import { type RenewalView } from "~/domain/certificates/succession/renewal-view.server";
import { MarkNotes } from "../certificates/broken-rules";
import { requestFacts } from "../certificates/subject-facts";
import { DescriptionList } from "../ui/description-list";
import { HexPairs } from "../ui/hex-pairs";
import { ConfirmNamesLink } from "./confirm-names-link";
import { UnusedDetails } from "./renewal-note";

interface Props {
  details: ShownCsr;
  renewal: RenewalView | null;
}

/** The details of the imported CSR, read-only (PUR-03). */
export function CsrDetailsList({ details, renewal }: Props) {
  return (
    <div id="csr-details" tabIndex={-1} className="stack">
      <h3>Details of your CSR</h3>
      <p className="hint">
        {renewal
          ? "They match the certificate being renewed, and the key is new. The new certificate will contain exactly these details."
          : `Please check them: the certificate will contain exactly these details${details.ssid === null ? ", and the OFTP ID if you give one below, as serial number and as alternative name" : ""}. They cannot be changed here.`}
      </p>
      <DescriptionList
        items={[
          ...requestFacts(details),
          { term: "Key size", detail: `${details.keyAlgorithm}, ${details.keySize} bits` },
          { term: "Key fingerprint (SHA-256)", detail: <HexPairs value={details.keyFingerprint} /> },
        ]}
      />
      <MarkNotes marks={details.marks} />
      <ConfirmNamesLink rules={details.marks} />
      {renewal && <UnusedDetails unused={renewal.unused} />}
      <p className="hint">
        To compare the fingerprint with your private key:{" "}
        <code>openssl pkey -in private.key.pem -pubout -outform DER | openssl dgst -sha256 -c</code>
      </p>
    </div>
  );
}
