import { may, type RightsHolder, rightNeeded } from "~/domain/accounts/rights.policy";

/**
 * Returns why this user may not revoke the certificate, or null. Members revoke those of their company, staff with the right those of all
 * customers.
 */
export const whyMayNotRevoke = (
  user: RightsHolder & { companyId: number },
  { companyId }: { companyId: number },
): string | null =>
  companyId === user.companyId || may(user, "revoke-certificates") ? null : rightNeeded("revoke-certificates");
