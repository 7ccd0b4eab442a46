import { DescriptionList } from "~/components/description-list";
import { type ShownCsr } from "~/domain/certificates/csr-import.schema";

/** What the imported CSR asks for, read-only (B §2, Order). */
export function CsrDetails({ details }: { details: ShownCsr }) {
  return (
    <div id="csr-details" tabIndex={-1}>
      <h3>Details of your CSR</h3>
      <p className="hint">Please check them: the certificate will say exactly this. They cannot be changed here.</p>
      <DescriptionList
        items={[
          { term: "Common name", detail: details.commonName },
          { term: "Organisation", detail: details.organisation },
          { term: "Organisation unit", detail: details.organisationUnit },
          { term: "Serial number", detail: details.serialNumber },
          { term: "City", detail: details.city },
          { term: "State", detail: details.state },
          { term: "Country", detail: details.country },
          { term: "Email address", detail: details.email },
          {
            term: "Alternative names",
            detail: details.names.map(({ caption, values }) => `${caption}: ${values.join(", ")}`).join("; "),
          },
          { term: "Key size", detail: `${details.keyAlgorithm}, ${details.keySize} bits` },
          { term: "Key fingerprint (SHA-256)", detail: <span className="mono">{details.keyFingerprint}</span> },
        ]}
      />
      <p className="hint">
        To compare the fingerprint with your private key:{" "}
        <code>openssl pkey -in private.key -pubout -outform DER | openssl dgst -sha256 -c</code>
      </p>
    </div>
  );
}
