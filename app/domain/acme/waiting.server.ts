import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { issuerOfNew } from "~/domain/authorities/life.policy";
import { isIssuing } from "~/domain/certificates/queue/order-decision.policy";
import { standingName, UNCONFIRMED } from "~/domain/certificates/standing/standing";
import { isUnconfirmed } from "~/domain/certificates/standing/standing-grants.service.server";
import { type ChosenTerm } from "~/domain/certificates/succession/original.server";
import { orderNumber } from "~/domain/orders/order-number";
import { accountPaths } from "~/lib/account-paths";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { findStandingOrder, type StandingRow } from "~db/repositories/standing-authorisations.server";
import { AcmeProblem } from "./problem";

/** Returns the address of the page of an order of the portal. */
export const pageOfOrder = (orderId: number): string => getEnv().publicUrl + paths.order(orderId);

/** Returns whether the certificate of an approved order waits until an approver confirms its standing authorisation to the signer. */
async function isWaitingForApprover(row: CertificateRow, authorisationId: number): Promise<boolean> {
  if (!isIssuing(row)) return false;
  const issuer = (await listAuthorities(getDb())).find(({ id }) => id === row.authorityId);
  return isUnconfirmed(authorisationId, issuer?.name ?? null);
}

/**
 * Returns what a client is told about an order of the portal that waits for staff, because it is not within the standing authorisation or
 * because nobody has confirmed that to the signer. Returns null when it waits for nobody.
 */
export async function whyWaiting(certificate: CertificateRow): Promise<AcmeProblem | null> {
  const { id, orderId, status } = certificate;
  const under = status === "Pending" ? await findStandingOrder(getDb(), id) : null;
  if (!under) return null;
  const waits = `Order ${orderNumber(orderId)} waits for our staff`;
  const { whyOutside, authorisationId } = under;
  if (whyOutside !== null) {
    const why = whyOutside.replaceAll("\n", " ");
    const detail = `${waits}, because it is not within the standing authorisation: ${why}`;
    return new AcmeProblem("userActionRequired", detail, { instance: pageOfOrder(orderId) });
  }
  if (!(await isWaitingForApprover(certificate, authorisationId))) return null;
  return new AcmeProblem("userActionRequired", `${waits}. ${UNCONFIRMED}`, { instance: pageOfOrder(orderId) });
}

/** Returns the name of the CA that will sign: that of a renewal, or the one for new orders. */
async function signingCa(term: ChosenTerm | null, now: Date): Promise<string | null> {
  const all = await listAuthorities(getDb());
  const renewed = term?.isIssuerKept ? await findCertificate(getDb(), term.certificateId) : null;
  const own = all.find(({ id }) => id === renewed?.authorityId);
  const issuer = own ?? issuerOfNew(all, term?.hierarchy ?? getConfig().certificates.hierarchy, now);
  return issuer?.name ?? null;
}

/**
 * Throws an AcmeProblem `userActionRequired` while the signer would sign nothing under a standing authorisation, because no approver has
 * confirmed it there. Nothing is ordered then: clients forget the key of an order that waits, and the certificate would be of no use.
 *
 * @param term The term of a renewal, or null for a new certificate.
 */
export async function requireConfirmedStanding(
  { id }: Pick<StandingRow, "id">,
  term: ChosenTerm | null,
  now: Date,
): Promise<void> {
  if (!getEnv().signerWay || !(await isUnconfirmed(id, await signingCa(term, now)))) return;
  const detail = `Nothing was ordered, because ${standingName(id)} does not count at the signer now. An approver of our staff must confirm it there on its page. Ask our staff, and finalise the order again then.`;
  throw new AcmeProblem("userActionRequired", detail, {
    instance: getEnv().publicUrl + accountPaths.standingAuthorisation(id),
  });
}
