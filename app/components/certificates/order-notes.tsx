import { Link } from "@remix-run/react";
import { BrokenRuleList } from "~/components/certificates/broken-rules";
import { Note } from "~/components/ui/note";
import { Time } from "~/components/ui/time";
import { type CertificateDetails } from "~/domain/certificates/catalogue/details.service.server";

/** Lists what a pending order waits for. */
export function WaitingNote({ waitsFor }: { waitsFor: readonly string[] }) {
  if (waitsFor.length === 0) return null;
  return (
    <Note title="This order is waiting for:">
      <ul>
        {waitsFor.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </Note>
  );
}

/** Says why there is no certificate. */
export function EndedNote({ status, ended }: Pick<CertificateDetails, "status" | "ended">) {
  if (!ended) return null;
  return (
    <Note tone={status === "Rejected" ? "bad" : "info"} title={`This order has been ${status.toLowerCase()}.`}>
      <p>
        {ended.at && <Time value={ended.at} withTime />} {ended.reason}
      </p>
    </Note>
  );
}

/** Says why the page has nothing of the certificate itself. The nightly audit reports it to staff. */
export function UnreadableNote({ isUnreadable }: Pick<CertificateDetails, "isUnreadable">) {
  if (!isUnreadable) return null;
  return (
    <Note tone="bad" title="The stored certificate cannot be read.">
      <p>
        It was damaged or changed after it was issued. It can be neither downloaded nor renewed until the operators of
        the portal have restored it. The certificate that you have downloaded before stays valid.
      </p>
    </Note>
  );
}

/** Says that the certificate cannot be renewed with its names, long before it ends. */
export function RefusedNamesNote({ refusedNames }: Pick<CertificateDetails, "refusedNames">) {
  if (refusedNames.length === 0) return null;
  return (
    <Note tone="warn" title="This certificate cannot be renewed with its names.">
      <p>It is valid until it expires. Today’s rules refuse these names:</p>
      <BrokenRuleList rules={refusedNames} />
      <p>Order a new certificate with other names in time.</p>
    </Note>
  );
}

/** Says that partners refuse the certificate, because its issuing CA is revoked, and what to do. */
export function RevokedIssuerNote({ revokedIssuer, may }: Pick<CertificateDetails, "revokedIssuer" | "may">) {
  if (!revokedIssuer) return null;
  return (
    <Note tone="bad" title={`The CA that issued this certificate, ${revokedIssuer.caption}, is revoked.`}>
      <p>
        It was revoked on <Time value={revokedIssuer.revokedAt} withTime />. Partners who check certificates refuse this
        one. {may.renew ? "Renew it now: a renewal for 0 years is free of charge." : "It must be replaced."}
      </p>
    </Note>
  );
}

/** Says that the certificate corrects another one, or is corrected by one. */
export function CorrectionNote({ correction }: Pick<CertificateDetails, "correction">) {
  if (!correction) return null;
  const { title, text, link } = correction;
  return (
    <Note title={title}>
      <p>
        {text} {link && <Link to={link.to}>{link.label}</Link>}
      </p>
    </Note>
  );
}
