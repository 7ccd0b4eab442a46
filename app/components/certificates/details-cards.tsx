import { type CertificateDetails } from "~/domain/certificates/catalogue/details.service.server";
import { documentNumbers } from "~/domain/orders/invoices/invoice-content";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { HexPairs } from "../ui/hex-pairs";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";
import { certificateFacts } from "./subject-facts";

type Of<Key extends keyof CertificateDetails> = Pick<CertificateDetails, Key>;

export function StatusCard({ status, revocation }: Of<"status" | "revocation">) {
  const revoked = revocation ? <Time value={revocation.revocationDate} withTime /> : null;
  return (
    <Card title="Certificate Status">
      <DescriptionList
        items={[
          { term: "Status", detail: <StatusBadge status={status} /> },
          { term: status === "RequestRevoke" ? "To be revoked on" : "Revoked on", detail: revoked },
          {
            term: "Not to be trusted since",
            detail: revocation?.invalidityDate && <Time value={revocation.invalidityDate} withTime />,
          },
          { term: "Reason", detail: revocation?.reason },
          { term: "Additional description", detail: revocation?.description },
        ].slice(0, revocation ? undefined : 1)}
        hideEmpty
      />
    </Card>
  );
}

export function SubjectCard({ subject }: Of<"subject">) {
  return (
    <Card title="Certificate Subject">
      <DescriptionList items={certificateFacts({ ...subject, organisationUnit: subject.department })} />
    </Card>
  );
}

const lines = (values: readonly string[]) =>
  values.length === 0 ? null : (
    <ul role="list">
      {values.map((value) => (
        <li key={value}>{value}</li>
      ))}
    </ul>
  );

/** Shown only when there is an alternative name. */
export function AlternativeSubjectCard({ names }: Of<"names">) {
  if (names.length === 0) return null;
  return (
    <Card title="Alternative Subject">
      <DescriptionList items={names.map(({ caption, values }) => ({ term: caption, detail: lines(values) }))} />
    </Card>
  );
}

type Issued = NonNullable<CertificateDetails["issued"]>;

export function CertificateCard({ issued }: { issued: Issued }) {
  return (
    <Card title="Certificate Details">
      <DescriptionList
        items={[
          { term: "Serial number", detail: <HexPairs value={issued.serialNumber} /> },
          { term: "Valid from", detail: <Time value={issued.startDate} withTime /> },
          { term: "Valid until", detail: <Time value={issued.endDate} withTime /> },
          { term: "Format version", detail: issued.formatVersion },
          { term: "Thumbprint", detail: <HexPairs value={issued.thumbprint} /> },
          { term: "Thumbprint (SHA-256)", detail: <HexPairs value={issued.thumbprintSha256} /> },
        ]}
      />
    </Card>
  );
}

export function UsageCard({ issued }: { issued: Issued }) {
  return (
    <Card title="Certificate Usage">
      <DescriptionList
        items={[
          { term: "Key usage", detail: lines(issued.keyUsage) },
          { term: "Enhanced key usage", detail: lines(issued.enhancedKeyUsage) },
        ]}
      />
    </Card>
  );
}

const FINGERPRINT_CHECK = "openssl pkey -in private.key -pubout -outform DER | openssl dgst -sha256 -c";

export function PublicKeyCard({
  issued,
  keySize,
  keyAlgorithm,
  keyFingerprint,
}: Of<"issued" | "keySize" | "keyAlgorithm" | "keyFingerprint">) {
  return (
    <Card title="Public Key">
      <DescriptionList
        items={[
          { term: "Key size", detail: `${keySize} bits (${keyAlgorithm})` },
          { term: "Signature algorithm", detail: issued?.signatureAlgorithm },
          { term: "Key fingerprint (SHA-256)", detail: <HexPairs value={keyFingerprint} /> },
        ]}
        hideEmpty
      />
      <details className="hint">
        <summary>Check that a private key belongs to it</summary>
        <p>This line prints the same fingerprint for the right key:</p>
        <pre className="pem" tabIndex={0} role="group" aria-label="Command that prints a key's fingerprint">
          {FINGERPRINT_CHECK}
        </pre>
      </details>
    </Card>
  );
}

export function IssuerCard({ issued }: { issued: Issued }) {
  return (
    <Card title="Certificate Issuer">
      <p>{issued.issuerName}</p>
    </Card>
  );
}

export function PaymentCard({ payment, orderNumber, documents }: Of<"payment" | "orderNumber" | "documents">) {
  return (
    <Card title="Payment Details">
      <DescriptionList
        items={[
          { term: "Sales order number", detail: orderNumber },
          { term: "Purchase order number", detail: payment.purchaseOrderNumber },
          { term: "Paid Up", detail: payment.isPaid ? "Yes" : "No" },
          { term: "Payment Date", detail: payment.paymentDate && <Time value={payment.paymentDate} /> },
          { term: "Invoice number", detail: documentNumbers(documents, payment.invoiceNumber).join(", ") },
          ...(payment.customerNote ? [{ term: "Note", detail: lines(payment.customerNote.split("\n")) }] : []),
        ]}
      />
    </Card>
  );
}
