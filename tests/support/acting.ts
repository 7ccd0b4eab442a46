import * as page from "~/routes/_public.login-as-user.$userId.$authString";
import { administer } from "./administration";
import { run, signedInAs, Visitor } from "./visitor";

interface Account {
  id: number;
}

/** Requests, as an administrator, to log in as the user. Returns the authString from the address to which the answer redirects. */
export async function mint(admin: Visitor, user: Account): Promise<string> {
  const response = await administer(admin, user, { intent: "log-in-as" });
  const place = response.headers.get("Location") ?? "";
  const [, authString] = new RegExp(`^/login-as-user/${user.id}/([\\w-]+)$`).exec(place) ?? [];
  if (!authString) throw new Error(`No authString: ${response.status} ${place}`);
  return authString;
}

export interface Attempt {
  id: number;
  authString: string;
}

const paramsOf = ({ id, authString }: Attempt) => ({ userId: String(id), authString });
const pathOf = ({ id, authString }: Attempt) => `/login-as-user/${id}/${authString}`;

export const openLink = (visitor: Visitor, attempt: Attempt): Promise<Response> =>
  run(page.loader, visitor.get(pathOf(attempt)), paramsOf(attempt));

export const sendLink = async (
  visitor: Visitor,
  attempt: Attempt,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> => run(page.action, await visitor.post(pathOf(attempt), fields, headers), paramsOf(attempt));

/** Returns a browser in which this administrator acts as the user, and a copy of the administrator's own session before that. */
export async function acting(admin: Account, user: Account): Promise<{ visitor: Visitor; before: Visitor }> {
  const visitor = await signedInAs(admin);
  const before = new Visitor(visitor.cookie);
  const response = await sendLink(visitor, { id: user.id, authString: await mint(visitor, user) });
  if (response.status !== 303) throw new Error(`Not logged in as the user: ${response.status}`);
  visitor.follow(response);
  return { visitor, before };
}
