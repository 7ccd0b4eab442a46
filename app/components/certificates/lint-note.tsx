import { type QueueOrder } from "~/domain/certificates/queue/queue.service.server";
import { Note } from "../ui/note";

/** Shows staff which rules of certificates an order or a certificate breaks, with the standard behind each. */
export const LintNote = ({ lints }: { lints: QueueOrder["lints"] }) =>
  lints.length > 0 && (
    <Note tone="warn" title="Worth a second look:">
      <ul>
        {lints.map(({ lint, source, severity, text }) => (
          <li key={text}>
            {severity === "error" ? "Error" : "Warning"}: {text} {lint}, {source}
          </li>
        ))}
      </ul>
    </Note>
  );
