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
      <PartnersNote isIssuerKept={term.isIssuerKept} partners={renewal.partners} />
    </Card>
  );
}

function PartnersNote({ isIssuerKept, partners }: { isIssuerKept: boolean } & Pick<RenewalView, "partners">) {
  const { paragraphs, steps } = partners[isIssuerKept ? "kept" : "changed"];
  return (
    <Note tone={isIssuerKept ? "info" : "warn"} title="For your partners">
      {paragraphs.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <ul>
        {steps.map((text) => (
          <li key={text}>{text}</li>
        ))}
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
