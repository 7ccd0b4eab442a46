import { isStaff } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { staffRightsOf } from "~/domain/accounts/staff-rights.server";
import { leftText, namesPeople, personName, STAFF_NAME } from "~/domain/companies/people.server";
import { getDb } from "~db/connection.server";
import { type Deed, findOrderPlacer, listCertificateDeeds } from "~db/repositories/audit-entries.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { findRole } from "~db/repositories/companies.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { listSuccessors } from "~db/repositories/renewals.server";
import { findUserById } from "~db/repositories/users.server";
import { type CertificateStatus } from "~db/tables";
import { preparersOfOrder } from "../purchase/preparers.server";
import { isReissueByStaff } from "../succession/reissue.policy";
import { FIRST_DOWNLOAD } from "./download-record";

/** Somebody who has done something with a certificate. */
export interface CertificateDeed {
  what: string;
  name: string;
  /** What follows the name of somebody who has left the company (`leftText`). */
  left: string;
  /** An ISO timestamp. */
  at: string;
  /** For staff: the email of the administrator who acted as this person. Customers learn of a preparation that it was staff. */
  actingFor: string | null;
}

const REVOCATIONS = ["certificate.revocation-requested", "certificate.revoked"] as const;
const EVENTS = ["order.created", "certificate.reissued", FIRST_DOWNLOAD, ...REVOCATIONS] as const;

/** Returns the name of whoever did something. Customers learn only of their own people who it was, and of staff that it was staff. */
async function nameFor(user: SessionUser, { companyId }: CertificateRow, deed: Deed): Promise<string> {
  if (isStaff(user) || (await findRole(getDb(), { companyId, userId: deed.userId })) !== null) return personName(deed);
  const rights = await staffRightsOf(getDb(), { id: deed.userId, isAdmin: deed.isAdmin });
  return isStaff({ rights }) ? STAFF_NAME : personName(deed);
}

const actingFor = (user: SessionUser, what: string, email: string): string | null =>
  isStaff(user) ? email : what === PREPARED ? STAFF_NAME.toLowerCase() : null;

/** Returns who ordered. The account counts that owns the order now, because accounts can be merged. */
async function ordererOf(
  { userId, requestedAt: at }: Pick<CertificateRow, "userId" | "requestedAt">,
  entry: Deed | null,
): Promise<Deed | null> {
  const person = await findUserById(getDb(), userId);
  const { firstName = "", lastName = "", isAdmin = false } = person ?? {};
  const { impersonatorId = null, impersonatorEmail = null, clientName = null } = entry ?? {};
  const by = { impersonatorId, impersonatorEmail, clientName };
  return person && { event: "order.created", message: "", at, userId, firstName, lastName, isAdmin, ...by };
}

const PREPARED = "Prepared by";

const NOT_RENEWED: readonly CertificateStatus[] = ["Cancelled", "Rejected"];

/** Returns who renewed a certificate, or null. A renewal that was cancelled or rejected does not count. */
async function renewerOf({ id, companyId }: CertificateRow): Promise<Deed | null> {
  const renewal = (await listSuccessors(getDb(), [id])).findLast(
    (one) => one.orderType === "Renewal" && one.companyId === companyId && !NOT_RENEWED.includes(one.status),
  );
  return renewal ? ordererOf(renewal, await findOrderPlacer(getDb(), renewal.orderId)) : null;
}

/** What was done, in words that a name follows, and by whom. */
export interface KnownDeed {
  what: string;
  deed: Deed;
}

/** Returns what was done with a certificate and by whom, as far as the audit trail says it. */
export async function deedsOf(row: CertificateRow, order: OrderRow): Promise<KnownDeed[]> {
  const deeds = await listCertificateDeeds(getDb(), row.id, EVENTS);
  const first = (...events: readonly string[]) => deeds.find(({ event }) => events.includes(event)) ?? null;
  const found = {
    "Ordered by": isReissueByStaff(row) ? null : await ordererOf(row, first("order.created")),
    [row.der ? "Reissued by" : "Reissue requested by"]: isReissueByStaff(row) ? first("certificate.reissued") : null,
    "First downloaded by": first(FIRST_DOWNLOAD),
    "Renewed by": await renewerOf(row),
    "Revoked by": row.revocationDate === null ? null : first(...REVOCATIONS),
  };
  const prepared = isReissueByStaff(row) ? [] : await preparersOfOrder(getDb(), order);
  return [
    ...prepared.map((deed) => ({ what: PREPARED, deed })),
    ...Object.entries(found).flatMap(([what, deed]) => (deed === null ? [] : [{ what, deed }])),
  ];
}

/** Returns what was done with a certificate, with the names of the people as this user may know them. */
export async function namedDeeds(
  user: SessionUser,
  row: CertificateRow,
  deeds: readonly KnownDeed[],
): Promise<CertificateDeed[]> {
  const userIds = deeds.map(({ deed }) => deed.userId);
  const left = await leftText(getDb(), row, userIds);
  return Promise.all(
    deeds.map(async ({ what, deed }) => ({
      what,
      name: await nameFor(user, row, deed),
      left: left(deed.userId),
      at: deed.at,
      actingFor: deed.impersonatorEmail && actingFor(user, what, deed.impersonatorEmail),
    })),
  );
}

/**
 * Returns who prepared, ordered, first downloaded, renewed and revoked a certificate. Returns nothing for somebody who works alone and has
 * done all of it in person. Only staff learn which administrator acted as a person; customers learn that one prepared an order.
 */
export async function peopleOf(user: SessionUser, row: CertificateRow, order: OrderRow): Promise<CertificateDeed[]> {
  const deeds = await deedsOf(row, order);
  const doers = deeds.map(({ deed }) => deed);
  return (await namesPeople(user, doers)) ? namedDeeds(user, row, deeds) : [];
}
