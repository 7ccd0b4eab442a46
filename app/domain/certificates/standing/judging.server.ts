import { type ConfirmedName, type RequestedNames } from "~/ca/names/domain-control.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { oftpIdentifier } from "~/domain/codes/code-types";
import { isMailboxName } from "~/domain/companies/domains/challenge";
import { orderNumber } from "~/domain/orders/order-number";
import { asLines } from "~/lib/broken-rule";
import { notFound } from "~/lib/errors";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { listConfirmedNames } from "~db/repositories/company-domains.server";
import {
  insertStandingOrder,
  listEntityCodes,
  listStandingOf,
  listStandingUses,
  lockStanding,
  type NamedStandingRow,
  type StandingRow,
} from "~db/repositories/standing-authorisations.server";
import { type NewRow } from "~db/tables";
import { holderOf, type OrderIds, type Purchase } from "../purchase/rows.server";
import { namesOfOrder } from "../request/certified-names.server";
import { type Original } from "../succession/original.server";
import { standingName } from "./standing";
import { stateOfStanding, whyOutside } from "./standing.policy";

/** Returns the OFTP IDs that a company may use: those of its registered entities, and the one that was checked with this order. */
export async function oftpIdsOf(db: DbOrTrx, { companyId, ssid }: { companyId: number; ssid: string | null }) {
  const ids = (await listEntityCodes(db, companyId)).map((code) => oftpIdentifier(code).toUpperCase());
  return ssid === null ? ids : [...new Set([...ids, ssid.toUpperCase()])];
}

/** Returns the domains that a company has confirmed. Single mailboxes are left out, because the address of a person is not kept for years. */
export const confirmedOf = async (db: DbOrTrx, companyId: number, now: Date) =>
  (await listConfirmedNames(db, [companyId], now))
    .filter(({ name }) => !isMailboxName(name))
    .map(({ name, isHostOnly }) => ({ name, isHostOnly }));

/** What a standing authorisation says about an order. */
export interface StandingVerdict {
  authorisation: NamedStandingRow;
  netCents: number;
  /** The rules that the order does not meet, a line for each, or null. */
  whyOutside: string | null;
  /** The columns of the checks that an order within it has passed. */
  checks: Partial<NewRow<"certificates">>;
}

/** Returns the certificate of the order on which a standing authorisation is based. */
export async function basisOf(db: DbOrTrx, { id, basedOn }: Pick<StandingRow, "id" | "basedOn">) {
  const basis = await findCertificate(db, basedOn);
  if (!basis) throw new Error(`The certificate ${basedOn} of ${standingName(id)} is missing.`);
  return basis;
}

/** Returns the columns of the checks: those of the order on which the authorisation is based, and the portal's own comparison. */
function checksOf(row: StandingRow, basis: CertificateRow, now: Date): Partial<NewRow<"certificates">> {
  const by = standingName(row.id);
  return {
    contactAnswer: "authorised",
    contactAnsweredAt: row.contactCheckedAt,
    contactAnswerBy: by,
    contactNote: `The contact agreed to ${by}.`,
    organisationCheckedAt: row.identityCheckedAt,
    organisationCheckedBy: basis.organisationCheckedBy,
    organisationNote: `Checked for order ${orderNumber(basis.orderId)}, on which ${by} is based.`,
    csrCheckedAt: now,
    csrCheckedBy: by,
    csrNote: `The request is within ${by}.`,
  };
}

/**
 * Returns what a company has now.
 *
 * @param proved The names that the order itself has proved.
 */
async function factsOf(db: DbOrTrx, row: StandingRow, proved: readonly ConfirmedName[], now: Date) {
  const { id, companyId } = row;
  const { ssid } = await basisOf(db, row);
  return {
    use: (await listStandingUses(db, [id])).get(id) ?? { certificates: 0, cents: 0 },
    confirmed: [...(await confirmedOf(db, companyId, now)), ...proved],
    oftpIds: await oftpIdsOf(db, { companyId, ssid }),
  };
}

const whoOrders = ({ emailVerified, impersonator }: SessionUser) => ({
  isEmailVerified: emailVerified,
  isPlacedByStaff: impersonator !== null,
});

/**
 * Returns the id of the latest standing authorisation of the company in which the user works under which a certificate can be renewed for one
 * year, or null. The price is judged when the renewal is ordered.
 */
export async function findStandingFor(user: SessionUser, original: Original, now = new Date()): Promise<number | null> {
  const { row, usage } = original;
  const names = namesOfOrder(row) as RequestedNames["names"];
  const asked = { ...row, names, usage, years: 1, netCents: 0, ...whoOrders(user) };
  for (const standing of await listStandingOf(getDb(), user.companyId)) {
    if (stateOfStanding(standing, now) !== "Active") continue;
    if (whyOutside(standing, asked, await factsOf(getDb(), standing, [], now), now).length === 0) return standing.id;
  }
  return null;
}

/**
 * Decides whether an order is within a standing authorisation of the company. No other transaction counts an order there until this one has
 * ended, so that two orders at once do not exceed a ceiling. Throws a PortalError (404) when the company has no such authorisation.
 */
export async function judgeUnder(
  trx: Trx,
  user: SessionUser,
  purchase: Purchase & { standingId: number },
  now: Date,
): Promise<StandingVerdict> {
  const { standingId } = purchase;
  const authorisation = await lockStanding(trx, standingId);
  if (authorisation?.companyId !== user.companyId) throw notFound();
  const basis = await basisOf(trx, authorisation);
  const holder = holderOf(purchase);
  const { netCents } = purchase.price;
  const asked = {
    ...holder,
    names: namesOfOrder(holder) as RequestedNames["names"],
    usage: purchase.order.usage,
    years: purchase.order.validityPeriod,
    netCents,
    ...whoOrders(user),
  };
  const broken = whyOutside(authorisation, asked, await factsOf(trx, authorisation, purchase.proved, now), now);
  return {
    authorisation,
    netCents,
    whyOutside: broken.length > 0 ? asLines(broken) : null,
    checks: broken.length > 0 ? {} : checksOf(authorisation, basis, now),
  };
}

/** Notes that an order was placed under a standing authorisation, and records why staff decide about it or that they need not. */
export async function recordUnder(
  trx: Trx,
  user: SessionUser,
  { authorisation, netCents, whyOutside: why }: StandingVerdict,
  { orderId, certificateId }: OrderIds,
  now: Date,
): Promise<void> {
  const { id } = authorisation;
  await insertStandingOrder(trx, { certificateId, authorisationId: id, placedAt: now, netCents, whyOutside: why });
  const order = orderNumber(orderId);
  const message = why
    ? `Order ${order} was placed under ${standingName(id)} and is not within it: ${why.replaceAll("\n", " ")}`
    : `Order ${order} is within ${standingName(id)}.`;
  const event = why ? "order.outside-standing" : "order.within-standing";
  await recordAudit(trx, { actor: user.actor, event, message, userId: user.id, orderId, certificateId }, now);
}
