import { type Csr } from "~/ca/csr/read.server";
import { CaError } from "~/ca/errors.server";
import { type LintFinding } from "~/ca/lint/lint.server";
import { prepareLinted } from "~/ca/lint/prepared.server";
import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { isPortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { isOpenOrder } from "../queue/order-decision.policy";
import { listPrevious, previousOf } from "../succession/successor-issuing.server";
import { requestForOrder } from "./issuance-request.server";
import { issuerFor } from "./preparing.server";

/**
 * Returns what the lints find in the certificate that an open order would lead to now, without recording anything. Returns an empty array
 * for other orders, and when no certificate can be prepared, for which the approval names the reason.
 */
export async function lintsOfOrder(row: CertificateRow, csr: Csr, now = new Date()): Promise<LintFinding[]> {
  if (!isOpenOrder(row)) return [];
  const authorities = await listAuthorities(getDb());
  const previous = previousOf(row, await listPrevious(getDb(), [row]));
  if (previous !== null && previous.der === null) return []; // there is nothing that the successor could take over
  try {
    const authority = issuerFor(row, previous, authorities, now);
    return prepareLinted(requestForOrder(row, csr, previous, authority, now)).findings;
  } catch (error) {
    if (isPortalError(error) || error instanceof CaError || error instanceof RangeError) return [];
    throw error;
  }
}
