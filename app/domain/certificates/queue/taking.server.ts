import { type SessionUser } from "~/domain/accounts/session-user";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { isOpenOrder, notOpen } from "./order-decision.policy";
import { assignOrder, nameOfStaff, unassignOrder } from "./order-work.service.server";
import { type OrderAct } from "./selected-orders.server";

/** Returns why this user cannot take an order together with others, or null. To take over an order, its own page asks. */
async function whyNotTaken(db: DbOrTrx, row: CertificateRow, user: SessionUser): Promise<string | null> {
  if (!isOpenOrder(row)) return notOpen(row).message;
  if (row.assignedTo === null) return null;
  if (row.assignedTo === user.id) return "You work on it already.";
  return `${await nameOfStaff(db, row.assignedTo)} works on it. You can take it over on its own page.`;
}

/** Makes the user the one who works on orders that nobody has. */
export const TAKE_ORDERS: OrderAct = { code: "certificate.not-taken", whyNot: whyNotTaken, perform: assignOrder };

/** Returns why this user cannot release an order, or null. */
async function whyNotReleased(db: DbOrTrx, row: CertificateRow, user: SessionUser): Promise<string | null> {
  if (!isOpenOrder(row)) return notOpen(row).message;
  if (row.assignedTo === user.id) return null;
  return row.assignedTo === null ? "Nobody works on it." : `${await nameOfStaff(db, row.assignedTo)} works on it.`;
}

/** Makes nobody the one who works on the orders that the user has. */
export const RELEASE_ORDERS: OrderAct = {
  code: "certificate.not-released",
  whyNot: whyNotReleased,
  perform: unassignOrder,
};
