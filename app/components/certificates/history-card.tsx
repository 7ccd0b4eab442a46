import { Link } from "@remix-run/react";
import { type CertificateDetails } from "~/domain/certificates/catalogue/details.service.server";
import { Card } from "../ui/card";
import { Time } from "../ui/time";

/** What has happened to a certificate and its order, newest first. */
export function HistoryCard({ history: { lines, hidden } }: Pick<CertificateDetails, "history">) {
  return (
    <Card title="History">
      <ol className="log" role="list">
        {lines.map(({ at, text, to }, index) => (
          <li key={index}>
            <Time value={at} withTime toMinute />
            {to === null ? <bdi>{text}</bdi> : <Link to={to}>{text}</Link>}
          </li>
        ))}
      </ol>
      {hidden > 0 && <p className="hint">Earlier downloads that are not shown: {hidden}.</p>}
    </Card>
  );
}
