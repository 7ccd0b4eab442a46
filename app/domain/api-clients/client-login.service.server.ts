import { scopesInForce } from "~/domain/accounts/staff-rights.server";
import { consumeTry, fromNetwork } from "~/domain/limits/tries.server";
import { type Client } from "~/domain/security-events/client";
import { detailOf } from "~/domain/security-events/details";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { PortalError } from "~/lib/errors";
import { networkOf } from "~/lib/networks.server";
import { getDb } from "~db/connection.server";
import {
  type ApiClientRow,
  findApiClientByName,
  findSecret,
  storeClientUse,
  storeSecretUse,
} from "~db/repositories/api-clients.server";
import { hashOf } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { isValidSecret, stateOf } from "./client-state.policy";
import { isAllowedFrom, issueClientToken, labelOf, refuseClient } from "./client-user.server";
import { isScope, readScopes, type Scope, scopesText } from "./scopes.policy";

export interface ClientCredentials {
  clientId: string;
  secret: string;
  /** The scopes asked for, separated by spaces; all of the client when omitted. */
  scope?: string | undefined;
}

/** The codes of the refusals, each with its name in OAuth 2 (RFC 6749 §5.2). */
export const CLIENT_REFUSALS = {
  "client.invalid": "invalid_client",
  "client.scopes": "invalid_scope",
  "client.unauthorized": "unauthorized_client",
} as const;

const refusal = (code: keyof typeof CLIENT_REFUSALS, message: string, detail?: string) =>
  new PortalError(message, { code, status: 400, detail });

const UNKNOWN = "The client is unknown, or its secret is wrong.";

/**
 * Counts a wrong secret for the client and the network, and returns the error. Only wrong ones count: whoever has the right secret is not
 * kept out by others, and nobody can find one by trying (256 random bits).
 */
async function wrongSecret(client: ApiClientRow | null, clientId: string, origin: Client): Promise<PortalError> {
  const network = networkOf(origin.address);
  refuseClient(client, origin, client ? "The secret was wrong." : "There is no such client.");
  await consumeTry("client-address", network);
  await consumeTry("client-secret", fromNetwork(clientId, network));
  return refusal("client.invalid", UNKNOWN);
}

const BEYOND = "beyond the rights of whoever answers for the client, or made its secret";

/**
 * Returns the scopes of the token: those asked for, or all that the client may use. Throws a PortalError when the client may not use them.
 */
function scopesOf({ scopes }: ApiClientRow, own: readonly Scope[], asked: string | undefined): Scope[] {
  const names = (asked ?? "").split(" ").filter(Boolean);
  const missing = names.filter((name) => !isScope(name) || !own.includes(name));
  const beyond = readScopes(scopes).filter((scope) => missing.includes(scope));
  if (beyond.length > 0) throw refusal("client.scopes", `These scopes are ${BEYOND}: ${beyond.join(", ")}`);
  if (missing.length > 0)
    throw refusal("client.scopes", `The client does not have these scopes: ${missing.join(", ").slice(0, 200)}`);
  if (own.length > 0) return names.length === 0 ? [...own] : readScopes(names.join(" "));
  const none =
    scopes === "" ? "The client has no scopes yet: a second person must approve them." : `All scopes are ${BEYOND}.`;
  throw refusal("client.scopes", none);
}

const NOBODY = "Nobody answers for this client any more.";
const OTHER_NETWORK = "The client may not be used from this network.";

/** Returns why a client cannot log in although its secret is right, or null. */
function barrierOf(client: ApiClientRow, secretEndsAt: string | null, address: string, now: Date): PortalError | null {
  const state = stateOf(client, now);
  if (!isValidSecret({ endsAt: secretEndsAt }, now))
    return refusal("client.invalid", "This secret has ended.", "The secret had ended.");
  if (state === "Revoked") return refusal("client.invalid", "This client was revoked.", "The client was revoked.");
  if (state === "Expired") return refusal("client.invalid", "This client has ended.", "The client had ended.");
  if (state === "Paused") return refusal("client.unauthorized", `${NOBODY} Make a new secret for it.`, NOBODY);
  return isAllowedFrom(client, address)
    ? null
    : refusal("client.unauthorized", "This client cannot be used from this network.", OTHER_NETWORK);
}

/**
 * Logs a program in with client credentials (RFC 6749 §4.4). Returns an access token with its scopes. Throws a PortalError with a code of
 * CLIENT_REFUSALS, and (429) after too many wrong secrets; each refusal is a security event.
 */
export async function logInClient(
  { clientId, secret, scope }: ClientCredentials,
  origin: Client,
  now = new Date(),
): Promise<{ token: string; scopes: Scope[] }> {
  const client = await findApiClientByName(getDb(), clientId);
  const found = client && (await findSecret(getDb(), client.id, hashOf(secret)));
  if (!found) throw await wrongSecret(client, clientId, origin);
  const barrier = barrierOf(client, found.endsAt, origin.address, now);
  if (barrier) {
    refuseClient(client, origin, detailOf(barrier));
    throw barrier;
  }
  const own = await scopesInForce(getDb(), client, [client.responsibleId, found.createdBy]);
  const scopes = scopesOf(client, own, scope);
  return inTransaction(async (trx) => {
    await storeSecretUse(trx, found.id, now);
    await storeClientUse(trx, client.id, { address: origin.address, now }, now);
    const token = await issueClientToken(trx, found.id, scopes, now);
    const detail = `Got an access token with ${scopesText(scopes)}.`;
    const who = { userId: client.responsibleId, actorName: labelOf(client) };
    await recordSecurityEvent(trx, { event: "client.logged-in", ...who, client: origin, detail }, now);
    return { token, scopes };
  });
}
