import { type SessionUser } from "~/domain/accounts/session-user";
import { type Actor } from "~/domain/audit/audit.service.server";
import { doerName, leftText } from "~/domain/companies/people.server";
import { type Draft } from "~/domain/drafts/drafts.service.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type Deed, listPreparerDeeds } from "~db/repositories/audit-entries.server";
import { listUsersById } from "~db/repositories/users.server";
import { type Changer, distinctChangers, type PurchaseDraft } from "./drafts.schema";

/** Somebody who has prepared an order that is not placed yet. */
export interface Preparer {
  userId: number;
  firstName: string;
  lastName: string;
  email: string;
  /** The administrator who acted as this person, or null. */
  impersonatorId: number | null;
}

type DraftFacts = Pick<Draft<PurchaseDraft>, "id" | "data" | "handedOverAt">;

/**
 * Returns who has handed over a draft, and who has changed its contact or its request. An administrator who acted as somebody counts from
 * the audit trail, too: drafts of older versions name the accounts alone.
 */
export async function preparersOf(db: DbOrTrx, { id, data, handedOverAt }: DraftFacts): Promise<Preparer[]> {
  const deeds = handedOverAt === null ? [] : await listPreparerDeeds(db, id);
  const changers = distinctChangers<Changer>([...deeds, ...(data.changedBy ?? [])]);
  if (changers.length === 0) return [];
  const people = await listUsersById(db, [...new Set(changers.map(({ userId }) => userId))]);
  return changers.flatMap(({ userId, impersonatorId }) => {
    const person = people.find((one) => one.id === userId);
    if (!person) return [];
    const { firstName, lastName, email } = person;
    return [{ userId, firstName, lastName, email, impersonatorId }];
  });
}

/** Returns the actors who have prepared an order that this user places now, apart from the user. Each gets an audit entry with the order. */
export async function otherPreparers(user: SessionUser, draft: DraftFacts): Promise<Actor[]> {
  const { id, impersonatorId = null } = user.actor;
  const isOrderer = (one: Preparer) => one.userId === id && one.impersonatorId === impersonatorId;
  const others = (await preparersOf(getDb(), draft)).filter((one) => !isOrderer(one));
  return others.map(({ userId, email, impersonatorId: by }) => ({ id: userId, name: email, impersonatorId: by }));
}

/** Returns whether staff have changed a draft while acting as somebody. Staff who act are not told. */
export const hasStaffActed = async (user: SessionUser, draft: DraftFacts): Promise<boolean> =>
  !user.impersonator && (await preparersOf(getDb(), draft)).some(({ impersonatorId }) => impersonatorId !== null);

/** Returns who has prepared an order, oldest first, or nobody when one person did everything. */
export const preparersOfOrder = async (db: DbOrTrx, { draftId }: { draftId: string | null }): Promise<Deed[]> =>
  draftId === null ? [] : distinctChangers(await listPreparerDeeds(db, draftId));

/** `Anna Brown, Tom Taylor and Vera Tech`. */
const LIST = new Intl.ListFormat("en-GB");

type Named = Pick<Preparer, "userId" | "firstName" | "lastName" | "impersonatorId">;

/**
 * Returns the names of those who have prepared an order, as customers see them.
 *
 * @param first What the list begins with, such as `You`.
 * @param left Returns what follows the name of somebody who has left the company (`leftText`).
 */
export const preparerNames = (
  preparers: readonly Named[],
  { first = [], left = () => "" }: { first?: readonly string[]; left?: (userId: number) => string } = {},
): string => LIST.format([...first, ...preparers.map((one) => doerName(one, one) + left(one.userId))]);

/** Returns the names of those who have prepared a placed order, or null when one person did everything. */
export async function preparersText(
  db: DbOrTrx,
  order: { draftId: string | null; companyId: number },
): Promise<string | null> {
  const preparers = await preparersOfOrder(db, order);
  const userIds = preparers.map(({ userId }) => userId);
  return preparerNames(preparers, { left: await leftText(db, order, userIds) }) || null;
}
