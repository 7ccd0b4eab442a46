import { type DbOrTrx } from "~db/connection.server";
import {
  type AcmeAuthorizationRow,
  type AcmeOrderRow,
  listAcmeAuthorizations,
} from "~db/repositories/acme-orders.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import { statusOfAuthorization } from "./authorizations.policy";

export type AcmeOrderStatus = "pending" | "ready" | "processing" | "valid" | "invalid";

/** Everything that an order's status depends on. */
export interface WholeAcmeOrder {
  row: AcmeOrderRow;
  authorizations: AcmeAuthorizationRow[];
  /** The certificate of the portal's order, once the client has finalised. */
  certificate: CertificateRow | null;
}

/** Returns the status of an order (RFC 8555 §7.1.6). */
export function statusOfOrder({ row, authorizations, certificate }: WholeAcmeOrder, now: Date): AcmeOrderStatus {
  if (certificate) {
    if (certificate.der !== null) return "valid";
    return certificate.status === "Pending" ? "processing" : "invalid";
  }
  if (row.expiresAt <= now.toISOString()) return "invalid";
  const all = authorizations.map((one) => statusOfAuthorization(one, row.expiresAt, now));
  if (all.every((status) => status === "valid")) return "ready";
  return all.every((status) => status === "valid" || status === "pending") ? "pending" : "invalid";
}

export const readWhole = async (db: DbOrTrx, row: AcmeOrderRow): Promise<WholeAcmeOrder> => ({
  row,
  authorizations: await listAcmeAuthorizations(db, row.id),
  certificate: row.orderId === null ? null : await findCertificateByOrder(db, row.orderId),
});

/** Returns the names of an order. */
export const namesOfAcmeOrder = ({ names }: Pick<AcmeOrderRow, "names">): string[] => JSON.parse(names) as string[];
