import createClient, { type Client } from "openapi-fetch";
import { type components, type paths } from "./calls.js";

/** The portal's typed JSON calls: `portal.GET("/api/…")`, `portal.POST("/api/…")` (openapi-fetch). */
export type Portal = Client<paths>;

type Failure = components["schemas"]["Failure"];

/**
 * A refused call. `errors` are by field, `code` names the rule or the failure, and `retryAfter` is the number of seconds until another try,
 * or null.
 */
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

/** Returns the calls without a token: registration, password recovery, the repository. `address` is the portal's address without `/api`. */
export const openPortal = (address: string): Portal => createClient<paths>({ baseUrl: address.replace(/\/+$/, "") });

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** What an API client logs in with. `secret` is called for each token, so that a new secret counts without a restart. */
export interface ApiClient {
  clientId: string;
  secret: () => string;
  /** Fewer scopes than the client has, separated by spaces. */
  scope?: string;
}

/**
 * Returns the calls of an API client (OAuth 2 client credentials). A token is fetched with the first call, and again before it ends after
 * an hour, or when the portal does not accept it any more. A call throws CallRefused when the client is refused.
 */
export function openClient(address: string, { clientId, secret, scope }: ApiClient): Portal {
  const portal = openPortal(address);
  let current: { token: string; endsAt: number } | undefined;
  const fetchToken = async () => {
    const { data, error, response } = await openPortal(address).POST("/api/token", {
      body: { grant_type: "client_credentials", client_id: clientId, client_secret: secret(), ...(scope && { scope }) },
      headers: FORM,
    });
    if (!data) throw new CallRefused(response, { responseText: error?.error_description, errorCode: error?.error });
    return { token: data.access_token, endsAt: Date.now() + (data.expires_in - 60) * 1000 };
  };
  portal.use({
    onRequest: async ({ request }) => {
      if (!current || current.endsAt <= Date.now()) current = await fetchToken();
      request.headers.set("Authorization", `Bearer ${current.token}`);
    },
    onResponse: ({ response }) => {
      if (response.status === 401) current = undefined;
    },
  });
  return portal;
}

/** Logs in and returns the calls of an account, which work for eight hours. Throws CallRefused when the login is refused. */
export async function logIn(address: string, account: { username: string; password: string }): Promise<Portal> {
  const portal = openPortal(address);
  const { data, error, response } = await portal.POST("/api/token", {
    body: { grant_type: "password", ...account },
    headers: FORM,
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

const requireData = <Data>({ data, error, response }: Answer<Data>): Data => {
  if (!response.ok || data === undefined) throw new CallRefused(response, error as Failure | undefined);
  return data;
};

/** Returns the content of an answer without the wrapper. Throws CallRefused. */
export const content = async <Content>(made: Promise<Answer<{ responseContent: Content }>>): Promise<Content> =>
  requireData(await made).responseContent;

/** Returns the bytes of a file from a call with `parseAs: "arrayBuffer"`. Throws CallRefused. */
export const file = async (made: Promise<Answer<ArrayBuffer>>): Promise<Uint8Array> =>
  new Uint8Array(requireData(await made));

/** Returns the address of a download, e.g. for a browser. It has a ticket in place of the token, and works once within a minute. */
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
