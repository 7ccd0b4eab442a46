import { type ShownFinding } from "~/domain/certificate-audit/list.service.server";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

/** Shows staff what the nightly audit found about a certificate, and what to do. */
export const FindingsNote = ({ findings }: { findings: readonly ShownFinding[] }) =>
  findings.length > 0 && (
    <Note tone="bad" title="The nightly audit found something about this certificate:">
      <ul>
        {findings.map(({ id, title, cause, todo, firstSeenAt }) => (
          <li key={id}>
            <strong>{title}</strong>, first seen on <Time value={firstSeenAt} withTime />. {cause} {todo}
          </li>
        ))}
      </ul>
    </Note>
  );
