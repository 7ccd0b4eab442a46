import { sql, type SqlBool } from "kysely";
import { byteOrdered } from "../byte-order.server";
import { type DbOrTrx } from "../connection.server";
import { begins } from "../like";
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

const invoicesShown = (db: DbOrTrx) =>
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
    ]);

/** Returns the invoices and credit notes of all companies with this number. Without `kind`, of both kinds. */
export const listInvoicesNumbered = (
  db: DbOrTrx,
  { kind, year, number }: { kind: InvoiceKind | null; year: number; number: number },
) =>
  invoicesShown(db)
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

/** Numbers from `from` to `to`, both included. */
interface Range {
  from: number;
  to: number;
}

/**
 * Returns a condition that a number is within a range. The numbers of one company are few: they are compared one by one, by an expression that
 * no index has, because the databases would otherwise read the numbers of all companies.
 */
function isWithin(column: string, { from, to }: Range, isOfOne: boolean) {
  const number = isOfOne ? sql`+${sql.ref(column)}` : sql.ref(column);
  return from === to ? sql<SqlBool>`${number} = ${from}` : sql<SqlBool>`${number} >= ${from} and ${number} <= ${to}`;
}

/** Returns a column to sort by, as an expression that no index has when the rows are those of one company. */
const sortedBy = (column: string, isOfOne: boolean) => (isOfOne ? sql`+${sql.ref(column)}` : sql.ref(column));

/** Returns the statement for the ids of orders within a range, the newest first: of one company, or of all. */
export function ordersWithinQuery(db: DbOrTrx, range: Range, companyId: number | undefined, limit: number) {
  const isOfOne = companyId !== undefined;
  let query = db
    .selectFrom("orders")
    .select("orders.id")
    .where(isWithin("orders.id", range, isOfOne));
  if (isOfOne) query = query.where("orders.companyId", "=", companyId);
  return query.orderBy(sortedBy("orders.id", isOfOne), "desc").limit(limit);
}

/** Returns the statement for the ids of the orders of certificates of all companies within a range, the newest first. */
export const certificateOrdersWithinQuery = (db: DbOrTrx, range: Range, limit: number) =>
  db
    .selectFrom("certificates")
    .select("certificates.orderId as id")
    .where(isWithin("certificates.orderId", range, false))
    .orderBy("certificates.orderId", "desc")
    .limit(limit);

/** Returns what the search shows of these orders, the newest first. */
export const listOrdersShown = (db: DbOrTrx, ids: readonly number[]) =>
  db
    .selectFrom("orders")
    .select(["id", "companyId", "company", "status", "orderType"])
    .where("id", "in", ids)
    .orderBy("id", "desc")
    .execute();

/** Returns the statement for the ids of invoices or credit notes within ranges, the newest first: of one company, or of all. */
export function invoicesWithinQuery(
  db: DbOrTrx,
  { kind, years, numbers }: { kind: InvoiceKind; years: Range; numbers: Range },
  companyId: number | undefined,
  limit: number,
) {
  const isOfOne = companyId !== undefined;
  let query = db
    .selectFrom("invoices")
    .select("invoices.id")
    .where("invoices.kind", "=", kind)
    .where(isWithin("invoices.year", years, isOfOne))
    .where(isWithin("invoices.number", numbers, isOfOne));
  if (isOfOne)
    query = query.where(
      "invoices.orderId",
      "in",
      db.selectFrom("orders").select("orders.id").where("orders.companyId", "=", companyId),
    );
  return query
    .orderBy(sortedBy("invoices.year", isOfOne), "desc")
    .orderBy(sortedBy("invoices.number", isOfOne), "desc")
    .limit(limit);
}

/** Returns what the search shows of these invoices and credit notes, the newest first. */
export const listInvoicesShown = (db: DbOrTrx, ids: readonly number[]) =>
  invoicesShown(db)
    .where("invoices.id", "in", ids)
    .orderBy("invoices.year", "desc")
    .orderBy("invoices.number", "desc")
    .execute();

/** Written as in the index of these numbers. */
const recordedNumber = () => byteOrdered(sql<string>`coalesce(${sql.ref("orders.invoice_number")}, '')`);

/**
 * Returns the statement for the orders of all companies whose invoice number, which staff recorded by hand, begins with this text, the highest
 * number first.
 */
export const recordedWithinQuery = (db: DbOrTrx, start: string, limit: number) =>
  db
    .selectFrom("orders")
    .select(["id", "companyId", "company", "invoiceNumber"])
    .where(begins(recordedNumber(), start))
    .orderBy(recordedNumber(), "desc")
    .orderBy("id", "desc")
    .limit(limit);
