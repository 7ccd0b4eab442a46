import { type SessionUser } from "~/domain/accounts/session-user";
import { type Actor } from "~/domain/audit/audit.service.server";
import { personName } from "~/domain/companies/people.server";
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
  impersonatorId: number | null;
  /** The email of the administrator who acted as this person, or null. */
  impersonatorEmail: string | null;
}

async function named(db: DbOrTrx, changers: readonly Changer[]): Promise<Preparer[]> {
  if (changers.length === 0) return [];
  const ids = changers.flatMap(({ userId, impersonatorId }) => [userId, impersonatorId ?? userId]);
  const users = new Map((await listUsersById(db, [...new Set(ids)])).map((user) => [user.id, user]));
  return changers.flatMap(({ userId, impersonatorId }) => {
    const user = users.get(userId);
    if (!user) return [];
    const { firstName, lastName, email } = user;
    const impersonatorEmail = impersonatorId === null ? null : (users.get(impersonatorId)?.email ?? null);
    return [{ userId, firstName, lastName, email, impersonatorId, impersonatorEmail }];
  });
}

/**
 * Returns who has handed over a draft, and who has changed its contact or its request. An administrator who acted as somebody counts from
 * the audit trail, too: drafts of older versions name the accounts alone.
 */
export async function preparersOf(db: DbOrTrx, { id, data, handedOverAt }: DraftFacts): Promise<Preparer[]> {
  const deeds = handedOverAt === null ? [] : await listPreparerDeeds(db, id);
  return named(db, distinctChangers([...deeds, ...(data.changedBy ?? [])]));
}

type DraftFacts = Pick<Draft<PurchaseDraft>, "id" | "data" | "handedOverAt">;

/** Returns the actors who have prepared an order that this user places now, apart from the user. Each gets an audit entry with the order. */
export async function otherPreparers(user: SessionUser, draft: DraftFacts): Promise<Actor[]> {
  const { id, impersonatorId = null } = user.actor;
  const isOrderer = (one: Preparer) => one.userId === id && one.impersonatorId === impersonatorId;
  const others = (await preparersOf(getDb(), draft)).filter((one) => !isOrderer(one));
  return others.map(({ userId, email, impersonatorId: by }) => ({ id: userId, name: email, impersonatorId: by }));
}

/** Returns who has prepared an order, oldest first, or nobody when one person did everything. */
export const preparersOfOrder = async (db: DbOrTrx, { draftId }: { draftId: string | null }): Promise<Deed[]> =>
  draftId === null ? [] : distinctChangers(await listPreparerDeeds(db, draftId));

/** The names of those who have prepared an order, as customers see them: they learn that staff acted for somebody, not who of staff. */
export const preparerNames = (preparers: readonly Pick<Preparer, "firstName" | "lastName" | "impersonatorId">[]) =>
  preparers
    .map((one) => (one.impersonatorId === null ? personName(one) : `${personName(one)} (staff acted for them)`))
    .join(" and ");
