import { sql } from "kysely";
import { type DbOrTrx } from "../connection.server";
import { type Row } from "../tables";

/**
 * Returns the latest entries about an account, newest first by time. The order by time differs from the order by id when an entry was dated
 * back. The person who acted is named by the email of that time and, since accounts can share an email, by id and current user name. The
 * administrator who acted as that person is named in the same way.
 */
export const listAuditEntriesAbout = (db: DbOrTrx, userId: number, limit: number) =>
  db
    .selectFrom("auditEntries")
    .leftJoin("users as actor", "actor.id", "auditEntries.actorId")
    .leftJoin("users as impersonator", "impersonator.id", "auditEntries.impersonatorId")
    .select([
      "auditEntries.id",
      "auditEntries.at",
      "auditEntries.actorId",
      "auditEntries.actorName",
      "actor.username as actorUsername",
      "auditEntries.message",
      "auditEntries.orderId",
      "auditEntries.impersonatorId",
      "impersonator.email as impersonatorEmail",
      "impersonator.username as impersonatorUsername",
    ])
    .where("auditEntries.userId", "=", userId)
    .orderBy("auditEntries.at", "desc")
    .orderBy("auditEntries.id", "desc")
    .limit(limit)
    .execute();

/**
 * Returns the latest entries about a certificate and its order, newest first, with the email of the administrator who acted as the person, if
 * one did.
 */
export const listAuditEntriesOfCertificate = (db: DbOrTrx, certificateId: number, limit: number) =>
  db
    .selectFrom("auditEntries")
    .leftJoin("users as impersonator", "impersonator.id", "auditEntries.impersonatorId")
    .select(["auditEntries.id", "auditEntries.at", "auditEntries.actorName", "auditEntries.message"])
    .select("impersonator.email as impersonatorEmail")
    .where("auditEntries.certificateId", "=", certificateId)
    .orderBy("auditEntries.at", "desc")
    .orderBy("auditEntries.id", "desc")
    .limit(limit)
    .execute();

/** Returns when an event about an account happened last, or null. */
export async function findLastEventAt(db: DbOrTrx, userId: number, event: string): Promise<string | null> {
  const query = db.selectFrom("auditEntries").select("at").where("userId", "=", userId).where("event", "=", event);
  return (await query.orderBy("id", "desc").limit(1).executeTakeFirst())?.at ?? null;
}

/** Returns the reference of the latest of these events about an account, or null. */
export const findLatestReference = async (
  db: DbOrTrx,
  userId: number,
  events: readonly string[],
): Promise<string | null> =>
  (
    await db
      .selectFrom("auditEntries")
      .select("reference")
      .where("userId", "=", userId)
      .where("event", "in", events)
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst()
  )?.reference ?? null;

/** Returns which of these accounts an entry of one of these events with this reference is about. */
export async function listReferred(
  db: DbOrTrx,
  { userIds, events, reference }: { userIds: readonly number[]; events: readonly string[]; reference: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom("auditEntries")
    .select("userId")
    .distinct()
    .where("userId", "in", userIds)
    .where("event", "in", events)
    .where("reference", "=", reference)
    .execute();
  return rows.flatMap(({ userId }) => userId ?? []);
}

/** Returns the account, the certificate and the time of the latest entry of this event with this reference, or null. */
export const findEntryByReference = async (db: DbOrTrx, event: string, reference: string) =>
  (await db
    .selectFrom("auditEntries")
    .select(["userId", "certificateId", "at"])
    .where("reference", "=", reference)
    .where("event", "=", event)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()) ?? null;

/** Returns the references of all entries of an event, oldest first. For events that are rare. */
export async function listReferencesOf(db: DbOrTrx, event: string): Promise<string[]> {
  const rows = await db
    .selectFrom("auditEntries")
    .select("reference")
    .where("event", "=", event)
    .orderBy("at")
    .orderBy("id")
    .execute();
  return rows.flatMap(({ reference }) => reference ?? []);
}

/** Somebody handed a renewal over. The entry is about the old certificate; its reference is the id of the draft. */
const HANDED_OVER = "renewal.prepared";

type Taking = Pick<Row<"auditEntries">, "certificateId" | "orderId" | "event" | "at" | "actorId" | "impersonatorId">;

/** Selects who handed over the renewals that became the orders of these certificates, as entries `order.prepared` of these orders. */
const handOvers = (db: DbOrTrx, certificateIds: readonly number[]) =>
  db
    .selectFrom("certificates")
    .innerJoin("orders", "orders.id", "certificates.orderId")
    .innerJoin("auditEntries as entry", (join) =>
      join
        .onRef("entry.certificateId", "=", "certificates.previousCertificateId")
        .onRef("entry.reference", "=", "orders.draftId"),
    )
    .select(["certificates.id as certificateId", "certificates.orderId"])
    .select([sql<string>`'order.prepared'`.as("event"), "entry.at", "entry.actorId", "entry.impersonatorId"])
    .where("certificates.id", "in", certificateIds)
    .where("entry.event", "=", HANDED_OVER)
    .$castTo<Taking>();

/** The event with which `listOrderActors` names staff who changed the customer's details. */
export const CUSTOMER_CHANGED = "customer.changed";

/** The events that change what the checks compare with an order. */
const DETAILS_CHANGED = [
  "account.details-updated",
  "account.details-completed",
  "account.email-change-requested",
  "account.email-changed",
];

/**
 * Selects the staff who changed the details of these certificates' customers, while acting as somebody or on the page of the account: those of
 * the owner, or those of the company. A change counts until the organisation of a later order of the company was checked and its certificate issued.
 */
const customerChanges = (db: DbOrTrx, certificateIds: readonly number[], of: "person" | "company") =>
  db
    .selectFrom("certificates")
    .innerJoin("auditEntries as entry", (join) =>
      of === "person"
        ? join.onRef("entry.userId", "=", "certificates.userId")
        : join.on("entry.reference", "=", sql<string>`'CO-' || certificates.company_id`),
    )
    .select(["certificates.id as certificateId", "certificates.orderId"])
    .select([sql<string>`${sql.lit(CUSTOMER_CHANGED)}`.as("event"), "entry.at"])
    .select(sql<null>`cast(null as integer)`.as("actorId"))
    .select(sql<number>`coalesce(entry.impersonator_id, entry.actor_id)`.as("impersonatorId"))
    .where("certificates.id", "in", certificateIds)
    .where("entry.event", "in", DETAILS_CHANGED)
    .where((eb) =>
      eb.or([eb("entry.impersonatorId", "is not", null), eb("entry.actorId", "!=", eb.ref("entry.userId"))]),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("certificates as checked")
            .select("checked.id")
            .whereRef("checked.companyId", "=", "certificates.companyId")
            .whereRef("checked.organisationCheckedAt", ">", "entry.at")
            .where("checked.id", "not in", certificateIds)
            .where("checked.der", "is not", null),
        ),
      ),
    )
    .$castTo<Taking>();

/** Somebody who has taken part in an order. */
export interface OrderActor {
  certificateId: number;
  event: string;
  /** An ISO timestamp. */
  at: string;
  /** The ids of the actor and of whoever acted as the actor. */
  ids: number[];
}

/**
 * Returns who caused these events of the orders of certificates. Whoever handed a renewal over that became one of the orders is returned
 * with the event `order.prepared`, and staff who changed the customer's details with `CUSTOMER_CHANGED`. An entry that names
 * the order of another certificate is left out.
 */
export async function listOrderActors(
  db: DbOrTrx,
  certificates: readonly { id: number; orderId: number }[],
  events: readonly string[],
): Promise<OrderActor[]> {
  const orders = new Map(certificates.map(({ id, orderId }) => [id, orderId]));
  const ids = [...orders.keys()];
  const rows = await db
    .selectFrom("auditEntries")
    .select(["certificateId", "orderId", "event", "at", "actorId", "impersonatorId"])
    .where("certificateId", "in", ids)
    .where("event", "in", events)
    .unionAll(handOvers(db, ids))
    .unionAll(customerChanges(db, ids, "person"))
    .unionAll(customerChanges(db, ids, "company"))
    .execute();
  return rows.flatMap(({ certificateId, orderId, event, at, actorId, impersonatorId }) =>
    certificateId !== null && orders.get(certificateId) === orderId
      ? [{ certificateId, event, at, ids: [actorId, impersonatorId].filter((actor) => actor !== null) }]
      : [],
  );
}

/**
 * Returns the names of the API clients that made these orders or codes, by id of the order or code. What a person did in person is left out.
 *
 * @param events The events that say that an order or a code was made.
 */
export async function listClientsOf(
  db: DbOrTrx,
  column: "orderId" | "codeId",
  ids: readonly number[],
  events: readonly string[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("auditEntries")
    .innerJoin("apiClients", "apiClients.id", "auditEntries.apiClientId")
    .select([`auditEntries.${column} as about`, "apiClients.name"])
    .where(`auditEntries.${column}`, "in", ids)
    .where("auditEntries.event", "in", events)
    .execute();
  return new Map(rows.map(({ about, name }) => [about ?? 0, name]));
}

/** Selects who did something: the account with its name, the API client, and the email of the administrator who acted as the account. */
const deeds = (db: DbOrTrx) =>
  db
    .selectFrom("auditEntries")
    .innerJoin("users as actor", "actor.id", "auditEntries.actorId")
    .leftJoin("users as impersonator", "impersonator.id", "auditEntries.impersonatorId")
    .leftJoin("apiClients", "apiClients.id", "auditEntries.apiClientId")
    .select(["auditEntries.event", "auditEntries.at", "actor.id as userId", "actor.firstName", "actor.lastName"])
    .select(["actor.isAdmin", "apiClients.name as clientName", "auditEntries.message"])
    .select(["auditEntries.impersonatorId", "impersonator.email as impersonatorEmail"]);

export type Deed = Awaited<ReturnType<typeof listCertificateDeeds>>[number];

/** Returns who caused these events of a certificate, oldest first. What the portal did by itself is left out. */
export const listCertificateDeeds = (db: DbOrTrx, certificateId: number, events: readonly string[]) =>
  deeds(db)
    .where("auditEntries.certificateId", "=", certificateId)
    .where("auditEntries.event", "in", events)
    .orderBy("auditEntries.id")
    .execute();

/** Returns the latest of these events of a certificate, newest first. */
export const listLatestDeeds = (db: DbOrTrx, certificateId: number, events: readonly string[], limit: number) =>
  deeds(db)
    .where("auditEntries.certificateId", "=", certificateId)
    .where("auditEntries.event", "in", events)
    .orderBy("auditEntries.id", "desc")
    .limit(limit)
    .execute();

/** Returns how often these events of a certificate happened. */
export const countCertificateDeeds = async (
  db: DbOrTrx,
  certificateId: number,
  events: readonly string[],
): Promise<number> =>
  (
    await db
      .selectFrom("auditEntries")
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .where("certificateId", "=", certificateId)
      .where("event", "in", events)
      .executeTakeFirstOrThrow()
  ).total;

/** Returns who placed a sales order, or null for an order of the portal itself or of a database from before the audit trail. */
export const findOrderPlacer = async (db: DbOrTrx, orderId: number): Promise<Deed | null> =>
  (await deeds(db)
    .where("auditEntries.orderId", "=", orderId)
    .where("auditEntries.event", "=", "order.created")
    .orderBy("auditEntries.id")
    .executeTakeFirst()) ?? null;

/** Returns who corrected an order, with the number of each correction, the oldest first. */
export const listCorrectionDeeds = (db: DbOrTrx, orderId: number) =>
  deeds(db)
    .select("auditEntries.reference")
    .where("auditEntries.orderId", "=", orderId)
    .where("auditEntries.event", "=", "order.corrected")
    .orderBy("auditEntries.id")
    .execute();

/** Returns who handed over this draft of a renewal, as often as they did, and who else had prepared it when it was ordered, oldest first. */
export const listPreparerDeeds = (db: DbOrTrx, draftId: string): Promise<Deed[]> =>
  deeds(db)
    .where("auditEntries.reference", "=", draftId)
    .where("auditEntries.event", "in", [HANDED_OVER, "order.prepared"])
    .orderBy("auditEntries.id")
    .execute();
