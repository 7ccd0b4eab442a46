interface Props {
  actorId: number | null;
  /** The email at that time or, for the portal, the job's name. */
  actorName: string;
  actorUsername: string | null;
  impersonatorId: number | null;
  impersonatorEmail: string | null;
  impersonatorUsername: string | null;
}

/**
 * Returns a person's email. The user name and id are added when the user name differs, because several accounts can have the same email.
 */
const named = (email: string, username: string | null, id: number | null) =>
  username === null || username === email ? email : `${email} (${username}, account ${id})`;

/** Names who did what an audit entry records. An administrator who acted as a user comes first. */
export const AuditActor = (entry: Props) => (
  <>
    {entry.impersonatorEmail &&
      `${named(entry.impersonatorEmail, entry.impersonatorUsername, entry.impersonatorId)} as `}
    <bdi>{named(entry.actorName, entry.actorUsername, entry.actorId)}</bdi>
  </>
);
