import { type SessionUser } from "~/domain/accounts/session-user";
import { isReissueByStaff } from "~/domain/certificates/succession/reissue.policy";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listClientsOf } from "~db/repositories/audit-entries.server";
import { findCompany } from "~db/repositories/companies.server";
import { countMembersOf } from "~db/repositories/company-list.server";
import { listFormerMembers } from "~db/repositories/members.server";

interface Person {
  firstName: string;
  lastName: string;
  /** The name of the API client that acted for the person, if one did. */
  clientName?: string | null;
}

/** Returns the name of a person with that of the API client that acted for them, if one did. */
export const byClient = (name: string, clientName: string | null | undefined): string =>
  clientName ? `${name}, by the API client “${clientName}”` : name;

/** Returns the full name of a person, and the API client that acted for them: `Anna Brown, by the API client “Store”`. */
export const personName = ({ firstName, lastName, clientName }: Person): string =>
  byClient(`${firstName} ${lastName}`, clientName);

/** What did something in the name of a person: an API client, or a member of staff who acted as the person. */
export interface DoneBy {
  clientName?: string | null;
  impersonatorId: number | null;
}

/** Returns what now acts in the name of the user, or null when the user acts in person. */
export const actsFor = ({ apiClient, impersonator }: Pick<SessionUser, "apiClient" | "impersonator">): DoneBy | null =>
  apiClient || impersonator ? { clientName: apiClient?.name ?? null, impersonatorId: impersonator?.id ?? null } : null;

/** Returns the name of a person and by what they did something, as customers see it: they learn that staff acted, not who of them. */
export const doerName = (person: Omit<Person, "clientName">, by: DoneBy | null): string =>
  personName({ ...person, clientName: by?.clientName }) + (by?.impersonatorId ? " (staff acted for them)" : "");

/** Returns a function that gives what stands after the name of somebody who has left a company, and nothing for its members and for staff. */
export async function leftText(
  db: DbOrTrx,
  { companyId, company }: { companyId: number; company?: string },
  userIds: readonly number[],
): Promise<(userId: number) => string> {
  const left = await listFormerMembers(db, companyId, [...new Set(userIds)]);
  const name = left.size === 0 ? "" : (company ?? (await findCompany(db, companyId))?.name);
  return (userId) => (left.has(userId) ? ` (no longer a member of ${name})` : "");
}

/** The events that say who made an order or a code. */
const MADE = {
  orderId: ["order.created"],
  codeId: ["code.entity-registered", "code.sub-entity-registered"],
} as const;

/** Returns rows with the name of the API client that made the order or the code, which is null when a person did it. */
export async function withClients<Row>(
  rows: readonly Row[],
  column: keyof typeof MADE,
  idOf: (row: Row) => number,
): Promise<(Row & { clientName: string | null })[]> {
  const names = await listClientsOf(getDb(), column, rows.map(idOf), MADE[column]);
  return rows.map((row) => ({ ...row, clientName: names.get(idOf(row)) ?? null }));
}

export const STAFF_NAME = "Staff";

type Certificate = Parameters<typeof isReissueByStaff>[0];

/** Returns the name of the person who ordered a certificate. A replacement by staff belongs to the customer. */
export const certificateOrderer = (row: Certificate & Person): string =>
  isReissueByStaff(row) ? STAFF_NAME : personName(row);

/** Returns the name of the person who placed a sales order. The portal itself orders the yearly maintenance. */
export function salesOrderer(
  order: Person & { isMaintenance: boolean },
  certificate: Certificate | null = null,
): string {
  if (order.isMaintenance) return "The portal";
  return certificate ? certificateOrderer({ ...order, ...certificate }) : personName(order);
}

/**
 * Returns whether a list or a page says who did what. It does unless this user works alone in the company and has done everything in person.
 *
 * @param doers Those who have done what the page shows. What an API client did for somebody was not done in person.
 */
export async function namesPeople(
  { id, companyId }: SessionUser,
  doers: readonly { userId: number; clientName?: string | null }[],
): Promise<boolean> {
  if (doers.some(({ userId, clientName }) => userId !== id || clientName)) return true;
  return ((await countMembersOf(getDb(), [companyId])).get(companyId) ?? 0) > 1;
}
