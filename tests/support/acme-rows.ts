import { sealMacKey } from "~/domain/acme/secrets.server";
import { type Trx } from "~db/connection.server";
import { insertAcmeKey, setAcmeSecret } from "~db/repositories/acme-accounts.server";
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";

let count = 0;

/** Stores an ACME key of a standing authorisation, made by an owner. Returns its id. */
export const storeAcmeKey = (
  { id: madeBy, companyId }: { id: number; companyId: number },
  authorisationId: number,
  given: Partial<NewRow<"acmeKeys">> = {},
): Promise<number> =>
  inTransaction(async (trx: Trx) => {
    const row = { companyId, authorisationId, madeBy, madeAt: new Date(), secret: "", description: "Web server" };
    const id = await insertAcmeKey(trx, { ...row, keyId: `key-${(count += 1)}`, ...given });
    await setAcmeSecret(trx, id, sealMacKey("c2VjcmV0", id));
    return id;
  });
