import { listCalled, namedPersons } from "~/domain/accounts/former-details.server";
import { type Person } from "~/domain/accounts/same-person.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { standingApprovedMail } from "~/domain/mail/templates/standing.server";
import { formatDateTime } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { fourEyes } from "~/lib/four-eyes.server";
import { type DbOrTrx } from "~db/connection.server";
import { CUSTOMER_CHANGED, listOrderActors } from "~db/repositories/audit-entries.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { listMembershipsAmong } from "~db/repositories/companies.server";
import { isContactErased, type StandingRow, updateStanding } from "~db/repositories/standing-authorisations.server";
import { listUsersById } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { parseContact } from "../purchase/contact.schema";
import { type FourEyesBarrier, type OrderParties, whyNotDecide } from "../queue/four-eyes.policy";
import { ownOrder, PLACED } from "../queue/four-eyes.server";
import { requireOpenStanding } from "./asking.service.server";
import { basisOf } from "./judging.server";
import { standingName } from "./standing";
import { endStanding, recordStanding, tellOwnersOfStanding } from "./telling.server";

const CONTACT_CHECK = "Contact of the standing authorisation";

/** Returns who has taken part in a standing authorisation, as the four-eyes principle compares them. */
async function partiesOf(db: DbOrTrx, row: StandingRow, basis: CertificateRow, viewerId: number) {
  const changes = (await listOrderActors(db, [basis], PLACED)).filter(({ event }) => event === CUSTOMER_CHANGED);
  const { askedBy, contactCheckedBy, contactCheckedAt } = row;
  const ids = [viewerId, askedBy, ...(contactCheckedBy === null ? [] : [contactCheckedBy])];
  const users = await listUsersById(db, [...new Set([...ids, ...changes.flatMap((change) => change.ids)])]);
  const viewer = users.find(({ id }) => id === viewerId);
  if (!viewer) throw new Error(`There is no account ${viewerId}.`);
  const called = await listCalled(db, users, [...new Set([viewer.companyId, row.companyId])]);
  const company = called.companies.get(row.companyId);
  const [contact] = await namedPersons(db, [parseContact(basis.authenticationContact)]);
  if (!company || !contact) throw new Error(`Nothing was read about ${standingName(row.id)}.`);
  const personsOf = (some: readonly number[]) => some.flatMap((id) => called.people.get(id) ?? []);
  const at = (time: string | null) => `${formatDateTime(time)} UTC`;
  const parties: OrderParties = {
    company,
    placedBy: personsOf([askedBy]),
    checkedBy: personsOf(contactCheckedBy === null ? [] : [contactCheckedBy]).map((by) => ({
      by,
      check: CONTACT_CHECK,
      at: at(contactCheckedAt),
    })),
    contact,
    changedBy: changes.flatMap((change) => personsOf(change.ids).map((by) => ({ by, at: at(change.at) }))),
  };
  const isMember = (await listMembershipsAmong(db, viewerId, [row.companyId])).has(row.companyId);
  const person = called.people.get(viewerId) as Person;
  return { parties, viewer: { ...person, companies: called.companiesOf(viewer), isMember } };
}

/** Returns why the four-eyes principle keeps this user from checking a standing authorisation (or from approving it), or null. */
export async function whyNotDecideStanding(
  db: DbOrTrx,
  task: "check" | "approve",
  row: StandingRow,
  { id }: Pick<SessionUser, "id">,
): Promise<FourEyesBarrier | null> {
  const { viewer, parties } = await partiesOf(db, row, await basisOf(db, row), id);
  return whyNotDecide(task, viewer, parties, fourEyes());
}

const refusal = (message: string) => new PortalError(message, { code: "company.standing" });

/**
 * Records that the contact was asked and agrees, with a note how. Throws a PortalError (403) without the right, (404) when there is no such
 * authorisation, and one when the four-eyes principle keeps this user from it or nothing is to be checked any more.
 */
export const checkStanding = (user: SessionUser, id: number, note: string, now = new Date()): Promise<void> =>
  inTransaction(async (trx) => {
    await requireTask(trx, user.actor, "check-orders");
    const row = await requireOpenStanding(trx, id);
    if (row.approvedAt !== null) throw refusal("The standing authorisation has been approved already.");
    const barrier = await whyNotDecideStanding(trx, "check", row, user);
    if (barrier) throw ownOrder(barrier);
    await updateStanding(trx, id, { contactCheckedBy: user.id, contactCheckedAt: now, contactNote: note });
    const message = `Staff recorded that the contact agrees to ${standingName(id)} of ${row.company}. ${note}`;
    await recordStanding(trx, row, { actor: user.actor, event: "company.standing-checked", message }, now);
  });

/** Approves a standing authorisation. Throws what `checkStanding` throws, and a PortalError while the contact was not asked. */
export const approveStanding = (user: SessionUser, id: number, now = new Date()): Promise<void> =>
  inTransaction(async (trx) => {
    await requireTask(trx, user.actor, "approve-orders");
    const row = await requireOpenStanding(trx, id);
    if (row.approvedAt !== null) throw refusal("The standing authorisation has been approved already.");
    if (row.endsAt <= now.toISOString()) throw refusal("Its last day has passed.");
    const barrier = await whyNotDecideStanding(trx, "approve", row, user);
    if (barrier) throw ownOrder(barrier);
    if (row.contactCheckedAt === null) throw refusal("Nobody has recorded that the contact agrees.");
    if (await isContactErased(trx, row.basedOn)) throw refusal("The data of the contact was erased.");
    await updateStanding(trx, id, { approvedBy: user.id, approvedAt: now });
    const message = `Approved ${standingName(id)} of ${row.company}.`;
    await recordStanding(trx, row, { actor: user.actor, event: "company.standing-approved", message }, now);
    await tellOwnersOfStanding(trx, row, "standing-approved", standingApprovedMail, now);
  });

/** Ends a standing authorisation for staff, or refuses one that waits. Throws a PortalError (403) without the right, and (404). */
export const endStandingForStaff = (user: SessionUser, id: number, reason: string, now = new Date()): Promise<void> =>
  inTransaction(async (trx) => {
    await requireTask(trx, user.actor, "end-orders");
    const row = await requireOpenStanding(trx, id);
    await endStanding(trx, row, { actor: user.actor, by: "staff", why: reason }, now);
  });
