import { type SessionUser } from "~/domain/accounts/session-user";
import { isReissue } from "~/domain/certificates/succession/reissue.policy";
import { getDb } from "~db/connection.server";
import { countMembersOf } from "~db/repositories/company-list.server";

interface Person {
  firstName: string;
  lastName: string;
}

/** Returns the full name of a person. */
export const personName = ({ firstName, lastName }: Person): string => `${firstName} ${lastName}`;

export const STAFF_NAME = "Staff";

type Certificate = Parameters<typeof isReissue>[0];

/** Returns the name of the person who ordered a certificate. A replacement belongs to the customer, but staff ordered it. */
export const certificateOrderer = (row: Certificate & Person): string =>
  isReissue(row) ? STAFF_NAME : personName(row);

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
 * @param userIds Those who have done what the page shows.
 */
export async function namesPeople({ id, companyId }: SessionUser, userIds: readonly number[]): Promise<boolean> {
  if (userIds.some((other) => other !== id)) return true;
  return ((await countMembersOf(getDb(), [companyId])).get(companyId) ?? 0) > 1;
}
