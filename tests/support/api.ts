import { loader } from "~/routes/api.$";
import { createUser, TEST_PASSWORD } from "./factories";
import { demandDescribed } from "./openapi";
import { TEST_ORIGIN } from "./variables";
import { run } from "./visitor";

/** A wrapped answer. */
export interface Wrapped<Content = unknown> {
  status: number;
  success: boolean;
  content: Content;
  text: string;
  errors: Record<string, string>;
  /** The criteria that a field does not meet, by its path. */
  criteria?: Record<string, { criterion: string; message: string }[]>;
  code: string;
  /** Of a list that is answered in parts. */
  nextCursor?: string | null;
}

interface Body {
  success: boolean;
  responseContent: never;
  responseText: string;
  errors?: Record<string, string>;
  criteria?: Wrapped["criteria"];
  errorCode?: string;
  nextCursor?: string | null;
}

type Query = Record<string, string | number>;

const queryOf = (query: Query) =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();

/** A program that makes calls, with or without a token. */
export class ApiClient {
  constructor(public token = "") {}

  /** Sends any request, with path and query below `/api/`. Fails when the answer does not match the API description. */
  async send(pathAndQuery: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(`${TEST_ORIGIN}/api/${pathAndQuery}`);
    const headers = new Headers(init.headers);
    if (this.token && !headers.has("Authorization")) headers.set("Authorization", `Bearer ${this.token}`);
    const path = url.pathname.slice("/api/".length);
    const answer = await run(loader, new Request(url, { ...init, headers }), { "*": path });
    await demandDescribed(path, init.method ?? "GET", answer);
    return answer;
  }

  async get<Content>(path: string, query: Query = {}): Promise<Wrapped<Content>> {
    const text = queryOf(query);
    return unwrap(await this.send(text ? `${path}?${text}` : path));
  }

  async post<Content>(path: string, body: unknown = {}, given: Record<string, string> = {}): Promise<Wrapped<Content>> {
    const headers = { "Content-Type": "application/json", ...given };
    return unwrap(await this.send(path, { method: "POST", body: JSON.stringify(body), headers }));
  }

  /** Requests a token. */
  grant(fields: Record<string, string>): Promise<Response> {
    return this.send("token", { method: "POST", body: new URLSearchParams(fields) });
  }
}

export async function unwrap<Content>(response: Response): Promise<Wrapped<Content>> {
  const body = (await response.json()) as Body;
  const { success, responseContent: content, responseText: text, errors = {}, errorCode: code = "" } = body;
  return {
    status: response.status,
    success,
    content,
    text,
    errors,
    code,
    ...(body.criteria && { criteria: body.criteria }),
    ...(body.nextCursor !== undefined && { nextCursor: body.nextCursor }),
  };
}

/** Returns a program that makes calls as this user. */
export async function apiClientOf(username: string, password: string): Promise<ApiClient> {
  const client = new ApiClient();
  const answer = await client.grant({ grant_type: "password", username, password });
  client.token = ((await answer.json()) as { access_token: string }).access_token;
  return client;
}

/** Creates a customer, with the account fields `given`, and a program of that customer. */
export async function newProgram(given: Parameters<typeof createUser>[0] = {}) {
  const user = await createUser(given);
  return { user, client: await apiClientOf(user.email, TEST_PASSWORD) };
}
