import { CaError } from "~/ca/errors.server";
import { LIMIT_LINTS } from "~/ca/lint/end-entity-lints.server";
import { type LintFinding } from "~/ca/lint/lint.server";
import { type PreparedAndLinted, prepareLinted } from "~/ca/lint/prepared.server";
import { isLimited, issuerLimits } from "~/ca/names/issuer-limits.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { isPortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { isOpenOrder } from "../queue/order-decision.policy";
import { limitRulesOfPrepared } from "../request/issuer-limit-rules.server";
import { listPrevious, previousOf } from "../succession/successor-issuing.server";
import { type ReadOrder } from "./approval.server";
import { requestForOrder } from "./issuance-request.server";
import { issuerFor } from "./preparing.server";

/** The CAs, and the certificates that orders renew or replace, by id. */
interface IssuingFacts {
  authorities: readonly Authority[];
  previous: ReadonlyMap<number, CertificateRow>;
}

/** Reads what the certificates of these orders depend on. */
export const readIssuingFacts = async (rows: readonly CertificateRow[]): Promise<IssuingFacts> => ({
  authorities: await listAuthorities(getDb()),
  previous: await listPrevious(getDb(), rows),
});

/**
 * Returns what `judge` says about the CA of an order, given how to prepare the certificate that the order would lead to now. Records nothing.
 * Returns an empty array when no certificate can be prepared, for which the approval names the reason.
 */
function judgeCertificate<Found>(
  { row, csr }: ReadOrder,
  { authorities, previous: all }: IssuingFacts,
  now: Date,
  judge: (authority: Authority, prepare: () => PreparedAndLinted) => Found[],
): Found[] {
  try {
    const previous = previousOf(row, all);
    if (previous !== null && previous.der === null) return []; // there is nothing that the successor could take over
    const authority = issuerFor(row, previous, authorities, now);
    return judge(authority, () => prepareLinted(requestForOrder(row, csr, previous, authority, now)));
  } catch (error) {
    if (isPortalError(error) || error instanceof CaError || error instanceof RangeError) return [];
    throw error;
  }
}

/** Returns the rules by which the CA of an open order may not certify what it asks for. */
export const limitRulesOfOrder = (order: ReadOrder, facts: IssuingFacts, now: Date): BrokenRule[] =>
  judgeCertificate(order, facts, now, (authority, prepare) =>
    isLimited(issuerLimits(authority.certificate)) ? limitRulesOfPrepared(prepare().prepared, authority) : [],
  );

/**
 * Returns the limits of the CA that an open order's certificate breaks (`limitRulesOfOrder`), and what the lints find in the certificate
 * beside them. Both are empty for other orders.
 */
export async function judgeOrder(
  order: ReadOrder,
  now = new Date(),
): Promise<{ limits: BrokenRule[]; lints: LintFinding[] }> {
  if (!isOpenOrder(order.row)) return { limits: [], lints: [] };
  const facts = await readIssuingFacts([order.row]);
  const lints = judgeCertificate(order, facts, now, (_, prepare) => prepare().findings);
  return {
    limits: limitRulesOfOrder(order, facts, now),
    lints: lints.filter(({ lint }) => !LIMIT_LINTS.includes(lint)),
  };
}
