import { isKeyAnsweredFor, namedAcmeKey } from "~/domain/acme/answering.policy";
import { type ClientStanding, stateOf } from "~/domain/api-clients/client-state.policy";
import { scopesText } from "~/domain/api-clients/scopes.policy";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { lossTexts, lostWith, stoppedKeysText } from "~/domain/companies/lost-role.server";
import { personName } from "~/domain/companies/people.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import {
  acmeStoppedMail,
  ownerDisabledMail,
  ownerEnabledMail,
  pausedClientsMail,
} from "~/domain/mail/templates/companies.server";
import { accountDisabledMail, accountEnabledMail } from "~/domain/mail/templates/locks.server";
import { accountPaths } from "~/lib/account-paths";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { contactUrl } from "~/lib/server-paths.server";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { type AnsweredAcmeKey, listAcmeKeysOf } from "~db/repositories/acme-accounts.server";
import { type ApiClientRow, listClientsAnsweredBy } from "~db/repositories/api-clients.server";
import { listCompaniesOf, listMembers } from "~db/repositories/members.server";
import { listAdministrators } from "~db/repositories/user-administration.server";
import { findUserById, listUsersById, type UserRow } from "~db/repositories/users.server";
import { listNarrowed, type NarrowedClient } from "./narrowed-clients.server";
import { type UserAction } from "./user-administration.policy";

/** What becomes of a person who answers for API clients when user administrators take these actions. */
const AFTER: Partial<Record<UserAction, (now: Date) => Partial<ClientStanding>>> = {
  disable: () => ({ isDisabled: true }),
  lock: (now) => ({ adminLockedAt: now.toISOString() }),
  erase: () => ({ isDisabled: true, role: null }),
  enable: () => ({ isDisabled: false }),
  unlock: () => ({ adminLockedAt: null }),
  "withdraw-admin": () => ({ isAdmin: false }),
  "withdraw-user-administrator": () => ({ right: null }),
};

interface ChangedClients {
  paused: ApiClientRow[];
  resumed: ApiClientRow[];
  narrowed: NarrowedClient[];
  /** ACME keys that stop, and those that work again. */
  stoppedKeys: AnsweredAcmeKey[];
  resumedKeys: AnsweredAcmeKey[];
}

/** Returns the API clients and ACME keys that an action pauses, narrows, or makes usable again. It is read before the action. */
async function clientsChangedBy(db: DbOrTrx, action: UserAction, user: UserRow, now: Date): Promise<ChangedClients> {
  const after = AFTER[action]?.(now);
  const clients = after ? await listClientsAnsweredBy(db, user.id) : [];
  const isActive = (client: ApiClientRow) => stateOf(client, now) === "Active";
  const willBe = (client: ApiClientRow) => stateOf({ ...client, ...after }, now) === "Active";
  const keys = after ? await listAcmeKeysOf(db, user.id, now) : [];
  const paused = clients.filter((client) => isActive(client) && !willBe(client));
  return {
    paused,
    resumed: clients.filter((client) => !isActive(client) && willBe(client)),
    narrowed: await listNarrowed(db, action, user, { paused, now }),
    stoppedKeys: keys.filter((key) => isKeyAnsweredFor(key) && !isKeyAnsweredFor(key, after)),
    resumedKeys: keys.filter((key) => !isKeyAnsweredFor(key) && isKeyAnsweredFor(key, after)),
  };
}

const LIST = new Intl.ListFormat("en-GB");

/** Names clients with whose they are: `“Store” of Example Parts Ltd and “Import” of staff`. */
const namesOf = (clients: readonly ApiClientRow[]): string =>
  LIST.format(clients.map(({ name, company }) => `“${name}” of ${company ?? "staff"}`));

/** Names ACME keys with whose they are. */
const namesOfKeys = (keys: readonly AnsweredAcmeKey[]): string[] =>
  keys.map((key) => `“${namedAcmeKey(key)}” of ${key.company}`);

/** Returns who else can answer for these clients, as words. */
const whoElse = (clients: readonly ApiClientRow[]): string =>
  [
    clients.some(({ companyId }) => companyId !== null) && "another owner of the company",
    clients.some(({ companyId }) => companyId === null) && "another user administrator",
  ]
    .filter(Boolean)
    .join(" or ");

/** Returns what a client of staff can no longer do. */
const narrowedText = ({ client, scopes }: NarrowedClient): string =>
  `The API client “${client.name}” of staff can no longer use ${scopesText(scopes)}`;

function clientTexts(changed: ChangedClients, name: string): string[] {
  const { paused, resumed, narrowed, stoppedKeys, resumedKeys } = changed;
  const [these, them] = paused.length === 1 ? ["This API client", "it"] : ["These API clients", "them"];
  const pauses = `${these} will be paused at once, because ${name} answers for ${them}: ${namesOf(paused)}. To avoid this, let ${whoElse(paused)} first make a new secret for ${them} and give it to the program.`;
  const again = resumed.length === 1 ? "This API client can" : "These API clients can";
  const resumes = `${again} be used again at once: ${namesOf(resumed)}.`;
  const narrows = narrowed.map((one) => `${narrowedText(one)}, because ${name} answers for it or made its secret.`);
  const resumedNames = LIST.format(namesOfKeys(resumedKeys));
  const works = `${resumedKeys.length === 1 ? "This ACME key works" : "These ACME keys work"} again at once: ${resumedNames}.`;
  return [
    ...(paused.length > 0 ? [pauses] : []),
    ...(stoppedKeys.length > 0 ? [stoppedKeysText(namesOfKeys(stoppedKeys), `${name} answers`)] : []),
    ...narrows,
    ...(resumed.length > 0 ? [resumes] : []),
    ...(resumedKeys.length > 0 ? [works] : []),
  ];
}

/** Returns what the companies of a person lose when the person is erased. */
async function lossesBy(db: DbOrTrx, user: UserRow, now: Date) {
  const losses: Awaited<ReturnType<typeof lostWith>>[] = [];
  for (const { id: companyId, role } of await listCompaniesOf(db, user.id))
    losses.push(await lostWith(db, { companyId }, { member: { ...user, role }, to: null }, now));
  return losses;
}

/** Returns what stops, or works again, by an action on an account, for the question before it: whole sentences, none if there is nothing. */
export async function stoppedBy(db: DbOrTrx, action: UserAction, user: UserRow, now: Date): Promise<string[]> {
  const name = personName(user);
  const losses = action === "erase" ? await lossesBy(db, user, now) : [];
  return [
    ...clientTexts(await clientsChangedBy(db, action, user, now), name),
    ...losses.flatMap(({ renewals }) => lossTexts({ renewals, clients: [], acmeKeys: [] }, name)),
  ];
}

/** Returns what `stoppedBy` returns, for the account with this id. */
export async function stoppedByAction(action: UserAction, id: number, now = new Date()): Promise<string[]> {
  const user = await findUserById(getDb(), id);
  return user ? stoppedBy(getDb(), action, user, now) : [];
}

/** Returns what an erasure stops, for the person who asks for it. */
export const stoppedByOwnErasure = async (db: DbOrTrx, user: UserRow, now: Date): Promise<string[]> =>
  (await lossesBy(db, user, now)).flatMap((loss) => lossTexts(loss, null));

/** What has become of the person, for the message about paused clients. */
const BECAME: Partial<Record<UserAction, string>> = {
  disable: "cannot log in any more, because user administrators have disabled the account",
  lock: "cannot log in, because user administrators have locked the account",
  "withdraw-admin": "is no longer a user administrator",
  "withdraw-user-administrator": "is no longer a user administrator",
};

const clientsUrl = (kind: "company" | "staff") => getEnv().publicUrl + accountPaths.apiClients(kind);

interface Change extends ChangedClients {
  action: UserAction;
  user: UserRow;
}

/** Tells the other user administrators which clients of staff are paused. */
async function tellAdministrators(trx: Trx, { action, user, paused }: Change, now: Date): Promise<void> {
  const clients = paused.filter(({ companyId }) => companyId === null).map(({ name }) => name);
  const ids = clients.length > 0 ? (await listAdministrators(trx)).filter((id) => id !== user.id) : [];
  for (const { id, firstName } of ids.length > 0 ? await listUsersById(trx, ids) : []) {
    const about = { who: personName(user), what: BECAME[action] ?? "", clients, url: clientsUrl("staff") };
    const mail = pausedClientsMail({ name: firstName, company: null, ...about });
    const dedupeKey = `clients-paused:staff:${user.id}:${id}:${now.getTime()}` as const;
    await queueOwnMail(trx, id, { dedupeKey, mail }, now);
  }
}

interface AboutOwner {
  name: string;
  company: string;
  who: string;
  clients: string[];
  acmeKeys: string[];
}

/** Returns the messages to an owner about what happened to another owner of the company, with their kinds. */
function ownersMails(action: UserAction, { clients, acmeKeys, ...about }: AboutOwner) {
  const url = getEnv().publicUrl + paths.company;
  const whole = { ...about, clients, acmeKeys, url };
  if (action === "disable") return [{ kind: "owner-disabled", mail: ownerDisabledMail(whole) }] as const;
  if (action === "enable") return [{ kind: "owner-enabled", mail: ownerEnabledMail(whole) }] as const;
  const became = { ...about, what: BECAME[action] ?? "" };
  const paused = pausedClientsMail({ ...became, clients, url: clientsUrl("company") });
  const standingUrl = getEnv().publicUrl + accountPaths.standingAuthorisations;
  const stopped = acmeStoppedMail({ ...became, keys: acmeKeys, url: standingUrl });
  return [
    ...(clients.length > 0 ? [{ kind: "clients-paused", mail: paused } as const] : []),
    ...(acmeKeys.length > 0 ? [{ kind: "acme-stopped", mail: stopped } as const] : []),
  ];
}

/**
 * Tells the other owners of the person's companies that an owner's account is disabled or enabled, and which API clients and ACME keys are
 * paused or can be used again.
 */
async function tellOwners(trx: Trx, change: Change, now: Date): Promise<void> {
  const { action, user, paused, resumed, stoppedKeys, resumedKeys } = change;
  const who = personName(user);
  const isAboutAccount = action === "disable" || action === "enable";
  for (const { id: companyId, name: company, role } of await listCompaniesOf(trx, user.id)) {
    const changed = (action === "enable" ? resumed : paused).filter((client) => client.companyId === companyId);
    const clients = changed.map(({ name }) => name);
    const keys = (action === "enable" ? resumedKeys : stoppedKeys).filter((key) => key.companyId === companyId);
    const acmeKeys = keys.map(namedAcmeKey);
    if (role !== "owner" || (!isAboutAccount && clients.length + acmeKeys.length === 0)) continue;
    for (const { id, firstName: name, ...other } of await listMembers(trx, companyId)) {
      if (id === user.id || other.role !== "owner" || other.isDisabled) continue;
      for (const { kind, mail } of ownersMails(action, { name, company, who, clients, acmeKeys })) {
        const dedupeKey = `${kind}:${companyId}:${user.id}:${id}:${now.getTime()}` as const;
        await queueOwnMail(trx, id, { dedupeKey, mail }, now);
      }
    }
  }
}

/** Tells a person that the account was disabled or enabled. */
async function tellPerson(trx: Trx, action: UserAction, { id, firstName, username }: UserRow, now: Date) {
  const about = { name: firstName, username };
  if (action === "disable") {
    const mail = accountDisabledMail({ ...about, url: contactUrl() });
    await queueOwnMail(trx, id, { dedupeKey: `account-disabled:${id}:${now.getTime()}`, mail }, now);
  } else if (action === "enable") {
    const mail = accountEnabledMail({ ...about, url: getEnv().publicUrl + paths.login() });
    await queueOwnMail(trx, id, { dedupeKey: `account-enabled:${id}:${now.getTime()}`, mail }, now);
  }
}

/** Records which clients of staff are narrowed. The security events are reported by mail (`sendSecurityAlerts`). */
async function recordNarrowed(trx: Trx, { user, narrowed }: Change, actor: Actor, now: Date): Promise<void> {
  for (const one of narrowed) {
    const message = `${narrowedText(one)}: a person who answers for it, or made its secret, lost a right.`;
    await recordAudit(trx, { actor, event: "api-client.narrowed", message, userId: user.id }, now);
  }
}

/**
 * Returns a function that tells people about an action after it was taken: the person, whose account was disabled or enabled, the other
 * owners of the person's companies, and the other user administrators. An erasure tells them itself (`endWithErasure`).
 */
export async function tellingAbout(
  trx: Trx,
  action: UserAction,
  user: UserRow,
  now: Date,
): Promise<(actor: Actor) => Promise<void>> {
  const change = { action, user, ...(await clientsChangedBy(trx, action, user, now)) };
  if (action === "enable" && user.adminLockedAt !== null) return () => Promise.resolve(); // still locked, nobody can log in
  return async (actor) => {
    await recordNarrowed(trx, change, actor, now);
    await tellPerson(trx, action, user, now);
    if (action === "enable" || BECAME[action]) await tellOwners(trx, change, now);
    if (BECAME[action]) await tellAdministrators(trx, change, now);
  };
}
