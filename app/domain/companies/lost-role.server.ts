import { isKeyAnsweredFor, namedAcmeKey } from "~/domain/acme/answering.policy";
import { stateOf } from "~/domain/api-clients/client-state.policy";
import { type Actor } from "~/domain/audit/audit.service.server";
import {
  endRenewals,
  listRenewalsBy,
  type WaitingRenewal,
} from "~/domain/certificates/succession/ended-renewals.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { acmeStoppedMail, pausedClientsMail } from "~/domain/mail/templates/companies.server";
import { accountPaths } from "~/lib/account-paths";
import { getEnv } from "~/lib/env.server";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { listAcmeKeysOf } from "~db/repositories/acme-accounts.server";
import { listApiClients } from "~db/repositories/api-clients.server";
import { listCompaniesOf, listMembers } from "~db/repositories/members.server";
import { type CompanyRole } from "~db/tables";
import { personName } from "./people.server";
import { ROLE_NAMES, rolesFor } from "./roles.policy";

interface Company {
  companyId: number;
  company: string;
}

/** What ends or pauses when a member loses a role. */
export interface LostWithRole {
  /** The renewals that the member has prepared and nobody has ordered. */
  renewals: WaitingRenewal[];
  /** The names of the API clients that the member answers for. */
  clients: string[];
  /** The names of the ACME keys that the member answers for. */
  acmeKeys: string[];
}

/** A member, and the role that takes the place of the member's own. Null for somebody who leaves. */
export interface RoleChange {
  member: { id: number; email: string; firstName: string; lastName: string; role: CompanyRole };
  to: CompanyRole | null;
}

/** Returns what ends or pauses with this change. It is read before the change, under the lock of the company or for a question. */
export async function lostWith(
  db: DbOrTrx,
  { companyId }: Pick<Company, "companyId">,
  { member, to }: RoleChange,
  now: Date,
): Promise<LostWithRole> {
  const userId = member.id;
  const mayPrepare = to !== null && rolesFor("prepare-renewals").includes(to);
  const answers = member.role === "owner" && to !== "owner";
  const clients = answers ? await listApiClients(db, companyId) : [];
  const keys = answers ? await listAcmeKeysOf(db, userId, now) : [];
  return {
    renewals: mayPrepare ? [] : await listRenewalsBy(db, { companyId, userId }, now),
    clients: clients
      .filter((client) => client.responsibleId === userId && stateOf(client, now) === "Active")
      .map(({ name }) => name),
    acmeKeys: keys.filter((key) => key.companyId === companyId && isKeyAnsweredFor(key)).map(namedAcmeKey),
  };
}

/**
 * Ends the prepared renewals of a member who has lost the role for them, and tells the owners which API clients are paused and which ACME
 * accounts have stopped. Runs in the transaction of the change, after it.
 */
export async function endWithRole(
  trx: Trx,
  { companyId, company }: Company,
  { member, to }: RoleChange,
  { renewals, clients, acmeKeys }: LostWithRole,
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  const why = to === null ? `is no longer a member of ${company}` : `has the role ${ROLE_NAMES[to]} now`;
  await endRenewals(trx, renewals, { actor, member, why }, now);
  if (clients.length === 0 && acmeKeys.length === 0) return;
  const what = to === null ? why : "is no longer an owner";
  for (const { id, firstName, role, isDisabled } of await listMembers(trx, companyId)) {
    if (id === member.id || role !== "owner" || isDisabled) continue;
    const about = { name: firstName, company, who: personName(member), what };
    const key = `${companyId}:${member.id}:${id}:${now.getTime()}` as const;
    if (clients.length > 0) {
      const url = getEnv().publicUrl + accountPaths.apiClients("company");
      const mail = pausedClientsMail({ ...about, clients, url });
      await queueOwnMail(trx, id, { dedupeKey: `clients-paused:${key}`, mail }, now);
    }
    if (acmeKeys.length > 0) {
      const mail = acmeStoppedMail({
        ...about,
        keys: acmeKeys,
        url: getEnv().publicUrl + accountPaths.standingAuthorisations,
      });
      await queueOwnMail(trx, id, { dedupeKey: `acme-stopped:${key}`, mail }, now);
    }
  }
}

/**
 * Ends and pauses what accounts lose that are being erased. The caller deletes their memberships in the same transaction. The person is
 * called by the pseudonym.
 */
export async function endWithErasure(
  trx: Trx,
  ids: readonly number[],
  pseudonym: Pick<RoleChange["member"], "email" | "firstName" | "lastName">,
  by: { actor: Actor; now: Date },
): Promise<void> {
  for (const id of ids)
    for (const { id: companyId, name: company, role } of await listCompaniesOf(trx, id)) {
      const change = { member: { ...pseudonym, id, role }, to: null };
      const lost = await lostWith(trx, { companyId }, change, by.now);
      await endWithRole(trx, { companyId, company }, change, lost, by);
    }
}

const LIST = new Intl.ListFormat("en-GB");

/**
 * Returns the sentences of a question about ACME keys that stop.
 *
 * @param keys The keys by `namedAcmeKey`.
 * @param answers Who answers for them, with the verb, such as `Anna Brown answers`.
 */
export function stoppedKeysText(keys: readonly string[], answers: string): string {
  const isOne = keys.length === 1;
  const [these, them, account] = isOne
    ? ["This ACME key", "it", "its account"]
    : ["These ACME keys", "them", "their accounts"];
  return `${these} will stop working at once with ${account}, because ${answers} for ${them}: ${LIST.format(keys)}. To avoid this, let another owner of the company first make another key and make a new account with it.`;
}

/**
 * Returns what a question says about the change, in whole sentences. Empty when nothing ends or pauses.
 *
 * @param name The name of the member, or null when it is the person who is asked.
 */
export function lossTexts({ renewals, clients, acmeKeys }: LostWithRole, name: string | null): string[] {
  const isOne = renewals.length === 1;
  const what = isOne ? "1 prepared renewal" : `${renewals.length} prepared renewals`;
  const names = LIST.format(renewals.map(({ commonName }) => commonName));
  const ends = `${what} of ${name ?? "yours"} will end, because nobody has ordered ${isOne ? "it" : "them"} yet: ${names}. A colleague can prepare ${isOne ? "it" : "them"} again, with ${isOne ? "a new CSR" : "new CSRs"}.`;
  const [these, them] = clients.length === 1 ? ["This API client", "it"] : ["These API clients", "them"];
  const answers = name === null ? "you answer" : `${name} answers`;
  const pauses = `${these} will be paused at once, because ${answers} for ${them}: ${LIST.format(clients)}. To avoid this, let another owner first make a new secret for ${them} and give it to the program.`;
  return [
    ...(renewals.length > 0 ? [ends] : []),
    ...(clients.length > 0 ? [pauses] : []),
    ...(acmeKeys.length > 0 ? [stoppedKeysText(acmeKeys, answers)] : []),
  ];
}
