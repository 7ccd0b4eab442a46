import { type ClientLines } from "~/domain/acme/client-lines";
import { Card } from "../ui/card";
import { PemText } from "../ui/pem-block";

interface Props {
  clients: readonly ClientLines[];
  /** What the lines are for, above them. */
  children: React.ReactNode;
}

/** The lines with which the common ACME clients make their account and get a certificate. */
export const ClientLinesCard = ({ clients, children }: Props) => (
  <Card anchor="automate" title="Automate">
    {children}
    {clients.map(({ client, label, lines, renewal }) => (
      <details key={client}>
        <summary>{client}</summary>
        <PemText label={label} value={lines} />
        <p className="hint">{renewal}</p>
      </details>
    ))}
  </Card>
);
