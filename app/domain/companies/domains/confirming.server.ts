import { type Actor, recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { type ComposedMail } from "~/domain/mail/compose.server";
import { type MailKind } from "~/domain/mail/kinds";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { domainEndedMail, domainMovedMail } from "~/domain/mail/templates/domains.server";
import { addYears, formatDate } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { findCompany } from "~db/repositories/companies.server";
import {
  type CompanyDomain,
  listConfirmedRows,
  listMailedBelow,
  lockDomain,
  updateDomain,
} from "~db/repositories/company-domains.server";
import { listMembers } from "~db/repositories/members.server";
import { type DomainMethod } from "~db/tables";
import { companyReference } from "../company-reference";
import { CONFIRMED_YEARS, METHOD_NAMES } from "./challenge";
import { domainRefusal } from "./refusal.server";

/** Returns the name of the company of a row. */
export const companyOf = async (trx: Trx, { companyId }: CompanyDomain): Promise<string> =>
  (await findCompany(trx, companyId))?.name ?? "";

/** Records something about a domain in the audit trail, under its company. */
export const recordDomain = (
  trx: Trx,
  { companyId }: Pick<CompanyDomain, "companyId">,
  { actor, event, message }: { actor: Actor; event: `company.domain-${string}`; message: string },
  now: Date,
): Promise<void> =>
  recordAudit(trx, { actor, event, message, userId: actor.id, reference: companyReference(companyId) }, now);

type DomainMailKind = Extract<MailKind, `domain-${"moved" | "failing" | "ended" | "reminder"}`>;

/**
 * Queues a message about a domain to each owner of its company who can log in.
 * @param toMail Returns the message for an owner.
 */
export async function tellOwners(
  trx: Trx,
  row: CompanyDomain,
  kind: DomainMailKind,
  toMail: (about: { name: string; company: string; domain: string; url: string }) => ComposedMail,
  now: Date,
): Promise<void> {
  const company = await companyOf(trx, row);
  const url = getEnv().publicUrl + paths.domains;
  for (const { id, firstName, role, isDisabled } of await listMembers(trx, row.companyId)) {
    if (role !== "owner" || isDisabled) continue;
    const dedupeKey = `${kind}:${row.id}:${id}:${now.getTime()}` as const;
    const mail = toMail({ name: firstName, company, domain: row.name, url });
    await queueOwnMail(trx, id, { dedupeKey, mail }, now);
  }
}

/** Why a confirmation ends, who ends it, and whether the owners of the company are told. */
interface Ending {
  actor: Actor;
  /** A sentence. */
  why: string;
  isTold: boolean;
}

/** Ends the confirmation of a domain, and records it. */
export async function endConfirmation(
  trx: Trx,
  row: CompanyDomain,
  { actor, why, isTold }: Ending,
  now: Date,
): Promise<void> {
  await updateDomain(trx, row.id, { endedAt: now, endedWhy: why, mailTokenHash: null });
  const message = `The confirmation of ${row.name} for ${await companyOf(trx, row)} has ended. ${why}`;
  await recordDomain(trx, row, { actor, event: "company.domain-ended", message }, now);
  if (isTold) await tellOwners(trx, row, "domain-ended", (about) => domainEndedMail({ ...about, why }), now);
}

const FILE_ONLY =
  "Another company has confirmed the whole domain, and a file shows only the host. Confirm it by a DNS record or by email.";

/**
 * Throws a PortalError when a file, which shows one host only, would end a confirmation of the whole domain: that of another company, or the
 * company's own unless `isHostEnough`.
 */
export async function requireNothingWider(
  trx: Trx,
  { companyId, name }: CompanyDomain,
  isHostEnough: boolean,
  now: Date,
): Promise<void> {
  for (const { companyId: owner, method, validUntil } of await listConfirmedRows(trx, name)) {
    if (method === "http" || (validUntil ?? "") <= now.toISOString()) continue;
    if (owner !== companyId) throw domainRefusal(FILE_ONLY);
    if (!isHostEnough)
      throw domainRefusal(`${name} is confirmed with everything below it. A file would leave only the host confirmed.`);
  }
}

const CHANGED_HANDS = "Another company has confirmed it since, so it has changed hands.";
const PARENT_CHANGED_HANDS = "Another company has confirmed the domain above it since, so it may have changed hands.";

/** Nobody who confirms a domain learns from the audit trail or from their data which company had it before. */
const CHANGE_OF_HANDS = systemActor("domains");

/**
 * Notes that a company has shown control of a domain or mailbox, for a year. When another company had confirmed it, that confirmation ends,
 * and the owners of both companies are told. What other companies have confirmed by mail below a domain ends, too, because nothing shows
 * that they still have it; what DNS or a file shows below it is checked every night.
 */
export async function confirmDomain(
  trx: Trx,
  row: CompanyDomain,
  { method, actor }: { method: DomainMethod; actor: Actor },
  now: Date,
): Promise<void> {
  await lockDomain(trx, row.name);
  const former = (await listConfirmedRows(trx, row.name)).filter(({ id }) => id !== row.id);
  for (const other of former) {
    const isMoved = other.companyId !== row.companyId;
    const why = isMoved ? CHANGED_HANDS : "The company has confirmed it again.";
    await endConfirmation(trx, other, { actor: isMoved ? CHANGE_OF_HANDS : actor, why, isTold: isMoved }, now);
  }
  if (method !== "http")
    for (const below of await listMailedBelow(trx, row))
      await endConfirmation(trx, below, { actor: CHANGE_OF_HANDS, why: PARENT_CHANGED_HANDS, isTold: true }, now);
  const validUntil = addYears(now, CONFIRMED_YEARS);
  await updateDomain(trx, row.id, {
    confirmedAt: now,
    method,
    confirmedToken: row.token,
    validUntil,
    remindedDays: null,
    recheckedAt: now,
    failedNights: 0,
    problem: null,
    mailTokenHash: null,
  });
  const message = `Confirmed ${row.name} for ${await companyOf(trx, row)} until ${formatDate(validUntil.toISOString())}: ${METHOD_NAMES[method]}.`;
  await recordDomain(trx, row, { actor, event: "company.domain-confirmed", message }, now);
  if (former.some(({ companyId }) => companyId !== row.companyId))
    await tellOwners(trx, row, "domain-moved", domainMovedMail, now);
}
