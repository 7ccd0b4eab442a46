import { Link } from "@remix-run/react";
import { type RenewalTerm } from "~/domain/certificates/succession/original.server";
import { type RenewalView } from "~/domain/certificates/succession/renewal-view.server";
import { paths } from "~/lib/paths";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { HexPairs } from "../ui/hex-pairs";
import { Note } from "../ui/note";
import { Time } from "../ui/time";
import { UsageText } from "./usage-fields";

const CHANGED_ISSUER =
  "The issuer of the certificate being renewed does not cover the new validity period, so the new certificate has another one: partners have to trust it before you switch.";

/** The certificate that is renewed, and what its partners will notice (REN-01, REN-04). */
export function RenewalCard({ renewal, term }: { renewal: RenewalView; term: RenewalTerm }) {
  return (
    <Card title="Certificate being renewed" className="stack">
      <DescriptionList
        items={[
          {
            term: "Certificate",
            detail: <Link to={paths.certificateDetails(renewal.certificateId)}>{renewal.certificateId}</Link>,
          },
          { term: "Serial number", detail: <HexPairs value={renewal.serialNumber} /> },
          { term: "Valid until", detail: <Time value={renewal.expiryDate} withTime /> },
          { term: "OFTP ID", detail: renewal.ssid && <span className="mono">{renewal.ssid}</span> },
          { term: "Certificate usage", detail: <UsageText usage={renewal.usage} /> },
        ]}
        hideEmpty
      />
      <PartnersNote term={term} />
    </Card>
  );
}

function PartnersNote({ term }: { term: RenewalTerm }) {
  return (
    <Note tone={term.isIssuerKept ? "info" : "warn"} title="For your partners">
      {!term.isIssuerKept && <p>{CHANGED_ISSUER}</p>}
      <p>
        {term.isIssuerKept ? "Subject, issuer and usage stay the same" : "Subject and usage stay the same"}, so that
        your partners&apos; software recognises the new certificate as the successor of this one. The OFTP ID and the
        alternative names stay as well; only the key, the serial number and the dates are new.
      </p>
      <p>Where a partner&apos;s software does not recognise it, the partner must:</p>
      <ul>
        <li>import the new certificate beside the old one and assign it to your station</li>
        <li>replace the old one wherever its serial number, thumbprint or key is named</li>
        <li>encrypt files for you with the new one from the day on which you switch</li>
        <li>keep the old one until it ends, to verify what you signed with it before</li>
        {!term.isIssuerKept && <li>trust the new issuing CA and its root, which the repository offers</li>}
      </ul>
    </Note>
  );
}

/** Returns the results of a term, for the order summary. */
export const termLines = ({ expiryDate, endsWithIssuer, issuer, isIssuerKept }: RenewalTerm) => [
  {
    label: endsWithIssuer ? "New certificate valid until, as its issuer" : "New certificate valid until",
    value: <Time value={expiryDate} />,
  },
  { label: isIssuerKept ? "Issuer, as before" : "New issuer", value: issuer },
];

/** Lists the details of the CSR that differ and are not used, because those of the renewed certificate apply. */
export function UnusedDetails({ unused }: Pick<RenewalView, "unused">) {
  if (unused.length === 0) return null;
  return (
    <Note tone="warn" title="The new certificate keeps these details of the certificate being renewed:">
      <ul>
        {unused.map(({ label, received, kept }) => (
          <li key={label}>
            {label}: {kept || "none"} (your CSR: {received || "none"})
          </li>
        ))}
      </ul>
    </Note>
  );
}
