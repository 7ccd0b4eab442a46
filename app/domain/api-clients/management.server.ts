import { randomBytes } from "node:crypto";
import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { requireMember } from "~/domain/companies/membership.server";
import { notFound, PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { type ApiClientRow, findApiClient, insertSecret } from "~db/repositories/api-clients.server";
import { lockCompany } from "~db/repositories/members.server";
import { hashOf } from "~db/repositories/tokens.server";
import { lockAdministrators } from "~db/repositories/user-administration.server";
import { type ClientKind } from "./scopes.policy";

/** Returns the error for a change of a client that is not possible, at this field of the form if there is one. */
export const notManageable = (message: string, field?: string) =>
  new PortalError(message, { code: "api-client", ...(field && { field }) });

/** Returns the company whose clients a user manages; null for those of staff. */
export const managedCompany = (user: SessionUser, kind: ClientKind): number | null =>
  kind === "company" ? user.companyId : null;

/**
 * Begins a change of clients: locks what decides whether the user may make it. Throws a PortalError (403) when the user is no owner of the
 * company, or for clients of staff no user administrator, and when an administrator acts as the user.
 */
export async function requireManager(trx: Trx, user: SessionUser, kind: ClientKind, now: Date): Promise<void> {
  requireNoImpersonation(user, "API clients");
  if (kind === "company") {
    await lockCompany(trx, user.companyId, now);
    await requireMember(trx, user, user, "manage-company");
  } else {
    await lockAdministrators(trx);
    await requireTask(trx, user.actor, "change-users");
  }
}

/** Returns a client of the user's company, or of staff. Throws a PortalError (404) when there is none. */
export async function requireClient(trx: Trx, user: SessionUser, kind: ClientKind, id: number): Promise<ApiClientRow> {
  const client = await findApiClient(trx, id);
  if (client?.companyId !== managedCompany(user, kind)) throw notFound();
  return client;
}

/** Throws a PortalError when a client was revoked, which is for ever. */
export function requireUnrevoked({ revokedAt }: ApiClientRow): void {
  if (revokedAt !== null) throw notManageable("This client was revoked. Make a new one.");
}

/** Returns how audit entries name a client. */
export const named = ({ name, clientId }: Pick<ApiClientRow, "name" | "clientId">) => `${name} (${clientId})`;

/** Makes a secret of 256 random bits, of which only the hash is stored. Returns it. */
export async function makeSecret(trx: Trx, apiClientId: number, { id }: SessionUser, now: Date): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  await insertSecret(trx, { apiClientId, secretHash: hashOf(secret), createdAt: now, createdBy: id });
  return secret;
}

/** A secret, which is shown only once. */
export interface ShownSecret {
  /** The number of the client on pages and in calls. */
  id: number;
  clientId: string;
  secret: string;
  /** Whether scopes wait for a second user administrator. */
  isRequested: boolean;
}
