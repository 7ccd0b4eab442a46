import { randomBytes } from "node:crypto";
import { z } from "zod";
import { isConfirmedHost } from "~/ca/names/domain-control.server";
import { confirmedOf } from "~/domain/certificates/standing/judging.server";
import { stateOfStanding } from "~/domain/certificates/standing/standing.policy";
import { orderNumber } from "~/domain/orders/order-number";
import { getConfig } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { type BoundAccount } from "~db/repositories/acme-accounts.server";
import {
  type AcmeOrderRow,
  countOpenAcmeOrders,
  findAcmeOrder,
  findWaitingAcmeOrder,
  insertAcmeAuthorizations,
  insertAcmeOrder,
  listAcmeOrderIds,
} from "~db/repositories/acme-orders.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { findStanding, type NamedStandingRow } from "~db/repositories/standing-authorisations.server";
import { inTransaction } from "~db/transaction.server";
import { identifierOfCertificate } from "./certificate-id.server";
import { readObject } from "./jws.server";
import { identifierOf, identifiersSchema, requireNames } from "./names.server";
import {
  type AcmeOrderStatus,
  namesOfAcmeOrder,
  readWhole,
  statusOfOrder,
  type WholeAcmeOrder,
} from "./order-status.server";
import { AcmeProblem, type AcmeProblemDocument, problemDocument } from "./problem";
import { profileNameOf, requireProfile } from "./profiles.policy";
import { readReplaces, requireNotReplaced } from "./renewing.server";
import { acmeUrls } from "./urls.server";
import { pageOfOrder, whyWaiting } from "./waiting.server";

/** How long an order can be finalised, in days. */
export const ORDER_DAYS = 7;

/** How many orders of an account can wait to be finalised. */
export const MOST_OPEN_ORDERS = 100;

/** How many orders a list shows at once (RFC 8555 §7.1.2.1). */
const LIST_SIZE = 100;

/** When a client asks again about an order that is being issued, and about one that waits for staff, in seconds. */
const SOON_S = 5;
const LATER_S = 3600;

/** Returns an order of the account. Throws an AcmeProblem `unauthorized` when the account has no such order. */
export async function requireOrder({ id: accountId }: BoundAccount, id: number): Promise<WholeAcmeOrder> {
  const row = await findAcmeOrder(getDb(), id);
  if (row?.accountId !== accountId) throw new AcmeProblem("unauthorized", "This account has no such order.");
  return readWhole(getDb(), row);
}

/** Returns why an order has no certificate, if that is known. */
async function errorOf({ certificate, row, authorizations }: WholeAcmeOrder, status: AcmeOrderStatus) {
  if (status === "processing" && certificate) return (await whyWaiting(certificate))?.toDocument() ?? null;
  if (status !== "invalid") return null;
  if (certificate) {
    const detail = `Order ${orderNumber(certificate.orderId)} was ${certificate.status.toLowerCase()}.`;
    return problemDocument("unauthorized", detail, pageOfOrder(certificate.orderId));
  }
  const failed = authorizations.find(({ problem }) => problem !== null);
  if (failed) return problemDocument("unauthorized", `${failed.name}: ${failed.problem}`);
  const detail = `The order ended on ${row.expiresAt}, or an authorization was deactivated. Make a new order.`;
  return problemDocument("malformed", detail);
}

/** An order as clients see it (RFC 8555 §7.1.3), and the seconds after which they ask again. */
export interface AcmeOrderView {
  order: {
    status: AcmeOrderStatus;
    expires: string;
    identifiers: { type: "dns"; value: string }[];
    profile: string;
    authorizations: string[];
    finalize: string;
    certificate?: string;
    replaces?: string;
    error?: AcmeProblemDocument;
  };
  retryAfter: number | undefined;
}

export async function orderView(whole: WholeAcmeOrder, now: Date): Promise<AcmeOrderView> {
  const { row, authorizations, certificate } = whole;
  const status = statusOfOrder(whole, now);
  const error = await errorOf(whole, status);
  const replaces = row.replaces === null ? null : await identifierOfCertificate(row.replaces);
  const order = {
    status,
    expires: row.expiresAt,
    identifiers: namesOfAcmeOrder(row).map(identifierOf),
    profile: profileNameOf(row),
    authorizations: authorizations.map(({ id }) => acmeUrls.authorization(id)),
    finalize: acmeUrls.finalize(row.id),
    ...(status === "valid" && certificate && { certificate: acmeUrls.certificate(certificate.id) }),
    ...(replaces !== null && { replaces }),
    ...(error && { error }),
  };
  return { order, retryAfter: status === "processing" ? (error ? LATER_S : SOON_S) : undefined };
}

/** Returns the standing authorisation of an account. Throws an AcmeProblem `unauthorized` unless it is in force. */
export async function requireStanding({ authorisationId }: BoundAccount, now: Date): Promise<NamedStandingRow> {
  const standing = await findStanding(getDb(), authorisationId);
  if (standing && stateOfStanding(standing, now) === "Active") return standing;
  throw new AcmeProblem(
    "unauthorized",
    "The standing authorisation of this account has ended. An owner of the company asks for a new one, and makes a key for it.",
  );
}

const newOrderSchema = z
  .object({
    identifiers: identifiersSchema,
    notBefore: z.unknown(),
    notAfter: z.unknown(),
    replaces: z.string().max(200).optional(),
    profile: z.string().max(100).optional(),
  })
  .passthrough();

/** Throws an AcmeProblem while an order for the same names waits for staff, so that a client that repeats it does not order it again. */
async function requireNoneWaiting(
  { id: accountId }: BoundAccount,
  wanted: Pick<AcmeOrderRow, "names" | "profile">,
): Promise<void> {
  const orderId = await findWaitingAcmeOrder(getDb(), { accountId, ...wanted });
  if (orderId === null) return;
  const certificate = await findCertificateByOrder(getDb(), orderId);
  const waiting = certificate && (await whyWaiting(certificate));
  if (waiting) throw waiting;
  const detail = `Order ${orderNumber(orderId)} for these names is being issued. Ask for it instead of making another one.`;
  throw new AcmeProblem("userActionRequired", detail, { instance: pageOfOrder(orderId) });
}

const token = () => randomBytes(32).toString("base64url");

/**
 * Makes an order for names (RFC 8555 §7.4). The authorization of a name that the company has confirmed is valid at once.
 *
 * @param payload The payload of the request.
 * @throws AcmeProblem when a name or the profile is refused, the standing authorisation has ended, too many orders are open, an order for
 *   these names waits for staff, or the certificate of `replaces` cannot be replaced.
 */
export async function makeOrder(payload: string, account: BoundAccount, now = new Date()): Promise<WholeAcmeOrder> {
  const asked = readObject(payload, newOrderSchema, "The request");
  if (asked.notBefore !== undefined || asked.notAfter !== undefined)
    throw new AcmeProblem(
      "malformed",
      "notBefore and notAfter cannot be chosen: a certificate is valid for a year from now.",
    );
  const standing = await requireStanding(account, now);
  const profile = requireProfile(asked.profile, standing);
  const list = requireNames(asked.identifiers, standing);
  const names = JSON.stringify(list);
  const replaces = await readReplaces(account, asked.replaces, list);
  await requireNoneWaiting(account, { names, profile });
  const confirmed = await confirmedOf(getDb(), account.companyId, now);
  const unproved = list.filter((name) => !isConfirmedHost(name, confirmed));
  if (unproved.length > 0 && getConfig().names.domainControl === "require") {
    const detail = `The company has not confirmed ${unproved.join(", ")}. An owner confirms the domain on the page Domains.`;
    throw new AcmeProblem("rejectedIdentifier", detail, { instance: getEnv().publicUrl + paths.domains });
  }
  const id = await inTransaction(async (trx) => {
    if (replaces !== null) await requireNotReplaced(trx, await lockCertificate(trx, replaces), now);
    if ((await countOpenAcmeOrders(trx, account.id, now)) >= MOST_OPEN_ORDERS) {
      const detail = `The account has ${MOST_OPEN_ORDERS} orders that were not finalised, which is the most. They end after ${ORDER_DAYS} days.`;
      throw new AcmeProblem("rateLimited", detail, { retryAfter: LATER_S });
    }
    const row = { accountId: account.id, names, replaces, profile, createdAt: now };
    const acmeOrderId = await insertAcmeOrder(trx, { ...row, expiresAt: addDays(now, ORDER_DAYS) });
    await insertAcmeAuthorizations(
      trx,
      list.map((name) => ({
        acmeOrderId,
        name: name.replace(/^\*\./, ""),
        isWildcard: name.startsWith("*."),
        httpToken: token(),
        dnsToken: token(),
        validatedAt: unproved.includes(name) ? null : now,
      })),
    );
    return acmeOrderId;
  });
  return requireOrder(account, id);
}

/** Returns the addresses of the account's orders, the latest first, and the address of the next part of the list, or null. */
export async function listOrders({ id }: BoundAccount, before: number | null) {
  const ids = await listAcmeOrderIds(getDb(), id, { before, limit: LIST_SIZE });
  const last = ids.at(-1);
  const next = ids.length === LIST_SIZE && last !== undefined ? acmeUrls.orders(id, last) : null;
  return { orders: ids.map(acmeUrls.order), next };
}
