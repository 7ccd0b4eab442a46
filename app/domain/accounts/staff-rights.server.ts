import { stateOf } from "~/domain/api-clients/client-state.policy";
import { readScopes, type Scope, scopesBeyond, tasksFor } from "~/domain/api-clients/scopes.policy";
import { type Actor } from "~/domain/audit/audit.service.server";
import { isPortalError, PortalError } from "~/lib/errors";
import { type DbOrTrx } from "~db/connection.server";
import { type ApiClientRow, findApiClient } from "~db/repositories/api-clients.server";
import { listRightsOf } from "~db/repositories/user-rights.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { type StaffRight } from "~db/tables";
import { isStaff, lackedText, may, rightNeeded, STAFF_RIGHTS, type Task } from "./rights.policy";

/** Returns the rights of staff that count for an account: all for the right Admin, otherwise those granted one by one. */
export async function staffRightsOf(db: DbOrTrx, user: { id: number; isAdmin: boolean }): Promise<StaffRight[]> {
  if (user.isAdmin) return STAFF_RIGHTS;
  const granted = (await listRightsOf(db, user.id)).map(({ right }) => right);
  return STAFF_RIGHTS.filter((right) => granted.includes(right));
}

/** Returns the rights of staff of an account, none for one that is disabled or missing. */
const rightsInForce = async (db: DbOrTrx, user: UserRow | null | undefined): Promise<StaffRight[]> =>
  user && !user.isDisabled ? staffRightsOf(db, user) : [];

/** Returns the stored rights of staff of a person, none for an account that is disabled or missing. */
export const storedRightsOf = async (db: DbOrTrx, userId: number): Promise<StaffRight[]> =>
  rightsInForce(db, await findUserById(db, userId));

/**
 * Returns the scopes that a client may use now. For a client of staff these are the ones that the rights of each of these persons allow:
 * whoever answers for the client, and whoever knows its secret.
 */
export async function scopesInForce(
  db: DbOrTrx,
  client: Pick<ApiClientRow, "companyId" | "scopes">,
  persons: readonly number[],
): Promise<Scope[]> {
  const scopes = readScopes(client.scopes);
  if (client.companyId !== null) return scopes;
  const beyond = await Promise.all(
    [...new Set(persons)].map(async (id) => scopesBeyond({ rights: await storedRightsOf(db, id) })),
  );
  return scopes.filter((scope) => beyond.every((barriers) => barriers[scope] === undefined));
}

/** The code of the error for an account whose rights do not allow a task. */
export const NO_RIGHT = "account.right";

/** The error for an account whose rights do not allow a task. */
export const noRight = (task: Task) =>
  new PortalError(rightNeeded(task), { code: NO_RIGHT, status: 403, detail: lackedText(task) });

async function requireTaskOfClient(db: DbOrTrx, apiClientId: number, task: Task): Promise<void> {
  const client = await findApiClient(db, apiClientId);
  const isOfStaff = client?.companyId === null && stateOf(client, new Date()) === "Active";
  if (!isOfStaff || !tasksFor(await scopesInForce(db, client, [client.responsibleId])).includes(task))
    throw noRight(task);
}

/**
 * Throws a PortalError (403) when the stored rights of the actor do not allow the task. Every service that changes something as staff calls
 * it in its transaction, so that a right withdrawn since the page was opened counts. The portal itself and the command line need no right.
 * An API client may do what its stored scopes and the rights of the person who answers for it both allow.
 */
export async function requireTask(db: DbOrTrx, actor: Actor, task: Task): Promise<void> {
  if (actor.id === null) return;
  if (actor.apiClientId !== undefined) return requireTaskOfClient(db, actor.apiClientId, task);
  await requireTaskOf(db, await findUserById(db, actor.id), task);
}

/** Throws a PortalError (403) when the stored rights of an account, which was just read, do not allow the task. */
async function requireTaskOf(db: DbOrTrx, user: UserRow | null | undefined, task: Task): Promise<void> {
  if (!may({ rights: await rightsInForce(db, user) }, task)) throw noRight(task);
}

/**
 * Returns the error that `requireTask` throws, or null. `users` has the account of the actor, if there is one, as this transaction has just
 * read it.
 */
export async function whyNoTask(
  db: DbOrTrx,
  users: ReadonlyMap<number, UserRow>,
  actor: Actor,
  task: Task,
): Promise<PortalError | null> {
  const { id, apiClientId } = actor;
  try {
    if (id === null || apiClientId !== undefined) await requireTask(db, actor, task);
    else await requireTaskOf(db, users.get(id), task);
    return null;
  } catch (error) {
    if (isPortalError(error)) return error;
    throw error;
  }
}

/** Returns whether the rights allow `admin` to act as `user`: user administrators act as customers, nobody acts as staff. */
export const mayActAs = async (
  db: DbOrTrx,
  user: { id: number; isAdmin: boolean },
  admin: { id: number; isAdmin: boolean },
): Promise<boolean> =>
  !isStaff({ rights: await staffRightsOf(db, user) }) &&
  may({ rights: await staffRightsOf(db, admin) }, "change-users");
