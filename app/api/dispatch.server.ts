import { type AppLoadContext } from "@remix-run/node";
import { fulfils, lackedText, requirementText } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import {
  findTicketHolder,
  findTokenHolder,
  redeemTicket,
  type TokenHolder,
} from "~/domain/accounts/tokens/api-tokens.service.server";
import { findClientUser } from "~/domain/api-clients/client-user.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { bringsToken, challenge, insufficientScope } from "~/http/bearer.server";
import { clientOf, withClient } from "~/http/client.server";
import { DUTY_PAGES, dutyOf } from "~/http/duties.server";
import { noteEvent, noteRefusal } from "~/http/noted-refusals.server";
import { addressOf } from "~/http/rate-limit.server";
import { noteRoute } from "~/http/request-metrics.server";
import { asRefusal } from "~/http/responses.server";
import { noteUse } from "~/http/session.server";
import { noteErrorCode } from "~/lib/error-code";
import { isPortalError, PortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { answered, failureOf, noSuchCall, refusedCall } from "./answers.server";
import { onlyOnce, readFormBody, readJson } from "./body.server";
import { ListPart, Reply, type Call, type Caller } from "./call";
import { InvalidInput } from "./check";
import { notFoundForPrograms } from "./not-found";
import { checkRequest } from "./required-fields";
import { forPrograms, requireCallProof } from "./step-up.server";
import { findCalls } from "./table.server";

const refuse = (message: string, code: string, status: number, detail?: string) =>
  new PortalError(message, { code, status, detail });

const STALE = "A valid access token is required. This one is missing, unknown or expired.";

/** Throws a PortalError (401), and counts the try for the address. */
async function refuseToken(address: string): Promise<never> {
  await consumeTry("token-address", address);
  throw refuse(STALE, "token.invalid", 401);
}

/** Who makes a call. An API client has no session, and nothing that is made for its `owner` is ever valid. */
type Holder = Pick<TokenHolder, "user" | "owner" | "impersonator" | "isElsewhere"> & {
  session: TokenHolder["session"] | null;
};

/**
 * Returns the API client that holds a token, or null. A call that needs no token ignores that of a client. Throws a PortalError (403) when
 * the client may not be used from the network of the request, and one (401) when the client or its secret is no longer valid.
 */
async function findClient(request: Request, call: Call, token: string): Promise<Holder | null> {
  if (call.who === "anyone") return null;
  const found = await findClientUser(token, clientOf(request));
  if (found === "refused") return refuseToken(addressOf(request));
  if (!found) return null;
  const user = withClient(found.user, request); // so that the refusal is recorded with the name of the client
  if (!found.isAllowedHere) throw refuse("This client cannot be used from this network.", "client.network", 403);
  return { user, owner: { id: user.id, epoch: -1 }, impersonator: undefined, session: null, isElsewhere: false };
}

/**
 * Returns the holder of the request's token, or null. The token is in the Authorization header. For a file, the token or a ticket of a
 * person can be in the query instead. A HEAD request does not use up the ticket, because it does not download the file.
 */
async function findHolder(request: Request, call: Call, query: URLSearchParams): Promise<Holder | null> {
  const bearer = /^Bearer +([\w~+/.=-]+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
  if (bearer) return (await findTokenHolder(bearer)) ?? (await findClient(request, call, bearer));
  const { access_token: given } = call.answer.kind === "file" ? onlyOnce(query) : {};
  if (typeof given !== "string" || given === "") return null;
  const ofTicket = request.method === "HEAD" ? findTicketHolder : redeemTicket;
  return (await findTokenHolder(given)) ?? (await ofTicket(given));
}

/** Returns whether a token was sent, valid or not. For a file, it can also be in the query. */
const hasToken = (request: Request, { answer }: Call): boolean =>
  bringsToken(request) || (answer.kind === "file" && Boolean(new URL(request.url).searchParams.get("access_token")));

function requireRight({ who, isBeforeDuties }: Call, user: SessionUser): void {
  const duty = isBeforeDuties ? null : dutyOf(user);
  if (duty) throw refuse(`This account has something to do first: ${DUTY_PAGES[duty]()}`, "account.duty", 403);
  if (who !== "anyone" && who !== "user" && !fulfils(user, who))
    throw refuse(`This call needs ${requirementText(who)}.`, "account.right", 403, lackedText(who));
}

/** The codes of the refusals of API clients: for a call that is for people, and without the scope. */
const NO_CLIENTS = "client.person-only";
const NO_SCOPE = "client.scope";

/** Throws a PortalError (403) when an API client makes a call that is for people, or for which its token has no scope. */
function requireScope({ scope }: Call, { apiClient }: SessionUser): void {
  if (!apiClient || (scope !== null && apiClient.scopes.includes(scope))) return;
  if (scope === null) throw refuse("Only a person may make this call, not an API client.", NO_CLIENTS, 403);
  const detail = `The access token of the API client lacks the scope ${scope}.`;
  const text = `This call needs the scope ${scope}, which this token does not have, or has lost since it was issued: the answer to a new one says which it has.`;
  throw refuse(text, NO_SCOPE, 403, detail);
}

/** The answer to a token when its person no longer works in its company: a program must not change its company unnoticed. */
const ELSEWHERE =
  "This token is for the company in which it was issued, and its account does not work for that company now. Get a new token, or choose the company again in the portal.";

async function identify(request: Request, call: Call, params: Caller["params"]): Promise<Caller> {
  const caller = { request, params, address: addressOf(request) };
  // The repository's files are public and not rate limited: any number of machines may read them.
  if (call.who === "anyone" && call.answer.kind === "file") return { ...caller, user: null, owner: null };
  const found = await findHolder(request, call, new URL(request.url).searchParams);
  const holder = found && { ...found, user: withClient(found.user, request) };
  if (holder?.session) noteUse(request, holder.session);
  if (call.who === "anyone") {
    await consumeTry("api-address", caller.address);
    const isKnown = holder !== null && !holder.isElsewhere;
    return { ...caller, user: isKnown ? holder.user : null, owner: isKnown ? holder : null };
  }
  if (!holder) {
    if (hasToken(request, call)) noteEvent(request, "token.refused", "The access token is unknown or has ended.");
    return refuseToken(caller.address);
  }
  const { id, apiClient } = holder.user;
  await (apiClient ? consumeTry("api-client", apiClient.id) : consumeTry("api-account", id));
  if (holder.isElsewhere) throw refuse(ELSEWHERE, "company.changed", 403);
  requireScope(call, holder.user);
  requireRight(call, holder.user);
  if (call.needsProof) await requireCallProof(holder.user);
  return { ...caller, user: holder.user, owner: holder };
}

async function readInput(request: Request, call: Call): Promise<unknown> {
  if (call.method === "POST") return call.body === "form" ? readFormBody(request) : readJson(request);
  const query = new URL(request.url).searchParams;
  if (call.answer.kind === "file") query.delete("access_token");
  return onlyOnce(query);
}

function answerOf(call: Call, result: unknown): Response {
  if (call.answer.kind === "file" || result instanceof Response) return result as Response;
  const { output } = call.answer;
  if (result instanceof ListPart) return answered(output.parse(result.rows), "", { nextCursor: result.nextCursor });
  const { content, text } = result instanceof Reply ? (result as Reply<unknown>) : { content: result, text: "" };
  return answered(output.parse(content), text);
}

async function perform(request: Request, call: Call, params: Caller["params"]): Promise<Response> {
  const caller = await identify(request, call, params);
  const input: unknown = checkRequest(call.input, await readInput(request, call));
  try {
    return answerOf(call, await call.handle(input, caller));
  } catch (error) {
    throw notFoundForPrograms(forPrograms(error), input);
  }
}

/**
 * Adds the header WWW-Authenticate: to a 401, how to authenticate and whether a token was sent, and to the 403 of an API client, which
 * scope its token lacks.
 */
function withChallenge(response: Response, request: Request, call: Call, error: unknown): Response {
  if (isPortalError(error) && [NO_SCOPE, NO_CLIENTS].includes(error.code))
    response.headers.set("WWW-Authenticate", insufficientScope(call.scope));
  if (response.status !== 401) return response;
  response.headers.set("WWW-Authenticate", challenge(hasToken(request, call), ['realm="api"']));
  return response;
}

/** Returns the methods of a path (RFC 9110 §10.2.1). A path with GET also has HEAD. */
const allowedOf = (calls: readonly Call[]): string =>
  [...calls.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(", ");

/**
 * Answers methods that a path does not have. OPTIONS gets the list of methods only: there are no CORS headers, so pages of other origins
 * may not make calls.
 */
function otherMethod({ method }: Request, calls: readonly Call[]): Response {
  const headers = { Allow: allowedOf(calls) };
  if (method === "OPTIONS") return new Response(null, { status: 204, headers });
  const text = `This call is made with ${calls.map((one) => one.method).join(" or ")}.`;
  return refusedCall({ status: 405, text, code: "request.method", headers });
}

/** Answers a request for `/api/{path}`. It never throws. */
export async function dispatch(request: Request, path: string, context: AppLoadContext): Promise<Response> {
  for (const name of context.emptyHeaders ?? []) request.headers.set(name, "");
  // unknown calls share this label, so that an address that somebody made up does not become a label of the metrics
  noteRoute(context, "/api/*");
  const found = findCalls(path);
  if (!found) return noSuchCall(path);
  noteRoute(context, `/api/${found.calls[0]?.path ?? ""}`);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const call = found.calls.find((one) => one.method === method);
  if (!call) return otherMethod(request, found.calls);
  try {
    return await perform(request, call, found.params);
  } catch (thrown) {
    const error = asRefusal(thrown, { request, context, ...(call.failure && { code: call.failure }) });
    if (isPortalError(error)) noteRefusal(request, error);
    if (!isPortalError(error) && !(error instanceof InvalidInput)) {
      noteErrorCode(error, call.failure);
      logError(error, { request, context });
    }
    if (call.answer.kind === "plain") return call.answer.refuse(error);
    return withChallenge(failureOf(error, call.failure), request, call, error);
  }
}
