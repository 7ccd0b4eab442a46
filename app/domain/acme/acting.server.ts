import { hasDetailsMissing } from "~/domain/accounts/accounts.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { personIn } from "~/domain/accounts/session-user.server";
import { type Client } from "~/domain/security-events/client";
import { getDb } from "~db/connection.server";
import { type BoundAccount } from "~db/repositories/acme-accounts.server";
import { findUserFor } from "~db/repositories/users.server";
import { AcmeProblem } from "./problem";

/** Returns how audit entries and events name an account. Names are cut to what an entry can hold. */
export const acmeAccountName = ({ id, description }: Pick<BoundAccount, "id" | "description">): string =>
  `${description} (ACME account ${id})`.slice(0, 200);

/**
 * Returns the user as whom an ACME account orders and revokes: the owner who made its key, in the company of the key, with the role of a
 * purchaser. Throws an AcmeProblem when that person is no owner of the company any more or cannot log in, because nobody answers for the
 * account then.
 */
export async function userOfAccount(account: BoundAccount, client: Client): Promise<SessionUser> {
  const { companyId, madeBy } = account;
  const row = await findUserFor(getDb(), { userId: madeBy, companyId });
  if (row?.role !== "owner" || row.isDisabled || row.adminLockedAt !== null) {
    const who = "Whoever made the key of this account is no owner of the company any more.";
    throw new AcmeProblem("unauthorized", `${who} An owner makes a new key; make a new account with it.`);
  }
  return {
    ...personIn(row),
    companyId,
    company: row.company,
    role: "purchaser",
    isApplicant: row.isApplicant,
    isAdmin: false,
    rights: [],
    hasDetailsMissing: hasDetailsMissing(row),
    hasSeveralAccounts: false,
    passwordAge: "fresh",
    impersonator: null,
    actor: { id: row.id, name: acmeAccountName(account), impersonatorId: null, client },
    sessionId: null,
    proof: null,
    signedOnWith: null,
    factorDueAt: null,
    isFactorOverdue: false,
    apiClient: null,
  };
}
