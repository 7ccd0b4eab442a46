import { type DbOrTrx } from "../connection.server";
import { type InvoiceKind } from "../tables";

/** Numbers that a person has typed. Each is looked up by an index. */
export interface CertificateNumbers {
  /** Serial numbers, SHA-1 and SHA-256 thumbprints in upper-case hex. */
  serials: readonly string[];
  sha1: string | null;
  sha256: string | null;
}

/** As many certificates with the same key are found. */
const MOST_OF_A_KEY = 20;

/** Returns the certificates of all companies with one of these numbers, also by the fingerprint of the public key, newest first. */
export async function listCertificatesNumbered(db: DbOrTrx, { serials, sha1, sha256 }: CertificateNumbers) {
  const certificates = db
    .selectFrom("certificates")
    .innerJoin("companies", "companies.id", "certificates.companyId")
    .select([
      "certificates.id",
      "certificates.companyId",
      "certificates.orderId",
      "certificates.commonName",
      "certificates.status",
      "certificates.expiryDate",
      "companies.name as company",
    ]);
  const found = [
    ...(serials.length === 0 ? [] : await certificates.where("serialNumber", "in", serials).execute()),
    ...(sha1 === null ? [] : await certificates.where("thumbprint", "=", sha1).execute()),
    ...(sha256 === null ? [] : await certificates.where("thumbprintSha256", "=", sha256).execute()),
    ...(sha256 === null
      ? []
      : await certificates
          .where("publicKeySha256", "=", sha256.toLowerCase())
          .orderBy("certificates.id", "desc")
          .limit(MOST_OF_A_KEY)
          .execute()),
  ];
  return [...new Map(found.map((row) => [row.id, row])).values()];
}

/** Returns the invoices and credit notes of all companies with this number. Without `kind`, of both kinds. */
export const listInvoicesNumbered = (
  db: DbOrTrx,
  { kind, year, number }: { kind: InvoiceKind | null; year: number; number: number },
) =>
  db
    .selectFrom("invoices")
    .innerJoin("orders", "orders.id", "invoices.orderId")
    .select([
      "invoices.id",
      "invoices.kind",
      "invoices.year",
      "invoices.number",
      "invoices.orderId",
      "orders.companyId",
      "orders.company",
    ])
    .where("invoices.kind", "in", kind === null ? ["invoice", "credit-note"] : [kind])
    .where("invoices.year", "=", year)
    .where("invoices.number", "=", number)
    .orderBy("invoices.kind", "desc")
    .execute();

/** Returns the orders of all companies whose invoice number, which staff recorded by hand, is this text. */
export const listOrdersOfInvoice = (db: DbOrTrx, invoiceNumber: string) =>
  db
    .selectFrom("orders")
    .select(["id", "companyId", "company", "invoiceNumber"])
    .where("invoiceNumber", "=", invoiceNumber)
    .orderBy("id", "desc")
    .limit(20)
    .execute();
