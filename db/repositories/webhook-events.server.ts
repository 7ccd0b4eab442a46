import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type CertificateStatus } from "../tables";
import { listOrdersOfInvoices } from "./invoices.server";

/** Returns the sequence of the last entry of the audit trail that was read for webhooks. */
export const findWebhookPosition = async (db: DbOrTrx): Promise<number> =>
  (await db.selectFrom("webhookPositions").select("sequence").where("id", "=", 1).executeTakeFirstOrThrow()).sequence;

/** Returns the same, and keeps every other process from reading on until the end of the transaction. */
export async function lockWebhookPosition(trx: Trx): Promise<number> {
  const query = trx.selectFrom("webhookPositions").select("sequence").where("id", "=", 1);
  const locked = getConnection().dialect === "postgres" ? query.forUpdate() : query;
  return (await locked.executeTakeFirstOrThrow()).sequence;
}

export async function moveWebhookPosition(trx: Trx, sequence: number): Promise<void> {
  await trx.updateTable("webhookPositions").set({ sequence }).where("id", "=", 1).execute();
}

/** Returns the entries of these events after `after` and up to `upTo`, in the order of the chain. */
export const listEntriesBetween = (
  db: DbOrTrx,
  { after, upTo, events }: { after: number; upTo: number; events: readonly string[] },
) =>
  db
    .selectFrom("auditEntries")
    .select(["sequence", "at", "event", "orderId", "certificateId", "codeId", "reference"])
    .where("sequence", ">", after)
    .where("sequence", "<=", upTo)
    .where("event", "in", events)
    .orderBy("sequence")
    .execute();

export type AnnouncedEntry = Awaited<ReturnType<typeof listEntriesBetween>>[number];

/** Returns what webhooks say of these orders. */
export const listAnnouncedOrders = (db: DbOrTrx, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("orders")
        .select(["id", "companyId", "purchaseOrderType", "orderType", "status", "updatedAt", "numberOfCodes"])
        .where("id", "in", ids)
        .execute();

const ANNOUNCED_CERTIFICATE = [
  "id",
  "orderId",
  "companyId",
  "status",
  "commonName",
  "serialNumber",
  "thumbprintSha256",
  "startDate",
  "expiryDate",
  "revocationDate",
  "revocationReason",
] as const;

/** Returns what webhooks say of these certificates. */
export const listAnnouncedCertificates = (db: DbOrTrx, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom("certificates").select(ANNOUNCED_CERTIFICATE).where("id", "in", ids).execute();

export type AnnouncedCertificate = Awaited<ReturnType<typeof listAnnouncedCertificates>>[number];
export type AnnouncedOrder = Awaited<ReturnType<typeof listAnnouncedOrders>>[number];

/** Returns what webhooks say of these codes. */
export const listAnnouncedCodes = (db: DbOrTrx, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("codes")
        .select(["id", "companyId", "orderId", "codeType", "code", "subcode", "status"])
        .where("id", "in", ids)
        .execute();

export type AnnouncedCode = Awaited<ReturnType<typeof listAnnouncedCodes>>[number];

/** Returns what webhooks say of the invoices and credit notes whose first order is one of these. */
export async function listAnnouncedInvoices(db: DbOrTrx, orderIds: readonly number[]) {
  if (orderIds.length === 0) return [];
  const columns = ["id", "kind", "year", "number", "orderId", "totalCents", "issuedAt"] as const;
  const invoices = await db.selectFrom("invoices").select(columns).where("orderId", "in", orderIds).execute();
  const orders = await listOrdersOfInvoices(
    db,
    invoices.map(({ id }) => id),
  );
  return invoices.map((invoice) => ({ ...invoice, orderIds: orders.get(invoice.id) ?? [] }));
}

export type AnnouncedInvoice = Awaited<ReturnType<typeof listAnnouncedInvoices>>[number];

const IN_FORCE: readonly CertificateStatus[] = ["Issued", "Downloaded"];
/** A certificate with a successor in one of these states is not announced. */
const REPLACING: readonly CertificateStatus[] = ["Issued", "Downloaded", "Renewed"];

/** Returns the certificates in force of a company that end after `from` and not after `to`, and have no issued successor. */
export const listEndingCertificates = (
  db: DbOrTrx,
  { companyId, from, to }: { companyId: number; from: Date; to: Date },
): Promise<AnnouncedCertificate[]> =>
  db
    .selectFrom("certificates")
    .select(ANNOUNCED_CERTIFICATE)
    .where("companyId", "=", companyId)
    .where("status", "in", IN_FORCE)
    .where("expiryDate", ">", from.toISOString())
    .where("expiryDate", "<=", to.toISOString())
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("certificates as successor")
            .select("successor.id")
            .whereRef("successor.previousCertificateId", "=", "certificates.id")
            .where("successor.status", "in", REPLACING),
        ),
      ),
    )
    .orderBy("expiryDate")
    .execute();
