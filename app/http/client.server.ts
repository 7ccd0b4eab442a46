import { type SessionUser } from "~/domain/accounts/session-user";
import { type Client } from "~/domain/security-events/client";
import { loggablePath } from "~/lib/log.server";

/** Headers that describe the client. server.ts sets the first two. */
const HEADERS = ["x-marque-address", "x-marque-request", "User-Agent"] as const;

const LONGEST_USER_AGENT = 400;

/** Returns the client of a request: its full address as server.ts determined it, and what else events record about it. */
export function clientOf(request: Request): Client {
  const [address, requestId, userAgent] = HEADERS.map((name) => request.headers.get(name) ?? "") as [
    string,
    string,
    string,
  ];
  return {
    address,
    requestId,
    userAgent: userAgent.replaceAll(/\p{Cc}/gu, " ").slice(0, LONGEST_USER_AGENT),
    path: loggablePath(new URL(request.url).pathname),
  };
}

/** Returns the headers that describe the client, for a request that is made of another one. */
export const clientHeaders = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(HEADERS.map((name) => [name, headers.get(name) ?? ""]));

type Identified = Pick<SessionUser, "id" | "actor" | "impersonator">;

const users = new WeakMap<Request, Identified>();

/** Returns the user of a request as far as it has been identified. */
export const userOf = (request: Request): Identified | undefined => users.get(request);

/** Notes whose request it is, for the event of its refusal. The user need not be logged in, as on the second page of a login. */
export const noteUser = (request: Request, user: Identified): void => void users.set(request, user);

/** Returns the user with the client of this request, which the audit entries of the user's actions contain. */
export function withClient(user: SessionUser, request: Request): SessionUser {
  const withIt = { ...user, actor: { ...user.actor, client: clientOf(request) } };
  noteUser(request, withIt);
  return withIt;
}
