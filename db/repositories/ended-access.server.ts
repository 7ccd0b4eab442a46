import { type Trx } from "../connection.server";

/** What was ended, in numbers. */
export interface EndedAccess {
  sessions: number;
  links: number;
  invitations: number;
  tokens: number;
}

const countOf = (result: { numUpdatedRows?: bigint; numDeletedRows?: bigint }) =>
  Number(result.numUpdatedRows ?? result.numDeletedRows);

/**
 * Ends all sessions of people, the links and codes in messages, invitations, and access tokens of people and of programs. The links by which
 * contacts stop messages stay: they can be used any number of times, and give access to nothing.
 */
export async function endAllAccess(trx: Trx, now: Date): Promise<EndedAccess> {
  await trx
    .updateTable("users")
    .set((eb) => ({ sessionEpoch: eb("sessionEpoch", "+", 1) }))
    .execute();
  const sessions = await trx
    .updateTable("sessions")
    .set({ endedAt: now, endReason: "restored" })
    .where("endedAt", "is", null)
    .executeTakeFirst();
  const links = await trx
    .updateTable("tokens")
    .set({ usedAt: now })
    .where("usedAt", "is", null)
    .where("purpose", "!=", "stop-contact")
    .executeTakeFirst();
  const invitations = await trx
    .updateTable("invitations")
    .set({ endedAt: now })
    .where("endedAt", "is", null)
    .executeTakeFirst();
  const ofPeople = await trx.deleteFrom("apiTokens").executeTakeFirst();
  const ofPrograms = await trx.deleteFrom("apiClientTokens").executeTakeFirst();
  return {
    sessions: countOf(sessions),
    links: countOf(links),
    invitations: countOf(invitations),
    tokens: countOf(ofPeople) + countOf(ofPrograms),
  };
}
