import { may, type RightsHolder, rightNeeded } from "~/domain/accounts/rights.policy";
import { mayFor, type Member, roleNeeded } from "~/domain/companies/roles.policy";

/**
 * Returns why this user may not revoke the certificate, or null. Members with a role that may revoke those of their company, staff with the
 * right those of all customers.
 */
export function whyMayNotRevoke(user: RightsHolder & Member, certificate: { companyId: number }): string | null {
  if (mayFor(user, certificate, "revoke-own-certificates") || may(user, "revoke-certificates")) return null;
  return certificate.companyId === user.companyId
    ? roleNeeded("revoke-own-certificates")
    : rightNeeded("revoke-certificates");
}
