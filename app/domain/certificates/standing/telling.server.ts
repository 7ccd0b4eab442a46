import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { companyReference } from "~/domain/companies/company-reference";
import { type ComposedMail } from "~/domain/mail/compose.server";
import { type MailKind } from "~/domain/mail/kinds";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { standingEndedMail, type StandingMail } from "~/domain/mail/templates/standing.server";
import { accountPaths } from "~/lib/account-paths";
import { getEnv } from "~/lib/env.server";
import { type Trx } from "~db/connection.server";
import { listMembers } from "~db/repositories/members.server";
import {
  findStanding,
  forgetStandingContact,
  type NamedStandingRow,
  type StandingRow,
  updateStanding,
} from "~db/repositories/standing-authorisations.server";
import { type StandingEnd } from "~db/tables";
import { afterCommit } from "~db/transaction.server";
import { standingName } from "./standing";
import { endDayOf } from "./standing.policy";
import { withdrawAtSigner } from "./withdrawing.server";

/** Records something about a standing authorisation in the audit trail, under its company. */
export const recordStanding = (
  trx: Trx,
  { companyId }: Pick<StandingRow, "companyId">,
  { actor, event, message }: { actor: Actor; event: `company.standing-${string}`; message: string },
  now: Date,
): Promise<void> =>
  recordAudit(trx, { actor, event, message, userId: actor.id, reference: companyReference(companyId) }, now);

type StandingMailKind = Extract<MailKind, `standing-${string}`>;

/**
 * Queues a message about a standing authorisation to each owner of its company who can log in.
 * @param toMail Returns the message for an owner.
 */
export async function tellOwnersOfStanding(
  trx: Trx,
  row: NamedStandingRow,
  kind: StandingMailKind,
  toMail: (about: StandingMail) => ComposedMail,
  now: Date,
): Promise<void> {
  const { id, company, organisation, purchaseOrderNumber } = row;
  const url = getEnv().publicUrl + accountPaths.standingAuthorisation(id);
  const about = { company, number: id, organisation, purchaseOrderNumber, endDay: endDayOf(row), url };
  for (const { id: owner, firstName, role, isDisabled } of await listMembers(trx, row.companyId)) {
    if (role !== "owner" || isDisabled) continue;
    const dedupeKey = `${kind}:${id}:${owner}:${now.getTime()}` as const;
    await queueOwnMail(trx, owner, { dedupeKey, mail: toMail({ ...about, name: firstName }) }, now);
  }
}

/** Who ends a standing authorisation, and why. */
interface Ending {
  actor: Actor;
  by: StandingEnd;
  why: string;
}

/**
 * Ends a standing authorisation, or refuses one that waits, and tells the owners of the company. Its grant at the signer is withdrawn after the
 * commit. Orders that were placed stay as they are.
 */
export async function endStanding(
  trx: Trx,
  row: NamedStandingRow,
  { actor, by, why }: Ending,
  now: Date,
): Promise<void> {
  await updateStanding(trx, row.id, { endedAt: now, endedBy: by, endedWhy: why });
  const wasApproved = row.approvedAt !== null;
  const what = wasApproved ? "has ended" : "was not approved";
  const event = wasApproved ? "company.standing-ended" : "company.standing-rejected";
  const message = `The ${standingName(row.id)} of ${row.company} ${what}: ${why}`;
  await recordStanding(trx, row, { actor, event, message }, now);
  const ended = { ...row, endedAt: now.toISOString() };
  const toMail = (about: StandingMail) => standingEndedMail({ ...about, why, wasApproved });
  await tellOwnersOfStanding(trx, ended, "standing-ended", toMail, now);
  if (wasApproved) afterCommit(trx, () => withdrawAtSigner(row.id, by));
}

/** Ends the standing authorisations whose contact is erased: the contact of the order of this certificate. */
export async function endWithContact(trx: Trx, certificateId: number, actor: Actor, now: Date): Promise<void> {
  for (const id of await forgetStandingContact(trx, certificateId)) {
    const row = await findStanding(trx, id);
    if (row) await endStanding(trx, row, { actor, by: "time", why: "The data of the contact was erased." }, now);
  }
}
