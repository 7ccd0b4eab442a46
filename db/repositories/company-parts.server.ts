import { sql } from "kysely";
import { type DbOrTrx } from "../connection.server";

/** How many rows of each part the page of a company shows. */
export const PART_ROWS = 10;

const counted = sql<number>`count(*)`.as("total");

const ordererColumns = ["users.firstName", "users.lastName"] as const;

/** Selects the members of a company with their accounts. Closed accounts are left out. */
const members = (db: DbOrTrx, companyId: number) =>
  db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .where("memberships.companyId", "=", companyId)
    .where("users.mergedInto", "is", null);

/** The statements of the parts of a company's page. Each one begins with an index of the company's rows, whatever other companies own. */
export const partQueries = {
  /** The members who joined last, latest first. */
  members: (db: DbOrTrx, companyId: number) =>
    members(db, companyId)
      .select(["users.id", "users.email", "users.emailVerifiedAt", "users.lastLoginAt", ...ordererColumns])
      .select(["users.isDisabled", "users.mergedInto", "users.lockedUntil", "users.adminLockedAt", "users.erasedAt"])
      .select(["memberships.role", "memberships.joinedAt"])
      .orderBy("memberships.joinedAt", "desc")
      .orderBy("users.id", "desc")
      .limit(PART_ROWS),
  /** The codes that were registered last. */
  codes: (db: DbOrTrx, companyId: number) =>
    db
      .selectFrom("codes")
      .innerJoin("users", "users.id", "codes.userId")
      .select(["codes.id", "codes.code", "codes.subcode", "codes.codeType", "codes.entityName", "codes.status"])
      .select(["codes.createdAt", "codes.userId", ...ordererColumns])
      .where("codes.companyId", "=", companyId)
      .orderBy("codes.id", "desc")
      .limit(PART_ROWS),
  /** The latest orders of both kinds. */
  orders: (db: DbOrTrx, companyId: number) =>
    db
      .selectFrom("orders")
      .innerJoin("users", "users.id", "orders.userId")
      .leftJoin("certificates", "certificates.orderId", "orders.id")
      .select(["certificates.orderType as certificateType"])
      .select(["certificates.previousCertificateId", "certificates.isCorrection"])
      .select(["orders.id", "orders.orderType", "orders.createdAt", "orders.totalCents", "orders.status"])
      .select(["orders.isMaintenance", "orders.userId", ...ordererColumns])
      .where("orders.companyId", "=", companyId)
      .orderBy("orders.createdAt", "desc")
      .orderBy("orders.id", "desc")
      .limit(PART_ROWS),
  /** The invoices and credit notes that were issued last. The orders are found first, so that no database reads the invoices of others. */
  invoices: (db: DbOrTrx, companyId: number) =>
    db
      .with(
        (cte) => cte("own").materialized(),
        (whole) => whole.selectFrom("orders").select("id").where("companyId", "=", companyId),
      )
      .selectFrom("own")
      .innerJoin("invoices", "invoices.orderId", "own.id")
      .select(["invoices.id", "invoices.kind", "invoices.year", "invoices.number"])
      .select(["invoices.orderId", "invoices.totalCents", "invoices.issuedAt"])
      .orderBy("invoices.id", "desc")
      .limit(PART_ROWS),
  /** The latest certificates whose organisation was checked or whose authentication contact has answered. */
  checks: (db: DbOrTrx, companyId: number) =>
    checked(db, companyId)
      .select(["id", "commonName", "organisation", "contactAnswer", "contactAnsweredAt", "contactAnswerBy"])
      .select(["contactNote", "organisationCheckedAt", "organisationCheckedBy", "organisationNote"])
      .orderBy("id", "desc")
      .limit(PART_ROWS),
};

const checked = (db: DbOrTrx, companyId: number) =>
  db
    .selectFrom("certificates")
    .where("companyId", "=", companyId)
    .where((eb) => eb.or([eb("organisationCheckedAt", "is not", null), eb("contactAnsweredAt", "is not", null)]));

/** Returns how many members a company has, and how many of them have a confirmed email address. */
export const countMembers = (db: DbOrTrx, companyId: number): Promise<{ total: number; confirmed: number }> =>
  members(db, companyId)
    .select((eb) => [counted, eb.fn.count<number>("users.emailVerifiedAt").as("confirmed")])
    .executeTakeFirstOrThrow();

const total = async (query: { executeTakeFirstOrThrow: () => Promise<{ total: number }> }) =>
  (await query.executeTakeFirstOrThrow()).total;

/** Returns how many rows each part has. A certificate can have two checks. */
export const partTotals: Record<keyof typeof partQueries, (db: DbOrTrx, companyId: number) => Promise<number>> = {
  members: async (db, companyId) => (await countMembers(db, companyId)).total,
  codes: (db, companyId) => total(db.selectFrom("codes").select(counted).where("companyId", "=", companyId)),
  orders: (db, companyId) => total(db.selectFrom("orders").select(counted).where("companyId", "=", companyId)),
  invoices: (db, companyId) =>
    total(
      db
        .selectFrom("orders")
        .innerJoin("invoices", "invoices.orderId", "orders.id")
        .select(counted)
        .where("orders.companyId", "=", companyId),
    ),
  checks: (db, companyId) =>
    total(
      checked(db, companyId).select((eb) => [
        sql<number>`${eb.fn.count("organisationCheckedAt")} + ${eb.fn.count("contactAnsweredAt")}`.as("total"),
      ]),
    ),
};
