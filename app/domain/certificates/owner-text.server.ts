import { type Trx } from "~db/connection.server";
import { setOwnerText } from "~db/repositories/certificate-list.server";
import { findUserById } from "~db/repositories/users.server";
import { foldText } from "./search-text";

/** Sets anew what the staff's search finds an account's certificates by; to be called when its company or its certificates change. */
export async function refreshOwnerText(trx: Trx, userId: number): Promise<void> {
  const owner = await findUserById(trx, userId);
  if (owner) await setOwnerText(trx, userId, foldText(owner.company));
}
