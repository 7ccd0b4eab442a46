import { type QueueOrder } from "~/domain/certificates/queue/queue.service.server";
import { Note } from "../ui/note";

/** Shows staff which rules of certificates an order or a certificate breaks, with the standard behind each. */
export function LintNote({ lints, isIssued = false }: { lints: QueueOrder["lints"]; isIssued?: boolean }) {
  if (lints.length === 0) return null;
  const isWrong = lints.some(({ severity }) => severity === "error");
  const subject = isIssued ? "This certificate" : "The certificate of this order";
  const text = isWrong ? "breaks rules for certificates" : "deserves a second look";
  return (
    <Note tone={isWrong ? "bad" : "warn"} title={`${subject} ${text}.`}>
      <ul>
        {lints.map(({ lint, source, severity, text: sentence }) => (
          <li key={`${lint} ${sentence}`}>
            {severity === "error" ? "Error: " : "Warning: "}
            {sentence}{" "}
            <span className="sub">
              {lint}, {source}
            </span>
          </li>
        ))}
      </ul>
    </Note>
  );
}
