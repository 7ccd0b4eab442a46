import { may, type RightsHolder, rightNeeded } from "~/domain/accounts/rights.policy";

/** Returns why this user may not revoke the certificate, or null. Owners revoke their own, staff with the right those of customers. */
export const whyMayNotRevoke = (user: RightsHolder & { id: number }, { userId }: { userId: number }): string | null =>
  userId === user.id || may(user, "revoke-certificates") ? null : rightNeeded("revoke-certificates");
