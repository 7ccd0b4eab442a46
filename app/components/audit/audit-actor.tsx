interface Props {
  actorId: number | null;
  /** The e-mail of that time or, for the portal, the job's name. */
  actorName: string;
  actorUsername: string | null;
  impersonatorId: number | null;
  impersonatorEmail: string | null;
  impersonatorUsername: string | null;
}

/** A person by e-mail, and by what tells accounts with the same e-mail apart where that is something else. */
const named = (email: string, username: string | null, id: number | null) =>
  username === null || username === email ? email : `${email} (${username}, account ${id})`;

/** Who did what an audit entry says; an administrator who acted as somebody comes first. */
export const AuditActor = (entry: Props) => (
  <>
    {entry.impersonatorEmail &&
      `${named(entry.impersonatorEmail, entry.impersonatorUsername, entry.impersonatorId)} as `}
    <bdi>{named(entry.actorName, entry.actorUsername, entry.actorId)}</bdi>
  </>
);
