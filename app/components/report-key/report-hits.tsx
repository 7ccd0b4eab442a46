import {
  type KeyHits,
  type ReportedCertificate,
  type ReportOutcome,
} from "~/domain/certificates/revocation/key-proof/key-proof.service.server";
import { formatDate } from "~/lib/dates";
import { DonePanel, Note } from "../ui/note";

/** Returns the question before a report, with what the report does. */
export function reportQuestion({ certificates, isBlocked }: KeyHits): string {
  if (certificates.length === 0 && isBlocked)
    return "Are you sure you wish to report this key again? It is blocked already.";
  const does = certificates.length > 0 ? "Its certificates are revoked at once." : "It is blocked for ever.";
  return `Are you sure you wish to report this key as compromised? ${does} This process cannot be reversed.`;
}

const CertificateItems = ({ certificates }: { certificates: readonly ReportedCertificate[] }) => (
  <ul>
    {certificates.map(({ commonName, serialNumber, expiryDate }) => (
      <li key={serialNumber}>
        <bdi>{commonName}</bdi>, serial number <span className="mono">{serialNumber}</span>, valid until{" "}
        {formatDate(expiryDate)}
      </li>
    ))}
  </ul>
);

/** What a report will change. */
export function HitList({ hits: { certificates, isBlocked } }: { hits: KeyHits }) {
  if (certificates.length > 0)
    return (
      <>
        <p>The proof is right. These certificates are revoked, and whoever uses them can exchange no more files:</p>
        <CertificateItems certificates={certificates} />
      </>
    );
  return (
    <p>
      The proof is right. No certificate in force has this key.{" "}
      {isBlocked
        ? "It is blocked already, so a report changes nothing."
        : "It will be blocked, so that nobody gets a certificate for it."}
    </p>
  );
}

/** What a report has changed. */
export const ReportDone = ({ outcome: { revoked, problem } }: { outcome: ReportOutcome }) => (
  <div className="narrow stack-l">
    <DonePanel title="Key reported">
      {revoked.length > 0 ? (
        <>
          <p>
            The key is blocked for ever. These certificates are revoked
            {problem === null && " and on the published CRLs"}; their owners are told by email:
          </p>
          <CertificateItems certificates={revoked} />
        </>
      ) : (
        <p>The key is blocked for ever. No certificate in force had it.</p>
      )}
    </DonePanel>
    {problem !== null && <Note tone="warn">{problem}</Note>}
  </div>
);
