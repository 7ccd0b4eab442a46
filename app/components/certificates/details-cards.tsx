import { Link } from "@remix-run/react";
import { type CertificateDetails } from "~/domain/certificates/catalogue/details.service.server";
import { documentNumbers } from "~/domain/orders/invoices/invoice-content";
import { Card } from "../ui/card";
import { CopyButton } from "../ui/copy-button";
import { DescriptionList } from "../ui/description-list";
import { HexPairs } from "../ui/hex-pairs";
import { PemText } from "../ui/pem-block";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";
import { certificateFacts } from "./subject-facts";

type Of<Key extends keyof CertificateDetails> = Pick<CertificateDetails, Key>;

export function StatusCard({ status, revocation, life }: Of<"status" | "revocation" | "life">) {
  const revoked = revocation ? <Time value={revocation.revocationDate} withTime /> : null;
  return (
    <Card title="Certificate Status">
      <DescriptionList
        items={[
          {
            term: "Status",
            detail: (
              <>
                <StatusBadge status={status} /> {life.words.text}
              </>
            ),
          },
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

export function SubjectCard({ subject, entity }: Of<"subject" | "entity">) {
  const items = certificateFacts({ ...subject, organisationUnit: subject.department });
  return (
    <Card title="Certificate Subject">
      <DescriptionList
        items={
          entity
            ? [...items, { term: "Entity with this OFTP ID", detail: <Link to={entity.href}>{entity.text}</Link> }]
            : items
        }
      />
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

/** A number in bytes, with a button that copies it. */
const bytes = (term: string, value: string) => ({
  term,
  detail: <HexPairs value={value} />,
  action: <CopyButton value={value} of={term} />,
});

export function CertificateCard({ issued, pem }: { issued: Issued } & Of<"pem">) {
  return (
    <Card title="Certificate Details">
      <DescriptionList
        items={[
          bytes("Serial number", issued.serialNumber),
          { term: "Valid from", detail: <Time value={issued.startDate} withTime /> },
          { term: "Valid until", detail: <Time value={issued.endDate} withTime /> },
          { term: "Format version", detail: issued.formatVersion },
          bytes("Thumbprint", issued.thumbprint),
          bytes("Thumbprint (SHA-256)", issued.thumbprintSha256),
        ]}
      />
      {pem !== null && (
        <details className="hint no-print">
          <summary>Show the certificate as PEM</summary>
          <PemText label="PEM" value={pem} />
        </details>
      )}
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

const FINGERPRINT_CHECK = "openssl pkey -in private.key.pem -pubout -outform DER | openssl dgst -sha256 -c";

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
          bytes("Key fingerprint (SHA-256)", keyFingerprint),
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
