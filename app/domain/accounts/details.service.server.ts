import { recordAudit } from "~/domain/audit/audit.service.server";
import { refreshOwnersCodes } from "~/domain/codes/owner-columns.server";
import { companyReference } from "~/domain/companies/company-reference";
import { requireRole } from "~/domain/companies/roles.policy";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findUserById, lockUser, updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { companyPartOf } from "./account-details.server";
import { hasDetailsMissing } from "./accounts.policy";
import { checkDetails, isVatUnchecked, storeDetails } from "./company-details.server";
import { lockedFields } from "./details.policy";
import { type CompanyDetails } from "./details.schema";
import { type SessionUser } from "./session-user";

/**
 * Completes a registration: stores company numbers, addresses and VAT number in one transaction with the audit entry. The VAT number is
 * checked for the invoiced country. Numbers that were saved before stay as they are (see `lockedFields`). Returns whether the VAT service
 * could not be asked. Throws a PortalError (403) for a member who is no owner, and for the field that is not valid.
 */
export async function completeRegistration(
  user: SessionUser,
  form: CompanyDetails,
  now = new Date(),
): Promise<{ isVatUnchecked: boolean }> {
  requireRole(user, "manage-company");
  const owner = await findUserById(getDb(), user.id);
  if (!owner) throw notFound();
  const part = { ...companyPartOf(form, owner.company), ...lockedFields(user, owner) };
  const checked = await checkDetails(user.id, part, form.useCompanyAddress);

  await inTransaction(async (trx) => {
    const stored = await lockUser(trx, user.id, now);
    if (!stored) throw notFound();
    if (!hasDetailsMissing(stored)) return; // The same form was sent twice.
    const details = { ...checked, ...lockedFields(user, stored) };
    await updateUser(trx, user.id, await storeDetails(trx, stored, details, stored.company), now);
    await refreshOwnersCodes(trx, user.id);
    const entry = { event: "account.details-completed", message: "Completed the registration." };
    const about = { userId: user.id, reference: companyReference(stored.companyId) };
    await recordAudit(trx, { actor: user.actor, ...entry, ...about }, now);
  });
  return { isVatUnchecked: isVatUnchecked(checked) };
}
