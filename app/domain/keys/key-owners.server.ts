import { recipientsFor } from "~/domain/companies/recipient.server";
import { orderNumber } from "~/domain/orders/order-number";
import { type Trx } from "~db/connection.server";
import { type listKeyHolders } from "~db/repositories/key-holders.server";
import { type UserRow } from "~db/repositories/users.server";

/** The account that gets a message about a key, and what of its certificates and orders the message names. */
interface KeyOwner {
  account: UserRow;
  certificates: { commonName: string; orderNumber: string }[];
}

/** Returns who gets the messages about certificates and orders with a key (`recipientsFor`), each account once. */
export async function listKeyOwners(
  trx: Trx,
  holders: Awaited<ReturnType<typeof listKeyHolders>>,
): Promise<KeyOwner[]> {
  const recipientOf = await recipientsFor(trx, holders);
  const owners = new Map<number, KeyOwner>();
  for (const holder of holders) {
    const account = recipientOf(holder);
    const owner = owners.get(account.id) ?? { account, certificates: [] };
    owner.certificates.push({ commonName: holder.commonName, orderNumber: orderNumber(holder.orderId) });
    owners.set(account.id, owner);
  }
  return [...owners.values()];
}
