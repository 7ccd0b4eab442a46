import { type ActionFunctionArgs, type AppLoadContext } from "@remix-run/node";
import { answering, answeringForm } from "~/http/portal-errors.server";
import { commitSession, findSessionRow, getSession, newCsrfToken, startSession } from "~/http/session.server";
import { getDb } from "~db/connection.server";
import { storeProof } from "~db/repositories/sessions.server";
import { type Proof } from "~db/tables";
import { TEST_ORIGIN } from "./variables";

type Fields = Record<string, string | string[] | File | File[] | undefined>;

/** A browser in front of the portal. It makes real Requests with its cookie and its CSRF token. */
export class Visitor {
  constructor(public cookie: string) {}

  get(path: string, headers: Record<string, string> = {}): Request {
    return new Request(TEST_ORIGIN + path, { headers: { Cookie: this.cookie, ...headers } });
  }

  /** Returns a form as a browser sends it. `csrf` is filled in unless it is given. Files make it multipart. */
  async post(path: string, fields: Fields = {}, headers: Record<string, string> = {}): Promise<Request> {
    const session = await getSession(this.get(path));
    const form = new FormData();
    for (const [name, value] of Object.entries({ csrf: session.get("csrf") ?? "", ...fields }))
      for (const item of [value].flat()) if (item !== undefined) form.append(name, item);
    const hasFile = [...form.values()].some((value) => value instanceof File);
    const body = hasFile ? form : new URLSearchParams([...form] as [string, string][]);
    return new Request(TEST_ORIGIN + path, {
      method: "POST",
      body,
      headers: { Cookie: this.cookie, Origin: TEST_ORIGIN, ...headers },
    });
  }

  /** Takes over the cookies of an answer. */
  follow(response: Response): void {
    const nameOf = (pair: string) => pair.slice(0, pair.indexOf("="));
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const others = this.cookie.split("; ").filter((other) => other !== "" && nameOf(other) !== nameOf(pair));
      this.cookie = [pair, ...others].join("; ");
    }
  }
}

/** Returns a visitor who is not logged in, with a session that has a CSRF token. */
export async function anonymous(): Promise<Visitor> {
  const session = await getSession(new Request(TEST_ORIGIN));
  session.set("csrf", newCsrfToken());
  return new Visitor((await commitSession(session)).split(";")[0] ?? "");
}

/** Returns a visitor who is logged in as this user. As after a login, the password has just been proved, unless `proof` is another one or null. */
export async function signedInAs(user: { id: number; sessionEpoch?: number; proof?: Proof | null }): Promise<Visitor> {
  const { id, sessionEpoch = 0, proof = "password" } = user;
  const cookie = await startSession(new Request(TEST_ORIGIN), { id, sessionEpoch }, { proof: null });
  const visitor = new Visitor(cookie.split(";")[0] ?? "");
  // A login with the password alone is not possible for an account with a second factor. Here it may have been before.
  const session = await findSessionRow(visitor.get("/"));
  if (proof && session) await storeProof(getDb(), session.id, proof, new Date(session.startedAt));
  return visitor;
}

type Handler = (args: ActionFunctionArgs) => unknown;

/** Returns the context of a request, which its action and its loaders share. */
export const newContext = (): AppLoadContext => ({ cspNonce: "nonce", requestId: "request" });

/** Runs a real loader or action and returns the response, whether it was returned or thrown. Other results become a JSON response. */
export async function run(
  handler: Handler,
  request: Request,
  params: Record<string, string> = {},
  context = newContext(),
): Promise<Response> {
  try {
    const work = () => handler({ request, params, context });
    const result = await (request.method === "POST" ? answeringForm({ request }, work) : answering({ request }, work));
    return result instanceof Response ? result : Response.json(result);
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}

/** Returns the JSON of an answer with the type that the caller gives. */
export const jsonOf = async <T>(response: Response): Promise<T> => (await response.json()) as T;

/** Returns the field errors and the values of a 422 answer. */
export async function errorsOf(
  response: Response,
): Promise<{ status: number; errors: Record<string, string>; values: Record<string, unknown> }> {
  const body = await jsonOf<{ fieldErrors?: Record<string, string>; repopulateFields?: Record<string, unknown> }>(
    response,
  );
  return { status: response.status, errors: body.fieldErrors ?? {}, values: body.repopulateFields ?? {} };
}
