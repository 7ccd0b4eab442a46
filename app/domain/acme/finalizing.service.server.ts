import { z } from "zod";
import { readCsrInput, unreadableRule } from "~/domain/certificates/request/csr-import.service.server";
import { issueWithin } from "~/domain/certificates/standing/issuing.service.server";
import { placeUnder } from "~/domain/certificates/standing/ordering.service.server";
import { chosenTerm } from "~/domain/certificates/succession/original.server";
import { type OrderClaim } from "~/domain/orders/order-claim";
import { type Client } from "~/domain/security-events/client";
import { isOutage, isPortalError } from "~/lib/errors";
import { type BoundAccount } from "~db/repositories/acme-accounts.server";
import { lockAcmeOrder, setAcmePlaced } from "~db/repositories/acme-orders.server";
import { userOfAccount } from "./acting.server";
import { fromBase64url, readObject } from "./jws.server";
import { namesOfAcmeOrder, statusOfOrder, type WholeAcmeOrder } from "./order-status.server";
import { requireOrder, requireStanding } from "./orders.service.server";
import { AcmeProblem } from "./problem";
import { usagesOfOrder } from "./profiles.policy";
import { findAcmeOriginal, findReplaced } from "./renewing.server";
import { subjectFor } from "./subject.server";
import { requireConfirmedStanding, whyWaiting } from "./waiting.server";

/** How many years a certificate is valid. */
const YEARS = 1;

const finalizeSchema = z.object({ csr: z.string() }).strict();

/** The code of the PortalError for a certificate that cannot be renewed any more. */
const NOT_RENEWED = "certificate.renew";

/** The codes of PortalErrors about a CSR. */
const OF_CSR = ["csr", "key-of-another"];

/** Returns the error of a refused order as clients get it. Anything unexpected, an outage and a rate limit stay as they are. */
function problemOf(error: unknown): unknown {
  if (!isPortalError(error) || isOutage(error) || error.status === 429) return error;
  const type = OF_CSR.includes(error.code) ? "badCSR" : "unauthorized";
  return new AcmeProblem(type, error.message.replaceAll("\n", " "), { cause: error });
}

/** Makes an ACME order become at most one order of the portal, whose certificate takes the place of another one. */
const claimOf = (id: number, replaces: number | null): OrderClaim => ({
  hold: async (trx) => (await lockAcmeOrder(trx, id))?.orderId === null,
  settle: (trx, orderId) => setAcmePlaced(trx, id, { orderId, replaces }),
});

/** Returns the error for an order that cannot be finalised as it is. */
function notReady(whole: WholeAcmeOrder, now: Date): AcmeProblem {
  const status = statusOfOrder(whole, now);
  const why = status === "pending" ? "Meet a challenge of each authorization first." : "Ask for the order to see why.";
  return new AcmeProblem("orderNotReady", `The order is ${status}. ${why}`);
}

/** Places the order of the portal, unless another request has placed it meanwhile. */
async function place(whole: WholeAcmeOrder, account: BoundAccount, csr: Buffer, client: Client, now: Date) {
  const { row, authorizations } = whole;
  const input = readCsrInput(csr);
  if (!input.read.ok || input.kind === "private-key") throw new AcmeProblem("badCSR", unreadableRule(input).message);
  const standing = await requireStanding(account, now);
  const user = await userOfAccount(account, client);
  const { csr: read } = input.read;
  const subject = subjectFor(read, namesOfAcmeOrder(row), standing);
  const usages = usagesOfOrder(row, standing);
  const replaces = await findReplaced(row, now);
  const successor = { csr: read, subject, years: YEARS, usages };
  const original = replaces === null ? null : await findAcmeOriginal(user, replaces, successor, now);
  await requireConfirmedStanding(standing, original && chosenTerm(original, YEARS), now);
  const wanted = {
    csr: read.pem,
    validityPeriod: YEARS,
    usage: usages,
    oftpid: "",
    subject,
    proved: authorizations
      .filter(({ provedBy }) => provedBy !== null)
      .map(({ name, isWildcard }) => ({ name: isWildcard ? `*.${name}` : name, isHostOnly: true })),
  };
  const claim = claimOf(row.id, replaces);
  try {
    await placeUnder(user, standing.id, { ...wanted, original }, claim, now).catch((error: unknown) => {
      if (!isPortalError(error) || error.code !== NOT_RENEWED) throw error;
      return placeUnder(user, standing.id, { ...wanted, original: null }, claim, now); // another order has renewed it meanwhile
    });
  } catch (error) {
    const { row: current } = await requireOrder(account, row.id);
    if (current.orderId === null) throw problemOf(error); // otherwise another request was faster, and made this one fail
  }
}

/**
 * Finalises an order with a CSR (RFC 8555 §7.4): orders under the standing authorisation, with its subject, and issues the certificate when
 * the order is within it. What is not within it waits for staff. An order is placed once, however often and from wherever it is finalised.
 *
 * @param payload The payload of the request.
 * @throws AcmeProblem `badCSR`, `orderNotReady` or `unauthorized`, and PortalError (429) when the account has reached a limit. Also
 *   AcmeProblem `userActionRequired` when the order waits for staff or would have to: clients print an error, but give up on an order that is
 *   being processed without saying why.
 */
export async function finalizeOrder(
  payload: string,
  account: BoundAccount,
  { id, client }: { id: number; client: Client },
  now = new Date(),
): Promise<WholeAcmeOrder> {
  const csr = fromBase64url(readObject(payload, finalizeSchema, "The request").csr, "The CSR");
  const whole = await requireOrder(account, id);
  const isSame = whole.certificate?.csr.equals(csr) === true;
  if (!isSame && statusOfOrder(whole, now) !== "ready") throw notReady(whole, now);
  if (!isSame) await place(whole, account, csr, client, now);
  const placed = isSame ? whole : await requireOrder(account, id);
  if (!placed.certificate) throw notReady(placed, now);
  if (statusOfOrder(placed, now) === "processing") await issueWithin(placed.certificate.id, now);
  const finished = await requireOrder(account, id);
  const waiting = finished.certificate && (await whyWaiting(finished.certificate));
  if (waiting) throw waiting;
  return finished;
}
