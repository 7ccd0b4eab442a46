import { isValidSecret, stateOf } from "~/domain/api-clients/client-state.policy";
import { readScopes, type Scope, scopesBeyond } from "~/domain/api-clients/scopes.policy";
import { type DbOrTrx } from "~db/connection.server";
import { type ApiClientRow, listApiClients, listSecrets } from "~db/repositories/api-clients.server";
import { listRightsOf } from "~db/repositories/user-rights.server";
import { type UserRow } from "~db/repositories/users.server";
import { type StaffRight } from "~db/tables";
import { STAFF_RIGHTS } from "../rights.policy";
import { scopesInForce, staffRightsOf } from "../staff-rights.server";
import { changedRight, type UserAction } from "./user-administration.policy";

/** An active API client of staff that can no longer use some of its scopes, at least with one of its secrets. */
export interface NarrowedClient {
  client: ApiClientRow;
  scopes: Scope[];
}

/** Returns the rights of staff that an account has after an action, or null when the action takes no right of staff. */
async function rightsAfter(db: DbOrTrx, action: UserAction, user: UserRow): Promise<StaffRight[] | null> {
  if (action === "disable") return [];
  const change = changedRight(action);
  if (!change || change.isGranted || change.right === "applicant") return null;
  if (change.right !== "admin")
    return (await staffRightsOf(db, user)).filter((right) => user.isAdmin || right !== change.right);
  const granted = (await listRightsOf(db, user.id)).map(({ right }) => right);
  return STAFF_RIGHTS.filter((right) => granted.includes(right));
}

/**
 * Returns the API clients of staff that an action on an account narrows: a client may do only what whoever answers for it, and whoever made
 * its secret, may do. It is read before the action.
 *
 * @param paused The clients that the action pauses, which are left out.
 */
export async function listNarrowed(
  db: DbOrTrx,
  action: UserAction,
  user: UserRow,
  { paused, now }: { paused: readonly ApiClientRow[]; now: Date },
): Promise<NarrowedClient[]> {
  const rights = await rightsAfter(db, action, user);
  if (rights === null) return [];
  const beyond = scopesBeyond({ rights });
  const isPaused = ({ id }: ApiClientRow) => paused.some((client) => client.id === id);
  const active = (await listApiClients(db, null)).filter((row) => stateOf(row, now) === "Active" && !isPaused(row));
  const secrets = await listSecrets(
    db,
    active.map(({ id }) => id),
  );
  const narrowed: NarrowedClient[] = [];
  for (const client of active) {
    const lost = new Set<Scope>();
    for (const { apiClientId, createdBy, endsAt } of secrets) {
      const persons = [client.responsibleId, createdBy];
      if (apiClientId !== client.id || !isValidSecret({ endsAt }, now) || !persons.includes(user.id)) continue;
      for (const scope of await scopesInForce(db, client, persons)) if (beyond[scope] !== undefined) lost.add(scope);
    }
    if (lost.size > 0) narrowed.push({ client, scopes: readScopes([...lost].join(" ")) });
  }
  return narrowed;
}
