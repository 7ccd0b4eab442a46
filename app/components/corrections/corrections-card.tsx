import { Link } from "@remix-run/react";
import { type StatedOrderCorrection } from "~/domain/orders/corrections/made-corrections.server";
import { documentLabel } from "~/domain/orders/invoices/invoice-content";
import { paths } from "~/lib/paths";
import { PersonName } from "../companies/names";
import { Card } from "../ui/card";
import { DownloadLink } from "../ui/download-link";
import { Time } from "../ui/time";
import { ChangeList } from "./change-list";

interface Props {
  corrections: readonly StatedOrderCorrection[];
  /** What is still to be paid or to be paid back after them, or null. */
  settlement: string | null;
}

/** What became of the certificate that a correction ordered, unless it was issued. */
const FATES: Partial<Record<NonNullable<StatedOrderCorrection["certificateStatus"]>, string>> = {
  Pending: "ordered, not issued yet",
  Rejected: "rejected, so nothing was changed",
  Cancelled: "cancelled, so nothing was changed",
};

/** The corrections of an order with what each changed and its documents. Nothing when there are none. */
export const CorrectionsCard = ({ corrections, settlement }: Props) =>
  corrections.length > 0 && (
    <Card title="Corrections" className="stack">
      {settlement !== null && (
        <p>
          <strong>{settlement}</strong>
        </p>
      )}
      {corrections.map((correction) => (
        <section key={correction.number} className="stack">
          <h3>{correction.number}</h3>
          <p className="hint">
            <Time value={correction.at} withTime />, by <PersonName name={correction.by} by={correction.actingFor} />
          </p>
          <ChangeList changes={correction.changes} />
          {(correction.documents.length > 0 || correction.certificateId !== null) && (
            <ul role="list">
              {correction.documents.map((document) => (
                <li key={document.id}>
                  <DownloadLink href={paths.invoice(document.id)}>{documentLabel(document)}</DownloadLink>
                </li>
              ))}
              {correction.certificateId !== null && (
                <li>
                  <Link to={paths.certificateDetails(correction.certificateId)}>
                    Certificate {correction.certificateId}
                  </Link>
                  {correction.certificateStatus !== null && <>: {FATES[correction.certificateStatus] ?? "issued"}</>}
                </li>
              )}
            </ul>
          )}
        </section>
      ))}
    </Card>
  );
