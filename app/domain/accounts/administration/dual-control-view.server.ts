import { fourEyes } from "~/lib/four-eyes.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listOpenRequests } from "~db/repositories/dual-control.server";
import { findCustomer } from "~db/repositories/members.server";
import { findUserById, listUsersById, type UserRow } from "~db/repositories/users.server";
import { personsOf } from "../former-details.server";
import { may, type RightsHolder } from "../rights.policy";
import { isSamePerson, type Person } from "../same-person.policy";
import { mayRefuseOwn, mayWithdraw, requestText, whyNotDecideRequest } from "./dual-control.policy";
import { notesOn } from "./erasure-requests.server";

/**
 * Returns the requests that wait for a second user administrator, about all accounts or about one. `barrier` says why the viewer cannot
 * decide; it is null when the viewer can. `notes` are what they must know before. Whoever made a request can withdraw it.
 */
export async function listWaitingRequests(viewer: RightsHolder & { id: number }, userId?: number, now = new Date()) {
  const requests = await listOpenRequests(getDb(), now, userId);
  const decider = await findUserById(getDb(), viewer.id);
  if (requests.length === 0 || !decider) return [];
  const users = await listUsersById(
    getDb(),
    requests.flatMap((request) => [request.userId, request.requestedBy]),
  );
  const people = await personsOf(getDb(), [...users, decider]);
  const personOf = (id: number) => people.find((person) => person.id === id) as Person;
  const notes = new Map<number, string[]>();
  for (const request of requests) {
    const user = users.find(({ id }) => id === request.userId);
    if (user) notes.set(request.id, await notesOn(getDb(), request, user, now));
  }
  return requests.flatMap((request) => {
    const user = users.find(({ id }) => id === request.userId);
    const requester = users.find(({ id }) => id === request.requestedBy);
    if (!user || !requester) return [];
    const concerned = { kind: request.kind, requester: personOf(requester.id), user: personOf(user.id) };
    return {
      id: request.id,
      userId: user.id,
      name: `${user.firstName} ${user.lastName}`,
      what: requestText(request),
      reason: request.reason,
      notes: notes.get(request.id) ?? [],
      requestedBy: requester.email,
      requestedAt: request.requestedAt,
      expiresAt: request.expiresAt,
      mayDecide: may(viewer, "change-users"),
      barrier: whyNotDecideRequest(concerned, personOf(decider.id)),
      mayRefuseOwn: may(viewer, "change-users") && mayRefuseOwn(concerned, decider),
      mayWithdraw: may(viewer, "change-users") && mayWithdraw(requester, viewer),
    };
  });
}

export type WaitingRequest = Awaited<ReturnType<typeof listWaitingRequests>>[number];

/**
 * Returns whether the strict four-eyes principle is in force, whose account it is, what waits for a second user administrator, and whether
 * the account belongs to a customer.
 *
 * @param by The user administrator who asks; null on the command line.
 */
export async function dualControlOf(db: DbOrTrx, user: UserRow, by: number | null, now: Date) {
  const requests = await listOpenRequests(db, now, user.id);
  const asking = by === null ? null : await findUserById(db, by);
  const [owner, administrator] = await personsOf(db, asking ? [user, asking] : [user]);
  return {
    isStrict: fourEyes() === "strict",
    isOwn: owner !== undefined && administrator !== undefined && isSamePerson(owner, administrator),
    customer: await findCustomer(db, [user.id]),
    requested: requests.flatMap(({ right }) => right ?? []),
    isResetRequested: requests.some(({ kind }) => kind === "reset-factors"),
    isErasureRequested: requests.some(({ kind }) => kind === "erase"),
  };
}
