import { type ApiClientForm } from "~/domain/api-clients/api-clients.schema";
import { createApiClient } from "~/domain/api-clients/api-clients.service.server";
import { type ClientKind, type Scope } from "~/domain/api-clients/scopes.policy";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { listSecrets } from "~db/repositories/api-clients.server";
import { ApiClient } from "./api";
import { personOf } from "./companies";

/** What a program has to log in. */
export interface Credentials {
  id: number;
  clientId: string;
  secret: string;
}

const day = (days: number) => addDays(new Date(), days).toISOString().slice(0, 10);

let last = 0;

/** Returns the fields of the form of a client. */
export const clientFields = () => ({
  name: `Program ${(last += 1)}`,
  scopes: "certificates:read",
  networks: "",
  lastDay: day(30),
});

/** Returns the id of the newest secret of a client. */
export const newestSecret = async (apiClientId: number): Promise<number> =>
  (await listSecrets(getDb(), [apiClientId])).at(-1)?.id ?? 0;

/** Makes an API client of a person's company, or of staff. */
export async function makeClient(
  person: { id: number },
  scopes: readonly Scope[],
  { kind = "company", ...given }: Partial<ApiClientForm> & { kind?: ClientKind } = {},
): Promise<Credentials> {
  const form = { ...clientFields(), scopes: [...scopes], networks: [], ...given };
  return createApiClient(await personOf(person), kind, form);
}

type Header = Record<string, string>;

/** Asks for a token with the secret in the body. */
export const askToken = (
  { clientId, secret }: Pick<Credentials, "clientId" | "secret">,
  more: Record<string, string> = {},
  headers: Header = {},
): Promise<Response> =>
  new ApiClient().send("token", {
    method: "POST",
    headers,
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: secret,
      ...more,
    }),
  });

/** Returns a program that makes calls with a new token of the client. */
export async function programOf(
  credentials: Pick<Credentials, "clientId" | "secret">,
  more: Record<string, string> = {},
) {
  const answer = await askToken(credentials, more);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return new ApiClient(token);
}

/** Makes a client and returns a program that makes calls as it. */
export async function newClientProgram(
  person: { id: number },
  scopes: readonly Scope[],
  given: Parameters<typeof makeClient>[2] = {},
) {
  const credentials = await makeClient(person, scopes, given);
  return { credentials, program: await programOf(credentials) };
}

/** Returns the status and the error of a refusal of `POST token`. */
export async function refusalIn(answer: Response) {
  const { error, error_description: text } = (await answer.json()) as { error: string; error_description: string };
  return { status: answer.status, error, text };
}
