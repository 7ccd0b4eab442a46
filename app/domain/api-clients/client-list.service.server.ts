import { type SessionUser } from "~/domain/accounts/session-user";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type ApiClientRow, listApiClients, listSecrets, type SecretRow } from "~db/repositories/api-clients.server";
import { type ClientState, isAnsweredFor, isValidSecret, stateOf } from "./client-state.policy";
import { managedCompany } from "./management.server";
import { type ClientKind, readScopes, type Scope } from "./scopes.policy";

/** A secret as pages and calls show it. Times are ISO timestamps. */
export interface SecretView {
  id: number;
  createdAt: string;
  /** When it ends, or ended. Null for one that is valid until somebody ends it. */
  endsAt: string | null;
  lastUsedAt: string | null;
  isValid: boolean;
}

/** An API client as pages and calls show it. Times are ISO timestamps. */
export interface ApiClientView {
  id: number;
  clientId: string;
  name: string;
  state: ClientState;
  scopes: Scope[];
  /** Empty when the client can be used from everywhere. */
  networks: string[];
  /** The last day of use, as `yyyy-MM-dd` in UTC. */
  lastDay: string;
  createdAt: string;
  lastUsedAt: string | null;
  lastUsedAddress: string;
  /** The email of whoever answers for the client, and whether that person still may. */
  responsible: string;
  isAnsweredFor: boolean;
  /** Oldest first. */
  secrets: SecretView[];
}

const secretView = ({ id, createdAt, endsAt, lastUsedAt, ...row }: SecretRow, now: Date): SecretView => ({
  id,
  createdAt,
  endsAt,
  lastUsedAt,
  isValid: isValidSecret({ ...row, endsAt }, now),
});

const toView = (row: ApiClientRow, secrets: readonly SecretRow[], now: Date): ApiClientView => ({
  id: row.id,
  clientId: row.clientId,
  name: row.name,
  state: stateOf(row, now),
  scopes: readScopes(row.scopes),
  networks: row.networks.split(" ").filter(Boolean),
  lastDay: new Date(Date.parse(row.endsAt) - 1).toISOString().slice(0, 10),
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
  lastUsedAddress: row.lastUsedAddress,
  responsible: row.responsibleEmail,
  isAnsweredFor: isAnsweredFor(row),
  secrets: secrets.filter(({ apiClientId }) => apiClientId === row.id).map((secret) => secretView(secret, now)),
});

/** Returns the API clients of the company in which the user works, or those of staff, oldest first, also those that were revoked. */
export async function listClientsFor(user: SessionUser, kind: ClientKind, now = new Date()): Promise<ApiClientView[]> {
  const rows = await listApiClients(getDb(), managedCompany(user, kind));
  const secrets = await listSecrets(
    getDb(),
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toView(row, secrets, now));
}

/** Returns one of the clients of `listClientsFor`. Throws a PortalError (404) when there is no such client. */
export async function getClientFor(user: SessionUser, kind: ClientKind, id: number): Promise<ApiClientView> {
  const client = (await listClientsFor(user, kind)).find((one) => one.id === id);
  if (!client) throw notFound();
  return client;
}
