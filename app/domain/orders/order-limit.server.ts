import { isStaff, type RightsHolder } from "~/domain/accounts/rights.policy";
import { consumeTry, giveBackTry } from "~/domain/limits/tries.server";
import { PortalError } from "~/lib/errors";
import { fourEyes } from "~/lib/four-eyes.server";
import { getDb } from "~db/connection.server";
import { hasAcceptedOrder } from "~db/repositories/orders.server";

interface Orderer extends RightsHolder {
  id: number;
  companyId: number;
  emailVerified: boolean;
}

/**
 * Returns why this account cannot order, or null. Under the strict four-eyes principle, staff belong to no customer and order nothing with
 * their account.
 */
export const whyNotOrder = (user: RightsHolder): string | null =>
  fourEyes() === "strict" && isStaff(user)
    ? "An account with a right of staff cannot order (four-eyes principle): order with an account that has only the right Applicant."
    : null;

const limitOf = async ({ companyId, emailVerified }: Orderer) =>
  emailVerified && (await hasAcceptedOrder(getDb(), companyId)) ? "order-account" : "order-new-account";

/**
 * Calls `store` within the limit of orders that an account may place in a day. Throws a PortalError when the account cannot order
 * (`whyNotOrder`), and a PortalError (429) when there were too many orders. Only an order that is stored now counts.
 *
 * @param store Stores the order and returns its id, or null when it was stored before.
 */
export async function withinOrderLimit(user: Orderer, store: () => Promise<number | null>): Promise<number | null> {
  const barrier = whyNotOrder(user);
  if (barrier) throw new PortalError(barrier, { code: "account.right", status: 403 });
  const limit = await limitOf(user);
  await consumeTry(limit, user.id);
  let orderId: number | null = null;
  try {
    orderId = await store();
    return orderId;
  } finally {
    if (orderId === null) await giveBackTry(limit, user.id);
  }
}
