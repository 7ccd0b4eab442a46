import { fourEyes } from "~/lib/four-eyes.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listOpenRequests } from "~db/repositories/dual-control.server";
import { findUserById, listUsersById } from "~db/repositories/users.server";
import { may, type RightsHolder } from "../rights.policy";
import { isSamePerson, type Person } from "../same-person.policy";
import { requestText, whyNotDecideRequest } from "./dual-control.policy";

/**
 * Returns the requests that wait for a second user administrator, about all accounts or about one. `barrier` says why the viewer cannot
 * decide; it is null when the viewer can.
 */
export async function listWaitingRequests(viewer: RightsHolder & { id: number }, userId?: number, now = new Date()) {
  const requests = await listOpenRequests(getDb(), now, userId);
  const decider = await findUserById(getDb(), viewer.id);
  if (requests.length === 0 || !decider) return [];
  const people = await listUsersById(
    getDb(),
    requests.flatMap((request) => [request.userId, request.requestedBy]),
  );
  return requests.flatMap((request) => {
    const user = people.find(({ id }) => id === request.userId);
    const requester = people.find(({ id }) => id === request.requestedBy);
    if (!user || !requester) return [];
    return {
      id: request.id,
      userId: user.id,
      name: `${user.firstName} ${user.lastName}`,
      what: requestText(request),
      reason: request.reason,
      requestedBy: requester.email,
      requestedAt: request.requestedAt,
      expiresAt: request.expiresAt,
      mayDecide: may(viewer, "change-users"),
      barrier: whyNotDecideRequest({ kind: request.kind, requester, user }, decider),
    };
  });
}

export type WaitingRequest = Awaited<ReturnType<typeof listWaitingRequests>>[number];

/**
 * Returns whether the strict four-eyes principle is in force, whose account it is, and what waits for a second user administrator.
 *
 * @param by The user administrator who asks; null on the command line.
 */
export async function dualControlOf(db: DbOrTrx, user: Person, by: number | null, now: Date) {
  const requests = await listOpenRequests(db, now, user.id);
  const asking = by === null ? null : await findUserById(db, by);
  return {
    isStrict: fourEyes() === "strict",
    isOwn: asking !== null && isSamePerson(user, asking),
    requested: requests.flatMap(({ right }) => right ?? []),
    isResetRequested: requests.some(({ kind }) => kind === "reset-factors"),
    isErasureRequested: requests.some(({ kind }) => kind === "erase"),
  };
}
