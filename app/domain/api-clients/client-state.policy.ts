/** What decides whether a client may be used (`ApiClientRow`). */
export interface ClientStanding {
  companyId: number | null;
  endsAt: string;
  revokedAt: string | null;
  /** The person who answers for the client. */
  isDisabled: boolean;
  adminLockedAt: string | null;
  isAdmin: boolean;
  /** The role of that person in the company of the client, and whether the person administers users. */
  role: string | null;
  right: string | null;
}

/** The states of clients as pages and calls show them. */
export const CLIENT_STATES = ["Active", "No valid secret", "No scope", "Paused", "Expired", "Revoked"] as const;
export type ShownClientState = (typeof CLIENT_STATES)[number];
export type ClientState = Exclude<ShownClientState, "No valid secret" | "No scope">;

/** Returns whether the person still has what it takes to answer for the client: an owner of its company, or a user administrator. */
export function isAnsweredFor({
  companyId,
  isDisabled,
  adminLockedAt,
  role,
  isAdmin,
  right,
}: Omit<ClientStanding, "endsAt" | "revokedAt">): boolean {
  if (isDisabled || adminLockedAt !== null) return false;
  return companyId === null ? isAdmin || right !== null : role === "owner";
}

/** Returns the state of a client. Only an active one may be used. A paused one waits for somebody who answers for it. */
export function stateOf(client: ClientStanding, now: Date): ClientState {
  if (client.revokedAt !== null) return "Revoked";
  if (Date.parse(client.endsAt) <= now.getTime()) return "Expired";
  return isAnsweredFor(client) ? "Active" : "Paused";
}

/** Returns whether a secret is valid. */
export const isValidSecret = ({ endsAt }: { endsAt: string | null }, now: Date): boolean =>
  endsAt === null || Date.parse(endsAt) > now.getTime();

/** Returns the state to show for a client: an active one gets no token without a valid secret with which at least one scope counts. */
export function shownStateOf(
  client: ClientStanding,
  secrets: readonly { isValid: boolean; hasScope: boolean }[],
  now: Date,
): ShownClientState {
  const state = stateOf(client, now);
  const valid = secrets.filter(({ isValid }) => isValid);
  if (state !== "Active") return state;
  if (valid.length === 0) return "No valid secret";
  return valid.some(({ hasScope }) => hasScope) ? "Active" : "No scope";
}
