import { type Scope } from "~/domain/api-clients/scopes.policy";
import { accountPaths } from "~/lib/account-paths";
import { apiClientOf } from "../../support/api";
import { clientFields, makeClient, newestSecret } from "../../support/api-clients";
import { type CallDeed, type Deed, deed, type Submission } from "../../support/audited";
import { createAdmin, createUser, TEST_PASSWORD } from "../../support/factories";
import { signedInAs } from "../../support/visitor";

const KINDS = { company: createUser, staff: createAdmin } as const;
type Kind = keyof typeof KINDS;

const SCOPES: readonly Scope[] = ["certificates:read"];

/** Returns the form of a new client. */
const making = (kind: Kind) => async (): Promise<Submission> => ({
  visitor: await signedInAs(await KINDS[kind]()),
  path: accountPaths.newApiClient(kind),
  fields: clientFields(),
});

/** Returns a form on the page of a client. */
const changing =
  (kind: Kind, fields: (client: { id: number }) => Record<string, string> | Promise<Record<string, string>>) =>
  async (): Promise<Submission> => {
    const person = await KINDS[kind]();
    const client = await makeClient(person, SCOPES, { kind });
    const place = { path: accountPaths.apiClient(kind, client.id), params: { id: String(client.id) } };
    return { visitor: await signedInAs(person), fields: await fields(client), ...place };
  };

const deedsOf = (kind: Kind): Deed[] => [
  deed(
    "changing an API client",
    ["api-client.changed"],
    changing(kind, () => ({ ...clientFields(), intent: "change" })),
  ),
  deed(
    "making a new secret",
    ["api-client.secret-added"],
    changing(kind, async ({ id }) => ({ intent: "secret", overlap: "a-day", newest: String(await newestSecret(id)) })),
  ),
  deed(
    "ending a secret",
    ["api-client.secret-ended"],
    changing(kind, async ({ id }) => ({
      intent: "end-secret",
      confirmed: "yes",
      secret: String(await newestSecret(id)),
    })),
  ),
  deed(
    "revoking an API client",
    ["api-client.revoked"],
    changing(kind, () => ({ intent: "revoke", confirmed: "yes" })),
  ),
];

/** Actions about API clients, by route. */
export const API_CLIENTS: Record<string, readonly Deed[]> = {
  "home.company_.api-clients.new": [deed("making an API client", ["api-client.created"], making("company"))],
  "home.company_.api-clients.$id": deedsOf("company"),
  "home.users.api-clients.new": [deed("making an API client of staff", ["api-client.created"], making("staff"))],
  "home.users.api-clients.$id": deedsOf("staff"),
};

/** Returns a call of an owner about a client of the company. */
const calling = (body: (client: { apiClientId: number; secretId: number }) => object) => async () => {
  const owner = await createUser();
  const { id } = await makeClient(owner, SCOPES);
  const made = { apiClientId: id, secretId: await newestSecret(id) };
  return { client: await apiClientOf(owner.email, TEST_PASSWORD), body: body(made) };
};

const WIRE = { name: "Store", scopes: ["codes:read"], lastDay: clientFields().lastDay };

/** Calls about API clients, by path. */
export const API_CLIENT_CALLS: Record<string, CallDeed> = {
  "Companies/CreateApiClient": { events: ["api-client.created"], prepare: calling(() => WIRE) },
  "Companies/UpdateApiClient": {
    events: ["api-client.changed"],
    prepare: calling(({ apiClientId }) => ({ apiClientId, ...WIRE })),
  },
  "Companies/AddApiClientSecret": {
    events: ["api-client.secret-added"],
    prepare: calling(({ apiClientId }) => ({ apiClientId })),
  },
  "Companies/EndApiClientSecret": { events: ["api-client.secret-ended"], prepare: calling((made) => made) },
  "Companies/RevokeApiClient": {
    events: ["api-client.revoked"],
    prepare: calling(({ apiClientId }) => ({ apiClientId })),
  },
};
