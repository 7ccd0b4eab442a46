import * as start from "~/routes/_public.login_.sso/route";
import * as callback from "~/routes/_public.login_.sso_.callback/route";
import { followProvider } from "./identity-provider";
import { clientFrom } from "./security-events";
import { jsonOf, run, type Visitor } from "./visitor";

let networks = 0;

/** Returns the headers of a client in a network of its own, whose events are not counted together with earlier ones. */
export const newClient = (): Record<string, string> => {
  networks += 1;
  return clientFrom(`10.${networks >> 8}.${networks & 255}.1`);
};

/** Begins a login at the portal and goes through the provider. Returns the path to which the provider sends the browser back. */
export async function goThroughProvider(
  visitor: Visitor,
  path = "/login/sso",
  jar?: Map<string, string>,
): Promise<string> {
  const answer = await run(start.loader, visitor.get(path));
  visitor.follow(answer);
  const back = new URL(await followProvider(answer.headers.get("Location") ?? "", jar));
  return back.pathname + back.search;
}

/** Opens the address to which the provider sent the browser. */
export async function comeBack(visitor: Visitor, path: string, headers = newClient()) {
  const answer = await run(callback.loader, visitor.get(path, headers));
  visitor.follow(answer);
  return answer;
}

/** Logs in through the provider. Returns the portal's answer at the end. */
export const signOn = async (visitor: Visitor, path?: string, jar?: Map<string, string>): Promise<Response> =>
  comeBack(visitor, await goThroughProvider(visitor, path, jar));

/** Returns the status and the reason of a page that refuses a login. */
export async function refusedWith(answer: Response): Promise<[status: number, reason: string]> {
  return [answer.status, (await jsonOf<{ reason?: string }>(answer)).reason ?? ""];
}
