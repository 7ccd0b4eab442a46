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
