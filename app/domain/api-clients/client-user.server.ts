import { randomBytes } from "node:crypto";
import { hasDetailsMissing } from "~/domain/accounts/accounts.policy";
import { rightsAllowing } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { personIn } from "~/domain/accounts/session-user.server";
import { staleBefore } from "~/domain/accounts/sessions/sessions.policy";
import { scopesInForce } from "~/domain/accounts/staff-rights.server";
import { type Client } from "~/domain/security-events/client";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { logError } from "~/lib/log.server";
import { parseNetwork, withinNetworks } from "~/lib/networks.server";
import { getDb, type Trx } from "~db/connection.server";
import {
  type ApiClientRow,
  findApiClient,
  findClientToken,
  insertClientToken,
  storeClientUse,
} from "~db/repositories/api-clients.server";
import { hashOf } from "~db/repositories/tokens.server";
import { findUserById, findUserFor } from "~db/repositories/users.server";
import { isValidSecret, stateOf } from "./client-state.policy";
import { readScopes, roleFor, type Scope, tasksFor } from "./scopes.policy";

/** The lifetime of an access token of a client, in seconds. */
export const CLIENT_TOKEN_SECONDS = 60 * 60;

/** Stands for no company, in which a client of staff acts. */
const NO_COMPANY = { companyId: 0, company: "", role: "reader", isApplicant: false } as const;

/** Returns how audit entries and events name a client. Names are cut to what an entry can hold. */
export const labelOf = ({ name, clientId, company }: Pick<ApiClientRow, "name" | "clientId" | "company">): string =>
  `${name} (API client ${clientId} of ${company ?? "staff"})`.slice(0, 200);

/**
 * Returns the user as whom a client makes calls: the person who answers for it, with the company of the client and no more than its scopes
 * allow. What that person alone must do, such as replacing a password, does not stop the client. Returns null when the account is missing.
 */
async function userFor(client: ApiClientRow, scopes: readonly Scope[]): Promise<SessionUser | null> {
  const { id, companyId, responsibleId } = client;
  const key = { userId: responsibleId, companyId: companyId ?? 0 };
  const row = companyId === null ? await findUserById(getDb(), responsibleId) : await findUserFor(getDb(), key);
  if (!row) return null;
  const tasks = companyId === null ? tasksFor(scopes) : [];
  const place = { companyId: row.companyId, company: row.company, role: roleFor(scopes), isApplicant: row.isApplicant };
  return {
    ...personIn(row),
    ...(companyId === null ? NO_COMPANY : place),
    isAdmin: false,
    rights: rightsAllowing(tasks),
    tasks,
    hasDetailsMissing: companyId !== null && hasDetailsMissing(row),
    hasSeveralAccounts: false,
    passwordAge: "fresh",
    impersonator: null,
    actor: { id: row.id, name: labelOf(client), impersonatorId: null, apiClientId: id },
    sessionId: null,
    proof: null,
    signedOnWith: null,
    factorDueAt: null,
    isFactorOverdue: false,
    apiClient: { id, name: client.name, companyId, scopes },
  };
}

/** Returns whether a client may be used from this address. A text that is not an address is in no network. */
export function isAllowedFrom({ networks }: Pick<ApiClientRow, "networks">, address: string): boolean {
  const all = networks.split(" ").flatMap((one) => parseNetwork(one) ?? []);
  return networks === "" || withinNetworks(all)(address);
}

/** Issues an access token of 256 random bits for an hour, and stores only its hash. It ends with its secret. */
export async function issueClientToken(
  trx: Trx,
  secretId: number,
  scopes: readonly Scope[],
  now: Date,
): Promise<string> {
  const plain = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + CLIENT_TOKEN_SECONDS * 1000);
  await insertClientToken(trx, {
    tokenHash: hashOf(plain),
    secretId,
    scopes: scopes.join(" "),
    createdAt: now,
    expiresAt,
  });
  return plain;
}

/**
 * Returns the client and the scopes of an access token. Returns null when the token is unknown or has expired. When its secret or the
 * client is no longer valid, it records an event and returns "refused".
 */
async function findValid(token: string, origin: Client, now: Date) {
  const found = await findClientToken(getDb(), hashOf(token));
  const client = found && (await findApiClient(getDb(), found.apiClientId));
  if (!client || Date.parse(found.expiresAt) <= now.getTime()) return null;
  const state = stateOf(client, now);
  if (state !== "Active" || !isValidSecret({ endsAt: found.secretEndsAt }, now)) {
    refuseClient(
      client,
      origin,
      state === "Active" ? "The secret of its token has ended." : `The client is ${state.toLowerCase()}.`,
    );
    return "refused";
  }
  // A scope that was taken from the client since then does not count, nor one for which a right was withdrawn.
  const held = await scopesInForce(getDb(), client, [client.responsibleId, found.secretBy]);
  const scopes = readScopes(found.scopes).filter((scope) => held.includes(scope));
  return { client, scopes };
}

/** Records the use of a client without delaying the answer, at most every five minutes. */
function noteClientUse({ id, lastUsedAt }: ApiClientRow, address: string, now: Date): void {
  const before = staleBefore(now);
  if (lastUsedAt !== null && Date.parse(lastUsedAt) > before.getTime()) return;
  storeClientUse(getDb(), id, { address, now }, before).catch((error: unknown) => logError(error));
}

/**
 * Returns the user as whom the holder of an access token makes calls, and whether the client may be used from the address of the request.
 * Returns null when no client has this token or it has expired, and "refused" when its secret or the client is no longer valid, which is
 * in the security events then.
 */
export async function findClientUser(
  token: string,
  origin: Client,
  now = new Date(),
): Promise<{ user: SessionUser; isAllowedHere: boolean } | "refused" | null> {
  const valid = await findValid(token, origin, now);
  if (valid === null || valid === "refused") return valid;
  const { client, scopes } = valid;
  const user = await userFor(client, scopes);
  const isAllowedHere = isAllowedFrom(client, origin.address);
  if (isAllowedHere) noteClientUse(client, origin.address, now);
  return user && { user, isAllowedHere };
}

/** Records that a client, known or not, was refused. `detail` contains no secret. */
export function refuseClient(client: ApiClientRow | null, origin: Client, detail: string): void {
  const who = client && { userId: client.responsibleId, actorName: labelOf(client) };
  void recordSecurityEvent(getDb(), { event: "client.refused", ...who, client: origin, detail });
}
