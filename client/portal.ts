import createClient, { type Client } from "openapi-fetch";
import { type components, type paths } from "./calls.js";

/** The portal's JSON calls, typed: `portal.GET("/api/…")`, `portal.POST("/api/…")` (openapi-fetch). */
export type Portal = Client<paths>;

type Failure = components["schemas"]["Failure"];

/** A call that was refused. `errors` by field; `code` names the rule or the failure; `retryAfter` in seconds, when it may be tried again. */
export class CallRefused extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: Readonly<Record<string, string>>;
  readonly retryAfter: number | null;

  constructor({ status, url, headers }: Response, refusal: Partial<Failure> | undefined) {
    super(`${new URL(url).pathname} answered ${status}: ${refusal?.responseText ?? "no answer of the portal's"}`);
    this.status = status;
    this.code = refusal?.errorCode ?? "";
    this.errors = refusal?.errors ?? {};
    this.retryAfter = headers.has("Retry-After") ? Number(headers.get("Retry-After")) : null;
  }
}

/** The calls without a token: registration, password recovery, the repository. In: the portal's address, without `/api`. */
export const openPortal = (address: string): Portal => createClient<paths>({ baseUrl: address.replace(/\/+$/, "") });

/** The calls of an account, for eight hours. Throws CallRefused when the portal does not log it in. */
export async function logIn(address: string, account: { username: string; password: string }): Promise<Portal> {
  const portal = openPortal(address);
  const { data, error, response } = await portal.POST("/api/token", {
    body: { grant_type: "password", ...account },
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  if (!data) throw new CallRefused(response, { responseText: error?.error_description, errorCode: error?.error });
  portal.use({
    onRequest: ({ request }) => request.headers.set("Authorization", `Bearer ${data.access_token}`),
  });
  return portal;
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

const demand = <Data>({ data, error, response }: Answer<Data>): Data => {
  if (!response.ok || data === undefined) throw new CallRefused(response, error as Failure | undefined);
  return data;
};

/** What a call answers, out of the wrapper. Throws CallRefused. */
export const content = async <Content>(made: Promise<Answer<{ responseContent: Content }>>): Promise<Content> =>
  demand(await made).responseContent;

/** The bytes of a file, of a call with `parseAs: "arrayBuffer"`. Throws CallRefused. */
export const file = async (made: Promise<Answer<ArrayBuffer>>): Promise<Uint8Array> =>
  new Uint8Array(demand(await made));

/** The address of a download, e.g. for a browser, good for a minute and once: it has a ticket in place of the token. */
export async function addressOf(
  portal: Portal,
  address: string,
  path: keyof paths,
  query: Record<string, string | number>,
): Promise<string> {
  const { ticket } = await content(portal.POST("/api/token/ticket", { body: {} }));
  const pairs = Object.entries({ ...query, access_token: ticket }).map(([name, value]) => [name, String(value)]);
  return `${address.replace(/\/+$/, "")}${path}?${new URLSearchParams(pairs).toString()}`;
}
