import { type DbOrTrx, type Trx } from "../connection.server";
import { namesAddress } from "../like";
import { type NewRow } from "../tables";
import { invoicedOrders } from "./invoices.server";

type ContactColumns = Pick<
  NewRow<"certificates">,
  "technicalContact" | "authenticationContact" | "authenticationEmail" | "contactSearchText"
>;

/** Stores other contacts of a certificate. */
export async function setContacts(trx: Trx, id: number, change: Partial<ContactColumns>): Promise<void> {
  await trx.updateTable("certificates").set(change).where("id", "=", id).execute();
}

/** Notes a contact that is replaced when the certificate has ended. */
export async function noteErasedContact(trx: Trx, row: NewRow<"erasedContacts">): Promise<void> {
  await trx
    .insertInto("erasedContacts")
    .values(row)
    .onConflict((conflict) => conflict.columns(["certificateId", "contact"]).doNothing())
    .execute();
}

/** Returns the noted contacts with their certificates, in order. */
export const listErasedContacts = (db: DbOrTrx, after: number, limit: number) =>
  db
    .selectFrom("erasedContacts")
    .innerJoin("certificates", "certificates.id", "erasedContacts.certificateId")
    .select(["erasedContacts.certificateId", "erasedContacts.contact", "erasedContacts.userId"])
    .select(["certificates.status", "certificates.expiryDate"])
    .select(["certificates.technicalContact", "certificates.authenticationContact"])
    .where("erasedContacts.certificateId", ">", after)
    .orderBy("erasedContacts.certificateId")
    .limit(limit)
    .execute();

export async function deleteErasedContact(
  trx: Trx,
  { certificateId, contact }: Pick<NewRow<"erasedContacts">, "certificateId" | "contact">,
): Promise<void> {
  const query = trx.deleteFrom("erasedContacts").where("certificateId", "=", certificateId);
  await query.where("contact", "=", contact).execute();
}

/**
 * Returns the orders that were cancelled without an invoice, whose invoice address mentions one of these addresses in lower case. The JSON
 * is read as text, so that the caller compares the addresses.
 */
export const listUninvoiced = (db: DbOrTrx, emails: readonly string[]) =>
  db
    .selectFrom("orders")
    .select(["id", "userId", "invoiceAddress"])
    .where("status", "=", "Cancelled")
    .where("invoiceNumber", "is", null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom(invoicedOrders(db).as("invoiced"))
            .select("invoiceId")
            .whereRef("invoiced.orderId", "=", "orders.id"),
        ),
      ),
    )
    .where((eb) => namesAddress(eb.ref("invoiceAddress"), emails))
    .execute();

/** Returns the orders of these accounts that were not cancelled and whose invoice address mentions one of these addresses in lower case. */
export const listInvoicedTo = (db: DbOrTrx, userIds: readonly number[], emails: readonly string[]) =>
  db
    .selectFrom("orders")
    .select(["id", "userId", "invoiceAddress"])
    .where("userId", "in", userIds)
    .where("status", "!=", "Cancelled")
    .where((eb) => namesAddress(eb.ref("invoiceAddress"), emails))
    .execute();

export async function setInvoiceAddress(trx: Trx, id: number, invoiceAddress: string): Promise<void> {
  await trx.updateTable("orders").set({ invoiceAddress }).where("id", "=", id).execute();
}
