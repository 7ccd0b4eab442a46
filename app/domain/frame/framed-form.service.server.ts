import { type SessionUser } from "~/domain/accounts/session-user";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { resolveBelow } from "~/lib/web-address";
import { putSetting } from "~db/repositories/settings.server";
import { issueToken } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { endpointOf } from "./endpoints.server";

/** The name of the configuration entry. */
export const QUERY_PARAMS = "queryParams";
const TOKEN_LIFETIME_MS = 60_000;
/** The maximum length of the configuration entry, in characters. */
export const QUERY_LIMIT = 8000;
/** The maximum lengths in characters. */
const LIMIT = { json: 2000, query: QUERY_LIMIT };

export interface FramedForm {
  /** The host of the endpoint, for people to read. */
  host: string;
  /** The partner's remote login, which takes the token. */
  loginUrl: string;
  token: string;
  /** The address to show after the login. */
  targetUrl: string;
}

interface Wish {
  /** The user who opens the form. The token ends with the user's session. */
  user: Pick<SessionUser, "id" | "email" | "actor" | "sessionId">;
  targetSite: string;
  targetUrl: string;
  json?: string | undefined;
  /** The query parameters of the page. */
  query: URLSearchParams;
}

const refuse = (message: string) => new PortalError(message, { code: "frame.refused", status: 400 });

function requireJson(text: string): void {
  if (text.length > LIMIT.json) throw refuse("The data for the form is too long.");
  try {
    JSON.parse(text);
  } catch {
    throw refuse("The data for the form is not valid JSON.");
  }
}

/** Returns the configuration entry: the query parameters as JSON. A parameter that occurs several times becomes an array. */
function entryOf(query: URLSearchParams): string {
  const entry = [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  });
  const text = JSON.stringify(Object.fromEntries(entry));
  if (text.length > LIMIT.query) throw refuse("The address has too many parameters.");
  return text;
}

/** Saves the configuration entry `queryParams` of a user (FRM-01, API-02). Throws a PortalError when it is too long. */
export async function saveQueryParams(userId: number, value: string, now = new Date()): Promise<void> {
  if (value.length > LIMIT.query) throw new PortalError(messages.outOfRange, { code: "frame.refused", field: "value" });
  await inTransaction((trx) => putSetting(trx, { name: QUERY_PARAMS, userId }, value, now));
}

/**
 * Returns the address of a form. Throws a PortalError (400) for an address outside the endpoint, and when `json` is not valid JSON or too
 * long.
 */
export function frameTarget({ targetSite, targetUrl, json }: Pick<Wish, "targetSite" | "targetUrl" | "json">): URL {
  const target = resolveBelow(endpointOf(targetSite), targetUrl);
  if (!target) throw refuse("The address of the form is not valid.");
  if (json === undefined) return target;
  requireJson(json);
  target.searchParams.append("json", json);
  return target;
}

/**
 * Prepares a framed form (FRM-01, FRM-02): saves the query parameters as the user's configuration entry `queryParams` and issues the token
 * for the remote login, which can be used once within one minute. Throws a PortalError (400) for an address outside the endpoint.
 */
export async function openFramedForm(wish: Wish, now = new Date()): Promise<FramedForm> {
  const target = frameTarget(wish);
  const login = resolveBelow(endpointOf(wish.targetSite), getConfig().partner.loginPath);
  if (!login) throw new Error("partner.loginPath was not checked at the start");
  const entry = entryOf(wish.query);
  const { id: userId, email, actor, sessionId } = wish.user;
  const token = await inTransaction(async (trx) => {
    await putSetting(trx, { name: QUERY_PARAMS, userId }, entry, now);
    const owner = { email, userId, ...(actor.impersonatorId && { adminId: actor.impersonatorId }) };
    return issueToken(trx, { purpose: "partner-login", ...owner, sessionId, lifetimeMs: TOKEN_LIFETIME_MS }, now);
  });
  return { host: target.host, loginUrl: login.href, token, targetUrl: target.href };
}
