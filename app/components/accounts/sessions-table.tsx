import { type SessionView } from "~/domain/accounts/sessions/sessions.service.server";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { Badge } from "../ui/status-badge";
import { Time } from "../ui/time";

/** What a session is, besides its browser or program. */
function roleOf({ kind, actsAs, actedBy }: SessionView): string | null {
  if (actsAs !== null) return `Acting as ${actsAs}`;
  if (actedBy !== null) return `${actedBy || "An administrator"} acts as this account`;
  return kind === "program" ? "Program with an access token" : null;
}

function Device({ session }: { session: SessionView }) {
  const role = roleOf(session);
  return (
    <div>
      <bdi>{session.device || "–"}</bdi> {session.isCurrent && <Badge tone="ok">This session</Badge>}
      {role && <span className="sub">{role}</span>}
    </div>
  );
}

const COLUMNS: readonly Column<SessionView>[] = [
  { key: "device", label: "Browser or program", rowHeader: true, cell: (session) => <Device session={session} /> },
  { key: "address", label: "Network address", cell: ({ address }) => <bdi>{address || "–"}</bdi> },
  { key: "started", label: "First use", cell: ({ startedAt }) => <Time value={startedAt} withTime /> },
  { key: "used", label: "Last use", cell: ({ lastUsedAt }) => <Time value={lastUsedAt} withTime toMinute /> },
];

interface Props {
  caption: string;
  sessions: readonly SessionView[];
  /** A further column, such as one with buttons. */
  more?: Column<SessionView>;
}

/** Open sessions, the one used last first. The last use is recorded every five minutes. */
export function SessionsTable({ caption, sessions, more }: Props) {
  return (
    <DataTable
      caption={caption}
      summary={sessions.length > 0 ? "last used first" : undefined}
      columns={more ? [...COLUMNS, more] : COLUMNS}
      rows={sessions}
      rowKey={({ id }) => id}
      empty="No open sessions"
    />
  );
}
