import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { queueToAccounts } from "~/domain/mail/queue.service.server";
import { erasureWithdrawnMail } from "~/domain/mail/templates/personal-data.server";
import { formatDateTime } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { findLastEventAt } from "~db/repositories/audit-entries.server";
import { decideOpenRequest, type DualControlRow, listOpenRequests } from "~db/repositories/dual-control.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { UNCONFIRMED_ERASURE } from "../personal-data/erasure.policy";
import { isForWish } from "./dual-control.policy";
import { stoppedBy } from "./stopped-clients.server";

/** The audit event of a person who withdraws their own request for the erasure. */
export const ERASURE_WITHDRAWN = "account.erasure-withdrawn";

const listErasures = async (db: DbOrTrx, { id }: Pick<UserRow, "id">, now: Date) =>
  (await listOpenRequests(db, now, id)).filter(({ kind }) => kind === "erase");

/** Returns whether an erasure of this account waits for a second user administrator for another reason than the person's request. */
export const isErasedForOtherReason = async (db: DbOrTrx, user: UserRow, now: Date): Promise<boolean> =>
  (await listErasures(db, user, now)).some((request) => !isForWish(request, user.erasureRequestedAt));

/** Tells whoever asked for an erasure that the person has withdrawn. */
async function tellRequester(trx: Trx, request: DualControlRow, about: { user: UserRow; isEnded: boolean }, now: Date) {
  const requester = await findUserById(trx, request.requestedBy);
  if (!requester || requester.isDisabled) return;
  const { username, id } = about.user;
  const url = getEnv().publicUrl + paths.user(id);
  const mail = erasureWithdrawnMail({ name: requester.firstName, username, isEnded: about.isEnded, url });
  const dedupeKey = `erasure-withdrawn:${request.id}:${now.getTime()}` as const;
  await queueToAccounts(trx, [{ account: requester, dedupeKey, mail }], now);
}

/**
 * Ends the requests of user administrators that were made because this person had asked for the erasure, which the person withdraws now, in
 * the caller's transaction, which has locked the account. A request for another reason stays. Tells whoever made the requests.
 *
 * @param user The account as it was before the person withdrew.
 */
export async function endErasuresOfWish(trx: Trx, user: UserRow, actor: Actor, now: Date): Promise<void> {
  for (const request of await listErasures(trx, user, now)) {
    const isEnded =
      isForWish(request, user.erasureRequestedAt) &&
      (await decideOpenRequest(trx, request.id, { decidedBy: user.id, outcome: "refused" }, now));
    await tellRequester(trx, request, { user, isEnded }, now);
    if (!isEnded) continue;
    const message =
      "Ended the request of a user administrator to erase the personal data, because the person withdrew.";
    await recordAudit(trx, { actor, event: "account.second-refused", message, userId: user.id }, now);
  }
}

/** Returns whether a request was ended because the person withdrew their own request for the erasure. Nobody else decides about themselves. */
export const isEndedByPerson = ({ kind, decidedBy, userId }: DualControlRow): boolean =>
  kind === "erase" && decidedBy === userId;

const WISHED = "The person has asked for this in the portal.";
const NOT_WISHED = "The person has not asked for this in the portal.";

/** Returns what a second user administrator must know before deciding about a request, one text each. */
export async function notesOn(
  db: DbOrTrx,
  { kind, requestedAt }: DualControlRow,
  user: UserRow,
  now: Date,
): Promise<string[]> {
  if (kind !== "erase") return [];
  const unconfirmed = user.emailVerifiedAt === null ? [UNCONFIRMED_ERASURE] : [];
  return [await wishText(db, requestedAt, user), ...unconfirmed, ...(await stoppedBy(db, "erase", user, now))];
}

/** Returns whether the person has asked for the erasure, too. */
async function wishText(db: DbOrTrx, requestedAt: string, user: UserRow): Promise<string> {
  if (user.erasureRequestedAt !== null) return WISHED;
  const withdrawnAt = await findLastEventAt(db, user.id, ERASURE_WITHDRAWN);
  if (withdrawnAt === null) return NOT_WISHED;
  const when = `${formatDateTime(withdrawnAt)} UTC`;
  return withdrawnAt > requestedAt
    ? `The person asked for the erasure, too, and withdrew that on ${when}. This request was made before, for another reason, so it still waits.`
    : `The person asked for the erasure before and withdrew that on ${when}. This request was made later, for another reason.`;
}
