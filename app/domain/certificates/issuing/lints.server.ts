import { describeCertificate } from "~/ca/certificate/describe.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { lintedIssuer } from "~/ca/lint/common-lints.server";
import { END_ENTITY_LINTS } from "~/ca/lint/end-entity-lints.server";
import { type LintFinding, lintText, runLints } from "~/ca/lint/lint.server";
import { type PreparedAndLinted } from "~/ca/lint/prepared.server";
import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { limitRulesOfPrepared } from "../request/issuer-limit-rules.server";
import { csrRefused } from "./approval.server";

/**
 * Throws a PortalError with the rules by which the CA may not sign a certificate, or with the sentence and the name of the lint when a lint
 * has found another error in it before it is signed.
 */
export function requireNoLintErrors({ prepared, findings }: PreparedAndLinted, authority: Authority): void {
  const limits = limitRulesOfPrepared(prepared, authority);
  if (limits.length > 0) throw csrRefused(limits);
  const found = findings.find(({ severity }) => severity === "error");
  if (found)
    throw new PortalError(
      `The certificate has not been signed, because it would break a rule. ${lintText(found)} Reject the order.`,
      { code: "certificate.lint" },
    );
}

/** Returns what the lints find in an issued certificate, for staff who see the queue. Others, and orders without a certificate, have none. */
export async function lintsOfIssued(
  user: RightsHolder,
  { der, authorityId }: Pick<CertificateRow, "der" | "authorityId">,
): Promise<LintFinding[]> {
  if (!der || !may(user, "see-queue")) return [];
  const authority = (await listAuthorities(getDb())).find(({ id }) => id === authorityId);
  if (!authority) return [];
  const certificate = parseCertificate(der);
  const description = describeCertificate(der, certificate);
  return runLints(END_ENTITY_LINTS, { certificate, description, issuer: lintedIssuer(authority.certificate) });
}
