import { randomBytes } from "node:crypto";
import { requestScopes } from "~/domain/accounts/administration/dual-control.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { storedRightsOf } from "~/domain/accounts/staff-rights.server";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { addDays } from "~/lib/dates";
import { fourEyes } from "~/lib/four-eyes.server";
import { parseNetwork } from "~/lib/networks.server";
import { type Trx } from "~db/connection.server";
import {
  type ApiClientRow,
  insertApiClient,
  listApiClients,
  updateApiClient,
} from "~db/repositories/api-clients.server";
import { inTransaction } from "~db/transaction.server";
import { type ApiClientForm, notNetwork } from "./api-clients.schema";
import { stateOf } from "./client-state.policy";
import {
  managedCompany,
  makeSecret,
  named,
  notManageable,
  requireClient,
  requireManager,
  requireUnrevoked,
  type ShownSecret,
} from "./management.server";
import {
  type ClientKind,
  isWriting,
  readScopes,
  type Scope,
  scopesBeyond,
  scopesFor,
  scopesText,
} from "./scopes.policy";

/** The most clients of a company, or of staff, that are neither revoked nor expired. */
export const MOST_CLIENTS = 30;

/** Returns the columns of a form. Throws a PortalError for a scope that such a client cannot have, and for a text that is no network. */
function columnsOf({ name, scopes, networks, lastDay }: ApiClientForm, kind: ClientKind) {
  const possible = scopesFor(kind);
  const impossible = scopes.find((scope) => !possible.includes(scope));
  if (impossible)
    throw notManageable(`A client of ${kind === "staff" ? "staff" : "a company"} cannot have ${impossible}.`, "scopes");
  const wrong = networks.find((text) => parseNetwork(text) === null);
  if (wrong !== undefined) throw notManageable(notNetwork(wrong), "networks");
  const endsAt = addDays(new Date(`${lastDay}T00:00:00Z`), 1);
  return { name, scopes: possible.filter((scope) => scopes.includes(scope)), networks: networks.join(" "), endsAt };
}

/** Throws a PortalError for the field `name` when another client in use has this name. A form that is sent twice makes one client. */
async function requireFreeName(
  trx: Trx,
  companyId: number | null,
  { name, id, now }: { name: string; id?: number; now: Date },
) {
  const open = (await listApiClients(trx, companyId)).filter(
    (client) => !["Revoked", "Expired"].includes(stateOf(client, now)),
  );
  const isTaken = open.some((client) => client.id !== id && client.name.toLowerCase() === name.toLowerCase());
  if (isTaken) throw notManageable("Another client has this name. Its secret was shown when it was made.", "name");
  if (id === undefined && open.length >= MOST_CLIENTS)
    throw notManageable(`There are ${MOST_CLIENTS} clients in use, which is the most.`);
}

/**
 * Throws a PortalError for the field `scopes` when a client of staff gets a scope that is beyond the stored rights of one of these persons.
 * Otherwise user administrators could give themselves, by a client, what they may not do.
 */
async function requireWithinRights(trx: Trx, kind: ClientKind, scopes: readonly Scope[], persons: readonly number[]) {
  if (kind !== "staff") return;
  for (const person of new Set(persons)) {
    const beyond = scopesBeyond({ rights: await storedRightsOf(trx, person) });
    const problems = scopes.flatMap((scope) => (beyond[scope] ? [`${scope} needs ${beyond[scope]}`] : []));
    if (problems.length === 0) continue;
    const who = person === persons[0] ? "your rights" : "the rights of the person who answers for the client";
    throw notManageable(`These scopes are beyond ${who}: ${problems.join("; ")}.`, "scopes");
  }
}

const waiting = (isRequested: boolean) => (isRequested ? "; what writes waits for a second person" : "");

/** Stores the scopes of a client, except those that a second user administrator must approve first. Returns whether there are any. */
async function grantScopes(
  trx: Trx,
  user: SessionUser,
  client: Pick<ApiClientRow, "id" | "name" | "clientId" | "companyId" | "scopes">,
  wanted: readonly Scope[],
  now: Date,
): Promise<boolean> {
  const held = readScopes(client.scopes);
  const added = wanted.filter((scope) => isWriting(scope) && !held.includes(scope));
  const isForTwo = client.companyId === null && added.length > 0 && fourEyes() === "strict";
  const granted = isForTwo ? wanted.filter((scope) => !added.includes(scope)) : wanted;
  await updateApiClient(trx, client.id, { scopes: granted.join(" ") });
  if (isForTwo) {
    const scopes = wanted.join(" ");
    await requestScopes(
      trx,
      { apiClientId: client.id, scopes, reason: `${named(client)}: ${scopes}` },
      user.actor,
      now,
    );
  }
  return isForTwo;
}

/**
 * Makes an API client for the user's company, or for staff. The user answers for it from then on. Under the strict four-eyes principle a
 * client of staff gets its writing scopes when a second user administrator has approved them. Throws a PortalError (403) when the user may
 * not, and a PortalError for the field that is wrong, such as a scope beyond the user's own rights.
 */
export async function createApiClient(
  user: SessionUser,
  kind: ClientKind,
  form: ApiClientForm,
  now = new Date(),
): Promise<ShownSecret> {
  const { scopes, ...columns } = columnsOf(form, kind);
  return inTransaction(async (trx) => {
    await requireManager(trx, user, kind, now);
    await requireWithinRights(trx, kind, scopes, [user.id]);
    const companyId = managedCompany(user, kind);
    await requireFreeName(trx, companyId, { name: form.name, now });
    const clientId = `mc_${randomBytes(10).toString("hex")}`;
    const times = { createdAt: now, responsibleId: user.id, companyId };
    const id = await insertApiClient(trx, { ...columns, ...times, clientId, scopes: "" });
    const isRequested = await grantScopes(trx, user, { id, ...columns, clientId, companyId, scopes: "" }, scopes, now);
    const message = `Made the API client ${named({ name: form.name, clientId })} with ${scopesText(scopes)}${waiting(isRequested)}.`;
    await recordAudit(trx, { actor: user.actor, event: "api-client.created", message, userId: user.id }, now);
    return { id, clientId, secret: await makeSecret(trx, id, user, now), isRequested };
  });
}

/**
 * Changes the name, scopes, networks and last day of a client. A token has no scope any more that was taken from its client. Returns
 * whether scopes wait for a second user administrator. Throws the same errors as `createApiClient`, and a PortalError (404) for another client.
 */
export async function changeApiClient(
  user: SessionUser,
  kind: ClientKind,
  id: number,
  form: ApiClientForm,
  now = new Date(),
): Promise<boolean> {
  const { scopes, ...columns } = columnsOf(form, kind);
  return inTransaction(async (trx) => {
    await requireManager(trx, user, kind, now);
    const client = await requireClient(trx, user, kind, id);
    requireUnrevoked(client);
    await requireFreeName(trx, client.companyId, { name: form.name, id, now });
    const held = readScopes(client.scopes);
    const added = scopes.filter((scope) => !held.includes(scope));
    await requireWithinRights(trx, kind, added, [user.id, client.responsibleId]);
    await updateApiClient(trx, id, columns);
    const isRequested = await grantScopes(trx, user, { ...client, name: form.name }, scopes, now);
    const from = columns.networks === "" ? "everywhere" : columns.networks;
    const message = `Changed the API client ${named({ ...client, name: form.name })}: ${scopesText(scopes)}${waiting(isRequested)}; from ${from}; until ${form.lastDay}.`;
    await recordAudit(trx, { actor: user.actor, event: "api-client.changed", message, userId: user.id }, now);
    return isRequested;
  });
}

/** Revokes a client and all its tokens for ever. Throws a PortalError (403, 404) as `changeApiClient` does. */
export async function revokeApiClient(
  user: SessionUser,
  kind: ClientKind,
  id: number,
  now = new Date(),
): Promise<void> {
  await inTransaction(async (trx) => {
    await requireManager(trx, user, kind, now);
    const client = await requireClient(trx, user, kind, id);
    if (!(await updateApiClient(trx, id, { revokedAt: now }))) throw notManageable("This client was revoked already.");
    const message = `Revoked the API client ${named(client)}.`;
    await recordAudit(trx, { actor: user.actor, event: "api-client.revoked", message, userId: user.id }, now);
  });
}
