import { type SessionUser } from "~/domain/accounts/session-user";
import { scopesInForce, storedRightsOf } from "~/domain/accounts/staff-rights.server";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type ApiClientRow, listApiClients, listSecrets, type SecretRow } from "~db/repositories/api-clients.server";
import { isAnsweredFor, isValidSecret, type ShownClientState, shownStateOf } from "./client-state.policy";
import { managedCompany } from "./management.server";
import { type ClientKind, readScopes, type Scope, type ScopeBarriers, scopesBeyond } from "./scopes.policy";

/** A secret as pages and calls show it. Times are ISO timestamps. */
export interface SecretView {
  id: number;
  createdAt: string;
  /** When it ends, or ended. Null for one that is valid until somebody ends it. */
  endsAt: string | null;
  lastUsedAt: string | null;
  isValid: boolean;
  /** Whether it gives the client any scope. For a client of staff the rights of whoever made it count, too. */
  hasScope: boolean;
}

/** An API client as pages and calls show it. Times are ISO timestamps. */
export interface ApiClientView {
  id: number;
  clientId: string;
  name: string;
  state: ShownClientState;
  scopes: Scope[];
  /** Empty when the client can be used from everywhere. */
  networks: string[];
  /** The last day of use, as `yyyy-MM-dd` in UTC. */
  lastDay: string;
  createdAt: string;
  lastUsedAt: string | null;
  lastUsedAddress: string;
  /** The email of whoever answers for the client, whether that person still may, and whether it is the one who asks. */
  responsible: string;
  isAnsweredFor: boolean;
  isOwn: boolean;
  /** For a client of staff, the scopes that do not count because they are beyond the rights of whoever answers for it. */
  beyond: ScopeBarriers;
  /** Oldest first. */
  secrets: SecretView[];
}

/** Returns the earlier of two ISO timestamps, of which one can be missing. */
const earlier = (one: string, other: string | null): string => (other !== null && other < one ? other : one);

/** Returns a secret as it counts: it ends with its client, and none is valid of a client that may not be used any more. */
async function secretView(secret: SecretRow, client: ApiClientRow, now: Date): Promise<SecretView> {
  const { id, createdAt, endsAt, lastUsedAt, createdBy } = secret;
  const clientEnd = client.revokedAt ?? (Date.parse(client.endsAt) <= now.getTime() ? client.endsAt : null);
  const end = clientEnd === null ? endsAt : earlier(clientEnd, endsAt);
  const isValid = isValidSecret({ endsAt: end }, now);
  const scopes = isValid ? await scopesInForce(getDb(), client, [client.responsibleId, createdBy]) : [];
  return { id, createdAt, endsAt: end, lastUsedAt, isValid, hasScope: scopes.length > 0 };
}

/** Returns API clients with their secrets, oldest first. */
async function withSecrets(rows: readonly ApiClientRow[], now: Date) {
  const secrets = await listSecrets(
    getDb(),
    rows.map(({ id }) => id),
  );
  return Promise.all(
    rows.map(async (row) => {
      const own = secrets.filter(({ apiClientId }) => apiClientId === row.id);
      return { row, secrets: await Promise.all(own.map((secret) => secretView(secret, row, now))) };
    }),
  );
}

const toView = (
  { row, secrets }: Awaited<ReturnType<typeof withSecrets>>[number],
  { viewer, beyond }: { viewer: SessionUser; beyond: ScopeBarriers },
  now: Date,
): ApiClientView => ({
  id: row.id,
  clientId: row.clientId,
  name: row.name,
  state: shownStateOf(row, secrets, now),
  scopes: readScopes(row.scopes),
  networks: row.networks.split(" ").filter(Boolean),
  lastDay: new Date(Date.parse(row.endsAt) - 1).toISOString().slice(0, 10),
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
  lastUsedAddress: row.lastUsedAddress,
  responsible: row.responsibleEmail,
  isAnsweredFor: isAnsweredFor(row),
  isOwn: row.responsibleId === viewer.id,
  beyond,
  secrets,
});

/** Returns the API clients of the company in which the user works, or those of staff, oldest first, also those that were revoked. */
export async function listClientsFor(user: SessionUser, kind: ClientKind, now = new Date()): Promise<ApiClientView[]> {
  const rows = await listApiClients(getDb(), managedCompany(user, kind));
  return Promise.all(
    (await withSecrets(rows, now)).map(async (client) => {
      const { responsibleId } = client.row;
      const beyond = kind === "staff" ? scopesBeyond({ rights: await storedRightsOf(getDb(), responsibleId) }) : {};
      return toView(client, { viewer: user, beyond }, now);
    }),
  );
}

/** Returns the API clients of a company for staff, oldest first: their names, states and last use, and who answers for them. */
export async function listClientsOfCompany(companyId: number, now = new Date()) {
  const rows = await listApiClients(getDb(), companyId);
  return (await withSecrets(rows, now)).map(({ row, secrets }) => {
    const { id, name, lastUsedAt, responsibleEmail: responsible } = row;
    const state = shownStateOf(row, secrets, now);
    return { id, name, state, lastUsedAt, responsible, isAnsweredFor: isAnsweredFor(row) };
  });
}

/** Returns one of the clients of `listClientsFor`. Throws a PortalError (404) when there is no such client. */
export async function getClientFor(user: SessionUser, kind: ClientKind, id: number): Promise<ApiClientView> {
  const client = (await listClientsFor(user, kind)).find((one) => one.id === id);
  if (!client) throw notFound();
  return client;
}
