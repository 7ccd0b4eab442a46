import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { orderNumber } from "~/domain/orders/order-number";
import { getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { listSuccessors } from "~db/repositories/renewals.server";
import { orderTypeText, whyNotOpen } from "../certificates.policy";
import { findVisibleCertificate } from "../visible.server";

type Relative = Pick<
  CertificateRow,
  "id" | "orderId" | "status" | "orderType" | "previousCertificateId" | "expiryDate"
>;

const toRelative = (row: Relative) => ({
  id: row.id,
  orderNumber: orderNumber(row.orderId),
  orderType: orderTypeText(row.orderType, row.previousCertificateId),
  status: row.status,
  expiryDate: row.expiryDate,
  /** Whether this user can open its details. */
  isOpen: whyNotOpen(row.status) === null,
});

/** Returns the predecessor and the successors of a certificate, both renewals and replacements, as far as this user may see them. */
export async function lineageOf(user: SessionUser, row: CertificateRow) {
  const { previousCertificateId } = row;
  const previous = previousCertificateId && (await findVisibleCertificate(getDb(), previousCertificateId, user));
  const successors = await listSuccessors(getDb(), [row.id]);
  return {
    predecessor: previous ? toRelative(previous) : null,
    successors: successors.filter((successor) => maySee(user, successor)).map(toRelative),
  };
}
